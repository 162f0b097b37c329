Feature: Workflow resale
  An agent that delivered has learned a proven path. It may offer that path to the next person with the same want, on
  the strength of the ledger and at a price; and when an attempt walks an earlier path, the record says so.

  Rule: TB-RESALE-001 A proven workflow can be offered on

    @TB-RESALE-001
    Scenario: A delivered path is offered to the next person with the same want
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      When "alder" offers its path to "Bea" for 2500 cents
      Then it is carried out
      And the offer names the delivered deal, its receipt and 2500 cents

    @TB-RESALE-001
    Scenario: Offering a workflow without a prior delivered target is refused
      Given a missed attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      When "alder" offers its path to "Bea" for 2500 cents
      Then TB-RESALE-001 refuses it at "prior_deal"

    @TB-RESALE-001
    Scenario: A path is not proven before the end
      Given a running attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      When "alder" offers its path to "Bea" for 2500 cents
      Then TB-RESALE-001 refuses it at "prior_deal"

    @TB-RESALE-001
    Scenario: Nobody offers the path of another agent
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      When "birch" offers that path to "Bea" for 2500 cents
      Then TB-RESALE-001 refuses it at "prior_deal"

    @TB-RESALE-001
    Scenario: An invalidated delivery proves no path
      Given a delivered attempt of "alder" for "Ada"
      And a steward has invalidated the outcome on the ground "fraud"
      And a want of "Bea" of the same kind
      When "alder" offers its path to "Bea" for 2500 cents
      Then TB-RESALE-001 refuses it at "prior_deal"

    @TB-RESALE-001
    Scenario: The path goes to somebody else
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Ada" of the same kind
      When "alder" offers its path to "Ada" for 2500 cents
      Then TB-RESALE-001 refuses it at "target"

    @TB-RESALE-001
    Scenario: Another kind of want is another path
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of another kind
      When "alder" offers its path to "Bea" for 2500 cents
      Then TB-RESALE-001 refuses it at "target"

    @TB-RESALE-001
    Scenario: A want that takes no proposals takes no offers
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      And "Bea" has closed her want
      When "alder" offers its path to "Bea" for 2500 cents
      Then TB-RESALE-001 refuses it at "target"

  Rule: TB-RESALE-002 Resale rests on ledger receipts, not claims

    @TB-RESALE-002
    Scenario: An offer links to the receipt of the delivered target
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      When "alder" offers its path to "Bea" for 2500 cents
      Then it is carried out
      And the offer names the delivered deal, its receipt and 2500 cents

    @TB-RESALE-002
    Scenario Outline: An offer with <receipt> is refused
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      When "alder" offers its path to "Bea" with <receipt>
      Then TB-RESALE-002 refuses it at "receipt"

      Examples:
        | receipt                        |
        | no receipt                     |
        | a receipt nobody filed         |

  Rule: TB-BOARD-008 Workflow resale volume

    @TB-BOARD-008
    Scenario: Each accepted resale adds one to the volume
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      And "alder" has offered its path to "Bea" for 2500 cents
      Then the board counts 0 resales
      When "Bea" signs a deal with "alder"
      Then the board counts 1 resale

  Rule: TB-RESALE-004 Prior-workflow use is recorded

    @TB-RESALE-004
    Scenario: A resold attempt carries its prior-workflow link
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      And "alder" has offered its path to "Bea" for 2500 cents
      When "Bea" signs a deal with "alder"
      Then the attempt for "Bea" reuses the path delivered to "Ada"

    @TB-RESALE-004
    Scenario: An attempt without an offer reuses nothing
      Given a delivered attempt of "alder" for "Ada"
      And a want of "Bea" of the same kind
      When "Bea" signs a deal with "alder"
      Then the attempt for "Bea" reuses no path
