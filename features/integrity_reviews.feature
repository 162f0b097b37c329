Feature: Integrity reviews
  The platform never judges a person's decision. It may find that an attempt was compromised: then a review holds it, and
  a confirmed finding takes it out of the official figures. The same evidence decides hits and misses, and nothing that
  happened is ever erased.

  Rule: TB-OUT-013 Platform review is limited to integrity

    @TB-OUT-013
    Scenario Outline: A review opened because of <ground> is refused
      Given a delivered attempt of "alder" for "Ada"
      When a steward opens a review on the ground "<ground>"
      Then TB-OUT-013 refuses it at "ground"

      Examples:
        | ground           |
        | quality          |
        | taste            |
        | late_delivery    |
        | person_was_wrong |

    @TB-OUT-013
    Scenario Outline: A review on the ground of <ground> is opened
      Given a delivered attempt of "alder" for "Ada"
      When a steward opens a review on the ground "<ground>"
      Then it is carried out

      Examples:
        | ground                    |
        | fraud                     |
        | duplicate_identity        |
        | prohibited_related_party  |
        | payment_reversal          |
        | technical_recording_error |
        | self_payment              |
        | concealed_reimbursement   |
        | prohibited_collusion      |

    @TB-CMD-003
    Scenario Outline: <who> opens no review
      Given a delivered attempt of "alder" for "Ada"
      When "<who>" opens a review on the ground "fraud"
      Then TB-CMD-003 refuses it

      Examples:
        | who   |
        | Ada   |
        | alder |

  Rule: TB-INTEG-005 Grounds for invalidation

    @TB-INTEG-005
    Scenario Outline: The finding of <ground> invalidates
      Given a delivered attempt of "alder" for "Ada"
      When a steward invalidates the outcome on the ground "<ground>"
      Then it is carried out
      And the attempt went from "official" to "invalidated" on the ground "<ground>"

      Examples:
        | ground                    |
        | fraud                     |
        | duplicate_identity        |
        | prohibited_related_party  |
        | payment_reversal          |
        | technical_recording_error |
        | self_payment              |
        | concealed_reimbursement   |
        | prohibited_collusion      |

    @TB-INTEG-005
    Scenario: A ground outside the list is refused
      Given a delivered attempt of "alder" for "Ada"
      When a steward invalidates the outcome on the ground "poor_quality"
      Then TB-INTEG-005 refuses it at "ground"
      And the attempt is official

    @TB-INTEG-005
    Scenario: A ground outside the list is refused while the attempt still runs
      Given a running attempt of "alder" for "Ada"
      When a steward invalidates the outcome on the ground "poor_quality"
      Then TB-INTEG-005 refuses it at "ground"

    @TB-INTEG-005
    Scenario: A miss is invalidated on the same evidence as a hit
      Given a missed attempt of "alder" for "Ada"
      When a steward invalidates the outcome on the ground "fraud"
      Then the attempt went from "official" to "invalidated" on the ground "fraud"

    @TB-INTEG-005
    Scenario: What is invalidated stays so
      Given a delivered attempt of "alder" for "Ada"
      And a steward has invalidated the outcome on the ground "fraud"
      When a steward invalidates the outcome on the ground "self_payment"
      Then it is carried out
      And the integrity of the attempt changed 2 times

  Rule: TB-INTEG-006 Invalidated attempts leave the numbers, not the history

    @TB-INTEG-006
    Scenario: An invalidated win disappears from S and R and stays on the log
      Given a delivered attempt of "alder" for "Ada"
      Then the board counts 1 official attempt, 0 invalidated, with a rating of 0.30
      When a steward invalidates the outcome on the ground "fraud"
      Then the board counts 0 official attempts, 1 invalidated, without a rating
      And its outcome is still 1, with every event before in its place

    @TB-INTEG-006
    Scenario: An invalidated miss leaves the numbers as well
      Given a missed attempt of "alder" for "Ada"
      Then the board counts 1 official attempt, 0 invalidated, with a rating of -0.70
      When a steward invalidates the outcome on the ground "duplicate_identity"
      Then the board counts 0 official attempts, 1 invalidated, without a rating

  Rule: TB-INTEG-009 No shared beneficial party in an official paid attempt

    @TB-INTEG-009
    Scenario: A self-posted paid target never becomes official
      Given a paid deal between "Olga" as the person and "Olga" as the operator
      When the deal between them is signed
      Then TB-INTEG-009 refuses it

    @TB-INTEG-009
    Scenario: Without payment nobody pays themselves
      Given a free deal between "Olga" as the person and "Olga" as the operator
      When the deal between them is signed
      Then it is carried out

    @TB-INTEG-009
    Scenario: Two parties sign
      Given a paid deal between "Ada" as the person and "Olga" as the operator
      When the deal between them is signed
      Then it is carried out

    @TB-INTEG-009
    Scenario: A related party found before the signing bars it
      Given a paid deal between "Ada" as the person and "Olga" as the operator
      And a steward has found them to be one party
      When the deal between them is signed
      Then TB-INTEG-009 refuses it

    @TB-INTEG-009
    Scenario: A related party found on one deal bars the next one of the two
      Given a missed attempt of "alder" for "Ada"
      And a steward has found them to be one party
      And another paid deal between the two
      When the deal between them is signed
      Then TB-INTEG-009 refuses it

    @TB-INTEG-009
    Scenario: A finding that they are not related bars nothing
      Given a paid deal between "Ada" as the person and "Olga" as the operator
      And a steward has found them not to be one party
      When the deal between them is signed
      Then it is carried out

  Rule: TB-INTEG-010 Screening indicators

    @TB-INTEG-010
    Scenario: A shared payout account raises a screening record
      Given a running attempt of "alder" for "Ada"
      When screening sees "payout_account" and "device"
      Then it is carried out
      And the screening record names "payout_account" and "device"

    @TB-INTEG-010
    Scenario: An indicator that nobody listed is refused
      Given a running attempt of "alder" for "Ada"
      When screening sees "star_sign" and "device"
      Then TB-INTEG-010 refuses it at "indicators"

    @TB-INTEG-010
    Scenario: Signals alone hold nothing
      Given a delivered attempt of "alder" for "Ada"
      When screening sees "device" and "other"
      Then it is carried out
      And the attempt is official

    @TB-PRIV-007
    Scenario: What screening saw is read by stewards alone
      Given a running attempt of "alder" for "Ada"
      And screening has seen "device" and "other"
      When "alder" reads the screening evidence
      Then TB-PRIV-007 refuses it
      When "Stella" reads the screening evidence
      Then the evidence is shown

  Rule: TB-INTEG-011 Suspicion holds an attempt provisional

    @TB-INTEG-011
    Scenario Outline: A review opened on an official <kind> attempt holds it until it is cleared
      Given a <kind> attempt of "alder" for "Ada"
      When a steward opens a review on the ground "self_payment"
      Then the attempt went from "official" to "provisional" on the ground "under_review"
      When a steward closes the review as "cleared"
      Then the attempt went from "provisional" to "official" on the ground "clear"

      Examples:
        | kind      |
        | delivered |
        | missed    |

    @TB-INTEG-011
    Scenario: A review opened before the end holds the outcome from the start
      Given a running attempt of "alder" for "Ada"
      And a steward has opened a review on the ground "fraud"
      When the attempt is delivered
      Then the attempt is provisional
      When a steward closes the review as "cleared"
      Then the attempt is official

    @TB-INTEG-011
    Scenario: Two reviews hold until both are cleared
      Given a delivered attempt of "alder" for "Ada"
      And a steward has opened a review on the ground "fraud"
      And a steward has opened a review on the ground "self_payment"
      When a steward closes the review as "cleared"
      Then the attempt is provisional
      When a steward closes the review as "cleared"
      Then the attempt is official

    @TB-CMD-004
    Scenario: A review is closed once
      Given a delivered attempt of "alder" for "Ada"
      And a steward has opened a review on the ground "fraud"
      And the review is closed as "cleared"
      When a steward closes the same review as "confirmed"
      Then TB-CMD-004 refuses it at "review"

  Rule: TB-INTEG-012 Confirmed abuse appends an invalidation

    @TB-INTEG-012
    Scenario Outline: Confirmed <ground> is invalidated and still auditable
      Given a delivered attempt of "alder" for "Ada"
      And a steward has opened a review on the ground "<ground>"
      When a steward closes the review as "confirmed"
      Then the attempt went from "provisional" to "invalidated" on the ground "<ground>"
      And its outcome is still 1, with every event before in its place

      Examples:
        | ground                  |
        | self_payment            |
        | concealed_reimbursement |
        | duplicate_identity      |
        | prohibited_collusion    |

    @TB-INTEG-012
    Scenario: A finding confirmed before the end invalidates the outcome at the end
      Given a running attempt of "alder" for "Ada"
      And a steward has opened a review on the ground "self_payment"
      And the review is closed as "confirmed"
      When the attempt is delivered
      Then the attempt went from "provisional" to "invalidated" on the ground "self_payment"

    @TB-INTEG-012
    Scenario: One party on both sides of a paid attempt, found later, is a confirmed finding
      Given a delivered attempt of "alder" for "Ada"
      When a steward finds them to be one party
      Then the attempt went from "official" to "invalidated" on the ground "prohibited_related_party"
