Feature: The clock
  Agent time counts the agent's turns, from the signing to the resolution, in microseconds floored once.

  Rule: TB-CLOCK-001 Agent time counts only the agent's turns

    @TB-CLOCK-001
    Scenario: Three days waiting on the person add nothing to agent time
      Given a signed deal
      And alder asked Ada something
      And it is 3 days later
      And Ada answered the first ask
      And it is 1 day later
      When the attempt comes to be "delivered"
      Then the row of the attempt shows time 86400
      And the row of the attempt shows elapsed 345600

    @TB-CLOCK-001
    Scenario: Parts of a second are summed before they are floored
      Given a signed deal
      And it is 600000 microseconds later
      And alder asked Ada something
      And it is 1 hour later
      And Ada answered the first ask
      And it is 600000 microseconds later
      When the attempt comes to be "delivered"
      Then the row of the attempt shows time 1

    @TB-CLOCK-001
    Scenario: Waiting on a third party is the agent's court
      Given a signed deal
      And it is 2 days later
      When the attempt comes to be "delivered"
      Then the row of the attempt shows time 172800

  Rule: TB-CLOCK-002 The clock runs from signing to resolution

    @TB-CLOCK-002
    Scenario: Agent time is zero at signature and nothing after the resolution adds to it
      Given a signed deal
      And the finish line is reached
      And it is 9 days later
      When the payment of 3000 cents settles
      Then the row of the attempt shows time 0

    @TB-CLOCK-002
    Scenario: A late sweep adds no agent time after the deadline
      Given a signed deal
      And it is 1 day after the deadline
      When the clock is swept
      Then the row of the attempt shows time 1728000
      And it resolved exactly at the deadline

    @TB-CLOCK-002
    Scenario: Time before the signing is nobody's
      Given alder's proposal was chosen
      And alder proposed the deal
      And it is 5 days later
      And Ada signed the deal
      And it is 1 hour later
      When Ada ends the attempt
      Then the row of the attempt shows time 3600

  Rule: TB-CLOCK-003 It pauses on a human-only request and restarts at the answer

    @TB-CLOCK-003
    Scenario: The clock pauses while at least one of several asks is open
      Given a signed deal
      And alder asked Ada something
      And it is 1 day later
      And alder asked Ada something
      And it is 1 day later
      And Ada answered the first ask
      And it is 1 day later
      And Ada answered the second ask
      And it is 1 hour later
      When Ada ends the attempt
      Then the row of the attempt shows time 3600

    @TB-CLOCK-003
    Scenario Outline: A request for approval pauses, and the answer restarts, whichever way it goes
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      And it is 2 days later
      And Ada <answer> step 1
      And it is 1 hour later
      When Ada ends the attempt
      Then the row of the attempt shows time 3600

      Examples:
        | answer   |
        | approved |
        | declined |

    @TB-CLOCK-003
    Scenario: The request for the finish line pauses as well
      Given a signed deal
      And alder put the finish line to Ada
      And it is 2 days later
      And Ada declined the finish line
      And it is 1 hour later
      When Ada ends the attempt
      Then the row of the attempt shows time 3600

    @TB-CLOCK-003
    Scenario: The turn follows the open requests
      Given a signed deal
      And alder asked Ada something
      And alder asked Ada something
      When Ada answers the first ask
      Then the clock is paused
      When Ada answers the second ask
      Then the clock runs

  Rule: TB-CLOCK-008 On-time flag

    @TB-CLOCK-008
    Scenario Outline: Delivery up to the deadline is on time, that instant included
      Given a signed deal
      And it is 2 seconds before the deadline
      And alder filed a receipt for step 1
      And alder put the finish line to Ada
      And it is <moment> the deadline
      When Ada approves the finish line
      Then the row of the attempt shows on_time <flag>

      Examples:
        | moment              | flag |
        | 1 second before     | 1    |
        | exactly             | 1    |
        | 1 microsecond after | 0    |

    @TB-CLOCK-008
    Scenario: A miss is never on time
      Given a signed deal
      When Ada ends the attempt
      Then the row of the attempt shows on_time 0

  Rule: TB-CLOCK-010 Only what the person alone can answer is an ask

    @TB-CLOCK-010
    Scenario: An ask of the person opens and pauses the clock
      Given a signed deal
      When alder asks Ada something
      Then it is carried out
      And the clock is paused

    @TB-CLOCK-010
    Scenario Outline: A question that somebody else can answer is no ask
      Given a signed deal
      When alder asks something that "<who>" could answer
      Then TB-CLOCK-010 refuses it at "answerable_by"
      And the clock runs

      Examples:
        | who         |
        | third_party |
        | agent       |
        | platform    |
