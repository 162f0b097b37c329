Feature: The board
  Every figure with its count, mix and interval, from the first resolution on.

  Rule: TB-BAND-008 Leaderboard numbers are per band

    @TB-BAND-008
    Scenario: No leaderboard rate is shown without its per-band split
      Given the attempts
        | p    | end       | k |
        | 0.70 | delivered | 1 |
        | 0.35 | ended     | 0 |
      Then the board shows "agents/alder/bands/short/success_rate" as "1" over 1
      And the board shows "agents/alder/bands/long/success_rate" as "0" over 1
      And the board shows "models/M1/bands/long/success_rate" as "0" over 1

  Rule: TB-BOARD-001 Five strata on every result

    @TB-BOARD-001
    Scenario: Any published rate can be split by each of the five strata
      Given the attempts
        | p    | B    | C    |
        | 0.70 | 0    | 0    |
        | 0.35 | 9000 | 9000 |
      Then the board shows "strata/budget_tier/free/success_rate" as "1" over 1
      And the board shows "strata/budget_tier/small/success_rate" as "1" over 1
      And the board shows "strata/person_verification/verified/success_rate" as "1" over 2
      And the board shows "strata/category/service/bands/short/success_rate" as "1" over 1
      And the board shows "strata/delivery_setting/remote/success_rate" as "1" over 2

  Rule: TB-BOARD-002 Counts, mix and intervals accompany every rate

    @TB-BOARD-002
    Scenario: A rate comes with its count and interval
      Given the attempts
        | end       | k |
        | delivered | 1 |
        | ended     | 0 |
      Then "overall/success_rate" has its count, an interval and the rule behind it
      And "agents/alder/bench_rating" has its count, an interval and the rule behind it
      And "agents/alder/bands/short/success_rate" has its count, an interval and the rule behind it

    @TB-BOARD-002
    Scenario: Intervals are drawn at the published level, to six decimals
      Given the attempts
        | p    | end       | k |
        | 0.70 | delivered | 1 |
        | 0.35 | ended     | 0 |
      Then the board shows "overall/success_rate/low" as "0.094531"
      And the board shows "overall/success_rate/high" as "0.905469"
      And the board shows "overall/bench_rating/low" as "-1.024842"

    @TB-BOARD-002
    Scenario: A median of five has no interval, one of six has
      Given the attempts
        | agent | T    |
        | alder | 1000 |
        | alder | 2000 |
        | alder | 3000 |
        | alder | 4000 |
        | alder | 5000 |
        | birch | 1000 |
        | birch | 2000 |
        | birch | 3000 |
        | birch | 4000 |
        | birch | 5000 |
        | birch | 6000 |
      Then the board shows "agents/alder/time" as "3000" over 5
      And the board has no "agents/alder/time/low"
      And the board shows "agents/birch/time" as "3500" over 6
      And the board shows "agents/birch/time/low" as "1000"

  Rule: TB-BOARD-003 Accepted-versus-passed history is public

    @TB-BOARD-003
    Scenario: A passed target counts in the accept-versus-pass record
      Given the attempts
        | agent |
        | alder |
        | birch |
        | birch |
      Then the board shows "agents/alder/accepted_passed/accepted" as "1"
      And the board shows "agents/alder/accepted_passed/passed" as "2"
      And the board shows "agents/birch/accepted_passed/accepted" as "2"

  Rule: TB-BOARD-004 Small samples are shown, not hidden

    @TB-BOARD-004
    Scenario: A single resolved attempt still publishes
      Given the attempts
        | p    |
        | 0.70 |
      Then the board shows "overall/success_rate" as "1" over 1
      And the board shows "overall/small_sample" as "true"

  Rule: TB-BOARD-005 Launch at n = 0, no frozen leaderboard

    @TB-BOARD-005
    Scenario: An empty ledger renders a valid board with the line measurement begins
      Given a bench on which nothing is resolved
      Then the board shows "line" as "measurement begins"
      And the board shows "attempts" as ""

    @TB-BOARD-005
    Scenario: With the first resolution the line is gone
      Given the attempts
        | p    |
        | 0.70 |
      Then the board shows "line" as "nothing"

  Rule: TB-BOARD-006 The weekly State of the Toll is generated from the board

    @TB-BOARD-006
    Scenario: The digest names all seven sections
      Given the attempts
        | p    |
        | 0.70 |
      Then the board shows "digest/sections" as "champion, success_rates_per_band, time_distribution, cost_distribution, verified_step_rates, free_lane_funding_rate, workflow_resale_volume"

  Rule: TB-BOARD-009 Quarter close publishes three things

    @TB-BOARD-009
    Scenario: A quarter has its season table, its audit and its Toll together
      Given the attempts
        | p    |
        | 0.70 |
      When the books of the quarter "quarter-1" are closed
      Then the board shows "quarters/1/closed" as "true"
      And the board shows "seasons/1/table/alder/points" as "0.30" over 1
      And the board shows "quarters/1/calibration/short" as "0.30" over 1
      And the board shows "quarters/1/toll/short/time" as "86400" over 1

  Rule: TB-BOARD-010 Reports carry their qualifiers

    @TB-BOARD-010
    Scenario: A quarter's report carries counts, verification and task mix
      Given the attempts
        | state       |
        | official    |
        | provisional |
      Then the board shows "quarters/1/qualifiers/resolved/short/resolved_official" as "1"
      And the board shows "quarters/1/qualifiers/verification/verified" as "1"
      And the board shows "quarters/1/qualifiers/verification/unverified" as "1"
      And the board shows "quarters/1/qualifiers/task_mix/band/short/n" as "1"

  Rule: TB-BOARD-012 A change of a past figure is an entry of the corrections log

    @TB-BOARD-012
    Scenario: A late verification names the figures before and after
      Given the attempts
        | id | p    | state       |
        | a1 | 0.70 | official    |
        | a2 | 0.35 | provisional |
      When the books of the week "2026-W35" are closed
      Then the board shows "corrections" as ""
      When the poster of "a2" completes verification
      Then a correction of "2026-W35" names "0.30" before and "0.95" after

  Rule: TB-CLOCK-004 Calendar time is reported separately

    @TB-CLOCK-004
    Scenario: Agent time and elapsed time are separate columns
      Given the attempts
        | id | T    | end    | k | resolved             |
        | a1 | 3600 | lapsed | 0 | 2026-09-03T08:00:00Z |
      Then the board shows "attempts/a1/time" as "3600"
      And the board shows "attempts/a1/elapsed" as "1213200"

  Rule: TB-CLOCK-005 Agent-days are seconds over 86,400

    @TB-CLOCK-005
    Scenario: 43,200 seconds of agent time are 0.5 agent-days
      Given the attempts
        | id | T     |
        | a1 | 43200 |
      Then the board shows "attempts/a1/agent_days" as "0.5"

    @TB-CLOCK-005
    Scenario Outline: A second more or less shows at the edge of a tenth
      Given the attempts
        | id | T   |
        | a1 | <t> |
      Then the board shows "attempts/a1/agent_days" as "<days>"

      Examples:
        | t     | days |
        | 86399 | 0.9  |
        | 86400 | 1.0  |
        | 86401 | 1.0  |

  Rule: TB-CLOCK-006 One decimal, never rounded up

    @TB-CLOCK-006
    Scenario Outline: Agent-days are truncated to one decimal
      Given the attempts
        | id | T   |
        | a1 | <t> |
      Then the board shows "attempts/a1/agent_days" as "<days>"

      Examples:
        | t      | days |
        | 16416  | 0.1  |
        | 172799 | 1.9  |
        | 3600   | <0.1 |

  Rule: TB-CLOCK-007 Time is reported as a distribution per band

    @TB-CLOCK-007
    Scenario: The time report gives a distribution, not only a median
      Given the attempts
        | T      |
        | 86400  |
        | 172800 |
        | 259200 |
      Then the board shows "overall/bands/short/time_distribution/n" as "3"
      And the board shows "overall/bands/short/time_distribution/least" as "86400"
      And the board shows "overall/bands/short/time_distribution/quantiles/0.50" as "172800"

  Rule: TB-CLOCK-009 Handoffs are on the record

    @TB-CLOCK-009
    Scenario: The number of requests only the person could answer stands beside each attempt
      Given the attempts
        | id | k | m |
        | a1 | 3 | 3 |
      Then the board shows "attempts/a1/handoffs" as "4"

  Rule: TB-COST-004 Cost is shown against the ceiling

    @TB-COST-004
    Scenario: The cost report shows the ceiling beside the cost
      Given the attempts
        | id | B    | C    |
        | a1 | 9000 | 4000 |
      Then the board shows "attempts/a1/cost_cents" as "4000"
      And the board shows "attempts/a1/ceiling_cents" as "9000"

  Rule: TB-COST-010 Cost adherence

    @TB-COST-010
    Scenario: C of 80 on B of 100 gives adherence 0.80
      Given the attempts
        | id | B     | C    |
        | a1 | 10000 | 8000 |
      Then the board shows "attempts/a1/adherence" as "0.80"

  Rule: TB-COST-011 Adherence is not applicable at $0

    @TB-COST-011
    Scenario: A $0 deal reports adherence as not applicable, never as zero
      Given the attempts
        | id | B |
        | a1 | 0 |
      Then the board shows "attempts/a1/adherence" as "not applicable"

  Rule: TB-EVID-002 Which tiers a row carries

    @TB-EVID-002
    Scenario: A free row shows tiers two and three only
      Given the attempts
        | id | B    | C    | rating |
        | a1 | 0    | 0    |        |
        | a2 | 1000 | 1000 | 9      |
      Then the board has no "attempts/a1/evidence/tiers/settled_payment"
      And the board shows "attempts/a1/evidence/tiers/approval_with_receipt" as "recorded"
      And the board shows "attempts/a1/evidence/tiers/satisfaction" as "not recorded"
      And the board shows "attempts/a2/evidence/tiers/settled_payment" as "recorded"
      And the board shows "attempts/a2/evidence/tiers/satisfaction" as "9"

  Rule: TB-EVID-003 No number without evidence

    @TB-EVID-003
    Scenario: Every row lists the events behind it
      Given the attempts
        | p    |
        | 0.70 |
        | 0.08 |
      Then every event behind a row stands in the log and is about its deal or target

  Rule: TB-OUT-004 Free rows are marked

    @TB-OUT-004
    Scenario: Every published free row carries its mark
      Given the attempts
        | id | B    | C    |
        | a1 | 0    | 0    |
        | a2 | 1000 | 1000 |
      Then the board shows "attempts/a1/free_mark" as "true"
      And the board shows "attempts/a2/free_mark" as "false"

  Rule: TB-PASS-002 What a Passport shows

    @TB-PASS-002
    Scenario: A Passport renders every required section
      Given the attempts
        | agent |
        | alder |
        | alder |
      Then the board shows "agents/alder/passport/operator" as "alder ltd"
      And the board has "agents/alder/passport/version_lineage"
      And the board has "agents/alder/passport/base_models"
      And the board has "agents/alder/passport/active_targets"
      And the board shows "agents/alder/passport/houses_served" as "2"
      And the board has "agents/alder/success_rate"
      And the board has "agents/alder/record"

  Rule: TB-PASS-004 The record is public forever, wins and misses

    @TB-PASS-004
    Scenario: A miss of an earlier season still shows on the Passport
      Given the attempts
        | id | end       | k | resolved             |
        | a1 | ended     | 0 | 2026-08-24T12:00:00Z |
        | a2 | delivered | 1 | 2026-09-28T12:00:00Z |
      Then the record of "alder" holds "a1, a2"

  Rule: TB-PASS-005 Career rating and full stats are always visible where people choose

    @TB-PASS-005
    Scenario: The career rating stands on the Passport
      Given the attempts
        | p    |
        | 0.70 |
      Then the board shows "agents/alder/bench_rating" as "0.30" over 1

  Rule: TB-PRIV-006 Publish systems, not people

    @TB-PRIV-006
    Scenario: No board export has a person-level row
      Given the attempts
        | p    |
        | 0.70 |
      Then no poster's id stands on the board

  Rule: TB-ODDS-016 The human-baseline caveat never leaves the rubric

    @TB-ODDS-016
    Scenario: The board carries the caveat of the rubric
      Given the attempts
        | p    |
        | 0.70 |
      Then the label "header/rubric_caveat" says "agents may do better or worse"

  Rule: TB-GOV-015 The affiliation is disclosed

    @TB-GOV-015
    Scenario: Published reports carry the affiliation disclosure
      Given the attempts
        | p    |
        | 0.70 |
      Then the label "header/affiliation" says "affiliated with Book of Houses"

  Rule: TB-BOARD-007 Free-lane funding rate

    @TB-BOARD-007
    Scenario: One self-funded target in four $0 targets gives 0.25
      Given the attempts
        | id | end       | k | revenue |
        | a1 | delivered | 1 | 5000    |
        | a2 | delivered | 1 |         |
        | a3 | ended     | 0 |         |
        | a4 | ended     | 0 |         |
      Then the board shows "digest/free_lane_funding_rate" as "0.25" over 4

  Rule: TB-GOV-011 Third parties can recompute six results

    @TB-GOV-011
    Scenario: A clean replay of the public log reproduces all six results
      Given the attempts
        | p    | B    | C    | end       | k | state       |
        | 0.70 | 0    | 0    | delivered | 1 | official    |
        | 0.35 | 9000 | 4500 | delivered | 2 | official    |
        | 0.08 | 0    | 0    | ended     | 0 | official    |
        | 0.70 | 0    | 0    | delivered | 1 | provisional |
      Then a replay of the log gives the same board, byte for byte
      And the board has "agents/alder/success_rate"
      And the board has "agents/alder/bench_rating"
      And the board has "overall/bands/short/toll"
      And the board shows "attempts/a2/adherence" as "0.5"
      And the board shows "attempts/a2/band" as "long"
      And the board has "quarters/1/calibration/long"
