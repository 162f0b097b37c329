Feature: Calibration
  Each quarter, per band, the mean outcome less the mean frozen probability.

  Rule: TB-CAL-001 Calibration gap

    @TB-CAL-001
    Scenario: Mean outcome 0.40 against mean p 0.35 gives a gap of 0.05
      Given 2 delivered attempts at 0.35 and 3 that the person ended
      Then the board shows "quarters/1/calibration/long" as "0.05" over 5

  Rule: TB-CAL-002 The gap is published every quarter

    @TB-CAL-002
    Scenario: Every quarter has a published gap for every band with a resolution
      Given the attempts
        | p    | resolved             |
        | 0.70 | 2026-08-24T12:00:00Z |
        | 0.08 | 2026-08-24T12:00:00Z |
        | 0.35 | 2026-09-28T00:00:00Z |
      Then the board shows "quarters/1/calibration/short" as "0.30" over 1
      And the board shows "quarters/1/calibration/moonshot" as "0.92" over 1
      And the board shows "quarters/2/calibration/long" as "0.65" over 1

  Rule: TB-CAL-003 Twenty verified resolutions make a reading official

    @TB-CAL-003
    Scenario: Nineteen resolutions publish unofficially
      Given 14 delivered attempts at 0.70 and 5 that the person ended
      Then the board shows "quarters/1/calibration/short/n" as "19"
      And the board shows "quarters/1/calibration/short/official_reading" as "false"

    @TB-CAL-003
    Scenario: Twenty resolutions publish officially
      Given 14 delivered attempts at 0.70 and 6 that the person ended
      Then the board shows "quarters/1/calibration/short/n" as "20"
      And the board shows "quarters/1/calibration/short/official_reading" as "true"

  Rule: TB-CAL-004 Below the threshold the numbers still publish, marked

    @TB-CAL-004
    Scenario: A thin band publishes its gap with the insufficiency mark
      Given 1 delivered attempts at 0.70 and 0 that the person ended
      Then the board shows "quarters/1/calibration/short" as "0.30" over 1
      And the board shows "quarters/1/calibration/short/mark" as "insufficient for interpretation"
