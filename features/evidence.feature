Feature: Evidence
  Settled payment, approvals with receipts, the person's own voice: three tiers, and only the first two verify.

  Rule: TB-EVID-001 Evidence tiers

    @TB-EVID-001
    Scenario: Each evidence item is filed under its tier
      Given a signed deal
      And step 1 is delivered and approved
      And the payment of 10000 cents settled
      And the finish line is reached
      When Ada rates it 9
      Then the evidence of the attempt is "settled_payment, approval_with_receipt, satisfaction"
      And the integrity of the outcome is "official"

    @TB-EVID-001
    Scenario: A receipt without an approval, and payment that has not cleared, are no evidence yet
      Given a signed deal
      When alder files a receipt for step 1
      Then the evidence of the attempt is ""

  Rule: TB-EVID-004 Satisfaction never decides success alone

    @TB-EVID-004
    Scenario: A perfect satisfaction score does not turn a miss into a success
      Given a signed deal
      And Ada rated it 10
      And it is 1 second after the deadline
      When the clock is swept
      Then the attempt is "expired" with outcome 0

    @TB-EVID-004
    Scenario: A poor rating does not take a success back
      Given a signed deal at $0
      And the finish line is reached
      When Ada rates it 1
      Then the attempt is "delivered" with outcome 1
      And the integrity of the outcome is "official"

  Rule: TB-EVID-005 Satisfaction is the person's own voice

    @TB-EVID-005
    Scenario Outline: The person rates on the scale, her words stay private
      Given a signed deal
      When Ada rates it <score>
      Then it is carried out
      And the public rating is <score> and its words are not in the log

      Examples:
        | score |
        | 1     |
        | 10    |

    @TB-EVID-005
    Scenario Outline: A rating off the scale is refused
      Given a signed deal
      When Ada rates it <score>
      Then TB-EVID-005 refuses it at "score"

      Examples:
        | score |
        | 0     |
        | 11    |
        | -1    |

    @TB-EVID-005
    Scenario Outline: Only the person on the target rates it
      Given a signed deal
      When <who> rates it 10 in the place of Ada
      Then TB-EVID-005 refuses it at "by"

      Examples:
        | who       |
        | alder     |
        | a steward |

    @TB-EVID-005
    Scenario: A rating is given once
      Given a signed deal
      And Ada rated it 3
      When Ada rates it 10
      Then TB-EVID-005 refuses it at "score"
