Feature: Campaigns
  A large want runs as a chain of one-shot targets.

  Rule: TB-CAMP-001 A campaign is a chain of one-shot targets

    @TB-CAMP-001
    Scenario: A stage is an ordinary want linked to the one before
      Given a posted want of "Ada"
      And it is kept as "stage one"
      And a signed deal of "alder" on the want
      And the poster ended the deal on the want
      When another want of "Ada" is posted as the stage after "stage one" in the class "proven_path"
      Then the want is stage 2 of the campaign that began with "stage one", after "stage one"

    @TB-CAMP-001
    Scenario: A third stage belongs to the campaign of the first
      Given a posted want of "Ada"
      And it is kept as "stage one"
      And the poster withdrew the want
      And another want of "Ada" was posted after "stage one" and withdrawn
      And it is kept as "stage two"
      When another want of "Ada" is posted as the stage after "stage two" in the class "proven_path"
      Then the want is stage 3 of the campaign that began with "stage one", after "stage two"

    @TB-CAMP-001
    Scenario: The next stage waits until the one before is resolved
      Given a posted want of "Ada"
      And it is kept as "stage one"
      When another want of "Ada" is posted as the stage after "stage one" in the class "proven_path"
      Then TB-CAMP-001 refuses it at "after"

    @TB-CAMP-001
    Scenario: A stage that runs has no second one beside it
      Given a posted want of "Ada"
      And it is kept as "stage one"
      And the poster withdrew the want
      And another want of "Ada" was posted after "stage one"
      When another want of "Ada" is posted as the stage after "stage one" in the class "proven_path"
      Then TB-CAMP-001 refuses it at "after"

    @TB-CAMP-001
    Scenario: A stage that failed may be tried again after the same one
      Given a posted want of "Ada"
      And it is kept as "stage one"
      And the poster withdrew the want
      And another want of "Ada" was posted after "stage one" and withdrawn
      When another want of "Ada" is posted as the stage after "stage one" in the class "proven_path"
      Then the want is stage 2 of the campaign that began with "stage one", after "stage one"

    @TB-CAMP-001
    Scenario: A stage does not follow the want of somebody else
      Given a posted want of "Ben"
      And it is kept as "stage one"
      And the poster withdrew the want
      When another want of "Ada" is posted as the stage after "stage one" in the class "proven_path"
      Then TB-CAMP-001 refuses it at "after"

    @TB-CAMP-001
    Scenario: A stage does not follow a want that was never posted
      Given a reviewed want of "Ada"
      And it is kept as "stage one"
      When another want of "Ada" is posted as the stage after "stage one" in the class "proven_path"
      Then TB-CAMP-001 refuses it at "after"

    @TB-CAMP-001
    Scenario: A want is not its own next stage
      Given a reviewed want of "Ada"
      When the want is posted as the stage after itself
      Then TB-CAMP-001 refuses it at "after"

  Rule: TB-CAMP-002 Each stage freezes its own odds and bands by itself

    @TB-CAMP-002
    Scenario: A Long-odds stage after a Moonshot stays in Long odds
      Given a posted want of "Ada" in the class "venture" with the dials none
      And it is kept as "stage one"
      And the poster withdrew the want
      When another want of "Ada" is posted as the stage after "stage one" in the class "first_attempt_project"
      Then p is 0.35
      And the want is in the band "long"
      And "stage one" is in the band "moonshot"

  Rule: TB-CAMP-003 Stages score separately

    @TB-CAMP-003
    Scenario: A three-stage campaign contributes three rows, each in its own band
      Given a posted want of "Ada" in the class "venture" with the dials none
      And it is kept as "stage one"
      And "alder" attempted it and the poster ended the deal
      And a want of "Ada" in the class "first_attempt_project" was posted as the stage after "stage one"
      And it is kept as "stage two"
      And "alder" attempted it and the poster ended the deal
      And a want of "Ada" in the class "proven_path" was posted as the stage after "stage two"
      And it is kept as "stage three"
      And "alder" attempted it and the poster ended the deal
      Then the board has one row for each of "stage one", "stage two" and "stage three", in three bands
