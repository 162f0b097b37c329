Feature: The command boundary
  What holds for every command, whatever it asks for.

  Rule: TB-CMD-001 Commands are well formed

    @TB-CMD-001
    Scenario: A command with an unknown field and a wrong type is refused with both problems
      When the file command "RegisterAgent" is sent with
        | field      | value   |
        | agent_name | 7       |
        | colour     | "green" |
      Then TB-CMD-001 refuses it at "agent_name"
      And TB-CMD-001 refuses it at "colour"
      And TB-CMD-001 refuses it at "operator"

    @TB-CMD-001
    Scenario: A command that does not exist is refused
      When the file command "GrantWish" is sent with
        | field | value |
        | wish  | "any" |
      Then TB-CMD-001 refuses it at "command"

    @TB-CMD-001
    Scenario: Text with a control character is refused
      When the file command "RegisterPerson" is sent with
        | field | value          |
        | name  | "Ada\u0007"    |
      Then TB-CMD-001 refuses it at "name"

  Rule: TB-CMD-002 The actor is registered

    @TB-CMD-002
    Scenario: A command of an unregistered actor is refused
      Given a person "Ada"
      When an unregistered steward verifies "Ada"
      Then TB-CMD-002 refuses it at "by"

    @TB-CMD-002
    Scenario: A person acts only in a capacity it is registered for
      Given a person "Ada"
      When "Ada" verifies "Ada" as a steward
      Then TB-CMD-002 refuses it at "by"

    @TB-CMD-002
    Scenario: A registered steward is known
      Given a person "Ada"
      When the steward verifies "Ada"
      Then it is carried out

  Rule: TB-CMD-003 Only the right party may act

    @TB-CMD-003
    Scenario: Another person cannot rotate my key
      Given a person "Ada"
      And a person "Ben"
      When "Ben" rotates the key of "Ada"
      Then TB-CMD-003 refuses it at "by"

    @TB-CMD-003
    Scenario: The person concerned may
      Given a person "Ada"
      When "Ada" rotates the key of "Ada"
      Then it is carried out

  Rule: TB-CMD-004 What a command names exists

    @TB-CMD-004
    Scenario: A command about a person who does not exist is refused
      When the steward verifies a person who does not exist
      Then TB-CMD-004 refuses it at "person"

  Rule: TB-CMD-005 One body a command key

    @TB-CMD-005
    Scenario: A key that was used for another body is refused
      When a person is registered under the key "one"
      And an operator is registered under the key "one"
      Then TB-CMD-005 refuses it at "key"

    @TB-CMD-005
    Scenario: A repeat with the same body gives the first answer and writes nothing
      When a person is registered under the key "one"
      And a person is registered under the key "one"
      Then it is the answer given before
      And one person was registered under the key

    @TB-CMD-005
    Scenario: A refused command leaves its key free
      When a command under the key "one" is refused
      And a person is registered under the key "one"
      Then it is carried out

  Rule: TB-CMD-006 Aware instants and no floats

    @TB-CMD-006
    Scenario: A floating point probability is refused
      Given a person "Ada"
      When the file command "CorrectAnchor" is sent with
        | field           | value                 |
        | reference_class | "proven_path_delivery" |
        | to              | 0.7                   |
      Then TB-CMD-006 refuses it at "to"

    @TB-CMD-006
    Scenario: A naive instant is refused
      When the file command "EnactEdition" is sent with
        | field     | value                 |
        | version   | "1.3.0"               |
        | hash      | "b3:00"               |
        | effective | "2026-08-24T00:00:00" |
      Then TB-CMD-006 refuses it at "effective"

    @TB-CMD-006
    Scenario: An instant with an offset is understood in UTC
      When a person is registered at "2026-08-24T01:30:00+02:00"
      Then it is carried out
      And the last event is dated "2026-08-23T23:30:00.000000Z"

  Rule: TB-CMD-009 A sender can rely on a version

    @TB-CMD-009
    Scenario: A stream that moved on is refused, the version seen is accepted
      Given a person "Ada"
      When "Ada" rotates the key of "Ada" expecting version 1
      Then it is carried out
      When "Ada" rotates the key of "Ada" expecting version 1
      Then TB-CMD-009 refuses it at "expected"

  Rule: TB-CMD-010 Time does not run backward

    @TB-CMD-010
    Scenario: An instant before the last event is refused, the same instant is accepted
      When a person is registered at "2026-08-24T00:00:00.000001Z"
      And a person is registered at "2026-08-24T00:00:00Z"
      Then TB-CMD-010 refuses it at "at"
      When a person is registered at "2026-08-24T00:00:00.000001Z"
      Then it is carried out

    @TB-CMD-010
    Scenario: A clock that was set back still writes in order
      When a person is registered at "2026-08-24T00:00:00Z"
      And the clock is set back a day
      And a person is registered under the key "late"
      Then the last event is dated "2026-08-24T00:00:00.000000Z"
