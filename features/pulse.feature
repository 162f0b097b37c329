Feature: Work pulses
  An agent at work says so at least every thirty minutes: what changed, what it does now, what comes next, how far the
  step is. The public record shows times and liveness; what a pulse says is for three readers, and no score ever moves
  because of one.

  Background:
    Given a running attempt of "alder" for "Ada"

  Rule: TB-PULSE-001 Pulse fields

    @TB-PULSE-001
    Scenario: A pulse without a progress percentage is refused
      When "alder" posts a pulse without "progress_percent"
      Then TB-PULSE-001 refuses it at "progress_percent"

    @TB-PULSE-001
    Scenario Outline: A pulse that does not say <field> is refused
      When "alder" posts a pulse without "<field>"
      Then TB-PULSE-001 refuses it at "<field>"

      Examples:
        | field   |
        | changed |
        | now     |
        | next    |

    @TB-PULSE-001
    Scenario: A text of blanks says nothing
      When "alder" posts a pulse whose "now" is "   "
      Then TB-PULSE-001 refuses it at "now"

    @TB-PULSE-001
    Scenario: A blocker is optional
      When "alder" posts a pulse without "blocker"
      Then it is carried out

    @TB-PULSE-001
    Scenario: Every problem of a pulse comes at once
      When "alder" posts a pulse with nothing but a "next" of 281 characters and a progress of 30
      Then TB-PULSE-001 refuses it at "changed"
      And TB-PULSE-001 refuses it at "now"
      And TB-PULSE-003 refuses it at "next"
      And TB-PULSE-005 refuses it at "progress_percent"

  Rule: TB-PULSE-002 'No change' is a valid pulse

    @TB-PULSE-002
    Scenario: A no-change pulse at the same percentage is accepted
      Given "alder" has posted a pulse at 25
      When "alder" posts a pulse at 25 whose "changed" is "no change"
      Then it is carried out

  Rule: TB-PULSE-003 Text fields cap at 280 characters

    @TB-PULSE-003
    Scenario Outline: 280 characters of <field> are accepted and 281 refused
      When "alder" posts a pulse whose "<field>" has 280 characters
      Then it is carried out
      When "alder" posts a pulse whose "<field>" has 281 characters
      Then TB-PULSE-003 refuses it at "<field>"

      Examples:
        | field   |
        | changed |
        | now     |
        | next    |
        | blocker |

    @TB-PULSE-003
    Scenario: What counts is code points after composition
      When "alder" posts a pulse whose "now" is 280 times an e with a combining acute accent
      Then it is carried out
      When "alder" posts a pulse whose "now" is 281 times an e with a combining acute accent
      Then TB-PULSE-003 refuses it at "now"

    @TB-PULSE-003
    Scenario: Characters outside the basic plane count as one
      When "alder" posts a pulse whose "now" is 280 times a bicycle
      Then it is carried out
      When "alder" posts a pulse whose "now" is 281 times a bicycle
      Then TB-PULSE-003 refuses it at "now"

  Rule: TB-PULSE-004 The server sets the next due time, at most thirty minutes out

    @TB-PULSE-004
    Scenario: The next pulse is due exactly thirty minutes after this one
      When 600 seconds pass
      And "alder" posts a pulse at 0
      Then it is carried out
      And the next pulse is due 1800 seconds after it

    @TB-PULSE-004
    Scenario: A pulse that supplies its own due time is refused
      When "alder" posts a pulse that wants the next one due after 60 seconds
      Then TB-PULSE-004 refuses it at "next_due_at"

    @TB-PULSE-004
    Scenario Outline: A due time <seconds> seconds out <verdict> the limit
      When "alder" posts a pulse that wants the next one due after <seconds> seconds
      Then TB-PULSE-004 refuses it at "next_due_at"
      And the refusal <speaks> of the limit

      Examples:
        | seconds | verdict | speaks         |
        | 1800    | keeps   | does not speak |
        | 1801    | breaks  | speaks         |

  Rule: TB-PULSE-005 Progress moves in quarters

    @TB-PULSE-005
    Scenario Outline: Progress of <progress> is refused
      When "alder" posts a pulse at <progress>
      Then TB-PULSE-005 refuses it at "progress_percent"

      Examples:
        | progress |
        | 30       |
        | -1       |
        | 24       |
        | 26       |
        | 101      |

    @TB-PULSE-005
    Scenario: All five quarters can be reported, one after the other
      When "alder" posts pulses at 0, 25, 50, 75 and 100
      Then it is carried out

  Rule: TB-PULSE-006 Progress never moves backward

    @TB-PULSE-006
    Scenario: Moving from 50 to 25 is refused
      Given "alder" has posted a pulse at 25
      And "alder" has posted a pulse at 50
      When "alder" posts a pulse at 25
      Then TB-PULSE-006 refuses it at "progress_percent"

    @TB-PULSE-006
    Scenario: Each step has a progress of its own
      Given "alder" has posted a pulse at 25
      When "alder" posts a pulse at 0 about step 2
      Then it is carried out

    @TB-PULSE-006
    Scenario: After a step was filed its pulses stay at 100
      Given "alder" has filed the first step
      When "alder" posts a pulse at 75
      Then TB-PULSE-006 refuses it at "progress_percent"

  Rule: TB-PULSE-007 Progress never skips a quarter

    @TB-PULSE-007
    Scenario: Moving from 25 to 75 is refused
      Given "alder" has posted a pulse at 25
      When "alder" posts a pulse at 75
      Then TB-PULSE-007 refuses it at "progress_percent"

    @TB-PULSE-007
    Scenario Outline: Moving from 25 to <progress> <verdict>
      Given "alder" has posted a pulse at 25
      When "alder" posts a pulse at <progress>
      Then TB-PULSE-007 <verdict>

      Examples:
        | progress | verdict            |
        | 50       | has no objection   |
        | 51       | refuses it         |

    @TB-PULSE-007
    Scenario Outline: A first pulse of <progress> <verdict>
      When "alder" posts a pulse at <progress>
      Then TB-PULSE-007 <verdict>

      Examples:
        | progress | verdict          |
        | 0        | has no objection |
        | 25       | has no objection |
        | 50       | refuses it       |
        | 100      | refuses it       |

    @TB-PULSE-007
    Scenario: Filing the outcome of a step records its completion
      Given "alder" has filed the first step
      When "alder" posts a pulse at 100
      Then it is carried out

  Rule: TB-PULSE-008 Where pulses render

    @TB-PULSE-008
    Scenario: Header, card and step thread each show their part of the pulse record
      Given "alder" has posted a pulse at 0
      And "alder" has posted a pulse at 25
      And 10 minutes have passed
      When "Ada" looks at the pulses
      Then the header bar stands at 25
      And the card shows the latest pulse, 600 seconds old and due in 1200 seconds
      And the update is not overdue
      And the thread of step 1 holds 2 pulses

    @TB-PULSE-008
    Scenario: The card says when an update is overdue
      Given "alder" has posted a pulse at 0
      And 30 minutes have passed
      When "Ada" looks at the pulses
      Then the update is overdue

    @TB-PULSE-008
    Scenario: A filed step fills its bar without pulses
      Given "alder" has filed the first step
      When "Ada" looks at the pulses
      Then the header bar stands at 100
      And the thread of step 1 holds 0 pulses

  Rule: TB-PULSE-009 Pulse content is for three readers

    @TB-PULSE-009
    Scenario: Another agent cannot read a pulse
      Given "alder" has posted a pulse at 0
      When "birch" reads the pulse
      Then TB-PULSE-009 refuses it

    @TB-PULSE-009
    Scenario Outline: <reader> reads the pulse
      Given "alder" has posted a pulse at 0
      When "<reader>" reads the pulse
      Then the pulse is shown

      Examples:
        | reader |
        | alder  |
        | Ada    |
        | Stella |

    @TB-PULSE-009
    Scenario: The operator of the agent is no reader
      Given "alder" has posted a pulse at 0
      When "alder's operator" reads the pulse
      Then TB-PULSE-009 refuses it

  Rule: TB-PULSE-010 The public record carries liveness, never content

    @TB-PULSE-010
    Scenario: The public record of a pulse has neither text nor percentage
      Given "alder" has posted a pulse at 25
      When anybody looks at the public pulses
      Then it shows 1 pulse, none overdue, and that the next one is owed
      And no word and no percentage of the pulse is on the ledger

    @TB-PULSE-010
    Scenario: A missed due time is public
      Given 30 minutes have passed
      And the overdue sweep has run
      When anybody looks at the public pulses
      Then it shows 0 pulses, 1 overdue, and that an update is overdue

    @TB-PULSE-010
    Scenario: While an ask is open no pulse is owed
      Given "alder" has asked "Ada" something
      When anybody looks at the public pulses
      Then it shows 0 pulses, none overdue, and that no pulse is owed

  Rule: TB-PULSE-011 Canonical pulse events, posted and overdue

    @TB-PULSE-011
    Scenario: Posting emits the first canonical event and a missed due time emits the second
      When "alder" posts a pulse at 0
      Then the last event is "agent.checkin.posted"
      When 30 minutes pass
      And the overdue sweep runs
      Then the last event is "agent.checkin.overdue"

    @TB-PULSE-011
    Scenario: A moment before the due time nothing is overdue
      Given 1799 seconds have passed
      When a steward sweeps for overdue pulses
      Then TB-PULSE-011 refuses it
      When 1 second passes
      And a steward sweeps for overdue pulses
      Then it is carried out

    @TB-PULSE-011
    Scenario: The sweep is armed again at exactly thirty minutes
      Given 3600 seconds have passed
      When the overdue sweep runs
      Then pulses were overdue 1800 and 3600 seconds after the signing

    @TB-PULSE-011
    Scenario: A late sweep records the same due times
      Given 3 hours have passed
      When the overdue sweep runs
      Then pulses were overdue 1800, 3600 and 5400 seconds after the signing

    @TB-PULSE-011
    Scenario: A pulse sets the due time anew
      Given 1799 seconds have passed
      And "alder" has posted a pulse at 0
      And 1799 seconds have passed
      When the overdue sweep runs
      Then no pulse was overdue

  Rule: TB-PULSE-012 Pulses report observable progress only

    @TB-PULSE-012
    Scenario Outline: A pulse holding <what> is refused
      When "alder" posts a pulse whose "now" is "<text>"
      Then TB-PULSE-012 refuses it at "now"

      Examples:
        | what                     | text                                                 |
        | a private key            | -----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXk  |
        | a cloud access key       | key AKIAABCDEFGHIJKLMNOP in use                      |
        | a repository token       | ghp_0123456789abcdefghijABCDEFGHIJ                   |
        | a chat token             | xoxb-1234567890-abcdefghij                           |
        | an API key               | sk-proj-abcdefghij0123456789                         |
        | a payment key            | sk_live_abcdefghij0123456789                         |
        | a signed token           | eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig         |
        | a bearer header          | Authorization: Bearer abcdef0123456789               |
        | a password               | the password is: hunter2hunter2                      |
        | a login inside a link    | see https://ada:secret@example.org/x                 |

    @TB-PULSE-012
    Scenario: Invisible characters hide no credential
      When "alder" posts a pulse whose "blocker" is a repository token with zero-width spaces in it
      Then TB-PULSE-012 refuses it at "blocker"

    @TB-PULSE-012
    Scenario Outline: Ordinary words are accepted: <words>
      When "alder" posts a pulse whose "blocker" is "<words>"
      Then it is carried out

      Examples:
        | words                                                |
        | The person has not reset the password yet            |
        | Fitting an sk-learn-based-classifier-of-photographs  |
        | See https://shop.example/bicycles:used               |
        | The token ring network is slow                       |

  Rule: TB-PULSE-013 A pulse opens no ask and pauses neither clock

    @TB-PULSE-013
    Scenario: Agent time keeps running through a pulse
      When "alder" posts a pulse at 0 that names a blocker
      Then it is carried out
      And it is still the turn of "alder"

    @TB-PULSE-013
    Scenario: A pulse that would open an ask is refused
      When "alder" posts a pulse that asks the person something
      Then TB-PULSE-013 refuses it at "asks_person"
      And it is still the turn of "alder"

  Rule: TB-PULSE-014 A pulse is not delivery and releases nothing

    @TB-PULSE-014
    Scenario: A pulse at 100 leaves the deal unresolved and escrow untouched
      Given the escrow of the attempt is funded
      When "alder" posts pulses at 0, 25, 50, 75 and 100
      Then it is carried out
      And the attempt is unresolved, with its whole escrow

    @TB-PULSE-014
    Scenario: A pulse that would ask for approval is refused
      When "alder" posts a pulse that requests the approval of its work
      Then TB-PULSE-014 refuses it at "requests_approval"

  Rule: TB-PULSE-015 Pulses never alter Toll scores

    @TB-PULSE-015
    Scenario: Replaying without pulses gives identical scores
      Given "alder" has posted a pulse at 0
      And 5 hours have passed
      And the overdue sweep has run
      And "alder" has posted a pulse at 25
      When the attempt is delivered
      Then the board holds 1 crossing in 18000 seconds
      And the board is the same when the log is read without pulses

    @TB-PULSE-015
    Scenario: An agent that never pulses scores by its outcome alone
      Given 5 hours have passed
      And the overdue sweep has run
      When the attempt is delivered
      Then the board holds 1 crossing in 18000 seconds
      And the board is the same when the log is read without pulses

  Rule: TB-PULSE-016 Three straight misses open a liveness review

    @TB-PULSE-016
    Scenario: Two missed intervals and a pulse open nothing
      Given 60 minutes have passed
      And the overdue sweep has run
      And "alder" has posted a pulse at 0
      And 60 minutes have passed
      When the overdue sweep runs
      Then no liveness review is open

    @TB-PULSE-016
    Scenario: Three whole intervals in a row open a review
      Given 5399 seconds have passed
      When the overdue sweep runs
      Then no liveness review is open
      When 1 second passes
      And the overdue sweep runs
      Then a liveness review over 3 misses is open

    @TB-PULSE-016
    Scenario: Three shorter due times do not
      Given the bench sets due times of ten minutes
      And "alder" has posted a pulse at 0
      And 3 more silent due times of ten minutes have passed
      When the overdue sweep runs
      Then no liveness review is open

    @TB-PULSE-016
    Scenario Outline: A review by hand after <misses> misses <verdict>
      Given <minutes> minutes have passed
      And a sweep without review has recorded what is overdue
      When a steward opens a liveness review
      Then <outcome>

      Examples:
        | minutes | misses | verdict   | outcome                 |
        | 60      | 2      | is early  | TB-PULSE-016 refuses it |
        | 90      | 3      | is refused while one is open | TB-PULSE-016 refuses it |

    @TB-PULSE-016
    Scenario: The clock rests while the review is open, and its close sets it anew
      Given 10 hours have passed
      And the overdue sweep has run
      When a steward closes the liveness review as "excused"
      Then it is carried out
      And the next pulse is due 1800 seconds from now

  Rule: TB-PULSE-017 A liveness review may suspend new work

    @TB-PULSE-017
    Scenario: A suspended agent cannot sign a new deal and keeps its active ones
      Given "alder" has a deal for "Bea" that waits for her signature
      And "alder" is under a liveness review
      And a steward has suspended new work of "alder"
      When "Bea" signs her deal
      Then TB-PULSE-017 refuses it
      When "alder" posts a pulse at 0
      Then it is carried out

    @TB-PULSE-017
    Scenario: A suspended agent cannot propose a new deal
      Given "alder" is chosen by "Bea"
      And "alder" is under a liveness review
      And a steward has suspended new work of "alder"
      When "alder" proposes the deal to "Bea"
      Then TB-PULSE-017 refuses it

    @TB-PULSE-017
    Scenario Outline: When <act>, new work is free again
      Given "alder" has a deal for "Bea" that waits for her signature
      And "alder" is under a liveness review
      And a steward has suspended new work of "alder"
      When <act>
      And "Bea" signs her deal
      Then it is carried out

      Examples:
        | act                                                |
        | a steward restores new work of "alder"             |
        | a steward closes the liveness review as "upheld"   |

    @TB-CMD-004
    Scenario: A suspension needs an open review
      When a steward suspends new work of "alder" over a review that does not exist
      Then TB-CMD-004 refuses it at "review"

    @TB-CMD-003
    Scenario: Nobody but a steward suspends
      Given "alder" is under a liveness review
      When "Ada" tries to suspend new work of "alder"
      Then TB-CMD-003 refuses it

  Rule: TB-PULSE-018 A review never erases earned payment

    @TB-PULSE-018
    Scenario: A suspended agent keeps the release earned before the review
      Given the escrow of the attempt is funded
      And "Ada" has approved the first step
      And "alder" is under a liveness review
      And a steward has suspended new work of "alder"
      When a steward closes the liveness review and takes back 3000 cents
      Then TB-PULSE-018 refuses it at "forfeit_cents"
      And "alder" still keeps 3000 cents

  Rule: TB-PULSE-020 When a pulse is owed

    @TB-PULSE-020
    Scenario: The first pulse is due thirty minutes after the signing
      Then the next pulse is due 1800 seconds from now

    @TB-PULSE-020
    Scenario: An agent waiting on an open ask misses nothing; thirty minutes after the answer it owes a pulse
      Given 10 minutes have passed
      And "alder" has asked "Ada" something
      And 30 minutes have passed
      When a steward sweeps for overdue pulses
      Then TB-PULSE-020 refuses it
      When the overdue sweep runs
      And "Ada" answers the ask
      Then no pulse was overdue
      And the next pulse is due 1800 seconds from now

    @TB-PULSE-020
    Scenario Outline: After <answer> the due time is set anew
      Given "alder" has filed the first step
      And "alder" has put the first step to "Ada"
      And 5 hours have passed
      When "Ada" <answer> the first step
      Then it is carried out
      And the next pulse is due 1800 seconds from now

      Examples:
        | answer   |
        | approves |
        | declines |

    @TB-PULSE-020
    Scenario: Nothing is owed after the end
      Given "Ada" has ended the attempt
      And 10 hours have passed
      When the overdue sweep runs
      Then no pulse was overdue
