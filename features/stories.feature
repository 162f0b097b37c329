Feature: Stories of failure
  What went wrong on live benches, and what the protocol makes of the same moves: refused with a rule, answered once,
  visible to the side whose turn it is, or recorded and over.

  @TB-DEAL-006
  Scenario: The bench writes no step into an agent's card
    Given a signed deal with 3 steps
    Then the card holds exactly the 3 steps that its agent committed to
    When "the committed steps" of the signed card is rewritten
    Then TB-DEAL-006 refuses it

  @TB-BID-015
  Scenario: A second filing wipes nothing
    Given a posted want
    And "alder" has bid on it
    When "alder" bids on it
    Then TB-BID-015 refuses it
    And the first proposal of "alder" stands as it was filed

  @TB-MILE-008
  Scenario: Revising a step renumbers nothing
    Given a signed deal with 3 steps
    And alder filed a receipt for step 1
    And alder put step 1 to Ada
    And Ada declined step 1
    When alder revises step 1
    And alder files a receipt for step 2
    Then step 1 is "open"
    And step 2 is "open"
    And the card holds exactly the 3 steps that its agent committed to

  @TB-CMD-005
  Scenario: The same filing sent again and again counts once
    Given a signed deal
    When alder sends the same receipt 20 times under one key
    Then the ledger holds 1 "milestone.receipt.filed"

  @TB-MILE-005
  Scenario: A command that fails keeps failing alike, and leaves no trace
    Given a signed deal
    When alder puts step 1 to Ada 20 times without a receipt
    Then TB-MILE-005 refuses it
    And every answer was the same, and nothing new is in the log

  @TB-BID-015
  Scenario: Filing and withdrawing do not alternate for ever
    Given a posted want
    And "alder" has bid on it
    And "alder" has taken its bid back
    When "alder" bids on it
    Then TB-BID-015 refuses it at "target"

  @TB-COST-002
  Scenario: What still waits for approval releases nothing
    Given a signed deal
    And alder filed a receipt for step 1
    And alder put step 1 to Ada
    When alder tries to release the money of step 1
    Then TB-COST-002 refuses it

  @TB-CMD-003
  Scenario: The one who waits does not approve
    Given a signed deal
    And alder filed a receipt for step 1
    And alder put step 1 to Ada
    When alder approves its own step 1
    Then TB-CMD-003 refuses it

  @TB-CMD-007
  Scenario: A deal that is over says so every time
    Given a signed deal
    And Ada ended the attempt
    When alder probes the dead deal 20 times
    Then TB-CMD-007 refuses it
    And every answer was the same, and nothing new is in the log

  @TB-MILE-002 @TB-PULSE-020
  Scenario: Sending work back changes what the agent sees
    Given a signed deal
    And alder filed a receipt for step 1
    And alder put step 1 to Ada
    When Ada declines step 1
    Then step 1 is "declined"
    And alder is told to revise milestone-1
    And alder owes a pulse 1800 seconds from now

  @TB-MILE-009
  Scenario: A question is answered once
    Given a signed deal
    And alder asked Ada something
    And Ada answered the first ask
    When Ada answers the first ask
    Then TB-MILE-009 refuses it

  @TB-CMD-004
  Scenario: An answer names what it answers
    Given a signed deal
    And alder asked Ada something
    When Ada answers an ask that nobody opened
    Then TB-CMD-004 refuses it at "ask"

  @TB-CMD-005
  Scenario: The same question posted many times is one question
    Given a signed deal
    When alder asks the same question 11 times under one key
    Then the ledger holds 1 "ask.opened"
    And Ada is told once to answer the agent

  @TB-MILE-005
  Scenario: Words that name a file are no delivery
    Given a signed deal
    When alder posts a pulse that says the file is delivered
    And alder puts step 1 to Ada
    Then TB-MILE-005 refuses it

  @TB-BID-005
  Scenario: A plan of headings and empty boxes is refused
    Given a posted want
    When "alder" bids with a second step whose "what" is blank
    Then TB-BID-005 refuses it

  @TB-COST-002
  Scenario: An approval does what was signed and nothing else
    Given a signed deal
    And alder filed a receipt for step 1
    And alder put step 1 to Ada
    When Ada approves step 1
    Then the approval wrote the approval, the release of 3000 cents and the next due time

  @TB-PULSE-013 @TB-OUT-008
  Scenario: Flat pulses neither stop the clock nor save the deal
    Given a signed deal
    When alder posts the same flat pulse every 5 days until the deadline has passed
    And the clock is swept
    Then the attempt is "expired" with outcome 0
    And it resolved exactly at the deadline

  @TB-TARGET-018
  Scenario: A repost is a want of its own, free of the old round
    Given a signed deal
    And Ada ended the attempt
    When Ada posts the want again
    Then it is carried out
    And the new want has its own id and no proposal of the old round

  @TB-PULSE-014
  Scenario: Saying that it is done does not make it so
    Given a signed deal
    When alder posts pulses up to 100 about step 1
    Then step 1 is "open"
    And alder is told to deliver the next step

  @TB-OUT-003
  Scenario: An act without the promised piece closes nothing
    Given a signed deal at $0
    When alder puts the finish line to Ada
    Then TB-OUT-003 refuses it

  @TB-PULSE-016
  Scenario: An agent that falls silent with the turn in its hands is noticed
    Given a signed deal
    And 90 minutes have passed
    When the overdue sweep runs
    Then a steward is told to close the liveness review

  @TB-MILE-008
  Scenario: A step may take as many rounds as its person asks for
    Given a signed deal
    When step 1 goes through 3 rounds and is approved in the last
    Then step 1 is "approved"
    And the approval of step 1 covers 1 receipt and releases 3000 cents

  @TB-CMD-001
  Scenario Outline: There is no step <number>
    Given a signed deal with 3 steps
    When alder files a receipt for a step numbered <number>
    Then <rule> refuses it at "milestone"

    Examples:
      | number | rule       |
      | 0      | TB-CMD-001 |
      | -1     | TB-CMD-001 |

  @TB-CMD-004
  Scenario: The step after the last does not exist, the last one does
    Given a signed deal with 3 steps
    When alder files a receipt for step 4
    Then TB-CMD-004 refuses it at "milestone"
    When alder files a receipt for step 3
    Then it is carried out

  @TB-CMD-001
  Scenario: A path that is no field is refused by its name
    When a pulse with a field called "form" is sent
    Then TB-CMD-001 refuses it at "form"

  @TB-MILE-007
  Scenario: What is approved is what was signed
    Given Ada keeps the key of seed 7 herself
    And a deal that she signed with the key of seed 7
    When Ada approves a version of step 1 that was redrafted after she signed
    Then TB-MILE-007 refuses it at "signature"

  @TB-PULSE-020
  Scenario: One deal that waits freezes no other
    Given a running attempt of "alder" for "Ada"
    And a running attempt of "alder" for "Bea"
    And "alder" has asked "Ada" something
    When 30 minutes pass
    And the overdue sweep runs
    Then a pulse was overdue on the attempt for "Bea" alone

  @TB-CMD-005
  Scenario: A retry after an unknown result changes nothing and gets the same answer
    Given a signed deal
    When alder sends the same receipt 2 times under one key
    Then it is the answer given before
    And the ledger holds 1 "milestone.receipt.filed"

  @TB-BID-001
  Scenario: A card that is still listed somewhere takes no bid once it is closed
    Given a want that is closed without pick
    When "alder" bids on it
    Then TB-BID-001 refuses it

  @TB-CMD-004
  Scenario: There is no agent without an operator
    When an agent is registered for an operator who does not exist
    Then TB-CMD-004 refuses it at "operator"

  @TB-PULSE-003
  Scenario: A refusal over a cap says which rule, which edition and which number
    Given a signed deal
    When alder posts a pulse of 617 characters
    Then TB-PULSE-003 refuses it at "now"
    And the refusal names the edition in force, 617 and the cap

  @TB-COST-006
  Scenario: No statement, none received and some received are three different things
    Given a signed deal
    Then the subsidy of the attempt is not stated
    When alder states that no subsidy contributed
    Then the subsidy of the attempt is stated as none
    When alder states that subsidy contributed
    Then the subsidy of the attempt is stated as some

  @TB-TARGET-012
  Scenario: The odds of a resolved attempt stand
    Given a signed deal
    And Ada ended the attempt
    When a steward edits the probability to "0.50"
    Then TB-TARGET-012 refuses it
    And the attempt is on the board with a probability of 0.70

  @TB-ODDS-002
  Scenario: A posted want is not given other odds
    Given a signed deal
    When a steward freezes its odds anew
    Then TB-ODDS-002 refuses it
