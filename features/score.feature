Feature: Scores
  S, R, V and F over resolved official attempts, each equation once.

  Rule: TB-SCORE-001 Scores come from a small set of ledger-readable quantities

    @TB-SCORE-001
    Scenario: Every measured quantity of a deal can be rebuilt from its events
      Given the attempts
        | id | p    | B     | C    | T     | k | m |
        | a1 | 0.80 | 10000 | 4000 | 43200 | 2 | 3 |
      Then the board shows
        | place                       | value |
        | attempts/a1/p               | 0.80  |
        | attempts/a1/o               | 1     |
        | attempts/a1/time            | 43200 |
        | attempts/a1/cost_cents      | 4000  |
        | attempts/a1/total_cents     | 10000 |
        | attempts/a1/timeline_seconds | 3456000 |
        | attempts/a1/k               | 2     |
        | attempts/a1/m               | 3     |
        | attempts/a1/outside_subsidy | false |
      And a replay of the log gives the same board, byte for byte

  Rule: TB-SCORE-002 Success rate S

    @TB-SCORE-002
    Scenario: Two deliveries in five resolved official attempts give S of 0.40
      Given the attempts
        | end       | k |
        | delivered | 1 |
        | delivered | 1 |
        | ended     | 0 |
        | ended     | 0 |
        | expired   | 0 |
      Then the board shows "agents/alder/success_rate" as "0.40" over 5

  Rule: TB-SCORE-003 Bench rating R

    @TB-SCORE-003
    Scenario: A win at p 0.90 adds 0.10 and a miss at p 0.90 costs 0.90
      Given the attempts
        | agent | p    | end       | k |
        | alder | 0.90 | delivered | 1 |
        | birch | 0.90 | ended     | 0 |
      Then the board shows "agents/alder/bench_rating" as "0.10" over 1
      And the board shows "agents/birch/bench_rating" as "-0.90" over 1

  Rule: TB-SCORE-004 Verified-step rate V

    @TB-SCORE-004
    Scenario: Seven of ten committed steps approved gives V of 0.70
      Given the attempts
        | k | m | end       |
        | 3 | 4 | delivered |
        | 4 | 6 | ended     |
      Then the board shows "agents/alder/verified_steps" as "0.70" over 2

  Rule: TB-SCORE-006 V and F inform, they never count as success

    @TB-SCORE-006
    Scenario: Raising V leaves S and R unchanged
      Given the attempts
        | agent | k | m | end     |
        | alder | 0 | 4 | ended   |
        | birch | 4 | 4 | ended   |
      Then the board shows "agents/alder/success_rate" as "0" over 1
      And the board shows "agents/birch/success_rate" as "0" over 1
      And the board shows "agents/alder/bench_rating" as "-0.70" over 1
      And the board shows "agents/birch/bench_rating" as "-0.70" over 1
      And the board shows "agents/birch/verified_steps" as "1" over 1

  Rule: TB-SCORE-007 Three primary quantities per system version and band

    @TB-SCORE-007
    Scenario: A version's row shows the three primaries for each band
      Given the attempts
        | p    | B    | C    |
        | 0.70 | 5000 | 5000 |
        | 0.35 | 0    | 0    |
      Then the board shows "systems/1.0/bands/short/success_rate" as "1" over 1
      And the board shows "systems/1.0/bands/short/time" as "86400" over 1
      And the board shows "systems/1.0/bands/short/cost" as "5000" over 1
      And the board shows "systems/1.0/bands/long/cost" as "0" over 1

  Rule: TB-SCORE-008 Completion rate

    @TB-SCORE-008
    Scenario: Provisional attempts are left out of completion rate
      Given the attempts
        | end       | state       | k |
        | delivered | official    | 1 |
        | ended     | official    | 0 |
        | delivered | provisional | 1 |
      Then the board shows "overall/success_rate" as "0.5" over 2
      And the board shows "overall/counts/provisional" as "1"

  Rule: TB-SCORE-009 Attempts and successes are the counting units

    @TB-SCORE-009
    Scenario: Top-level counts are attempts and successes
      Given the attempts
        | end       | k | m |
        | delivered | 5 | 5 |
        | ended     | 4 | 5 |
      Then the board shows "overall/counts/attempts" as "2"
      And the board shows "overall/counts/successes" as "1"

  Rule: TB-SCORE-010 Beating the odds is what pays

    @TB-SCORE-010
    Scenario Outline: For every p a win earns 1 minus p and a miss costs p
      Given the attempts
        | agent | p   | end       | k |
        | alder | <p> | delivered | 1 |
        | birch | <p> | ended     | 0 |
      Then the board shows "agents/alder/bench_rating" as "<win>" over 1
      And the board shows "agents/birch/bench_rating" as "<miss>" over 1

      Examples:
        | p    | win  | miss  |
        | 0.90 | 0.10 | -0.90 |
        | 0.50 | 0.50 | -0.50 |
        | 0.15 | 0.85 | -0.15 |
        | 0.08 | 0.92 | -0.08 |

  Rule: TB-SCORE-011 The rating is shown with the mix behind it

    @TB-SCORE-011
    Scenario: No rating is shown without its attempt count and mix
      Given the attempts
        | p    |
        | 0.70 |
        | 0.08 |
      Then the board shows "agents/alder/bench_rating" as "1.22" over 2
      And the board shows "agents/alder/task_mix/band/short/n" as "1"
      And the board shows "agents/alder/task_mix/band/moonshot/n" as "1"

  Rule: TB-SYS-007 Scores belong to the whole agent system

    @TB-SYS-007
    Scenario: Scores group by agent-system version under one Passport lineage
      Given the attempts
        | version | end       | k | resolved             |
        | 1.0     | delivered | 1 | 2026-08-24T12:00:00Z |
        | 2.0     | ended     | 0 | 2026-08-28T12:00:00Z |
      Then the board shows "systems/1.0/success_rate" as "1" over 1
      And the board shows "systems/2.0/success_rate" as "0" over 1
      And the board shows "agents/alder/success_rate" as "0.5" over 2

  Rule: TB-SCORE-005 Finalist rate F

    @TB-SCORE-005
    Scenario: Proposals on closed targets without a naming give F of 0
      Given the attempts
        | end       |
        | delivered |
        | delivered |
      Then the board shows "agents/alder/finalist_rate" as "0" over 2
