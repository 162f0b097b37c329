Feature: Cost to the person
  Every cent follows a signed approval, has a record, and a place; what comes back is an event of its own.

  Rule: TB-COST-001 Cost is the escrow the agent kept

    @TB-COST-001
    Scenario: A reversed release is subtracted from cost
      Given a signed deal
      And step 1 is delivered and approved
      And the finish line is reached
      And 1000 cents of "milestone-1" went back as "partial"
      When the payment of 6000 cents settles
      Then the row of the attempt shows cost_cents 5000
      And escrow holds 0 cents, alder keeps 5000 and 5000 went back to Ada

    @TB-COST-001
    Scenario: What only stood in escrow is no cost
      Given a signed deal
      When Ada ends the attempt
      Then the row of the attempt shows cost_cents 0

  Rule: TB-COST-002 Releases follow signed approvals

    @TB-COST-002
    Scenario Outline: A release without a signed approval is refused
      Given a signed deal
      When Ada releases <cents> cents for "<release>" without an approval
      Then TB-COST-002 refuses it at "release"
      And escrow holds 10000 cents, alder keeps 0 and 0 went back to Ada

      Examples:
        | cents | release     |
        | 3000  | milestone-1 |
        | 3000  | outcome     |
        | 1     | milestone-9 |

    @TB-COST-002
    Scenario: An approval releases its amount once
      Given a signed deal
      And step 1 is delivered and approved
      When Ada releases 3000 cents for "milestone-1" without an approval
      Then TB-COST-002 refuses it at "release"
      And escrow holds 7000 cents, alder keeps 3000 and 0 went back to Ada

  Rule: TB-COST-003 Reversals are events

    @TB-COST-003
    Scenario: The whole of a release can go back
      Given a signed deal
      And step 1 is delivered and approved
      When 3000 cents of "milestone-1" go back as "full"
      Then it is carried out
      And the ledger holds 1 "escrow.reversed"
      And escrow holds 7000 cents, alder keeps 0 and 3000 went back to Ada

    @TB-COST-003
    Scenario Outline: A reversal above what is left of its release is refused
      Given a signed deal
      And step 1 is delivered and approved
      And 1000 cents of "milestone-1" went back as "partial"
      When <cents> cents of "<release>" go back as "chargeback"
      Then TB-COST-003 refuses it at "amount_cents"

      Examples:
        | cents | release     |
        | 2001  | milestone-1 |
        | 0     | milestone-1 |
        | 1     | milestone-2 |
        | 1     | outcome     |

    @TB-COST-003
    Scenario Outline: A reversal says truly whether anything is kept
      Given a signed deal
      And step 1 is delivered and approved
      When <cents> cents of "milestone-1" go back as "<kind>"
      Then TB-COST-003 refuses it at "kind"

      Examples:
        | cents | kind    |
        | 3000  | partial |
        | 2999  | full    |

  Rule: TB-COST-005 The posting-priority fee is never cost

    @TB-COST-005
    Scenario: A priority fee leaves cost to the person unchanged
      Given alder's proposal was chosen
      And Ada had paid a priority fee of 500 cents
      And alder proposed the deal
      And Ada signed the deal
      When Ada ends the attempt
      Then the row of the attempt shows cost_cents 0

    @TB-COST-005
    Scenario: The fee is paid before any deal
      Given alder's proposal was chosen
      And alder proposed the deal
      When Ada pays a priority fee of 500 cents
      Then TB-COST-005 refuses it at "target"

    @TB-COST-005
    Scenario: A declined deal is none, and the fee may be paid again
      Given alder's proposal was chosen
      And alder proposed the deal
      And Ada declined the deal
      When Ada pays a priority fee of 500 cents
      Then it is carried out

  Rule: TB-COST-006 Outside subsidy is stated and shown apart

    @TB-COST-006
    Scenario: A subsidised delivery carries its indicator and the same score
      Given a signed deal at $0
      And alder stated a subsidy and 0 cents of its own money
      When the attempt comes to be "delivered"
      Then the row of the attempt shows outside_subsidy True
      And the Bench rating of alder is "0.30" over 1 attempt

    @TB-COST-006
    Scenario: Without a statement the row shows none
      Given a signed deal at $0
      When the attempt comes to be "delivered"
      Then the row of the attempt shows outside_subsidy False
      And the Bench rating of alder is "0.30" over 1 attempt

  Rule: TB-COST-007 The agent's own spending is not penalised

    @TB-COST-007
    Scenario: Agent spending of its own money changes neither cost nor rating
      Given a signed deal at $0
      And alder stated a subsidy and 250000 cents of its own money
      When the attempt comes to be "delivered"
      Then the subsidy is stated, with 250000 cents of own money on a line of its own
      And the row of the attempt shows cost_cents 0
      And the Bench rating of alder is "0.30" over 1 attempt

  Rule: TB-COST-008 At $0 the cost is zero

    @TB-COST-008
    Scenario: Engine revenue is funding, not cost
      Given a signed deal at $0
      And the engine of alder earned 40000 cents
      When the attempt comes to be "delivered"
      Then 40000 cents are booked as funding
      And the row of the attempt shows cost_cents 0

    @TB-COST-008
    Scenario: No money of the person moves on a $0 deal
      Given a signed deal at $0
      When Ada puts 1 cent into escrow
      Then TB-COST-008 refuses it at "amount_cents"

  Rule: TB-COST-009 Paid targets settle through the platform checkout

    @TB-COST-009
    Scenario: Off-platform payment does not satisfy the paid standard
      Given a signed deal
      And the finish line is reached
      When the payment of 3000 cents settles through "bank_transfer"
      Then TB-COST-009 refuses it at "rail"
      And the integrity of the outcome is "provisional"

    @TB-COST-009
    Scenario: Payment through the checkout does
      Given a signed deal
      And the finish line is reached
      When the payment of 3000 cents settles through "checkout"
      Then the integrity of the outcome is "official"

  Rule: TB-COST-012 Releases never exceed the stated total

    @TB-COST-012
    Scenario: A release above the stated total is refused
      Given a signed deal
      When Ada releases 10001 cents for "outcome" without an approval
      Then TB-COST-012 refuses it at "amount_cents"

    @TB-COST-012
    Scenario: The amounts of the card can all be released
      Given a signed deal
      And step 1 is delivered and approved
      And step 2 is delivered and approved
      And alder put the finish line to Ada
      When Ada approves the finish line
      Then escrow holds 0 cents, alder keeps 10000 and 0 went back to Ada

  Rule: TB-COST-013 Money neither appears nor vanishes

    @TB-COST-013
    Scenario Outline: Escrow takes up to the stated total
      Given a signed deal without money in escrow
      And Ada put 4000 cents into escrow
      When Ada puts <cents> cents into escrow
      Then it is carried out

      Examples:
        | cents |
        | 1     |
        | 6000  |

    @TB-COST-013
    Scenario Outline: Funding above the total, or of nothing, is refused
      Given a signed deal without money in escrow
      And Ada put 4000 cents into escrow
      When Ada puts <cents> cents into escrow
      Then TB-COST-013 refuses it at "amount_cents"

      Examples:
        | cents |
        | 6001  |
        | 0     |
        | -1    |

    @TB-COST-013
    Scenario: An approval that releases one cent more than escrow holds is refused
      Given a signed deal without money in escrow
      And Ada put 2999 cents into escrow
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When Ada approves step 1
      Then TB-COST-013 refuses it at "deal"
      And step 1 is "requested"

    @TB-COST-013
    Scenario: An approval that releases exactly what escrow holds is carried out
      Given a signed deal without money in escrow
      And Ada put 3000 cents into escrow
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When Ada approves step 1
      Then escrow holds 0 cents, alder keeps 3000 and 0 went back to Ada

    @TB-COST-013
    Scenario: No more clears than was funded
      Given a signed deal
      And the payment of 6000 cents settled
      When the payment of 4001 cents settles
      Then TB-COST-013 refuses it at "amount_cents"
