Feature: The rulebook on the ledger
  Changes of the law are events: editions come into force, anchors are corrected, model names get their canonical id.

  Rule: TB-CAL-006 Every anchor change is its own public ledger event

    @TB-CAL-006
    Scenario: Two changes are two events
      When a steward corrects the anchor of "proven_path" to 0.65
      And a steward corrects the anchor of "venture" to 0.10
      Then 2 anchor changes are on the ledger
      And the ledger says that the anchor of "venture" went from 0.08 to 0.10

    @TB-CAL-006
    Scenario: A second change starts from the first
      Given the anchor of "proven_path" was corrected to 0.65
      When a steward corrects the anchor of "proven_path" to 0.6
      Then the ledger says that the anchor of "proven_path" went from 0.65 to 0.60

    @TB-CAL-006
    Scenario: A correction to the value that stands is no change
      Given the anchor of "proven_path" was corrected to 0.65
      When a steward corrects the anchor of "proven_path" to 0.65
      Then nothing new is on the ledger
      And 1 anchor changes are on the ledger

    @TB-ODDS-004
    Scenario: A class that the rubric does not have has no anchor
      When a steward corrects the anchor of "wishful_thinking" to 0.50
      Then TB-ODDS-004 refuses it at "reference_class"

    @TB-CMD-003
    Scenario: A poster corrects no anchor
      When "Ada" corrects the anchor of "proven_path" to 0.65
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-GOV-019 What is enacted is a published edition

    @TB-GOV-019
    Scenario: A new bench begins under a published edition
      Given the steward's rubric
      Then the edition of the genesis is in force

    @TB-GOV-019
    Scenario Outline: Only a published edition is enacted, once, and not for the past
      When a steward enacts <what>
      Then TB-GOV-019 refuses it at "<field>"

      Examples:
        | what                              | field     |
        | an edition under another hash     | hash      |
        | an edition nobody published       | version   |
        | the edition of the genesis again  | version   |
        | an edition for the past           | effective |

  Rule: TB-MODEL-007 A declared name has one canonical id

    @TB-MODEL-007
    Scenario: A second canonical id for one declared name is refused
      Given a steward recorded that "granite-3 (fast)" is the model "granite-3"
      When a steward records that "granite-3 (fast)" is the model "granite-4"
      Then TB-MODEL-007 refuses it at "declared"

    @TB-MODEL-007
    Scenario: The aliases that the rulebook starts with stand as well
      When a steward records that "openai/gpt-5.6-sol" is the model "something-else"
      Then TB-MODEL-007 refuses it at "declared"

    @TB-MODEL-007
    Scenario: A canonical id is no alias itself
      Given a steward recorded that "granite-3 (fast)" is the model "granite-3"
      When a steward records that "granite-3" is the model "granite"
      Then TB-MODEL-007 refuses it at "declared"

    @TB-MODEL-007
    Scenario: An alias leads to an id and not to another alias
      Given a steward recorded that "granite-3 (fast)" is the model "granite-3"
      When a steward records that "granite fast" is the model "granite-3 (fast)"
      Then TB-MODEL-007 refuses it at "canonical"

    @TB-MODEL-007
    Scenario: Repeating an alias adds nothing
      Given a steward recorded that "granite-3 (fast)" is the model "granite-3"
      When a steward records that "granite-3 (fast)" is the model "granite-3"
      Then nothing new is on the ledger

    @TB-MODEL-007
    Scenario: Several names may stand for one model
      Given a steward recorded that "granite-3 (fast)" is the model "granite-3"
      When a steward records that "Granite 3" is the model "granite-3"
      Then it is carried out
