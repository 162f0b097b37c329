Feature: The ledger
  Every change is an event, and every event stands in the log.

  Rule: TB-LEDGER-001 Every benchmark event goes to the transparency log

    @TB-LEDGER-001
    Scenario: No command changes state without appending an event
      Given a person "Ada"
      When "Ada" rotates the key of "Ada"
      Then the log grew by one event
      And the state of "Ada" is what the log gives

  Rule: TB-LEDGER-010 Imported rows come once and in order

    @TB-LEDGER-010
    Scenario: A row that was imported is refused again
      When the rows 2 and 3 of a results file are imported
      And the rows 3 and 4 of the same file are imported
      Then TB-LEDGER-010 refuses it at "rows"

    @TB-LEDGER-010
    Scenario: The next rows are imported
      When the rows 2 and 3 of a results file are imported
      And the rows 4 and 5 of the same file are imported
      Then it is carried out

  Rule: TB-LEDGER-007 What the public record shows

    @TB-LEDGER-007
    Scenario: The public record of a resolved deal has every listed field
      Given the attempts
        | id | p    | B     | C    | k | m | rating |
        | a1 | 0.70 | 10000 | 4000 | 2 | 3 | 9      |
      Then the public record of "a1" has eleven fields
      And the public record of "a1" shows
        | field                             | value          |
        | frozen_odds/p                     | 0.70           |
        | agent_system_version/system_version | 1.0          |
        | deal_terms/total_cents            | 10000          |
        | deal_terms/step_count             | 3              |
        | payment_state/released_cents      | 4000           |
        | payment_state/returned_cents      | 6000           |
        | payment_state/settled_cents       | 4000           |
        | human_verification_state/now      | verified       |
        | integrity_state/state             | official       |
        | satisfaction_score                | 9              |
        | final_status/resolution           | delivered      |
      And the public record of "a1" has no step text

    @TB-LEDGER-007
    Scenario: An open attempt has the same fields
      Given the attempts
        | id | end  |
        | a1 | open |
      Then the public record of "a1" has eleven fields
      And the public record of "a1" shows
        | field              | value        |
        | final_status       | open         |
        | satisfaction_score | not recorded |
