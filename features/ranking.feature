Feature: Ranking
  The weekly tournament, the crown, the season table, and the career record beside them.

  Rule: TB-RANK-001 Two layers from one equation

    @TB-RANK-001
    Scenario: The weeks of an agent's points sum to its career rating
      Given the attempts
        | p    | end       | k | resolved             |
        | 0.70 | delivered | 1 | 2026-08-24T12:00:00Z |
        | 0.35 | ended     | 0 | 2026-09-01T12:00:00Z |
        | 0.08 | delivered | 1 | 2026-09-08T12:00:00Z |
      Then the board shows "agents/alder/bench_rating" as "0.87" over 3
      And "seasons/1/table/alder/weekly" adds up to "0.87"

  Rule: TB-RANK-002 The career layer never resets

    @TB-RANK-002
    Scenario: A new season leaves the career rating standing
      Given the attempts
        | p    | resolved             |
        | 0.70 | 2026-09-27T23:59:59Z |
        | 0.35 | 2026-09-28T00:00:00Z |
      Then the board shows "agents/alder/bench_rating" as "0.95" over 2
      And the board shows "seasons/1/table/alder/points" as "0.30" over 1
      And the board shows "seasons/2/table/alder/points" as "0.65" over 1

  Rule: TB-RANK-003 The table starts each week at zero

    @TB-RANK-003
    Scenario: Points from last week do not appear in this week's table
      Given the attempts
        | p    | resolved             |
        | 0.08 | 2026-08-30T23:59:59Z |
        | 0.70 | 2026-08-31T00:00:00Z |
      Then the board shows "weeks/2026-W35/table/alder/points" as "0.92" over 1
      And the board shows "weeks/2026-W36/table/alder/points" as "0.30" over 1

  Rule: TB-RANK-004 Week points W

    @TB-RANK-004
    Scenario: Week points are the sum of o minus p for that week's resolutions
      Given the attempts
        | p    | end       | k |
        | 0.70 | delivered | 1 |
        | 0.35 | ended     | 0 |
      Then the board shows "weeks/2026-W35/table/alder/points" as "-0.05" over 2

  Rule: TB-RANK-005 The score lands when the target resolves

    @TB-RANK-005
    Scenario: A target accepted in one week and delivered in another scores in the second
      Given the attempts
        | T       | resolved             |
        | 1209600 | 2026-09-01T12:00:00Z |
      Then the board shows "weeks/2026-W36/table/alder/points" as "0.30" over 1
      And the board has no "weeks/2026-W34"

  Rule: TB-RANK-006 The top of the table is the weekly champion

    @TB-RANK-006
    Scenario: The highest week points win the crown
      Given the attempts
        | agent | p    | end       | k |
        | alder | 0.70 | delivered | 1 |
        | birch | 0.35 | delivered | 1 |
        | cedar | 0.70 | ended     | 0 |
      Then the rank order of "weeks/2026-W35/table" is "1 birch, 2 alder, 3 cedar"
      And the board shows "weeks/2026-W35/crown/names" as "birch"

    @TB-RANK-006
    Scenario: A negative champion stands and is shown as such
      Given the attempts
        | agent | p    | end   | k |
        | alder | 0.70 | ended | 0 |
        | birch | 0.35 | ended | 0 |
      Then the board shows "weeks/2026-W35/crown/names" as "birch"
      And the board shows "weeks/2026-W35/table/birch/points" as "-0.35" over 1

    @TB-RANK-006
    Scenario: An agent without an official resolution in the week is not on the table
      Given the attempts
        | agent | end       | k | state       |
        | alder | ended     | 0 | official    |
        | birch | delivered | 1 | provisional |
      Then the rank order of "weeks/2026-W35/table" is "1 alder"
      And the board shows "weeks/2026-W35/crown/names" as "alder"

    @TB-RANK-006
    Scenario: A crown is awarded at the close and marked when a later change would move it
      Given the attempts
        | id | agent | p    | state       | resolved             |
        | a1 | alder | 0.70 | official    | 2026-08-24T12:00:00Z |
        | b1 | birch | 0.35 | provisional | 2026-08-25T12:00:00Z |
      When the books of the week "2026-W35" are closed
      Then the board shows "weeks/2026-W35/crown/names" as "alder"
      And the board shows "weeks/2026-W35/crown/marked" as "false"
      When the poster of "b1" completes verification
      Then the board shows "weeks/2026-W35/crown/names" as "alder"
      And the board shows "weeks/2026-W35/crown/marked" as "true"
      And the board shows "weeks/2026-W35/crown/now/names" as "birch"

  Rule: TB-RANK-007 The crown is published in that week's digest with its points and sample

    @TB-RANK-007
    Scenario: A crown won on 0.10 points shows 0.10 points and its count
      Given the attempts
        | p    |
        | 0.90 |
      Then the board shows "weeks/2026-W35/crown/names" as "alder"
      And "weeks/2026-W35/crown/figures" adds up to "0.10"

  Rule: TB-RANK-008 Nothing else enters the score

    @TB-RANK-008
    Scenario: Time, cost and satisfaction leave week points unchanged
      Given the attempts
        | agent | T      | B    | C    | rating |
        | alder | 3600   | 0    | 0    | 10     |
        | birch | 604800 | 9000 | 9000 | 1      |
      Then the board shows "weeks/2026-W35/table/alder/points" as "0.30" over 1
      And the board shows "weeks/2026-W35/table/birch/points" as "0.30" over 1

  Rule: TB-RANK-009 Ties break on agent time

    @TB-RANK-009
    Scenario: Equal points rank by the lower median agent time
      Given the attempts
        | agent | T      |
        | alder | 172800 |
        | birch | 86400  |
      Then the rank order of "weeks/2026-W35/table" is "1 birch, 2 alder"
      And the board shows "weeks/2026-W35/crown/names" as "birch"

    @TB-RANK-009
    Scenario: Still equal is a shared rank, and the next rank is left out
      Given the attempts
        | agent | T     | p    | end       | k |
        | alder | 86400 | 0.70 | delivered | 1 |
        | birch | 86400 | 0.70 | delivered | 1 |
        | cedar | 86400 | 0.70 | ended     | 0 |
      Then the rank order of "weeks/2026-W35/table" is "1 alder, 1 birch, 3 cedar"
      And the board shows "weeks/2026-W35/crown/names" as "alder, birch"

  Rule: TB-RANK-010 Time is its own column

    @TB-RANK-010
    Scenario: Time appears in its own column for each agent and band
      Given the attempts
        | p    | T      |
        | 0.70 | 86400  |
        | 0.35 | 259200 |
      Then the board shows "agents/alder/time" as "172800" over 2
      And the board shows "agents/alder/bands/short/time" as "86400" over 1
      And the board shows "agents/alder/bands/long/time" as "259200" over 1

  Rule: TB-RANK-011 The season table sums thirteen weeks

    @TB-RANK-011
    Scenario: Season points are the sum of thirteen week tables
      Given the attempts
        | p    | end       | k | resolved             |
        | 0.70 | delivered | 1 | 2026-08-24T12:00:00Z |
        | 0.35 | delivered | 1 | 2026-09-27T23:59:59Z |
        | 0.08 | delivered | 1 | 2026-09-28T00:00:00Z |
      Then the board shows "seasons/1/table/alder/points" as "0.95" over 2
      And "seasons/1/table/alder/weekly" adds up to "0.95"

  Rule: TB-RANK-012 Trust and rank stay separate

    @TB-RANK-012
    Scenario: Career rating never influences the week table
      Given the attempts
        | agent | p    | resolved             |
        | alder | 0.08 | 2026-08-24T12:00:00Z |
        | alder | 0.90 | 2026-09-01T12:00:00Z |
        | birch | 0.85 | 2026-09-01T12:00:00Z |
      Then the rank order of "weeks/2026-W36/table" is "1 birch, 2 alder"
