Feature: Milestones
  Work goes straight to the person, its hash to the ledger; the person's signed answer decides.

  Rule: TB-MILE-002 The person can decline at any milestone

    @TB-MILE-002
    Scenario Outline: A person can decline the first and the last milestone alike
      Given a signed deal
      And alder filed a receipt for step <step>
      And alder put step <step> to Ada
      When Ada declines step <step>
      Then it is carried out
      And step <step> is "declined"
      And the ledger holds 1 "milestone.declined"

      Examples:
        | step |
        | 1    |
        | 2    |

  Rule: TB-MILE-003 Work goes straight to the person

    @TB-MILE-003
    Scenario Outline: A delivery names a place of the person
      Given a signed deal
      When alder delivers step 1 to "<place>"
      Then it is carried out
      And the receipt names "<place>"

      Examples:
        | place             |
        | person_repository |
        | person_possession |

    @TB-MILE-003
    Scenario Outline: A delivery to anywhere else is refused
      Given a signed deal
      When alder delivers step 1 to "<place>"
      Then TB-MILE-003 refuses it at "destination"

      Examples:
        | place           |
        | platform_bucket |
        | agent_server    |

  Rule: TB-MILE-004 A content-hash receipt is filed for each milestone

    @TB-MILE-004
    Scenario Outline: A well formed content hash is filed
      Given a signed deal
      When alder files the <algorithm> hash "<text>" for step 1
      Then it is carried out
      And the ledger holds 1 "milestone.receipt.filed"

      Examples:
        | algorithm | text        |
        | sha256    | sha256:{64} |
        | blake3    | b3:{64}     |

    @TB-MILE-004
    Scenario Outline: A malformed content hash is refused
      Given a signed deal
      When alder files the <algorithm> hash "<text>" for step 1
      Then TB-MILE-004 refuses it at "<algorithm>"
      And the ledger holds 0 "milestone.receipt.filed"

      Examples:
        | algorithm | text          |
        | sha256    | {64}          |
        | sha256    | sha256:{63}   |
        | sha256    | sha256:{64}a  |
        | sha256    | sha256:{63}G  |
        | sha256    | sha256:{63}A  |
        | sha256    | b3:{64}       |
        | blake3    | sha256:{64}   |
        | blake3    | b3:{63}       |

    @TB-MILE-004 @TB-MILE-005
    Scenario: One receipt is enough to put a milestone to the person
      Given a signed deal
      And alder filed a receipt for step 1
      When alder puts step 1 to Ada
      Then it is carried out

  Rule: TB-MILE-005 Approval is requested after the receipt

    @TB-MILE-004 @TB-MILE-005
    Scenario: Requesting approval before a receipt is filed is refused
      Given a signed deal
      When alder puts step 1 to Ada
      Then TB-MILE-005 refuses it at "milestone"
      And step 1 is "open"

    @TB-MILE-005
    Scenario: The receipt of another milestone does not count
      Given a signed deal
      And alder filed a receipt for step 2
      When alder puts step 1 to Ada
      Then TB-MILE-005 refuses it

    @TB-MILE-005
    Scenario: What was revised needs a receipt of its own
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      And Ada declined step 1
      And alder revised step 1
      When alder puts step 1 to Ada
      Then TB-MILE-005 refuses it

  Rule: TB-MILE-006 The hash proves which version, not that it is good

    @TB-MILE-006
    Scenario: A filed receipt alone leaves the milestone unapproved and its money in escrow
      Given a signed deal
      And alder filed a receipt for step 1
      When Ada releases 3000 cents for "milestone-1" without an approval
      Then TB-COST-002 refuses it at "release"
      And step 1 is "open"
      And escrow holds 10000 cents, alder keeps 0 and 0 went back to Ada

  Rule: TB-MILE-007 Approvals are signed and ledgered

    @TB-MILE-007
    Scenario: A signed approval becomes evidence and releases exactly the amount of the step
      Given a signed deal
      And alder filed a receipt for step 2
      And alder put step 2 to Ada
      When Ada approves step 2
      Then it is carried out
      And step 2 is "approved"
      And the approval of step 2 covers 1 receipt and releases 4000 cents

    @TB-MILE-007
    Scenario: A person who keeps her own key approves with it
      Given Ada keeps the key of seed 1 herself
      And a deal that she signed with the key of seed 1
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When Ada approves step 1 with the key of seed 1
      Then it is carried out

    @TB-MILE-007
    Scenario Outline: An approval that does not bind the person is refused
      Given Ada keeps the key of seed 1 herself
      And a deal that she signed with the key of seed 1
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When Ada approves step 1 with the key of seed <seed>, but <how>
      Then TB-MILE-007 refuses it at "signature"
      And step 1 is "requested"
      And the ledger holds 0 "escrow.released"

      Examples:
        | seed | how                     |
        | 1    | leaves it unsigned      |
        | 1    | signs another statement |
        | 1    | flips a bit of it       |

    @TB-MILE-007
    Scenario: An approval with another key is refused
      Given Ada keeps the key of seed 1 herself
      And a deal that she signed with the key of seed 1
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When Ada approves step 1 with the key of seed 2
      Then TB-MILE-007 refuses it at "signature"

    @TB-CMD-003
    Scenario: The agent does not approve its own work
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When alder approves its own step 1
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-MILE-008 A declined milestone is revised or ends the target, and either is ledgered

    @TB-MILE-008
    Scenario: A declined milestone is revised and approved later, both on the ledger
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      And Ada declined step 1
      And alder revised step 1
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When Ada approves step 1
      Then step 1 is "approved"
      And the ledger holds 1 "milestone.declined"
      And the ledger holds 1 "milestone.revised"
      And the ledger holds 1 "milestone.approved"

    @TB-MILE-008
    Scenario: The target can end at a declined milestone
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When Ada declines step 1 and ends the target there
      Then the attempt is "declined" with outcome 0
      And the ledger holds 1 "milestone.declined"
      And escrow holds 0 cents, alder keeps 0 and 10000 went back to Ada

    @TB-MILE-008
    Scenario: Only a declined milestone is revised
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When alder revises step 1
      Then TB-MILE-008 refuses it at "milestone"

  Rule: TB-MILE-009 One answer to one request

    @TB-MILE-009
    Scenario: A milestone that was not put to the person is not approved
      Given a signed deal
      And alder filed a receipt for step 1
      When Ada approves step 1
      Then TB-MILE-009 refuses it at "milestone"

    @TB-MILE-009
    Scenario: A milestone that was not put to the person is not declined
      Given a signed deal
      When Ada declines step 1
      Then TB-MILE-009 refuses it at "milestone"

    @TB-MILE-009
    Scenario: A milestone is put to the person once until she answers
      Given a signed deal
      And alder filed a receipt for step 1
      And alder put step 1 to Ada
      When alder puts step 1 to Ada
      Then TB-MILE-009 refuses it at "milestone"

    @TB-MILE-009
    Scenario: An approval is never taken up again
      Given a signed deal
      And step 1 is delivered and approved
      When alder puts step 1 to Ada
      Then TB-MILE-009 refuses it at "milestone"

    @TB-MILE-009
    Scenario: An approved milestone takes no further receipt
      Given a signed deal
      And step 1 is delivered and approved
      When alder files a receipt for step 1
      Then TB-MILE-009 refuses it at "milestone"

    @TB-MILE-009
    Scenario: The finish line that was not put to the person is not approved
      Given a signed deal
      When Ada approves the finish line
      Then TB-MILE-009 refuses it at "deal"

    @TB-MILE-009
    Scenario: An ask is answered once
      Given a signed deal
      And alder asked Ada something
      And Ada answered the first ask
      When Ada answers the first ask
      Then TB-MILE-009 refuses it at "ask"

    @TB-CMD-004
    Scenario: A milestone that the card does not have is named in the refusal
      Given a signed deal
      When alder files a receipt for step 3
      Then TB-CMD-004 refuses it at "milestone"
