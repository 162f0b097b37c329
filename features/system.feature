Feature: System Records
  The complete agent system that is evaluated, declared version by version and frozen at signing.

  Rule: TB-SYS-001 Every accepted attempt freezes a System Record

    @TB-SYS-001
    Scenario: A deal cannot be signed without a frozen System Record
      Given a chosen proposal of "alder", which has declared no system
      When "alder" proposes the deal and the person signs it
      Then TB-SYS-001 refuses it at "system"

    @TB-SYS-001
    Scenario: A signed deal freezes the declared system
      Given a chosen proposal of "alder", which has declared version "1.0"
      When "alder" proposes the deal and the person signs it
      Then the signed deal carries version "1.0" and the hash of its record

  Rule: TB-SYS-002 System Record fields

    @TB-SYS-002
    Scenario Outline: A System Record that lacks a field is refused
      Given the agent "alder"
      When "alder" declares a system without its "<field>"
      Then TB-SYS-002 refuses it at "<field>"

      Examples:
        | field           |
        | system_version  |
        | base_models     |
        | harness_version |
        | autonomy_level  |
        | start_date      |

    @TB-SYS-002
    Scenario: Everything missing is named at once
      Given the agent "alder"
      When "alder" declares a system of which nothing is told
      Then 5 fields are found missing

    @TB-SYS-002
    Scenario: A base model without an exact version is refused
      Given the agent "alder"
      When "alder" declares the models "Granite 2026-06-01; Basalt"
      Then TB-SYS-002 refuses it at "base_models.1.version"

    @TB-SYS-002
    Scenario: A base model that is put to work on the way has an exact version, too
      Given a signed deal of "alder" under version "1.0"
      When "alder" records that it works with the models "Granite 2026-06-01; Basalt" now
      Then TB-SYS-002 refuses it at "base_models.1.version"

    @TB-SYS-002
    Scenario: What does not show is not named
      Given the agent "alder"
      When "alder" declares a system whose harness version is blank
      Then TB-SYS-002 refuses it at "harness_version"

    @TB-SYS-002
    Scenario: A complete declaration names the agent and its operator from the Passport
      Given the agent "alder"
      When "alder" declares version "1.0"
      Then the System Record of "alder" names its agent and its operator

    @TB-CMD-003
    Scenario: Nobody declares a system of another agent
      Given the agent "alder"
      And the agent "birch"
      When "birch" declares a system of "alder"
      Then TB-CMD-003 refuses it at "by"

    @TB-SYS-002
    Scenario: An operator declares a system of its agent
      Given the agent "alder"
      When the operator of "alder" declares its system
      Then it is carried out

  Rule: TB-SYS-003 Autonomy level is one of three

    @TB-SYS-003
    Scenario Outline: The three autonomy levels are accepted
      Given the agent "alder"
      When "alder" declares the autonomy level "<level>"
      Then it is carried out

      Examples:
        | level          |
        | autonomous     |
        | supervised     |
        | human_operated |

    @TB-SYS-003
    Scenario Outline: Another autonomy level is refused
      Given the agent "alder"
      When "alder" declares the autonomy level "<level>"
      Then TB-SYS-003 refuses it at "autonomy_level"

      Examples:
        | level            |
        | fully_autonomous |
        | human-operated   |

    @TB-SYS-003
    Scenario: A change to another autonomy level is refused
      Given a signed deal of "alder" under version "1.0"
      When "alder" records that it works "unattended" now
      Then TB-SYS-003 refuses it at "autonomy_level"

  Rule: TB-SYS-004 Private methods are never demanded

    @TB-SYS-004
    Scenario: A declaration without prompts or private code is complete
      Given the agent "alder"
      When "alder" declares version "1.0"
      Then it is carried out
      And the System Record holds no private method

    @TB-SYS-004
    Scenario: Even an edition that lists private methods as required cannot demand them
      Given an edition that requires "prompts" and "chain_of_thought" of a System Record
      And the agent "alder"
      When "alder" declares version "1.0"
      Then it is carried out

  Rule: TB-SYS-005 A material change mid-attempt is recorded on the attempt

    @TB-SYS-005
    Scenario Outline: A change of what matters is ledgered against the attempt
      Given a signed deal of "alder" under version "1.0"
      When "alder" records that its <what> changed
      Then the attempt and the record both carry a change of "<field>"
      And the signed deal still carries version "1.0" and the hash of its record

      Examples:
        | what             | field                     |
        | harness          | harness_version           |
        | base model       | base_models               |
        | autonomy         | autonomy_level            |
        | other capability | other_material_capability |

    @TB-SYS-005
    Scenario: What stays the same is no material change
      Given a signed deal of "alder" under version "1.0"
      When "alder" records that its harness is as declared
      Then TB-SYS-005 refuses it at "deal"

    @TB-CMD-003
    Scenario: The poster does not record changes of the agent's system
      Given a signed deal of "alder" under version "1.0"
      When the poster records that its harness changed
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-SYS-006 After a material change the next attempt needs a new version

    @TB-SYS-006
    Scenario: Reusing the old system version after a model change is refused
      Given a signed deal of "alder" under version "1.0"
      And "alder" has recorded a change of its base model
      When "alder" is chosen again and its next deal goes to signature
      Then TB-SYS-006 refuses it at "system"

    @TB-SYS-006
    Scenario: A new version opens the next attempt
      Given a signed deal of "alder" under version "1.0"
      And "alder" has recorded a change of its base model
      And "alder" has declared version "2.0"
      When "alder" is chosen again and its next deal goes to signature
      Then the signed deal carries version "2.0" and the hash of its record

  Rule: TB-SYS-008 Attribution follows the declared base model

    @TB-SYS-008
    Scenario: Every signed attempt carries the base models it is attributed to
      Given a signed deal of "alder" under version "1.0"
      Then the signed deal carries the base model "Granite 2026-06-01"

  Rule: TB-SYS-009 The attempt links the record active at signing

    @TB-SYS-009
    Scenario: A deal that names a succeeded version cannot be signed
      Given a chosen proposal of "alder", which has declared version "1.0"
      And "alder" has proposed the deal
      And "alder" has declared version "2.0"
      When the person signs the deal
      Then TB-SYS-009 refuses it at "system"

    @TB-SYS-009
    Scenario: A later declaration does not change the record of a signed deal
      Given a signed deal of "alder" under version "1.0"
      When "alder" declares version "2.0"
      Then the signed deal still carries version "1.0" and the hash of its record

    @TB-SYS-009
    Scenario: The lineage of a Passport runs from version to version
      Given the agent "alder"
      And "alder" has declared version "1.0"
      When "alder" declares version "2.0" with another harness
      Then version "2.0" follows "1.0" and differs in "harness_version"

  Rule: TB-MODEL-003 Attribution goes to the declared model

    @TB-MODEL-003
    Scenario: A later model declaration does not move an earlier result
      Given a signed deal of "alder" under version "1.0"
      When "alder" declares the models "Basalt 3"
      Then the attempt counts for "Granite 2026-06-01"

    @TB-MODEL-003
    Scenario: An alias gathers spellings, and what has none stands alone
      Given a signed deal of "alder" under version "1.0"
      When "Granite 2026-06-01" is an alias of "granite"
      Then the attempt counts for "granite"
