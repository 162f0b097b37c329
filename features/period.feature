Feature: Periods
  A week, a season or a quarter is closed once, when it is over.

  Rule: TB-RANK-013 A period closes once, after its end

    @TB-RANK-013
    Scenario: A week that is not over cannot be closed
      Given it is "2026-08-09T23:59:59.999999Z"
      When the week "2026-W32" is closed
      Then TB-RANK-013 refuses it at "name"

    @TB-RANK-013
    Scenario Outline: At its end a period is closed, with the edition and the log position of its figures
      Given it is "<end>"
      When the <period> "<name>" is closed
      Then the close of "<name>" names the edition in force and the 3 events before it
      And its end was "<end>"

      Examples:
        | period  | name      | end                         |
        | week    | 2026-W32  | 2026-08-10T00:00:00.000000Z |
        | season  | season-1  | 2026-09-28T00:00:00.000000Z |
        | quarter | quarter-1 | 2026-09-28T00:00:00.000000Z |

    @TB-RANK-013
    Scenario: A period is not closed twice
      Given it is "2026-08-10T00:00:00.000000Z"
      And the week "2026-W32" was closed
      When the week "2026-W32" is closed
      Then TB-RANK-013 refuses it at "name"

    @TB-CMD-004
    Scenario Outline: A name that names no such period is refused
      Given it is "2027-01-10T00:00:00.000000Z"
      When the <period> "<name>" is closed
      Then TB-CMD-004 refuses it at "name"

      Examples:
        | period  | name      |
        | week    | 2026-W54  |
        | week    | season-1  |
        | season  | quarter-1 |
        | quarter | 2026-W32  |
