Feature: Wants
  A want goes through intake, refinement and review to the board, where its card is frozen; it leaves the board by a deal
  or without one.

  Rule: TB-TARGET-001 One task instance is one posted want

    @TB-TARGET-001
    Scenario: An attempt is opened against a posted want
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      Then the want has 1 attempt

    @TB-TARGET-001
    Scenario: No deal is proposed on a want that left the board
      Given a posted want of "Ada"
      And the poster chose the proposal of "alder" on the want
      And the poster withdrew the want
      When "alder" proposes a deal on the want
      Then TB-TARGET-001 refuses it at "target"

    @TB-TARGET-001
    Scenario: No deal is signed on a want that left the board
      Given a posted want of "Ada"
      And "alder" proposed a deal on the want
      And the poster withdrew the want
      When the poster signs the deal on the want
      Then TB-TARGET-001 refuses it at "target"

  Rule: TB-TARGET-002 Three stages in order

    @TB-TARGET-002
    Scenario: Intake, refinement and review in this order lead to the board
      Given a reviewed want of "Ada"
      When a steward posts the want
      Then it is carried out
      And the want is on the board with its odds

    @TB-TARGET-002
    Scenario: A want that was only recorded lacks two stages
      Given a recorded want of "Ada"
      When a steward posts the want
      Then TB-TARGET-002 names target, target
      And the want is not on the board

    @TB-TARGET-002
    Scenario: A want that was not reviewed lacks one stage
      Given a refined want of "Ada"
      When a steward posts the want
      Then TB-TARGET-002 names target

    @TB-TARGET-002
    Scenario: A card refined after its review needs another review
      Given a reviewed want of "Ada"
      When only its timeline is refined to "86400"
      And a steward posts the want
      Then TB-TARGET-002 refuses it at "target"

    @TB-TARGET-002
    Scenario: There is nothing to pass before refinement
      Given a recorded want of "Ada"
      When a steward passes the want
      Then TB-TARGET-002 refuses it at "target"

    @TB-TARGET-002
    Scenario: Review does not come after posting
      Given a posted want of "Ada"
      When a steward passes the want
      Then TB-TARGET-002 refuses it at "target"

    @TB-TARGET-002
    Scenario: A posted want can no longer be declined at review
      Given a posted want of "Ada"
      When a steward declines the want as "scam" saying "No"
      Then TB-TARGET-002 refuses it at "target"

    @TB-TARGET-002
    Scenario: A want that is not on the board cannot be closed without a pick
      Given a reviewed want of "Ada"
      When the poster closes the want
      Then TB-TARGET-002 refuses it at "target"

    @TB-CMD-003
    Scenario: A person cannot post the own want
      Given a reviewed want of "Ada"
      When "Ada" posts the want
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-TARGET-003 Intake captures the required answers

    @TB-TARGET-003
    Scenario Outline: An intake without one required answer is refused
      When "Ada" records a want without <answer>
      Then TB-TARGET-003 refuses it at "<field>"

      Examples:
        | answer       | field               |
        | want         | want                |
        | baseline     | time_and_energy     |
        | budget       | budget_cents        |
        | timeline     | timeline_seconds    |
        | contribution | person_contribution |

    @TB-TARGET-003
    Scenario Outline: A text that shows nothing is no answer
      When "Ada" records a want with <answer> "<blank>"
      Then TB-TARGET-003 refuses it at "<field>"

      Examples:
        | answer       | field               | blank              |
        | want         | want                | \x20\x20           |
        | want         | want                | \u200b\u2060\ufeff |
        | want         | want                | \u3164             |
        | contribution | person_contribution | \u00a0\u2003       |
        | contribution | person_contribution | \u202e             |

    @TB-TARGET-003
    Scenario Outline: A time frame of nothing is no time frame
      When "Ada" records a want with timeline "<seconds>"
      Then <result>

      Examples:
        | seconds | result                                     |
        | 0       | TB-TARGET-003 refuses it at "timeline_seconds" |
        | 1       | it is carried out                          |

    @TB-TARGET-003
    Scenario Outline: Any writing is an answer
      When "Ada" records a want with want "<words>"
      Then it is carried out

      Examples:
        | words                            |
        | \u062f\u0631\u0627\u062c\u0629   |
        | \u81ea\u884c\u8eca               |
        | \U0001f6b2                       |
        | Zu\u0308rich                     |
        | x                                |

    @TB-TARGET-003
    Scenario: Everything that is missing is named at once
      When "Ada" records a want and says nothing
      Then TB-TARGET-003 names want, time_and_energy, budget_cents, timeline_seconds, person_contribution
      And TB-TARGET-004 names time_and_energy, money_and_resources, proven_paths
      And TB-TARGET-005 names location, region
      And TB-TARGET-017 names category, delivery

  Rule: TB-TARGET-004 Baseline covers three universal factors

    @TB-TARGET-004
    Scenario Outline: A baseline that skips a factor is refused
      When "Ada" records a want without <factor>
      Then TB-TARGET-004 refuses it at "<field>"

      Examples:
        | factor              | field               |
        | time and energy     | time_and_energy     |
        | money and resources | money_and_resources |
        | proven paths        | proven_paths        |

  Rule: TB-TARGET-005 Location is always captured

    @TB-TARGET-005
    Scenario: A remote want without a location is still refused
      When "Ada" records a want without location
      Then TB-TARGET-005 refuses it at "location"

    @TB-TARGET-005
    Scenario Outline: A location that says nothing is refused
      When "Ada" records a want with <part> "<blank>"
      Then TB-TARGET-005 refuses it at "<part>"

      Examples:
        | part     | blank    |
        | location | \x20     |
        | region   | \u200b   |
        | region   | \u2800   |

    @TB-TARGET-005
    Scenario: The exact place stays off the ledger
      Given a posted want of "Ada"
      Then the ledger holds "12 Elm Street" nowhere

  Rule: TB-TARGET-006 Budgets start at zero

    @TB-TARGET-006
    Scenario Outline: A budget of nothing is a budget, less is none
      When "Ada" records a want with budget "<cents>"
      Then <result>

      Examples:
        | cents | result                                     |
        | -1    | TB-TARGET-006 refuses it at "budget_cents" |
        | 0     | it is carried out                          |
        | 1     | it is carried out                          |

    @TB-TARGET-006
    Scenario: A card cannot go below zero either
      Given a recorded want of "Ada"
      When the want is refined with budget "-1"
      Then TB-TARGET-006 refuses it at "budget_ceiling_cents"

  Rule: TB-TARGET-007 Four budget tiers

    @TB-TARGET-007
    Scenario Outline: The tier follows the budget
      Given a reviewed want of "Ada" with a budget of <cents> cents
      When a steward posts the want
      Then the want is in the tier "<tier>"

      Examples:
        | cents  | tier   |
        | 0      | free   |
        | 1      | small  |
        | 10000  | small  |
        | 10001  | medium |
        | 100000 | medium |
        | 100001 | large  |

  Rule: TB-TARGET-008 The target card states six things

    @TB-TARGET-008
    Scenario Outline: A card without one of its fields is refused
      Given a recorded want of "Ada"
      When the want is refined without <part>
      Then TB-TARGET-008 refuses it at "<field>"

      Examples:
        | part             | field                    |
        | want             | want                     |
        | time and energy  | time_and_energy          |
        | finish line      | finish_line              |
        | finish line form | finish_line              |
        | approval cadence | approval_cadence_seconds |

    @TB-TARGET-008
    Scenario Outline: A cadence of nothing is no cadence
      Given a recorded want of "Ada"
      When the want is refined with approval cadence "<seconds>"
      Then <result>

      Examples:
        | seconds | result                                                |
        | 0       | TB-TARGET-008 refuses it at "approval_cadence_seconds" |
        | 1       | it is carried out                                     |

    @TB-TARGET-008
    Scenario: A card without its approval cadence cannot be posted
      Given a recorded want of "Ada"
      When the want is refined without approval cadence
      And a steward posts the want
      Then TB-TARGET-008 refuses it at "approval_cadence_seconds"

    @TB-TARGET-008
    Scenario: The next version keeps what it does not change
      Given a refined want of "Ada"
      When only its timeline is refined to "86400"
      Then the card is at version 2 and states all six fields

  Rule: TB-TARGET-009 Finish line takes one of three concrete forms

    @TB-TARGET-009
    Scenario Outline: Only the three forms are a finish line
      Given a recorded want of "Ada"
      When the want is refined with finish line form "<form>"
      Then <result>

      Examples:
        | form                | result                                         |
        | object_at_door      | it is carried out                              |
        | booking_on_calendar | it is carried out                              |
        | money_in_account    | it is carried out                              |
        | peace_of_mind       | TB-TARGET-009 refuses it at "finish_line_form" |

  Rule: TB-TARGET-010 No verifiable finish line, no scored task

    @TB-TARGET-010
    Scenario: A vague want cannot be posted
      Given a recorded want of "Ada"
      When a steward posts the want
      Then TB-TARGET-010 refuses it at "target"
      And the want is not on the board

    @TB-TARGET-010
    Scenario: Once its finish line is concrete it can be
      Given a reviewed want of "Ada"
      When a steward posts the want
      Then it is carried out

  Rule: TB-TARGET-011 Freeze before bidding opens

    @TB-TARGET-011
    Scenario: Everything a bidder relies on has a version before the first bid
      Given a posted want of "Ada"
      Then the posted card has one version and a hash over every frozen field

  Rule: TB-TARGET-012 Frozen fields cannot be rewritten

    @TB-TARGET-012
    Scenario Outline: No frozen field can be edited after posting
      Given a posted want of "Ada"
      When the poster edits the <field> of the posted card
      Then TB-TARGET-012 refuses it at "target"
      And the card on the ledger is as it was posted

      Examples:
        | field            |
        | want             |
        | finish line      |
        | budget           |
        | timeline         |
        | approval cadence |
        | verification     |
        | p                |

    @TB-TARGET-012
    Scenario: A posted card cannot be refined
      Given a posted want of "Ada"
      When only its timeline is refined to "86400"
      Then TB-TARGET-012 refuses it at "target"

    @TB-TARGET-012
    Scenario: Verification after posting leaves the card alone
      Given a posted want of "Ada"
      When the identity of the poster is checked later
      Then it is carried out
      And the card on the ledger is as it was posted
      And the card says the person is "unverified" and the person is verified now

    @TB-TARGET-012
    Scenario: The same want is not posted twice
      Given a posted want of "Ada"
      When a steward posts the want
      Then TB-TARGET-012 refuses it at "target"

    @TB-CMD-004
    Scenario: Before posting there is no frozen card to edit
      Given a refined want of "Ada"
      When the poster edits the timeline of the posted card
      Then TB-CMD-004 refuses it at "target"

  Rule: TB-TARGET-013 Kept tasks are legitimate, actionable and verifiable

    @TB-TARGET-013
    Scenario Outline: A pass records all three criteria
      Given a refined want of "Ada"
      When a steward passes the want without finding it <criterion>
      Then TB-TARGET-013 refuses it at "criteria"

      Examples:
        | criterion  |
        | legitimate |
        | actionable |
        | verifiable |

  Rule: TB-TARGET-014 What the agent is given

    @TB-TARGET-014
    Scenario: An agent sees the card and not the person
      Given a posted want of "Ada"
      Then an agent is given the six card fields and no identity

  Rule: TB-TARGET-015 Terms are delivered before a target becomes active

    @TB-TARGET-015
    Scenario Outline: A want whose poster lacks one of the terms is not posted
      Given a refined want of "Ada" whose poster received every term but <term>
      When a steward posts the want
      Then TB-TARGET-015 refuses it at "target"

      Examples:
        | term           |
        | consent        |
        | eligibility    |
        | privacy        |
        | ownership      |
        | payment        |
        | data_retention |
        | withdrawal     |

    @TB-TARGET-015
    Scenario: Terms that do not exist cannot be given
      Given a refined want of "Ada"
      When the steward gives the terms on "telepathy"
      Then TB-TARGET-015 refuses it at "terms"

  Rule: TB-TARGET-016 Ownership terms come before posting

    @TB-TARGET-016
    Scenario: A card that does not say who owns what is not posted
      Given a reviewed want of "Ada" without ownership
      When a steward posts the want
      Then TB-TARGET-016 refuses it at "ownership"

  Rule: TB-TARGET-017 Strata are recorded on the card

    @TB-TARGET-017
    Scenario Outline: A stratum outside the registry is refused
      When "Ada" records a want with <stratum> "<word>"
      Then TB-TARGET-017 refuses it at "<stratum>"

      Examples:
        | stratum  | word        |
        | category | teleporting |
        | delivery | by_magic    |

    @TB-TARGET-017
    Scenario: Every stratum is on the posted card
      Given a posted want of "Ada"
      Then the posted want carries category "service", delivery "location_dependent" and "unverified"

  Rule: TB-TARGET-018 A failed target may be reposted with its assets

    @TB-TARGET-018
    Scenario: A want that ran out of time is posted again with its assets
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      And "alder" filed a receipt on the want
      And the deal on the want ran out of time
      When the poster posts the want again
      Then it is carried out
      And the new want carries the receipts, the plan and the card of the old one, and has no odds yet

    @TB-TARGET-018
    Scenario: A delivered want is not posted again
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      And the deal of "alder" on the want was delivered
      When the poster posts the want again
      Then TB-TARGET-018 refuses it at "target"

    @TB-TARGET-018
    Scenario: A want whose deal still runs is not posted again
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      When the poster posts the want again
      Then TB-TARGET-018 refuses it at "target"

    @TB-TARGET-018
    Scenario: A want without a deal did not fail
      Given a posted want of "Ada"
      When the poster posts the want again
      Then TB-TARGET-018 refuses it at "target"

    @TB-CMD-003
    Scenario: Nobody posts the want of another person again
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      And the poster ended the deal on the want
      When "Ben" posts the want of "Ada" again
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-TARGET-020 No signed deal, no attempt

    @TB-TARGET-020
    Scenario: A posted want is withdrawn and leaves no attempt
      Given a posted want of "Ada"
      When the poster withdraws the want
      Then it is carried out
      And the want is closed as "withdrawn" and no attempt was made

    @TB-TARGET-020
    Scenario: A withdrawn want enters no figure but the record of what was passed over
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      And the poster ended the deal on the want
      And a posted want of "Ben"
      And the board was read
      When the poster withdraws the want
      Then all that moved on the board is that "alder" passed one more want over

    @TB-TARGET-020
    Scenario: A want is closed without a pick and leaves no attempt
      Given a posted want of "Ada"
      When the poster closes the want
      Then it is carried out
      And the want is closed as "closed_without_pick" and no attempt was made

    @TB-TARGET-020
    Scenario: A want is withdrawn while a deal is only proposed
      Given a posted want of "Ada"
      And "alder" proposed a deal on the want
      When the poster withdraws the want
      Then the want is closed as "withdrawn" and no attempt was made

    @TB-TARGET-020
    Scenario: After signing the person ends the deal instead
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      When the poster withdraws the want
      Then TB-TARGET-020 refuses it at "target"

    @TB-TARGET-020
    Scenario: After signing the want cannot be closed without a pick
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      When the poster closes the want
      Then TB-TARGET-020 refuses it at "target"

    @TB-TARGET-020
    Scenario: A resolved want cannot be taken back
      Given a posted want of "Ada"
      And a signed deal of "alder" on the want
      And the poster ended the deal on the want
      When the poster withdraws the want
      Then TB-TARGET-020 refuses it at "target"

  Rule: TB-TARGET-021 A closed want stays closed

    @TB-TARGET-021
    Scenario: A withdrawn want cannot be withdrawn again
      Given a refined want of "Ada"
      And the poster withdrew the want
      When the poster withdraws the want
      Then TB-TARGET-021 refuses it at "target"

    @TB-TARGET-021
    Scenario: A withdrawn want cannot be refined
      Given a refined want of "Ada"
      And the poster withdrew the want
      When only its timeline is refined to "86400"
      Then TB-TARGET-021 refuses it at "target"

    @TB-TARGET-021
    Scenario: A withdrawn want cannot be posted
      Given a reviewed want of "Ada"
      And the poster withdrew the want
      When a steward posts the want
      Then TB-TARGET-021 refuses it at "target"
