Feature: Difficulty bands
  A band is read off the frozen probability, and nothing else determines it.

  Rule: TB-BAND-001 Exactly three bands

    @TB-BAND-001
    Scenario: Every probability of the rubric falls into one of three bands
      Given the steward's rubric
      Then the equation puts each hundredth of the rubric into one of three bands

  Rule: TB-BAND-002 Band equation

    @TB-BAND-002
    Scenario Outline: The boundaries belong to the band above
      Given the steward's rubric
      Then p <p> is in the band "<band>"

      Examples:
        | p      | band     |
        | 0.90   | short    |
        | 0.50   | short    |
        | 0.4999 | long     |
        | 0.49   | long     |
        | 0.15   | long     |
        | 0.1499 | moonshot |
        | 0.14   | moonshot |
        | 0.02   | moonshot |

    @TB-BAND-002
    Scenario Outline: A posted want is in the band of its number
      Given the anchor of "first_attempt_project" was corrected to <p>
      When another want of "Ada" is posted in the class "first_attempt_project" with the dials none
      Then the want is in the band "<band>"

      Examples:
        | p    | band     |
        | 0.50 | short    |
        | 0.49 | long     |
        | 0.15 | long     |
        | 0.14 | moonshot |

  Rule: TB-BAND-003 Nobody assigns a band

    @TB-BAND-003
    Scenario: A steward cannot assign a band to a posted want
      Given a posted want of "Ada"
      When a steward assigns the want the band "moonshot"
      Then TB-BAND-003 refuses it at "band"

    @TB-BAND-003
    Scenario: Nor before posting, nor the band that it will have
      Given a reviewed want of "Ada"
      When a steward assigns the want the band "short"
      Then TB-BAND-003 refuses it at "band"

  Rule: TB-BAND-004 The band follows the number

    @TB-BAND-004
    Scenario Outline: A dial across a boundary moves the want to the other band
      Given the anchor of "<class>" was corrected to <anchor>
      When another want of "Ada" is posted in the class "<class>" with the dials <dial>
      Then p is <p>
      And the want is in the band "<band>"

      Examples:
        | class                 | anchor | dial                | p    | band     |
        | proven_path           | 0.52   | third_party_consent | 0.47 | long     |
        | first_attempt_project | 0.45   | same_day_approvals  | 0.50 | short    |
        | first_attempt_project | 0.19   | third_party_consent | 0.14 | moonshot |
        | venture               | 0.10   | same_day_approvals  | 0.15 | long     |

  Rule: TB-BAND-005 Bands recompute from public data

    @TB-BAND-005
    Scenario: Replaying public events gives every want its band
      Given a posted want of "Ada" in the class "proven_path" with the dials none
      And a posted want of "Ben" in the class "first_attempt_project" with the dials none
      And a posted want of "Cleo" in the class "venture" with the dials none
      Then a reader of the ledger alone finds the band of every want on it

  Rule: TB-BAND-007 Partial outcomes of a big want are recorded as they land

    @TB-BAND-007
    Scenario: An outcome on the way is on the ledger and resolves nothing
      Given a posted want of "Ada" in the class "venture" with the dials none
      And a signed deal of "alder" on the want
      When "alder" records the outcome "Forty people joined the list" on the way to the want
      Then it is carried out
      And the outcome on the way is a commitment on the ledger and the deal still runs
      And the ledger holds "Forty people" nowhere
