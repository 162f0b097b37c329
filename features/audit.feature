Feature: Auditing published results
  Every figure recomputed from the rows, every rule that the rows can show checked, and nothing hidden by a finding.

  Rule: TB-AUDIT-001 The file can be read

    @TB-AUDIT-001
    Scenario: An empty file is refused with one message
      Given an empty results file
      When it is audited
      Then the file is unusable by TB-AUDIT-001

    @TB-AUDIT-001
    Scenario: A byte order mark is a finding and hides no figure
      Given a results file with a byte order mark
      When it is audited
      Then TB-AUDIT-001 is found at line 1
      And 1 row makes the figures

    @TB-AUDIT-001
    Scenario: A line at the limit is read
      Given a results file with a line of 1000000 bytes
      When it is audited
      Then nothing is found

    @TB-AUDIT-001
    Scenario: A line one byte beyond the limit is refused
      Given a results file with a line of 1000001 bytes
      When it is audited
      Then the file is unusable by TB-AUDIT-001

  Rule: TB-AUDIT-002 The published columns are there

    @TB-AUDIT-002
    Scenario: A file without the p column is refused by name
      Given a results file without the column "p_frozen"
      When it is audited
      Then the file is unusable by TB-AUDIT-002
      And the message names "p_frozen"

  Rule: TB-AUDIT-003 Every cell has its form

    @TB-AUDIT-003
    Scenario Outline: Text in a number column is a finding with line and column
      Given a results file with "<value>" as "<column>" in its second row
      When it is audited
      Then TB-AUDIT-003 is found at line 3
      And 1 row makes the figures

      Examples:
        | column          | value |
        | p_frozen        | high  |
        | p_frozen        | nan   |
        | B_usd           | inf   |
        | C_usd           | -1    |
        | T_agent_minutes | 1.5   |

  Rule: TB-AUDIT-004 One row a deal

    @TB-AUDIT-004
    Scenario: Two rows with one deal id are a finding naming both lines
      Given a results file with "d1" as "deal_id" in its second row
      When it is audited
      Then TB-AUDIT-004 is found at lines 2, 3
      And 1 row makes the figures

  Rule: TB-AUDIT-005 Nothing resolves before it was posted

    @TB-AUDIT-005
    Scenario: A resolution before the posting is a finding
      Given a results file with "2026-08-20T00:00:00Z" as "posted_at" in its second row
      When it is audited
      Then TB-AUDIT-005 is found at line 3
      And 2 rows make the figures

    @TB-AUDIT-005
    Scenario: A resolution at the instant of posting is none
      Given a results file with "2026-08-12T00:00:00Z" as "posted_at" in its second row
      When it is audited
      Then nothing is found

  Rule: TB-AUDIT-006 Historic rows are imported word for word

    @TB-AUDIT-006
    Scenario: An imported row keeps every column as it stood in the file
      Given a results file with "0.3500" as "p_frozen" in its second row
      When it is imported
      Then the ledger holds its rows word for word
      And importing it again writes nothing

  Rule: TB-AUDIT-007 Historic and native attempts never mix

    @TB-AUDIT-007
    Scenario: A board over a bench with imported rows keeps two sections
      Given a results file
      When it is imported
      Then the board counts no native attempt and 2 historic ones
