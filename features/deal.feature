Feature: The deal
  The agent writes its own test: a total, a time frame, committed steps. The person signs it or declines it.

  Rule: TB-DEAL-001 The agent proposes the deal

    @TB-DEAL-001
    Scenario Outline: Heads that do not sum to the total exactly are refused
      Given alder's proposal was chosen
      When alder asks <total> cents, split <ads>, <tools> and <work>
      Then TB-DEAL-001 refuses it at "allocation"

      Examples:
        | total | ads  | tools | work |
        | 10000 | 1000 | 2000  | 6999 |
        | 10000 | 1000 | 2000  | 7001 |

    @TB-DEAL-001
    Scenario: Heads that sum to the total are accepted
      Given alder's proposal was chosen
      When alder asks 10000 cents, split 1000, 2000 and 7000
      Then it is carried out
      And the deal is "proposed"

    @TB-DEAL-001
    Scenario Outline: The ask is split over the listed heads, none below zero
      Given alder's proposal was chosen
      When alder asks 10000 cents of which <cents> go to "<head>"
      Then TB-DEAL-001 refuses it at "allocation.<head>"

      Examples:
        | cents | head    |
        | 1000  | bribes  |
        | -1    | tools   |

  Rule: TB-DEAL-002 The person agrees or declines

    @TB-DEAL-002
    Scenario: A declined deal opens no attempt
      Given alder's proposal was chosen
      And alder proposed the deal
      And Ada declined the deal
      When Ada signs the deal
      Then TB-DEAL-002 refuses it at "deal"
      And the deal is "declined"
      And the ledger holds 0 "deal.signed"

    @TB-DEAL-002
    Scenario: A signed deal is not signed again
      Given a signed deal
      When Ada signs the deal
      Then TB-DEAL-002 refuses it

    @TB-DEAL-002
    Scenario: A signed deal cannot be declined any more
      Given a signed deal
      When Ada declines the deal
      Then TB-DEAL-002 refuses it

    @TB-CMD-003
    Scenario: Nobody but the person on the target signs
      Given alder's proposal was chosen
      And alder proposed the deal
      When alder signs in the place of Ada
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-DEAL-003 Every target is a one-shot attempt

    @TB-DEAL-003
    Scenario: A charge that repeats is refused
      Given alder's proposal was chosen
      When alder proposes to spend 1000 cents "monthly"
      Then TB-DEAL-003 refuses it at "schedule.0.repeats"

    @TB-DEAL-003
    Scenario: A schedule that lays out exactly the total until the very end is accepted
      Given alder's proposal was chosen
      When alder proposes to spend 4000 and 6000 cents, the second after 20 days
      Then it is carried out

    @TB-DEAL-003
    Scenario Outline: A schedule stays inside the total and the time frame
      Given alder's proposal was chosen
      When alder proposes to spend <first> and <second> cents, the second <when>
      Then TB-DEAL-003 refuses it at "<field>"

      Examples:
        | first | second | when          | field                    |
        | 4000  | 6001   | after 10 days | schedule                 |
        | 4000  | 6000   | after the end | schedule.1.after_seconds |
        | 4000  | -1     | after 10 days | schedule.1.amount_cents  |

    @TB-DEAL-003
    Scenario: A deal without a time frame is refused
      Given alder's proposal was chosen
      When alder proposes a timeline of 0 seconds
      Then TB-DEAL-003 refuses it at "timeline"

    @TB-DEAL-003
    Scenario: A deal whose total is below zero is refused
      Given alder's proposal was chosen
      When alder proposes a total of -1 cents
      Then TB-DEAL-003 refuses it at "total"

  Rule: TB-DEAL-004 Budget tiles signal and cap, they are not the deal

    @TB-DEAL-004
    Scenario Outline: A total up to the frozen ceiling is accepted
      Given alder's proposal was chosen on a want of 10000 cents
      When alder proposes a total of <cents> cents
      Then it is carried out

      Examples:
        | cents |
        | 10000 |
        | 9999  |
        | 0     |

    @TB-DEAL-004
    Scenario: One cent above the frozen ceiling is refused
      Given alder's proposal was chosen on a want of 10000 cents
      When alder proposes a total of 10001 cents
      Then TB-DEAL-004 refuses it at "total_cents"

  Rule: TB-DEAL-005 Deals are signed cards on the ledger

    @TB-DEAL-005
    Scenario: Signing writes one signed deal card to the ledger
      Given alder's proposal was chosen
      And alder proposed the deal
      When Ada signs the deal
      Then it is carried out
      And the ledger holds 1 "deal.signed"
      And the signed card states 10000 cents, 1728000 seconds and 2 steps

    @TB-DEAL-005
    Scenario: A person who keeps her own key signs the card herself
      Given Ada keeps the key of seed 1 herself
      And alder's proposal was chosen
      And alder proposed the deal
      When Ada signs the deal with the key of seed 1
      Then it is carried out

    @TB-DEAL-005
    Scenario Outline: A card that does not bind the person is refused
      Given Ada keeps the key of seed 1 herself
      And alder's proposal was chosen
      And alder proposed the deal
      When Ada signs the deal with the key of seed <seed>, but <how>
      Then TB-DEAL-005 refuses it at "signature"
      And the deal is "proposed"

      Examples:
        | seed | how                     |
        | 1    | leaves it unsigned      |
        | 1    | signs another statement |
        | 1    | flips a bit of it       |
        | 1    | writes it in capitals   |

    @TB-DEAL-005
    Scenario: A signature by another key is refused
      Given Ada keeps the key of seed 1 herself
      And alder's proposal was chosen
      And alder proposed the deal
      When Ada signs the deal with the key of seed 2
      Then TB-DEAL-005 refuses it at "signature"

    @TB-DEAL-005
    Scenario: An agent that keeps its own key signs the card before it sends it
      Given alder keeps the key of seed 3 itself
      And alder's proposal was chosen
      When alder proposes the deal signed with the key of seed 3
      Then it is carried out

    @TB-DEAL-005
    Scenario Outline: A proposed card that does not bind the agent is refused
      Given alder keeps the key of seed 3 itself
      And alder's proposal was chosen
      When alder proposes the deal signed with the key of seed <seed>, but <how>
      Then TB-DEAL-005 refuses it at "signature"

      Examples:
        | seed | how                     |
        | 3    | leaves it unsigned      |
        | 3    | signs another statement |
        | 3    | flips a bit of it       |

    @TB-DEAL-005 @TB-PRIV-007
    Scenario: The words of the card are read by the two sides and never by the public
      Given a signed deal
      When 1 second passes
      Then neither "The parts list" nor "The test ride" stands in the log
      And "Ada" can read the step "The parts list" in the vault
      And "alder" can read the step "The test ride" in the vault

  Rule: TB-DEAL-006 The signed card freezes the numbers scored against

    @TB-DEAL-006
    Scenario Outline: Editing what delivery is scored against is refused
      Given a signed deal
      When "<what>" of the signed card is rewritten
      Then TB-DEAL-006 refuses it at "deal"
      And the signed card states 10000 cents, 1728000 seconds and 2 steps

      Examples:
        | what                |
        | the total           |
        | the timeline        |
        | the committed steps |

  Rule: TB-DEAL-008 An accepted attempt pins its inputs

    @TB-DEAL-008
    Scenario: A signed deal names one card version and one System Record
      Given alder's proposal was chosen
      And alder proposed the deal
      When Ada signs the deal
      Then the signed card names one card version and one System Record

  Rule: TB-DEAL-009 The deadline is fixed at signing, inside the person's timeline

    @TB-DEAL-009
    Scenario: A timeline equal to that of the card is accepted
      Given alder's proposal was chosen
      When alder proposes a timeline of 2592000 seconds
      Then it is carried out

    @TB-DEAL-009
    Scenario: A timeline one second longer than that of the card is refused
      Given alder's proposal was chosen
      When alder proposes a timeline of 2592001 seconds
      Then TB-DEAL-009 refuses it at "timeline_seconds"

    @TB-DEAL-009
    Scenario: The signed card shows the deadline, so many days of 86,400 seconds after signing
      Given alder's proposal was chosen
      And alder proposed the deal
      And it is 1 microsecond later
      When Ada signs the deal
      Then the signed card states 10000 cents, 1728000 seconds and 2 steps
      And the deadline is "2026-08-23T09:00:00.000001Z"

  Rule: TB-DEAL-010 Step amounts stay inside the total

    @TB-DEAL-010
    Scenario Outline: Amounts from zero up to the total are accepted
      Given alder's proposal was chosen
      When alder proposes steps of <first> and <second> cents with <last> cents for the finish line
      Then it is carried out

      Examples:
        | first | second | last |
        | 3000  | 4000   | 3000 |
        | 0     | 0      | 9999 |
        | 0     | 0      | 0    |

    @TB-DEAL-010
    Scenario Outline: Amounts above the total or below zero are refused
      Given alder's proposal was chosen
      When alder proposes steps of <first> and <second> cents with <last> cents for the finish line
      Then TB-DEAL-010 refuses it at "<field>"

      Examples:
        | first | second | last | field                |
        | 3000  | 4000   | 3001 | steps                |
        | 3000  | -1     | 3000 | steps.1.amount_cents |
        | 3000  | 4000   | -1   | outcome_cents        |

  Rule: TB-DEAL-011 A deal comes of the chosen proposal

    @TB-DEAL-011
    Scenario: A deal on a proposal that was not chosen is refused
      Given alder's proposal was chosen
      And a second want of Ada, on which alder was not chosen
      When alder proposes the deal
      Then TB-DEAL-011 refuses it at "proposal"

    @TB-DEAL-011
    Scenario: A want has one deal at a time
      Given alder's proposal was chosen
      And alder proposed the deal
      When alder proposes the deal
      Then TB-DEAL-011 refuses it at "target"

    @TB-DEAL-011
    Scenario: After a declined deal another one may be proposed
      Given alder's proposal was chosen
      And alder proposed the deal
      And Ada declined the deal
      When alder proposes the deal
      Then it is carried out

    @TB-DEAL-011
    Scenario: A deal on a want that was withdrawn meanwhile is not signed
      Given alder's proposal was chosen
      And alder proposed the deal
      And Ada withdrew the want
      When Ada signs the deal
      Then TB-DEAL-011 refuses it at "target"

  Rule: TB-MILE-001 Every target has review moments

    @TB-MILE-001
    Scenario: A deal without any review moment is refused
      Given alder's proposal was chosen
      When alder proposes a card of 0 steps
      Then TB-MILE-001 refuses it at "steps"

    @TB-MILE-001
    Scenario: One review moment is enough to sign
      Given alder's proposal was chosen
      And alder proposed a card of 1 step
      When Ada signs the deal
      Then it is carried out

  Rule: TB-CMD-007 A deal acts only while it is active

    @TB-CMD-007
    Scenario: Nothing is done on a deal before it is signed
      Given alder's proposal was chosen
      And alder proposed the deal
      When Ada puts 1 cent into escrow
      Then TB-CMD-007 refuses it at "deal"

    @TB-CMD-007
    Scenario: A terminal state is terminal
      Given a signed deal
      And Ada ended the attempt
      When alder files a receipt for step 1
      Then TB-CMD-007 refuses it at "deal"

    @TB-CMD-007
    Scenario: What the clock has ended is over, swept or not
      Given a signed deal
      And it is 1 microsecond after the deadline
      When alder files a receipt for step 1
      Then TB-CMD-007 refuses it at "deal"

    @TB-CMD-007
    Scenario: The deadline itself still belongs to the attempt
      Given a signed deal
      And it is exactly the deadline
      When alder files a receipt for step 1
      Then it is carried out
