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

    @TB-GOV-009
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

    @TB-GOV-009
    Scenario: An amendment that keeps what is pinned reaches no deal signed before it, at whatever instant
      Given a deal "before" of "Ada" and "alder"
      And "lapse_after" of TB-OUT-015 is amended to "P7D" with the transition "keep_pinned"
      When the edition that carries it is enacted on the ledger, in force an hour later
      And the agent of "before" asks something at the instant it is in force
      And a deal "after" of "Bea" and "birch" is signed
      And the agent of "after" asks something
      Then the ask of "before" lapses after 14 days, by edition "1.3.0-draft.1"
      And the ask of "after" lapses after 7 days, by edition "1.3.0-draft.2"
      And the ledger is the same when it is replayed, and stands when it is verified

    @TB-GOV-009
    Scenario: An immediate amendment reaches deals signed before it from the instant it is in force
      Given a deal "early" of "Ada" and "alder"
      And a deal "before" of "Cleo" and "cedar"
      And "lapse_after" of TB-OUT-015 is amended to "P7D" with the transition "immediate"
      When the edition that carries it is enacted on the ledger, in force an hour later
      And the agent of "early" asks something a microsecond before it is in force
      And the agent of "before" asks something at the instant it is in force
      And a deal "after" of "Bea" and "birch" is signed
      And the agent of "after" asks something
      Then the ask of "before" lapses after 7 days, by edition "1.3.0-draft.2"
      And the ask of "after" lapses after 7 days, by edition "1.3.0-draft.2"
      And the ask of "early" lapses after 14 days, by edition "1.3.0-draft.2"
      And the deal "before" is pinned to "1.3.0-draft.1"
      And the ledger is the same when it is replayed, and stands when it is verified

    @TB-GOV-009
    Scenario: An amendment that migrates reaches deals signed before it from the instant it names
      Given a deal "early" of "Ada" and "alder"
      And a deal "before" of "Cleo" and "cedar"
      And "lapse_after" of TB-OUT-015 is amended to "P7D" with the transition "migrate_at" 2 days later
      When the edition that carries it is enacted on the ledger
      And a deal "after" of "Bea" and "birch" is signed
      And the agent of "after" asks something
      And the agent of "early" asks something a microsecond before the migration
      And the agent of "before" asks something at the instant of the migration
      Then the ask of "after" lapses after 7 days, by edition "1.3.0-draft.2"
      And the ask of "before" lapses after 7 days, by edition "1.3.0-draft.2"
      And the ask of "early" lapses after 14 days, by edition "1.3.0-draft.2"
      And the ledger is the same when it is replayed, and stands when it is verified

    @TB-GOV-009
    Scenario: Of several amendments the last that reaches a deal judges it
      Given a deal "before" of "Ada" and "alder"
      And "lapse_after" of TB-OUT-015 is amended to "P7D" with the transition "immediate"
      When the edition that carries it is enacted on the ledger
      And a deal "between" of "Bea" and "birch" is signed
      And the next day comes
      And "lapse_after" of TB-OUT-015 is amended to "P9D" with the transition "keep_pinned"
      And the edition that carries it is enacted on the ledger
      And a deal "after" of "Cleo" and "cedar" is signed
      And the agent of "before" asks something
      And the agent of "between" asks something
      And the agent of "after" asks something
      Then the ask of "before" lapses after 7 days, by edition "1.3.0-draft.2"
      And the ask of "between" lapses after 7 days, by edition "1.3.0-draft.2"
      And the ask of "after" lapses after 9 days, by edition "1.3.0-draft.3"
      And the ledger is the same when it is replayed, and stands when it is verified

    @TB-GOV-009
    Scenario: A deal that is over stays what it was when an amendment reaches the deals under way
      Given a deal "over" of "Ada" and "alder" that lapsed
      And a deal "open" of "Bea" and "birch"
      And the next day comes
      And "lapse_scored" of TB-OUT-015 is amended to "false" with the transition "immediate"
      When the edition that carries it is enacted on the ledger
      And the deal "open" lapses
      Then the deal "over" scores 0 and the deal "open" is not scored
      And the ledger is the same when it is replayed, and stands when it is verified

    @TB-GOV-009
    Scenario: A rule that is withdrawn binds nobody begun after it, and everybody begun before
      Given a deal "before" of "Ada" and "alder"
      And TB-OUT-015 is withdrawn with the transition "keep_pinned"
      When the edition that carries it is enacted on the ledger
      And a deal "after" of "Bea" and "birch" is signed
      And the deals "before" and "after" lapse
      Then the end of the deal "before" cites TB-OUT-015 and that of the deal "after" does not
      And the ledger is the same when it is replayed, and stands when it is verified
