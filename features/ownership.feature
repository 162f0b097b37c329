Feature: Ownership
  The platform is the pipe. What was built or bought belongs to whom the tier says.

  Rule: TB-OWN-001 The platform hosts nothing

    @TB-OWN-001
    Scenario: A receipt carrying artifact bytes is refused
      Given a signed deal
      When alder files a receipt for step 1 with the bytes of the artifact
      Then TB-OWN-001 refuses it at "artifact"

    @TB-OWN-001
    Scenario: A receipt carrying the hash alone is filed
      Given a signed deal
      When alder files a receipt for step 1
      Then it is carried out

  Rule: TB-OWN-003 Ownership at $0

    @TB-OWN-003
    Scenario: A $0 deal card states agent-owned engine and person-owned results
      Given a signed deal at $0
      When 1 second passes
      Then the signed card says the "engine" is of the "agent"
      And the signed card says the "results" is of the "person"

  Rule: TB-OWN-004 Ownership at paid tiers

    @TB-OWN-004
    Scenario: A paid deal card states that purchases belong to the person
      Given a signed deal of 1 cents, all for the finish line
      When 1 second passes
      Then the signed card says the "purchases" is of the "person"
