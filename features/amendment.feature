Feature: Amendments of the rulebook
  A change of the law is drafted, reviewed, put to a last call and enacted by commands. What was begun under the old law
  is finished under it.

  Background:
    Given the scenario has a rulebook of its own

  Rule: TB-GOV-008 After launch, substantive changes are amendments

    @TB-GOV-008
    Scenario: An amendment is enacted with date, artifact hash and migration note
      When "lapse_after" of TB-OUT-015 is amended to "P7D" by the commands
      Then the amendment names its effective date, the hash of its edition and a migration note

    @TB-GOV-008
    Scenario: After launch a change without an amendment is not compiled
      Given the protocol is launched
      When "lapse_after" of TB-OUT-015 is changed without an amendment
      Then no edition can be frozen, because TB-OUT-015 was not amended

    @TB-GOV-008
    Scenario: A new rule comes by an amendment
      When a new rule of the area "TRIAL" is drafted and brought in by the commands
      Then the new edition has the rule TB-TRIAL-001 and the old one has not

  Rule: TB-GOV-009 Old attempts stay readable under their own rules

    @TB-GOV-009 @TB-OUT-015
    Scenario: A deal signed before an amendment keeps its law, one signed after it gets the new one
      Given a deal "before" of "Ada" and "alder"
      When "lapse_after" of TB-OUT-015 is amended to "P7D" by the commands
      And the edition that carries it is enacted on the ledger
      And a deal "after" of "Bea" and "birch" is signed
      And the agents of "before" and "after" ask something at once
      Then the ask of the deal "after" lapses after 7 days
      And the ask of the deal "before" lapses after 14 days
      And the deal "before" is pinned to "1.3.0-draft.1"
      And the deal "after" is pinned to "1.3.0-draft.2"
