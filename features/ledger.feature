Feature: The ledger
  Every change is an event, and every event stands in the log.

  Rule: TB-LEDGER-001 Every benchmark event goes to the transparency log

    @TB-LEDGER-001
    Scenario: No command changes state without appending an event
      Given a person "Ada"
      When "Ada" rotates the key of "Ada"
      Then the log grew by one event
      And the state of "Ada" is what the log gives

  Rule: TB-LEDGER-002 Canonical serialization, then hash, then Merkle leaf

    @TB-LEDGER-002
    Scenario: Reordered keys give the same event hash and one append adds one leaf
      Given a person "Ada"
      And the log is published
      When "Ada" rotates the key of "Ada"
      And the log is published
      Then the log holds one leaf more, the hash of the canonical event
      And the event with its keys in another order has the same hash

    @TB-LEDGER-002
    Scenario: A stored event in another spelling is not published
      Given a person "Ada"
      When the last stored event is written in another spelling
      And the log is published
      Then publishing is refused by TB-LEDGER-002

  Rule: TB-LEDGER-003 Signed tree heads at intervals

    @TB-LEDGER-003
    Scenario: A published tree head verifies under the log key
      Given a person "Ada"
      When the log is published
      Then the published head verifies under the key of the log and under no other

    @TB-LEDGER-003
    Scenario: The longest wait between two heads is an hour
      Then a head every 3600 seconds is allowed, every 3601 seconds is not

  Rule: TB-LEDGER-004 Public proofs that monitors can check

    @TB-LEDGER-004
    Scenario: Any event yields an inclusion proof, and a forked tree head is detected
      Given a person "Ada"
      When the log is published
      Then every event has a proof that leads to the published head
      And a head of another history is found not to extend it

  Rule: TB-LEDGER-005 Checkpoints are witnessed outside

    @TB-LEDGER-005
    Scenario: A rebuilt history contradicts a witnessed checkpoint
      Given a log with one witness
      And a person "Ada"
      And the log is published
      When the history is rebuilt with another last event, by somebody who lost the record of it
      And the log is published
      Then publishing is refused by TB-LEDGER-005

    @TB-LEDGER-005
    Scenario: A witnessed checkpoint is shown as witnessed
      Given a log with one witness
      And a person "Ada"
      When the log is published
      Then the published head is shown as witnessed by "w"

    @TB-LEDGER-005
    Scenario: An unwitnessed checkpoint is never shown as witnessed
      Given a person "Ada"
      When the log is published
      Then the published head is shown as unwitnessed

    @TB-LEDGER-005
    Scenario: A log that is served on the web needs one outside witness
      Then a log on the web with no witness is refused by TB-LEDGER-005
      And a log on the web with one witness is set up

  Rule: TB-LEDGER-006 Prior events are never modified

    @TB-LEDGER-006
    Scenario: Rewriting a stored event breaks verification
      Given a person "Ada"
      And the log is published
      When the last stored event is rewritten
      And the log is published
      Then publishing is refused by TB-LEDGER-006

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

  Rule: TB-LEDGER-008 Every scored event carries a record and a receipt

    @TB-LEDGER-008
    Scenario: A scored deal has a receipt from which its row is recomputed
      Given a signed deal
      And the attempt came to be "delivered"
      When the log is published
      Then the deal has a receipt from which a stranger recomputes its row
