Feature: Privacy
  Who a person is stays apart from what the bench publishes, and private matter opens to its readers only.

  Rule: TB-PRIV-001 Identity stays apart from the card

    @TB-PRIV-001
    Scenario Outline: A card that says who the person is cannot be posted
      Given a person known to the vault as "Rosa Diaz", reached at "rosa@elm.example, +1 503 555 0147"
      And a reviewed want of hers whose card says "<words>"
      When the want is posted
      Then TB-PRIV-001 refuses it at "card"

      Examples:
        | words                                |
        | Rosa Diaz wants her bicycle repaired |
        | The bicycle of ROSA  DIAZ            |
        | Ring 15035550147 when it is done     |

    @TB-PRIV-001
    Scenario Outline: A card that only helps to plan is posted
      Given a person known to the vault as "Rosa Diaz", reached at "rosa@elm.example, +1 503 555 0147"
      And a reviewed want of hers whose card says "<words>"
      When the want is posted
      Then it is carried out

      Examples:
        | words                                    |
        | A bicycle repaired                       |
        | A climbing rosa planted along the fence  |

    @TB-PRIV-001
    Scenario Outline: A card that says where the person lives cannot be posted
      Given a want with the finish line "<words>", reviewed for "Ada"
      When a steward posts the want
      Then TB-PRIV-001 refuses it at "card"

      Examples:
        | words                                      |
        | The bicycle stands at 12 Elm Street        |
        | The bicycle stands at 12\u00a0ELM  street. |

    @TB-PRIV-001
    Scenario: The town may stand on the card
      Given a want with the finish line "The bicycle stands at a door in Portland", reviewed for "Ada"
      When a steward posts the want
      Then it is carried out

    @TB-PRIV-001
    Scenario: A region that says who the person is is not recorded
      When "Ada" records a want with region "Where Ada lives"
      Then TB-PRIV-001 refuses it at "region"

  Rule: TB-PRIV-002 The public log holds no personal data

    @TB-PRIV-002
    Scenario Outline: A card with an address or a payment credential cannot be posted
      Given a person known to the vault as "Rosa Diaz", reached at "nowhere"
      And a reviewed want of hers whose card says "<words>"
      When the want is posted
      Then TB-PRIV-002 refuses it at "command"

      Examples:
        | words                                    |
        | Write to someone.else@elm.example        |
        | Pay with 4111 1111 1111 1111             |
        | Pay with 4111-1111-1111-1111, please     |
        | Send it to DE89 3704 0044 0532 0130 00   |

    @TB-PRIV-002
    Scenario Outline: Numbers and signs that are no credentials are no obstacle
      Given a person known to the vault as "Rosa Diaz", reached at "nowhere"
      And a reviewed want of hers whose card says "<words>"
      When the want is posted
      Then it is carried out

      Examples:
        | words                                    |
        | Part number 4111 1111 1111 1112          |
        | Two of them @ 40 dollars each            |

    @TB-PRIV-002
    Scenario: An agent's name is public, an address in it is not
      Given the operator "Olga"
      When "Olga" registers the agent "alder@works.example" built as "agent scaffold"
      Then TB-PRIV-002 refuses it at "command"

    @TB-PRIV-002
    Scenario: Name and contact of a person never reach the log
      When a person registers under the name "Rosa Diaz" with the contact "rosa@elm.example"
      Then it is carried out
      And neither "Rosa Diaz" nor "rosa@elm.example" is in the log

  Rule: TB-PRIV-003 Private material appears only as hashes and authorised results

    @TB-PRIV-003
    Scenario: A private plan is represented by its commitment alone
      Given a posted want
      When "alder" bids on it
      Then no word of the plan is in the log
      And the commitment opens to the plan with its salt

  Rule: TB-PRIV-004 The plan stays private

    @TB-PRIV-004
    Scenario: The signed card shows how many steps there are, not what they are
      Given a signed deal of "alder" under version "1.0"
      Then the deal on the ledger has 2 steps and a commitment to their words
      And neither "parts list" nor "test ride" is in the log

  Rule: TB-PRIV-009 A salt hides one record

    @TB-PRIV-009
    Scenario Outline: The same card under the same salt is no second deal
      Given "alder" proposed a deal to one person under a salt of its own
      When "alder" proposes the same card to another person under <salt>
      Then <outcome>

      Examples:
        | salt            | outcome                          |
        | the same salt   | TB-PRIV-009 refuses it at "salt" |
        | another salt    | it is carried out                |
        | no salt it sent | it is carried out                |

  Rule: TB-PRIV-007 Private matter has its readers

    @TB-PRIV-007
    Scenario Outline: Name and contact open to the person and to stewards
      Given a person known to the vault as "Rosa Diaz", reached at "nowhere"
      When <reader> opens her identity
      Then <outcome>

      Examples:
        | reader             | outcome                        |
        | the person herself | the private matter is shown    |
        | a steward          | the private matter is shown    |
        | another person     | TB-PRIV-007 refuses it at "by" |
        | an agent           | TB-PRIV-007 refuses it at "by" |
        | an operator        | TB-PRIV-007 refuses it at "by" |

    @TB-PRIV-007
    Scenario: The evidence of a verification opens to stewards alone
      Given a person known to the vault as "Rosa Diaz", reached at "nowhere"
      And a steward has checked her identity with evidence
      When the person herself opens the evidence
      Then TB-PRIV-007 refuses it at "by"
      When a steward opens the evidence
      Then the private matter is shown

    @TB-CMD-002
    Scenario: Somebody who claims to be a steward reads nothing
      Given a person known to the vault as "Rosa Diaz", reached at "nowhere"
      When an unregistered steward opens her identity
      Then TB-CMD-002 refuses it at "by"

  Rule: TB-PRIV-005 The target is public

    @TB-PRIV-005
    Scenario: Anyone can read a posted want
      Given a posted want of "Ada"
      Then anyone can read the want and its baseline from the ledger

    @TB-PRIV-005
    Scenario: Before posting the words of a want are nowhere on the ledger
      Given a reviewed want of "Ada"
      Then the ledger holds "bicycle" nowhere

  Rule: TB-PRIV-008 Private matter can be erased, its proofs stay

    @TB-PRIV-008
    Scenario: A person has name and contact erased, and the ledger stays as it was
      Given a person known to the vault as "Rosa Diaz", reached at "nowhere"
      When the person herself has her identity erased
      Then it is carried out
      And her identity opens to nobody and the erasure is the only event added

    @TB-PRIV-008
    Scenario: Erasing once more changes nothing
      Given a person known to the vault as "Rosa Diaz", reached at "nowhere"
      When a steward has her identity erased
      And a steward has her identity erased
      Then nothing new is on the ledger

    @TB-PRIV-008
    Scenario: A poster cannot have an agent's plan erased
      Given a posted want
      And "alder" has bid on it
      When the poster has the proposal of "alder" erased
      Then TB-PRIV-008 refuses it at "commitment"

    @TB-PRIV-008
    Scenario: A steward may
      Given a posted want
      And "alder" has bid on it
      When a steward has the proposal of "alder" erased
      Then it is carried out

    @TB-PRIV-008
    Scenario: The card of a running attempt stays until it is resolved
      Given a signed deal of "alder" under version "1.0"
      When a steward has the deal card erased
      Then TB-PRIV-008 refuses it at "stream"
      Given the person has ended the deal
      When a steward has the deal card erased
      Then it is carried out

    @TB-PRIV-008
    Scenario: A person has an intake erased, and every hash of the log still verifies
      Given a posted want of "Ada"
      When "Ada" has the intake of her want erased
      Then it is carried out
      And nobody can open the intake any more
      And the log is as long as before plus the erasure, every byte of it unchanged

    @TB-PRIV-008
    Scenario: What a running attempt rests on stays until it is resolved
      Given a running attempt of "alder" for "Ada"
      And "alder" has posted a pulse at 0
      When "Ada" has the pulse erased
      Then TB-PRIV-008 refuses it at "stream"
      When "Ada" ends the attempt
      And "Ada" has the pulse erased
      Then it is carried out
      And its commitment still stands on the ledger

    @TB-CMD-003
    Scenario Outline: <who> has nothing of hers erased
      Given a posted want of "Ada"
      When "<who>" has the intake of her want erased
      Then TB-CMD-003 refuses it

      Examples:
        | who   |
        | Ben   |
        | alder |

    @TB-CMD-004
    Scenario: A commitment belongs to one stream
      Given a posted want of "Ada"
      When "Ada" has the intake of her want erased on her own stream
      Then TB-CMD-004 refuses it at "stream"
