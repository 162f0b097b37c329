Feature: The Toll
  The price of a crossing: per band, median time and median cost, never blended.

  Rule: TB-TOLL-001 The Toll is a per-band price

    @TB-TOLL-001
    Scenario: A band's Toll is a time median and a cost median
      Given the attempts
        | p    | T      | B    | C    |
        | 0.70 | 86400  | 3000 | 3000 |
        | 0.70 | 259200 | 9000 | 9000 |
        | 0.70 | 172800 | 0    | 0    |
        | 0.35 | 432000 | 0    | 0    |
      Then the board shows "overall/bands/short/toll/time" as "172800" over 3
      And the board shows "overall/bands/short/toll/cost" as "3000" over 3
      And the board shows "overall/bands/long/toll/time" as "432000" over 1

  Rule: TB-TOLL-002 Only delivered targets count

    @TB-TOLL-002
    Scenario: A miss never enters the Toll
      Given the attempts
        | T      | end       | k |
        | 86400  | delivered | 1 |
        | 604800 | ended     | 0 |
      Then the board shows "overall/bands/short/toll/time" as "86400" over 1
      And the board shows "overall/bands/short/toll/crossings" as "1"

  Rule: TB-TOLL-003 Toll medians

    @TB-TOLL-003
    Scenario: An even number of crossings uses the exact mean of the middle two
      Given the attempts
        | T     | B    | C    |
        | 50000 | 0    | 0    |
        | 86401 | 5000 | 5000 |
      Then the board shows "overall/bands/short/toll/time" as "68200.5" over 2
      And the board shows "overall/bands/short/toll/cost" as "2500" over 2

  Rule: TB-TOLL-004 Bands never blend into one Toll

    @TB-TOLL-004
    Scenario: There is no all-bands Toll
      Given the attempts
        | p    |
        | 0.70 |
        | 0.08 |
      Then the board has "overall/bands/short/toll"
      And the board has no "overall/toll"
      And the board has no "agents/alder/toll"

  Rule: TB-TOLL-005 Each figure carries its crossings

    @TB-TOLL-005
    Scenario: No Toll figure appears without its crossing count
      Given the attempts
        | p    |
        | 0.70 |
        | 0.70 |
      Then the board shows "overall/bands/short/toll/crossings" as "2"
      And the board shows "quarters/1/toll/short/crossings" as "2"

  Rule: TB-TOLL-006 Free share

    @TB-TOLL-006
    Scenario: Two zero-cost crossings in five give a free share of 0.40 beside the Toll
      Given the attempts
        | B    | C    |
        | 0    | 0    |
        | 0    | 0    |
        | 1000 | 1000 |
        | 1000 | 1000 |
        | 1000 | 1000 |
      Then the board shows "overall/bands/short/toll/free_share" as "0.40" over 5

  Rule: TB-TOLL-008 Retirement condition

    @TB-TOLL-008
    Scenario: Retirement is not reported while a band has no crossing
      Given the attempts
        | p    |
        | 0.70 |
        | 0.35 |
      Then the board shows "quarters/1/retired" as "false"

    @TB-TOLL-008
    Scenario: Retirement is reported when every band's median cost is zero, each in an official reading
      Given twenty free deliveries in each band
      Then the board shows "quarters/1/retired" as "true"

    @TB-TOLL-008
    Scenario: A median crossing of one cent is not free
      Given twenty deliveries in each band that cost one cent in the long band
      Then the board shows "quarters/1/retired" as "false"

    @TB-TOLL-008
    Scenario: Free medians below an official reading retire nothing
      Given nineteen free deliveries in each band
      Then the board shows "quarters/1/retired" as "false"

  Rule: TB-TOLL-007 Time leads, cost is detail

    @TB-TOLL-007
    Scenario: The Toll headline is the time figure
      Given the attempts
        | p    |
        | 0.70 |
      Then the board shows "overall/bands/short/toll/headline" as "time"
