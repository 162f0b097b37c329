Feature: Outcomes
  How an attempt ends: in which state, at which instant, with which outcome, and who decides.

  Rule: TB-OUT-001 Two verification standards, matched to the deal

    @TB-OUT-001
    Scenario: A deal with money uses the paid standard, be it one cent
      Given a signed deal of 1 cents, all for the finish line
      When 1 second passes
      Then the deal stands under the "paid" standard

    @TB-OUT-001
    Scenario: A deal at $0 uses the free standard, whatever the tile said
      Given a signed deal at $0
      When 1 second passes
      Then the deal stands under the "free" standard

  Rule: TB-OUT-002 Paid success

    @TB-OUT-002
    Scenario: Payment alone makes no success
      Given a signed deal
      And alder filed a receipt for step 1
      When the payment of 10000 cents settles
      Then it is carried out
      And the attempt goes on

    @TB-OUT-002
    Scenario: A delivered paid attempt waits for its payment and becomes official with it
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      When Ada approves the finish line
      Then the attempt is "delivered" with outcome 1
      And the integrity of the outcome is "provisional"
      When the payment of 3000 cents settles
      Then the integrity of the outcome is "official"
      And the integrity moved from "provisional" to "official" on the ground "clear" because of "payment.settled"

    @TB-OUT-002
    Scenario Outline: Payment counts when all of what was released has cleared
      Given a signed deal
      And the payment of <cents> cents settled
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      When Ada approves the finish line
      Then the integrity of the outcome is "<integrity>"

      Examples:
        | cents | integrity   |
        | 2999  | provisional |
        | 3000  | official    |

    @TB-OUT-002
    Scenario: A paid delivery that lacks only the verification stays provisional
      Given a signed deal of an unverified person
      And the payment of 10000 cents settled
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      When Ada approves the finish line
      Then the attempt is "delivered" with outcome 1
      And the integrity of the outcome is "provisional"

    @TB-OUT-002
    Scenario: A paid attempt that misses its finish line is no success, though its payment settled
      Given a signed deal
      And the payment of 10000 cents settled
      And it is 1 microsecond after the deadline
      When the clock is swept
      Then the attempt is "expired" with outcome 0

  Rule: TB-OUT-003 Free success

    @TB-OUT-003
    Scenario: A free target without receipts is not a success
      Given a signed deal at $0
      When alder puts the finish line to Ada
      Then TB-OUT-003 refuses it at "deal"

    @TB-OUT-003
    Scenario: A free target with a receipt and a verified person's approval is an official success
      Given a signed deal at $0
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      When Ada approves the finish line
      Then the attempt is "delivered" with outcome 1
      And the integrity of the outcome is "official"

    @TB-OUT-003
    Scenario: A paid target may reach its finish line without a step put to approval
      Given a signed deal
      When alder puts the finish line to Ada
      Then it is carried out

  Rule: TB-OUT-005 Resolved means any terminal state

    @TB-OUT-005
    Scenario Outline: Each terminal state resolves the target for good
      Given a signed deal
      And the attempt came to be "<end>"
      When Ada ends the attempt
      Then TB-CMD-007 refuses it at "deal"
      And the attempt is "<end>" <outcome>

      Examples:
        | end       | outcome            |
        | delivered | with outcome 1     |
        | expired   | with outcome 0     |
        | declined  | with outcome 0     |
        | ended     | with outcome 0     |
        | lapsed    | with outcome 0     |
        | walked    | with outcome 0     |
        | stopped   | without an outcome |

  Rule: TB-OUT-006 Delivered means resolved with o = 1; a crossing is the same thing

    @TB-OUT-006
    Scenario: An expired target is resolved and not delivered, and waits for no payment
      Given a signed deal
      And it is 1 microsecond after the deadline
      When the clock is swept
      Then the attempt is "expired" with outcome 0
      And the integrity of the outcome is "official"

    @TB-OUT-006
    Scenario: A delivered target is a crossing, and its payment matters
      Given a signed deal
      When the attempt comes to be "delivered"
      Then the attempt is "delivered" with outcome 1
      And the integrity of the outcome is "provisional"

  Rule: TB-OUT-008 Timeline expiry is a recorded miss

    @TB-OUT-008
    Scenario: At the deadline itself nothing has expired
      Given a signed deal
      And it is exactly the deadline
      When a steward calls the attempt expired
      Then TB-OUT-008 refuses it at "deal"
      And the attempt goes on

    @TB-OUT-008
    Scenario: A sweep at the deadline itself leaves the attempt running
      Given a signed deal
      And it is exactly the deadline
      When the clock is swept
      Then the attempt goes on

    @TB-OUT-008
    Scenario: A deal past its timeline is ledgered as a miss, and its escrow goes back
      Given a signed deal
      And it is 1 microsecond after the deadline
      When a steward calls the attempt expired
      Then the attempt is "expired" with outcome 0
      And it resolved exactly at the deadline
      And escrow holds 0 cents, alder keeps 0 and 10000 went back to Ada

  Rule: TB-OUT-009 Late delivery is an expiry with o = 0

    @TB-OUT-009
    Scenario Outline: An approval up to the deadline is on time
      Given a signed deal
      And it is 2 seconds before the deadline
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      And it is <moment> the deadline
      When Ada approves the finish line
      Then the attempt is "delivered" with outcome 1
      And escrow holds 0 cents, alder keeps 3000 and 7000 went back to Ada

      Examples:
        | moment               |
        | 1 microsecond before |
        | exactly              |

    @TB-OUT-009
    Scenario Outline: An approval after the deadline is recorded, releases nothing and scores zero
      Given a signed deal
      And it is 2 seconds before the deadline
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      And it is <moment> the deadline
      When Ada approves the finish line
      Then it is carried out
      And the attempt is "expired" with outcome 0
      And it resolved exactly at the deadline
      And the ledger holds 1 "outcome.approved"
      And escrow holds 0 cents, alder keeps 0 and 10000 went back to Ada

      Examples:
        | moment              |
        | 1 microsecond after |
        | 1 second after      |

  Rule: TB-OUT-010 Ending by the person is a failure

    @TB-OUT-010
    Scenario: A person ending the target gives o = 0, also after approved steps
      Given a signed deal
      And step 1 is delivered and approved
      When Ada ends the attempt
      Then the attempt is "ended" with outcome 0
      And escrow holds 0 cents, alder keeps 3000 and 7000 went back to Ada

    @TB-CMD-003
    Scenario: An agent does not end the attempt in the person's name
      Given a signed deal
      When alder ends the attempt in the place of Ada
      Then TB-CMD-003 refuses it at "by"
      And the attempt goes on

  Rule: TB-OUT-011 Outcomes and corrections are new events

    @TB-OUT-011
    Scenario: Correcting an outcome appends an event and changes none
      Given a signed deal at $0 of an unverified person
      And the finish line is reached
      And the log so far is kept
      When the checks of Ada are completed
      Then the integrity of the outcome is "official"
      And the log begins as it was kept
      And the ledger holds 1 "outcome.integrity_changed"
      And the ledger holds 1 "deal.resolved"

  Rule: TB-OUT-012 The person's decision is final

    @TB-OUT-012
    Scenario Outline: No decision of the person is open to appeal
      Given a signed deal
      And the attempt came to be "<end>"
      When alder appeals the decision
      Then TB-OUT-012 refuses it at "deal"

      Examples:
        | end       |
        | delivered |
        | declined  |
        | ended     |

    @TB-OUT-012
    Scenario: A declined finish line can be tried again until the deadline, not contested
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      And Ada declined the finish line
      And alder put the finish line to Ada
      When Ada approves the finish line
      Then the attempt is "delivered" with outcome 1

    @TB-OUT-012
    Scenario: The person can end the target with the finish line she declines
      Given a signed deal
      And alder put the finish line to Ada
      When Ada declines the finish line and ends the target there
      Then the attempt is "declined" with outcome 0

  Rule: TB-OUT-014 An agent that walks is recorded as such

    @TB-OUT-014
    Scenario: A walked deal shows on the Passport and is a miss
      Given a signed deal
      And step 1 is delivered and approved
      When alder walks away
      Then the attempt is "walked" with outcome 0
      And the Passport of alder shows 1 breach, "walked" on this deal
      And escrow holds 0 cents, alder keeps 3000 and 7000 went back to Ada

    @TB-CMD-003
    Scenario: The person does not walk in the agent's name
      Given a signed deal
      When Ada walks away in the place of alder
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-OUT-015 Lapse resolves the target

    @TB-OUT-015
    Scenario: A lapse one second too early is refused
      Given a signed deal
      And alder asked Ada something
      And it is 1209599 seconds later
      When a steward calls the attempt lapsed
      Then TB-OUT-015 refuses it at "deal"
      And the attempt goes on

    @TB-OUT-015
    Scenario: After fourteen days without an answer the target lapses with o = 0
      Given a signed deal
      And alder asked Ada something
      And it is 1209600 seconds later
      When a steward calls the attempt lapsed
      Then the attempt is "lapsed" with outcome 0
      And it resolved exactly at the lapse

    @TB-OUT-015
    Scenario: Nothing lapses while nothing waits for the person
      Given a signed deal
      And it is 15 days later
      When a steward calls the attempt lapsed
      Then TB-OUT-015 refuses it at "deal"

    @TB-OUT-015
    Scenario: An answered ask does not lapse
      Given a signed deal
      And alder asked Ada something
      And Ada answered the first ask
      And it is 14 days later
      When the clock is swept
      Then the attempt goes on

    @TB-OUT-015
    Scenario: A request for approval lapses like any other ask
      Given a signed deal
      And alder put the finish line to Ada
      And it is 14 days later
      When the clock is swept
      Then the attempt is "lapsed" with outcome 0

    @TB-OUT-015
    Scenario: In the neutral reading a lapse has no outcome
      Given a signed deal
      And alder asked Ada something
      And it is 14 days later
      When the clock is swept under an edition in which a lapse is neutral
      Then the attempt is "lapsed" without an outcome

  Rule: TB-OUT-016 Resolution is triggered by the person's approval

    @TB-OUT-016
    Scenario: The final approval fixes the resolution time
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      And it is 3 days later
      When Ada approves the finish line
      Then it resolved at "2026-08-06T09:00:00.000000Z"

    @TB-OUT-016
    Scenario: Settlement after the approval does not move the resolution
      Given a signed deal
      And the finish line is reached
      And it is 9 days later
      When the payment of 3000 cents settles
      Then it resolved at "2026-08-03T09:00:00.000000Z"
      And the integrity of the outcome is "official"

  Rule: TB-OUT-017 Useful work without the finish line is not success

    @TB-OUT-017
    Scenario: Five approved steps without the finish line give o = 0 and keep their steps
      Given a signed deal at $0 with 5 steps
      And step 1 is delivered and approved
      And step 2 is delivered and approved
      And step 3 is delivered and approved
      And step 4 is delivered and approved
      And step 5 is delivered and approved
      And it is 1 second after the deadline
      When the clock is swept
      Then the attempt is "expired" with outcome 0
      And step 5 is "approved"
      And the attempt counts 5 of 5 steps

  Rule: TB-OUT-018 A steward stop for safety or law is terminal and unscored

    @TB-OUT-018
    Scenario Outline: A stop naming a safety rule or a law ends the attempt unscored, and keeps what was earned
      Given a signed deal
      And step 1 is delivered and approved
      When a steward stops the attempt for "<ground>", naming "<names>"
      Then the attempt is "stopped" without an outcome
      And escrow holds 0 cents, alder keeps 3000 and 7000 went back to Ada
      And the ledger holds 0 "outcome.integrity_changed"

      Examples:
        | ground                | names                       |
        | published_safety_rule | TB-REVIEW-001               |
        | law                   | Oregon Revised Statutes 164 |

    @TB-OUT-018
    Scenario: A stop on quality grounds is refused
      Given a signed deal
      When a steward stops the attempt for "quality", naming "TB-REVIEW-001"
      Then TB-OUT-018 refuses it at "ground"
      And the attempt goes on

    @TB-OUT-018
    Scenario: Nobody but a steward stops an attempt
      Given a signed deal
      When Ada stops the attempt for "law"
      Then TB-OUT-018 refuses it at "by"

  Rule: TB-OUT-019 A resolution made by the clock carries its due instant

    @TB-OUT-019
    Scenario: A Sunday deadline swept on Monday resolves on Sunday
      Given a signed deal
      And it is 1 day after the deadline
      When the clock is swept
      Then the attempt is "expired" with outcome 0
      And it resolved at "2026-08-23T09:00:00.000000Z"

    @TB-OUT-019
    Scenario: The earlier due instant wins, whatever the sweep saw
      Given a signed deal
      And it is 5 days later
      And alder asked Ada something
      And it is 9 days after the deadline
      When the clock is swept
      Then the attempt is "lapsed" with outcome 0
      And it resolved at "2026-08-22T09:00:00.000000Z"

    @TB-OUT-019
    Scenario: At a tie a lapse comes before the expiry
      Given a signed deal
      And it is 6 days later
      And alder asked Ada something
      And it is 1 day after the deadline
      When the clock is swept
      Then the attempt is "lapsed" with outcome 0
      And it resolved exactly at the deadline

    @TB-OUT-019
    Scenario: At a tie an approval comes before the lapse
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      And it is exactly the lapse
      When Ada approves the finish line
      Then the attempt is "delivered" with outcome 1

    @TB-OUT-019
    Scenario: An approval after the lapse fell due finds the target lapsed
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      And it is 1 microsecond after the lapse
      When Ada approves the finish line
      Then the attempt is "lapsed" with outcome 0
      And it resolved exactly at the lapse

    @TB-OUT-019
    Scenario: An ask opened too late to lapse leaves the expiry
      Given a signed deal
      And it is 7 days later
      And alder asked Ada something
      And it is 9 days after the deadline
      When the clock is swept
      Then the attempt is "expired" with outcome 0

  Rule: TB-OUT-020 The finish line is its own signed statement

    @TB-OUT-020
    Scenario: The finish line may be approved together with the last step
      Given a signed deal
      And step 1 is delivered and approved
      And alder filed a receipt for step 2
      When alder puts step 2 to Ada together with the finish line
      And Ada approves the finish line together with step 2
      Then the attempt is "delivered" with outcome 1
      And step 2 is "approved"
      And escrow holds 0 cents, alder keeps 10000 and 0 went back to Ada

    @TB-OUT-020
    Scenario: Open steps do not bar delivery and stay out of the count
      Given a signed deal
      And step 1 is delivered and approved
      And alder put the finish line to Ada
      When Ada approves the finish line
      Then the attempt is "delivered" with outcome 1
      And the attempt counts 1 of 2 steps
      And escrow holds 0 cents, alder keeps 6000 and 4000 went back to Ada

    @TB-OUT-020
    Scenario: A person who keeps her own key signs the finish line herself
      Given Ada keeps the key of seed 1 herself
      And a deal that she signed with the key of seed 1
      And alder put the finish line to Ada
      When Ada approves the finish line with the key of seed 1
      Then the attempt is "delivered" with outcome 1

    @TB-OUT-020
    Scenario Outline: A finish line that does not bind the person is refused
      Given Ada keeps the key of seed 1 herself
      And a deal that she signed with the key of seed 1
      And alder put the finish line to Ada
      When Ada approves the finish line with the key of seed 1, but <how>
      Then TB-OUT-020 refuses it at "signature"
      And the attempt goes on

      Examples:
        | how                     |
        | leaves it unsigned      |
        | signs another statement |
        | flips a bit of it       |
