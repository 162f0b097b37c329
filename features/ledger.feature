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
