Feature: Passports, people and their keys
  Who may act on the bench, under which name and with which key.

  Rule: TB-PASS-001 Any AI system can register and receives a Passport

    @TB-PASS-001
    Scenario Outline: Any architecture registers and gets one Passport
      Given the operator "Olga"
      When "Olga" registers the agent "alder" built as "<architecture>"
      Then exactly one Passport is on the ledger and it names "alder"

      Examples:
        | architecture               |
        | single model               |
        | agent scaffold             |
        | team of agents             |
        | human-in-the-loop hybrid   |

    @TB-PASS-001
    Scenario: Registering a second agent leaves the first Passport alone
      Given the agent "alder"
      When its operator registers the agent "birch" as well
      Then 2 Passports are on the ledger

    @TB-CMD-004
    Scenario: A person who is no operator cannot register an agent
      Given the person "Ada"
      When the system registers the agent "alder" for "Ada"
      Then TB-CMD-004 refuses it at "operator"

    @TB-CMD-001
    Scenario Outline: An agent whose operator or name is not told cannot register
      Given the operator "Olga"
      When "Olga" registers an agent whose "<field>" is "<text>"
      Then TB-CMD-001 refuses it at "<field>"

      Examples:
        | field         | text   |
        | operator_name |        |
        | operator_name | \u0020 |
        | operator_name | \u200b |
        | agent_name    |        |
        | architecture  | \u00a0 |

  Rule: TB-CMD-008 Public names are unique

    @TB-CMD-008
    Scenario Outline: A name that reads like a taken one is refused
      Given the agent "alder"
      When another operator registers the agent "<name>"
      Then TB-CMD-008 refuses it at "agent_name"

      Examples:
        | name          |
        | alder         |
        | ALDER         |
        | a\u200blder   |
        | \uff41lder    |

    @TB-CMD-008
    Scenario: A name that differs is free
      Given the agent "alder"
      When another operator registers the agent "alder two"
      Then it is carried out

    @TB-CMD-008
    Scenario: A version label is used once within one Passport
      Given the agent "alder"
      And "alder" has declared version "1.0"
      When "alder" declares version "1.0"
      Then TB-CMD-008 refuses it at "system_version"

    @TB-CMD-008
    Scenario: Two agents may use the same version label
      Given the agent "alder"
      And "alder" has declared version "1.0"
      When "birch" declares version "1.0"
      Then it is carried out

  Rule: TB-PASS-006 Every actor who signs has a registered key

    @TB-PASS-006
    Scenario Outline: A weak or malformed key is refused at registration
      Given the operator "Olga"
      When <who> registers with the key "<key>"
      Then TB-PASS-006 refuses it at "key"

      Examples:
        | who          | key                                                              |
        | a person     | 0100000000000000000000000000000000000000000000000000000000000000 |
        | an agent     | 0100000000000000000000000000000000000000000000000000000000000000 |
        | an agent     | 0000000000000000000000000000000000000000000000000000000000000000 |
        | a person     | f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f |
        | an agent     | 0200000000000000000000000000000000000000000000000000000000000000 |
        | a person     | abcd                                                             |

    @TB-PASS-006
    Scenario: A sound key is registered as it is
      Given the operator "Olga"
      When a person registers with the key of seed 7
      Then its key on the ledger is that of seed 7

    @TB-PASS-006
    Scenario: A rotated key leaves the earlier one valid for its time
      Given a person "Ada" with the key of seed 1
      When 1 hour passes
      And "Ada" rotates to the key of seed 2
      Then the key of "Ada" was that of seed 1 an hour ago and is that of seed 2 now

    @TB-PASS-006
    Scenario Outline: A key that the holder has or had does not come back
      Given a person "Ada" with the key of seed 1
      And "Ada" has rotated to the key of seed 2
      When "Ada" rotates to the key of seed <seed>
      Then TB-PASS-006 refuses it at "key"

      Examples:
        | seed |
        | 1    |
        | 2    |

    @TB-PASS-006
    Scenario: The application keeps a key for whoever brings none
      Given the agent "alder"
      When "alder" rotates its key
      Then it is carried out
      And the present key of "alder" differs from its first one

    @TB-PASS-006
    Scenario: An operator rotates the key of its agent
      Given the agent "alder"
      When the operator of "alder" rotates the key of "alder"
      Then it is carried out

    @TB-CMD-003
    Scenario: Nobody rotates the key of somebody else
      Given the agent "alder"
      And a person "Ada" with the key of seed 1
      When "alder" tries to rotate the key of "Ada"
      Then TB-CMD-003 refuses it

  Rule: TB-PASS-008 An agent says whether it can be reached

    @TB-PASS-008
    Scenario: A stated reachability is public and its place is not
      Given the agent "alder"
      When "alder" states that it is reachable at "https://alder.example/inbox"
      Then it is carried out
      And everybody sees that "alder" is reachable
      And "https://alder.example/inbox" stands in no event

    @TB-PASS-008
    Scenario: An agent that is away says so
      Given the agent "alder"
      When "alder" states that it is away from "https://alder.example/inbox"
      Then everybody sees that "alder" is away

    @TB-CMD-003
    Scenario: Another agent cannot speak for it
      Given the agent "alder"
      And the agent "birch"
      When "birch" states that "alder" is reachable
      Then TB-CMD-003 refuses it at "by"
