Feature: Verified people and attested relationships
  When a person counts as verified, and what both sides state about each other before they sign.

  Rule: TB-INTEG-002 Verification means identity and uniqueness

    @TB-INTEG-002
    Scenario Outline: One check alone leaves the person unverified
      Given the person "Ada"
      When a steward completes the checks "<check>" of "Ada"
      Then "Ada" is unverified with the checks "<check>"

      Examples:
        | check      |
        | identity   |
        | uniqueness |

    @TB-INTEG-002
    Scenario: Both checks make the person verified, together or one after the other
      Given the person "Ada"
      When a steward completes the checks "uniqueness" of "Ada"
      And a steward completes the checks "identity" of "Ada"
      Then "Ada" is verified with the checks "identity, uniqueness"

    @TB-INTEG-002
    Scenario: Completing a completed check changes nothing
      Given the person "Ada"
      When a steward completes the checks "identity" of "Ada"
      Then it is carried out
      When a steward completes the checks "identity" of "Ada"
      Then nothing new is on the ledger

    @TB-CMD-004
    Scenario: A check that the rulebook does not know is refused
      Given the person "Ada"
      When a steward completes the checks "identity, charm" of "Ada"
      Then TB-CMD-004 refuses it at "checks"

    @TB-CMD-003
    Scenario: Nobody verifies themselves
      Given the person "Ada"
      When "Ada" completes the checks "identity, uniqueness" of "Ada"
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-PASS-007 One verified account a human

    @TB-PASS-007
    Scenario Outline: A second account of the same human stays unverified
      Given the person "Ada"
      And the person "Ada again"
      And the checks of "Ada" found the human "<first>"
      When the checks of "Ada again" find the human "<second>"
      Then TB-PASS-007 refuses it at "identity_token"

      Examples:
        | first   | second  |
        | ID 4711 | ID 4711 |
        | ID 4711 | id  4711 |

    @TB-PASS-007
    Scenario: Two humans are verified in two accounts
      Given the person "Ada"
      And the person "Ben"
      And the checks of "Ada" found the human "ID 4711"
      When the checks of "Ben" find the human "ID 4712"
      Then it is carried out

    @TB-PASS-007
    Scenario: The same human is checked again in the same account
      Given the person "Ada"
      And the checks of "Ada" found the human "ID 4711"
      When the checks of "Ada" find the human "ID 4711"
      Then it is carried out

  Rule: TB-INTEG-008 Both sides attest to relationships

    @TB-INTEG-008
    Scenario Outline: A deal without both attestations cannot be signed
      Given a proposed deal of "alder" to which <attested> attested
      When the person signs the deal
      Then TB-INTEG-008 refuses it at "deal"

      Examples:
        | attested          |
        | nobody            |
        | only the poster   |
        | only the operator |

    @TB-INTEG-008
    Scenario: A deal with both attestations is signed
      Given a proposed deal of "alder" to which both sides attested
      When the person signs the deal
      Then it is carried out

    @TB-INTEG-008
    Scenario: An attestation for another agent does not count
      Given a proposed deal of "alder" to which nobody attested
      And both sides have attested for "birch" instead
      When the person signs the deal
      Then TB-INTEG-008 refuses it at "deal"

    @TB-INTEG-008
    Scenario: Saying the same again changes nothing, saying otherwise is on the ledger
      Given a posted want
      And the agent "alder"
      When the poster of the want attests that they are unrelated
      Then it is carried out
      When the poster of the want attests that they are unrelated
      Then nothing new is on the ledger
      When the poster of the want attests that they are related
      Then the last attestation says that they are related

    @TB-CMD-003
    Scenario Outline: Nobody attests for another side
      Given a posted want
      And the agent "alder"
      When <sender> attests for the <side>
      Then TB-CMD-003 refuses it at "by"

      Examples:
        | sender       | side     |
        | the operator | poster   |
        | the poster   | operator |
        | the agent    | operator |
