Feature: Odds
  The frozen probability starts from a reference class, is moved by documented dials, and never changes after posting.

  Rule: TB-ODDS-001 Every posted want carries frozen odds

    @TB-ODDS-001
    Scenario: Posting freezes p
      Given a reviewed want of "Ada"
      When a steward posts the want
      Then p is 0.70

    @TB-ODDS-001
    Scenario: What gives no p is not posted
      Given a reviewed want of "Ada"
      When a steward posts the want without a reference class
      Then the want is not on the board
      And TB-ODDS-004 refuses it at "reference_class"

  Rule: TB-ODDS-002 p never changes after posting

    @TB-ODDS-002
    Scenario: A second freeze on a posted want is refused
      Given a posted want of "Ada"
      And it is kept as "it"
      When a steward posts the want in the class "venture" with the dials none
      Then TB-ODDS-002 refuses it at "target"
      And p of "it" is still 0.70

  Rule: TB-ODDS-003 Exactly one p per target

    @TB-ODDS-003
    Scenario: A second probability on one target is refused
      Given a posted want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials same_day_approvals
      Then TB-ODDS-003 refuses it at "target"
      And every attempt on the want is scored against p 0.70

  Rule: TB-ODDS-004 p starts from a published reference class

    @TB-ODDS-004
    Scenario: Odds without a reference class are refused
      Given a reviewed want of "Ada"
      When a steward posts the want without a reference class
      Then TB-ODDS-004 refuses it at "reference_class"

    @TB-ODDS-004
    Scenario: A class that the rubric does not have is refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "wishful_thinking" with the dials none
      Then TB-ODDS-004 refuses it at "reference_class"

  Rule: TB-ODDS-005 Only documented dials move p

    @TB-ODDS-005
    Scenario: An unnamed adjustment is refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials gut_feeling
      Then TB-ODDS-005 refuses it at "dials"

    @TB-ODDS-005
    Scenario: One unknown dial among known ones is refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials same_day_approvals, full_moon
      Then TB-ODDS-005 refuses it at "dials"

  Rule: TB-ODDS-006 Every dial step is on the ledger

    @TB-ODDS-006
    Scenario: p is rebuilt from the ledger
      Given a posted want of "Ada" in the class "first_attempt_project" with the dials same_day_approvals, third_party_consent
      Then p can be rebuilt from the anchor and the steps on the ledger

  Rule: TB-ODDS-007 Dials stay inside the rubric bounds

    @TB-ODDS-007
    Scenario: A sum above the bound stops at the bound
      Given the anchor of "proven_path" was corrected to 0.88
      And a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials same_day_approvals
      Then p is 0.90
      And the ledger keeps the nominal sum 0.93 beside p 0.90

    @TB-ODDS-007
    Scenario: A sum below the bound stops at the bound
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "venture" with the dials third_party_consent, no_timeline_slack
      Then p is 0.02
      And the ledger keeps the nominal sum -0.02 beside p 0.02

    @TB-ODDS-007
    Scenario Outline: A sum at a bound is the bound
      Given the anchor of "proven_path" was corrected to <anchor>
      And a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials <dial>
      Then p is <p>
      And the ledger keeps the nominal sum <nominal> beside p <p>

      Examples:
        | anchor | dial                | nominal | p    |
        | 0.85   | same_day_approvals  | 0.90    | 0.90 |
        | 0.86   | same_day_approvals  | 0.91    | 0.90 |
        | 0.07   | third_party_consent | 0.02    | 0.02 |
        | 0.06   | third_party_consent | 0.01    | 0.02 |

    @TB-ODDS-007
    Scenario: The clamp comes once, after all dials
      Given the anchor of "proven_path" was corrected to 0.90
      And a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials same_day_approvals, third_party_consent
      Then p is 0.90

  Rule: TB-ODDS-008 Dials that raise p

    @TB-ODDS-008
    Scenario Outline: A raising dial raises
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "first_attempt_project" with the dials <dial>
      Then p is 0.40
      And the step of <dial> on the ledger is 0.05

      Examples:
        | dial                         |
        | proven_workflow_with_receipt |
        | budget_meets_typical_cost    |
        | same_day_approvals           |
        | short_dependency_chain       |

  Rule: TB-ODDS-009 Dials that lower p

    @TB-ODDS-009
    Scenario Outline: A lowering dial lowers
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "first_attempt_project" with the dials <dial>
      Then p is 0.30
      And the step of <dial> on the ledger is -0.05

      Examples:
        | dial                       |
        | third_party_consent        |
        | no_timeline_slack          |
        | budget_below_typical_cost  |
        | free_lane_engine_from_zero |
        | no_comparable_prior        |

    @TB-ODDS-009
    Scenario: Several dials add
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "first_attempt_project" with the dials third_party_consent, no_timeline_slack, no_comparable_prior
      Then p is 0.20

  Rule: TB-ODDS-010 p stays inside 0.02 to 0.90

    @TB-ODDS-010
    Scenario Outline: A stated p outside the bounds is refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" stating p as <p>
      Then TB-ODDS-010 refuses it at "p"

      Examples:
        | p     |
        | 0.91  |
        | 0.01  |
        | 0     |
        | 1     |
        | -0.10 |
        | 17    |

    @TB-ODDS-010
    Scenario Outline: A p at the bound stands
      Given the anchor of "proven_path" was corrected to <p>
      And a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" stating p as <p>
      Then p is <p>

      Examples:
        | p    |
        | 0.02 |
        | 0.90 |

    @TB-ODDS-010
    Scenario Outline: An anchor outside the bounds is refused
      When a steward corrects the anchor of "venture" to <to>
      Then TB-ODDS-010 refuses it at "to"

      Examples:
        | to   |
        | 0.01 |
        | 0.91 |

  Rule: TB-ODDS-011 Rubric row: Short odds

    @TB-ODDS-011
    Scenario: The Short anchor
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials none
      Then the odds start from the anchor 0.70

    @TB-ODDS-011 @TB-ODDS-012 @TB-ODDS-013
    Scenario: The ranges of the rubric meet at the band boundaries, without gap or overlap
      When the rubric is read
      Then its ranges tile the odds from the least to the greatest p

  Rule: TB-ODDS-012 Rubric row: Long odds

    @TB-ODDS-012
    Scenario: The Long anchor
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "first_attempt_project" with the dials none
      Then the odds start from the anchor 0.35

  Rule: TB-ODDS-013 Rubric row: Moonshots

    @TB-ODDS-013
    Scenario: The Moonshot anchor
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "venture" with the dials none
      Then the odds start from the anchor 0.08

  Rule: TB-ODDS-017 New anchors apply only to later postings

    @TB-ODDS-017
    Scenario: An anchor change leaves frozen odds alone and starts later ones
      Given a posted want of "Ada"
      And it is kept as "the old want"
      And the anchor of "proven_path" was corrected to 0.65
      When another want of "Ada" is posted in the class "proven_path" with the dials none
      Then the odds start from the anchor 0.65
      And p of "the old want" is still 0.70

    @TB-ODDS-017
    Scenario: The last correction of several stands
      Given the anchor of "proven_path" was corrected to 0.65
      And the anchor of "proven_path" was corrected to 0.60
      When another want of "Ada" is posted in the class "proven_path" with the dials none
      Then the odds start from the anchor 0.60

    @TB-ODDS-017
    Scenario: A correction of one class leaves the others alone
      Given the anchor of "proven_path" was corrected to 0.65
      When another want of "Ada" is posted in the class "venture" with the dials none
      Then the odds start from the anchor 0.08

  Rule: TB-ODDS-018 Each dial at most once

    @TB-ODDS-018
    Scenario: Naming one dial twice is refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials same_day_approvals, same_day_approvals
      Then TB-ODDS-018 refuses it at "dials"

  Rule: TB-ODDS-019 Contradictory dials are refused

    @TB-ODDS-019
    Scenario Outline: Two dials that cannot both hold are refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials <dials>
      Then TB-ODDS-019 refuses it at "dials"

      Examples:
        | dials                                                |
        | budget_meets_typical_cost, budget_below_typical_cost |
        | no_comparable_prior, proven_workflow_with_receipt    |

  Rule: TB-ODDS-020 A stated p must be the derived one

    @TB-ODDS-020
    Scenario Outline: A p that the dials do not give is refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" stating p as <p>
      Then TB-ODDS-020 refuses it at "p"

      Examples:
        | p    |
        | 0.69 |
        | 0.71 |

    @TB-ODDS-020
    Scenario Outline: The derived p may be stated
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" stating p as <p>
      Then p is 0.70

      Examples:
        | p      |
        | 0.7    |
        | 0.70   |
        | 0.7000 |

  Rule: TB-ODDS-021 p has at most two decimals

    @TB-ODDS-021
    Scenario: A p with three decimals is refused
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" stating p as 0.701
      Then TB-ODDS-021 refuses it at "p"

    @TB-ODDS-021
    Scenario: A p with two decimals is accepted
      Given a reviewed want of "Ada"
      When a steward posts the want in the class "proven_path" with the dials same_day_approvals
      Then it is carried out

    @TB-ODDS-021
    Scenario: An anchor with three decimals is refused
      When a steward corrects the anchor of "proven_path" to 0.655
      Then TB-ODDS-021 refuses it at "to"
