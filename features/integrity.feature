Feature: The integrity of an outcome
  Provisional at resolution, official when nothing holds it, invalidated for cause; hits and misses alike.

  Rule: TB-INTEG-001 Three integrity states

    @TB-INTEG-001
    Scenario: An outcome is always in exactly one integrity state
      Given a signed deal
      And the finish line is reached
      When the payment of 3000 cents settles
      Then the outcome was "provisional" at its resolution and is "official" now

    @TB-INTEG-001
    Scenario: An attempt without an outcome has no integrity to move
      Given a signed deal
      When the attempt comes to be "stopped"
      Then the ledger holds 0 "outcome.integrity_changed"

  Rule: TB-INTEG-003 Outcomes from unverified people are provisional

    @TB-INTEG-003
    Scenario: A provisional win does not move the Bench rating
      Given a signed deal at $0 of an unverified person
      When the attempt comes to be "delivered"
      Then the attempt is "delivered" with outcome 1
      And the integrity of the outcome is "provisional"
      And the Bench rating of alder is "0.00" over 0 attempts

    @TB-INTEG-003
    Scenario Outline: A miss of an unverified person is provisional like a win
      Given a signed deal of an unverified person
      When the attempt comes to be "<end>"
      Then the attempt is "<end>" with outcome 0
      And the integrity of the outcome is "provisional"
      And the Bench rating of alder is "0.00" over 0 attempts

      Examples:
        | end      |
        | expired  |
        | ended    |
        | declined |
        | lapsed   |
        | walked   |

    @TB-INTEG-003
    Scenario Outline: A miss of a verified person is official at once
      Given a signed deal
      When the attempt comes to be "<end>"
      Then the integrity of the outcome is "official"
      And the Bench rating of alder is "-0.70" over 1 attempt

      Examples:
        | end      |
        | expired  |
        | ended    |
        | declined |
        | lapsed   |
        | walked   |

  Rule: TB-INTEG-004 Verification makes the outcome official

    @TB-INTEG-004
    Scenario: Completing verification brings the earlier outcome into the rating
      Given a signed deal at $0 of an unverified person
      And the finish line is reached
      When the checks of Ada are completed
      Then the integrity moved from "provisional" to "official" on the ground "clear" because of "person.verified"
      And the Bench rating of alder is "0.30" over 1 attempt

    @TB-INTEG-004
    Scenario: Verification alone does not stand in for settlement
      Given a signed deal of an unverified person
      And the finish line is reached
      When the checks of Ada are completed
      Then the integrity of the outcome is "provisional"

    @TB-INTEG-004
    Scenario: An attempt that runs is not touched by a verification
      Given a signed deal of an unverified person
      When the checks of Ada are completed
      Then the ledger holds 0 "outcome.integrity_changed"
      And the attempt goes on

    @TB-INTEG-004
    Scenario: Verification settles the outcomes that waited for it
      Given "Ada", who is unverified, has ended a signed deal of "alder"
      When a steward completes the checks "identity, uniqueness" of "Ada"
      Then the integrity of the deal went from "provisional" to "official"

    @TB-INTEG-004
    Scenario: Half a verification settles nothing
      Given "Ada", who is unverified, has ended a signed deal of "alder"
      When a steward completes the checks "identity" of "Ada"
      Then the deal is still provisional

  Rule: TB-INTEG-007 Integrity changes only by new events

    @TB-INTEG-007
    Scenario: A chargeback after an official success appends an integrity event
      Given a signed deal
      And the finish line is reached
      And the payment of 3000 cents settled
      And the log so far is kept
      When 1 cents of "outcome" go back as "chargeback"
      Then the integrity moved from "official" to "invalidated" on the ground "payment_reversal" because of "escrow.reversed"
      And the attempt is "delivered" with outcome 1
      And the log begins as it was kept
      And the Bench rating of alder is "0.00" over 0 attempts

    @TB-INTEG-007
    Scenario: A full reversal invalidates a delivered paid attempt
      Given a signed deal
      And the finish line is reached
      And the payment of 3000 cents settled
      When 3000 cents of "outcome" go back as "full"
      Then the integrity of the outcome is "invalidated"
      And the row of the attempt shows cost_cents 0

    @TB-INTEG-007
    Scenario: A partial return lowers the cost and leaves the outcome official
      Given a signed deal
      And the finish line is reached
      And the payment of 3000 cents settled
      When 2999 cents of "outcome" go back as "partial"
      Then the integrity of the outcome is "official"
      And the row of the attempt shows cost_cents 1

    @TB-INTEG-007
    Scenario: A chargeback before the delivery counts against it too
      Given a signed deal
      And step 1 is delivered and approved
      And 1000 cents of "milestone-1" went back as "chargeback"
      When the attempt comes to be "delivered after all"
      Then the integrity of the outcome is "invalidated"

    @TB-INTEG-007
    Scenario: An invalidated outcome stays invalidated
      Given a signed deal
      And the finish line is reached
      And 3000 cents of "outcome" went back as "full"
      When the payment of 3000 cents settles
      Then the integrity of the outcome is "invalidated"

  Rule: TB-INTEG-013 Returning money does not erase a miss

    @TB-INTEG-013
    Scenario Outline: A missed paid target whose releases all return still counts with o = 0
      Given a signed deal
      And step 1 is delivered and approved
      And the attempt came to be "<end>"
      When 3000 cents of "milestone-1" go back as "<kind>"
      Then the attempt is "<end>" with outcome 0
      And the integrity of the outcome is "official"
      And the row of the attempt shows cost_cents 0
      And the Bench rating of alder is "-0.70" over 1 attempt

      Examples:
        | end     | kind       |
        | ended   | full       |
        | expired | chargeback |
        | walked  | full       |
