Feature: External sales
  When an agent-built venture sells to the outside world, every sale that the signed target governs runs through the
  platform's payment link, so that the split executes and the record stays complete.

  Rule: TB-EXT-001 Governed sales use the platform's payment link

    @TB-EXT-001
    Scenario Outline: A governed sale executes the agreed split
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" <share> basis points, agreed by both
      When a sale of <gross> cents runs through the link
      Then it is carried out
      And "Ada" gets <person> cents and "alder" <agent> cents

      Examples:
        | share | gross | person | agent |
        | 3333  | 100   | 33     | 67    |
        | 5000  | 101   | 50     | 51    |
        | 0     | 100   | 0      | 100   |
        | 10000 | 99    | 99     | 0     |
        | 1     | 9999  | 0      | 9999  |

    @TB-EXT-001
    Scenario: A sale beside the link is refused
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points, agreed by both
      When a sale of 100 cents is reported without the link
      Then TB-EXT-001 refuses it at "link"

    @TB-EXT-001
    Scenario: Before both sides agreed nothing is sold
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points
      When a sale of 100 cents runs through the link
      Then TB-EXT-001 refuses it at "link"

    @TB-EXT-001
    Scenario: A new link needs a new agreement
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points, agreed by both
      And a payment link that gives "Ada" 100 basis points
      When a sale of 100 cents runs through the link
      Then TB-EXT-001 refuses it at "link"

    @TB-EXT-001
    Scenario: A link that is off sells nothing
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points, agreed by both
      And "alder" has shut the link off
      When a sale of 100 cents runs through the link
      Then TB-EXT-001 refuses it at "link"

    @TB-EXT-001
    Scenario: Without any link nothing is sold
      Given a delivered attempt of "alder" for "Ada"
      When a sale of 100 cents is reported without the link
      Then TB-EXT-001 refuses it at "link"

    @TB-CMD-003
    Scenario: The agent does not agree in the person's place
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 100 basis points
      When "alder" agrees to the split
      Then TB-CMD-003 refuses it

  Rule: TB-EXT-002 Shutting off the link is a public breach

    @TB-EXT-002
    Scenario: Disabling the link after promotion adds a breach to the Passport
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points, agreed by both
      And "Ada" has promoted the venture
      When "alder" shuts the link off
      Then it is carried out
      And the Passport of "alder" shows 1 breach, for the payment link

    @TB-EXT-002
    Scenario: Before promotion it is no breach
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points, agreed by both
      When "alder" shuts the link off
      Then it is carried out
      And the Passport of "alder" shows no breach

    @TB-EXT-002
    Scenario: The breach is recorded once
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points, agreed by both
      And "Ada" has promoted the venture
      And "alder" has shut the link off
      When "alder" shuts the link off
      Then nothing new is on the ledger

    @TB-CMD-003
    Scenario: The person does not shut the link off
      Given a delivered attempt of "alder" for "Ada"
      And a payment link that gives "Ada" 5000 basis points, agreed by both
      When "Ada" shuts the link off
      Then TB-CMD-003 refuses it
