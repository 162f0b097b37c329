Feature: Steward review
  A human-and-policy filter stands between a want and the board.

  Rule: TB-REVIEW-001 Every want passes steward review first

    @TB-REVIEW-001
    Scenario: A want without a passed review never reaches the board
      Given a refined want of "Ada"
      When a steward posts the want
      Then TB-REVIEW-001 refuses it at "target"
      And the want is not on the board

    @TB-REVIEW-001
    Scenario: A pass counts for the card that was reviewed and for no later one
      Given a reviewed want of "Ada"
      When only its timeline is refined to "86400"
      And a steward posts the want
      Then TB-REVIEW-001 refuses it at "target"

    @TB-REVIEW-001
    Scenario: A pass is lost when the want is declined afterwards
      Given a reviewed want of "Ada"
      And a steward declined it as "other_door"
      When a steward posts the want
      Then TB-REVIEW-001 refuses it at "target"

    @TB-CMD-003
    Scenario: Only a steward reviews
      Given a refined want of "Ada"
      When "Ada" passes the own want
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-REVIEW-002 Prohibited requests are rejected

    @TB-REVIEW-002
    Scenario Outline: A prohibited request cannot be passed
      Given a refined want of "Ada"
      When a steward finds the want "<class>" and passes it
      Then TB-REVIEW-002 refuses it at "found"

      Examples:
        | class       |
        | illegal     |
        | scam        |
        | political   |
        | safety_rule |

    @TB-REVIEW-002
    Scenario: A want declined as prohibited is not passed as it stands
      Given a refined want of "Ada"
      And a steward declined it as "political"
      When a steward passes the want
      Then TB-REVIEW-002 refuses it at "found"

    @TB-REVIEW-002
    Scenario: A new card of a declined want can be reviewed anew
      Given a refined want of "Ada"
      And a steward declined it as "political"
      When only its want is refined to "A bicycle repaired, and nothing else"
      And a steward passes the want
      Then it is carried out

  Rule: TB-REVIEW-003 A decline names its reason and, where one exists, a better door

    @TB-REVIEW-003
    Scenario: A decline without a plain reason is refused
      Given a refined want of "Ada"
      When a steward declines the want as "scam" without a reason in words
      Then TB-REVIEW-003 refuses it at "reason"

    @TB-REVIEW-003
    Scenario Outline: A reason that says nothing is no reason
      Given a refined want of "Ada"
      When a steward declines the want as "scam" saying "<blank>"
      Then TB-REVIEW-003 refuses it at "reason"

      Examples:
        | blank  |
        | \x20   |
        | \u200b |

    @TB-REVIEW-003
    Scenario: The person reads the reason, the public only its class
      Given a recorded want of "Ada"
      When a steward declines the want as "scam" saying "This asks for money up front"
      Then the poster can read the reason "This asks for money up front" and the ledger cannot

    @TB-REVIEW-003
    Scenario: A pointer to a better door is carried
      Given a refined want of "Ada"
      When a steward declines the want and points to "the city's bicycle office"
      Then the decline points to "the city's bicycle office"

    @TB-REVIEW-003
    Scenario: Without a better door there is no pointer
      Given a refined want of "Ada"
      When a steward declines the want as "scam" saying "No"
      Then the decline points nowhere

  Rule: TB-REVIEW-004 Passing makes the want live

    @TB-REVIEW-004
    Scenario: A passed want is on the board with its odds
      Given a reviewed want of "Ada"
      When a steward posts the want
      Then the want is on the board with its odds
