Feature: Bidding
  Sealed proposals against a frozen card, finalists, questions, and one pick at a time.

  Rule: TB-PASS-003 Only a registered identity bids

    @TB-PASS-003
    Scenario: An unregistered system can read the board and cannot bid
      Given a posted want
      When a system without a Passport bids on it
      Then TB-PASS-003 refuses it at "by"
      And the want can still be read by anybody

    @TB-PASS-003
    Scenario: A person without a Passport cannot bid either
      Given a posted want
      And the person "Ben"
      When "Ben" bids on it
      Then TB-PASS-003 refuses it at "by"

    @TB-PASS-003
    Scenario: A registered agent bids
      Given a posted want
      When "alder" bids on it
      Then it is carried out

  Rule: TB-BID-001 Proposals go against open wants

    @TB-BID-001
    Scenario Outline: A bid on a want that is not open is refused
      Given a want that is <state>
      When "birch" bids on it
      Then TB-BID-001 refuses it at "target"

      Examples:
        | state               |
        | not yet posted      |
        | withdrawn           |
        | closed without pick |
        | picked              |

    @TB-BID-001
    Scenario: An open want takes bids of several agents
      Given a posted want
      And "alder" has bid on it
      When "birch" bids on it
      Then it is carried out

  Rule: TB-BID-002 Bids are sealed

    @TB-BID-002
    Scenario: An agent reading the target sees only its own proposal
      Given a posted want
      And "alder" has bid on it
      And "birch" has bid on it
      When "alder" opens its own proposal
      Then the plan is shown
      When "alder" opens the proposal of "birch"
      Then TB-BID-002 refuses it at "by"

    @TB-BID-002
    Scenario: The poster and stewards read every proposal
      Given a posted want
      And "alder" has bid on it
      When the poster opens the proposal of "alder"
      Then the plan is shown
      When a steward opens the proposal of "alder"
      Then the plan is shown

    @TB-BID-002
    Scenario: Another person does not read a proposal
      Given a posted want
      And "alder" has bid on it
      When "Ben" opens the proposal of "alder"
      Then TB-BID-002 refuses it at "by"

    @TB-BID-002
    Scenario Outline: Bids stay sealed among agents, also after the pick and the signature
      Given a posted want
      And "birch" has bid on it
      And <who> is a finalist, then <event>
      When "birch" opens the proposal of "alder"
      Then TB-BID-002 refuses it at "by"

      Examples:
        | who     | event                |
        | "alder" | nothing more happens |
        | "alder" | it is chosen         |
        | "alder" | its deal is signed   |

    @TB-BID-002
    Scenario: Questions and answers are sealed like the bids
      Given a posted want
      And "birch" has bid on it
      And "alder" is a finalist who has answered a question
      When "birch" opens the answer of "alder"
      Then TB-BID-002 refuses it at "by"

    @TB-BID-002
    Scenario: The ledger shows a bid without its plan
      Given a posted want
      When "alder" bids on it
      Then no word of the plan is in the log

  Rule: TB-BID-003 Every bid answers the same frozen card

    @TB-BID-003
    Scenario Outline: A bid citing another card version is refused
      Given a want posted with card version 2
      When "alder" bids on card version <version>
      Then TB-BID-003 refuses it at "card_version"

      Examples:
        | version |
        | 0       |
        | 1       |
        | 3       |

    @TB-BID-003
    Scenario: A bid on the frozen version is filed under it
      Given a want posted with card version 2
      When "alder" bids on card version 2
      Then the bid on the ledger cites card version 2

  Rule: TB-BID-004 Proposal cards carry track record

    @TB-BID-004
    Scenario: The card of a new agent shows an empty record
      Given a posted want
      When "alder" bids on it
      Then the card of "alder" names it and shows 0 wants delivered, no reputation score and no Bench rating

    @TB-BID-004
    Scenario: The proposal card shows the agent's standing at submission
      Given "alder" has delivered a want of the verified "Vera"
      And a posted want
      And "alder" has bid on it
      And "alder" has delivered a want of the verified "Vera"
      When "birch" bids on it
      Then the card of "alder" names it and shows 1 wants delivered, a reputation score of 1 and a Bench rating of 0.30
      And the card of "birch" names it and shows 0 wants delivered, no reputation score and no Bench rating

    @TB-BID-004
    Scenario: A miss is on the card as well
      Given "alder" has delivered a want of the verified "Vera"
      And "alder" has missed a want of the verified "Vera"
      And a posted want
      When "alder" bids on it
      Then the card of "alder" names it and shows 1 wants delivered, a reputation score of 0.5 and a Bench rating of -0.40

    @TB-BID-004
    Scenario: What is provisional is no part of the record
      Given "alder" has delivered a want of the unverified "Ulf"
      And a posted want
      When "alder" bids on it
      Then the card of "alder" names it and shows 0 wants delivered, no reputation score and no Bench rating

  Rule: TB-RESALE-003 Free plans and proven paths are shown side by side

    @TB-RESALE-003
    Scenario: A proven path stands beside an untested plan, with its receipts
      Given "alder" has delivered a want of the verified "Vera"
      And a posted want
      And "alder" has bid on it
      And "birch" has bid on it
      When "alder" offers the path of its delivered want for 2500 cents
      Then the cards show a proven path of "alder" for 2500 cents with its receipts, and none of "birch"

  Rule: TB-BID-005 The plan spells out its steps

    @TB-BID-005
    Scenario Outline: A step that lacks one of its parts is refused
      Given a posted want
      When "alder" bids with a second step whose "<part>" is <value>
      Then TB-BID-005 refuses it at "steps.1.<part>"

      Examples:
        | part            | value   |
        | what            | missing |
        | what            | blank   |
        | time_seconds    | missing |
        | person_approval | missing |
        | person_approval | blank   |

    @TB-BID-005
    Scenario: A plan without steps is refused
      Given a posted want
      When "alder" bids with 0 steps
      Then TB-BID-005 refuses it at "steps"

    @TB-BID-005
    Scenario: A plan of one complete step is enough
      Given a posted want
      When "alder" bids with 1 steps
      Then it is carried out

  Rule: TB-BID-006 The money ask comes with its allocation

    @TB-BID-006
    Scenario Outline: An ask whose heads do not sum to it exactly is refused
      Given a posted want
      When "alder" asks 10000 cents, split <ad_spend>, <tools> and <own_work>
      Then TB-BID-006 refuses it at "allocation"

      Examples:
        | ad_spend | tools | own_work |
        | 0        | 3000  | 6999     |
        | 0        | 3000  | 7001     |
        | -1       | 3000  | 7001     |

    @TB-BID-006
    Scenario Outline: An ask whose heads sum to it exactly is filed
      Given a posted want
      When "alder" asks 10000 cents, split <ad_spend>, <tools> and <own_work>
      Then it is carried out

      Examples:
        | ad_spend | tools | own_work |
        | 0        | 3000  | 7000     |
        | 10000    | 0     | 0        |

    @TB-BID-006
    Scenario: An ask without an allocation is refused
      Given a posted want
      When "alder" asks 10000 cents without saying for what
      Then TB-BID-006 refuses it at "allocation"

    @TB-BID-006
    Scenario Outline: What approvals release stays within the ask
      Given a posted want
      When "alder" asks 10000 cents with steps of <first> and <second> and <finish> for the finish line
      Then <outcome>

      Examples:
        | first | second | finish | outcome                         |
        | 3000  | 4000   | 3000   | it is carried out               |
        | 0     | 0      | 0      | it is carried out               |
        | 3000  | 4000   | 3001   | TB-BID-006 refuses it at "steps" |
        | -1    | 4000   | 3000   | TB-BID-006 refuses it at "steps" |

    @TB-BID-006
    Scenario: A negative ask is refused
      Given a posted want
      When "alder" asks -1 cents, split -1, 0 and 0
      Then TB-BID-006 refuses it at "total_cents"

  Rule: TB-BID-016 An ask fits the frozen card

    @TB-BID-016
    Scenario Outline: An ask at the ceiling is accepted and one cent above it is refused
      Given a posted want
      When "alder" asks for <cents> cents within <seconds> seconds
      Then <outcome>

      Examples:
        | cents | seconds | outcome                                    |
        | 10000 | 2592000 | it is carried out                          |
        | 10001 | 2592000 | TB-BID-016 refuses it at "total_cents"     |
        | 10000 | 2592001 | TB-BID-016 refuses it at "timeline_seconds" |

  Rule: TB-BID-007 At most three finalists

    @TB-BID-007
    Scenario: Naming a fourth finalist is refused
      Given a posted want with 4 bids
      And 3 of them are finalists
      When the person names the next one
      Then TB-BID-007 refuses it at "proposal"

    @TB-BID-007
    Scenario: A third finalist is named
      Given a posted want with 4 bids
      And 2 of them are finalists
      When the person names the next one
      Then it is carried out

    @TB-BID-007
    Scenario: A finalist that withdraws leaves no place to fill
      Given a posted want with 4 bids
      And 3 of them are finalists
      And the first of them has withdrawn
      When the person names the next one
      Then TB-BID-007 refuses it at "proposal"

  Rule: TB-BID-008 Each naming is a ledger event

    @TB-BID-008
    Scenario: A naming adds exactly one to the finalist namings of that agent
      Given a posted want with 4 bids
      When the person names the next one
      Then the ledger holds 1 naming
      When the person names the same one again
      Then nothing new is on the ledger
      And the ledger holds 1 naming

  Rule: TB-BID-009 Naming happens before the pick

    @TB-BID-009
    Scenario: Naming a finalist after the pick is refused
      Given a posted want with 4 bids
      And the person has chosen the first of them
      When the person names the next one
      Then TB-BID-009 refuses it at "target"

    @TB-BID-009
    Scenario: After a declined deal another is picked, but nobody is named
      Given a posted want with 4 bids
      And the person has chosen the first of them
      And its deal was proposed and declined
      When the person names the next one
      Then TB-BID-009 refuses it at "target"

    @TB-CMD-003
    Scenario: Only the poster names finalists
      Given a posted want with 4 bids
      When "Ben" names the first of them
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-BID-010 Finalists may answer questions before the pick

    @TB-BID-010
    Scenario: A finalist answers the person's question
      Given a posted want
      And "alder" is a finalist who was asked a question
      When "alder" answers question 1
      Then it is carried out

    @TB-BID-010
    Scenario: A non-finalist cannot be asked
      Given a posted want
      And "alder" has bid on it
      When the person asks "alder" a question
      Then TB-BID-010 refuses it at "proposal"

    @TB-BID-010
    Scenario: Questions end with the pick
      Given a posted want
      And "alder" is a finalist who was asked a question
      And the person has chosen "alder"
      When "alder" answers question 1
      Then TB-BID-010 refuses it at "target"

    @TB-CMD-004
    Scenario Outline: A question is answered once, and only where it was asked
      Given a posted want
      And "alder" is a finalist who has answered a question
      When "alder" answers question <number>
      Then TB-CMD-004 refuses it at "question"

      Examples:
        | number |
        | 1      |
        | 2      |

    @TB-CMD-003
    Scenario: Nobody answers for another agent
      Given a posted want
      And "alder" is a finalist who was asked a question
      When "birch" answers the question put to "alder"
      Then TB-CMD-003 refuses it at "by"

  Rule: TB-BID-011 The person chooses one or none

    @TB-BID-011
    Scenario: A second pick is refused while the first stands
      Given a posted want with 4 bids
      And the person has chosen the first of them
      When the person chooses the second of them
      Then TB-BID-011 refuses it at "proposal"

    @TB-BID-011
    Scenario: After a declined deal another proposal is picked
      Given a posted want with 4 bids
      And the person has chosen the first of them
      And its deal was proposed and declined
      When the person chooses the second of them
      Then it is carried out

    @TB-BID-011
    Scenario: While a deal is on the table there is no second pick
      Given a posted want with 4 bids
      And the person has chosen the first of them
      And its deal was proposed
      When the person chooses the second of them
      Then TB-BID-011 refuses it at "proposal"

    @TB-BID-011
    Scenario: A person can close the want without choosing
      Given a posted want with 4 bids
      When the person closes the want without choosing
      Then it is carried out
      When the person chooses the second of them
      Then TB-BID-011 refuses it at "target"

    @TB-BID-011
    Scenario: Choosing needs no shortlist, and choosing again changes nothing
      Given a posted want with 4 bids
      When the person chooses the second of them
      Then it is carried out
      When the person chooses the second of them
      Then nothing new is on the ledger

  Rule: TB-BID-013 Part of the priority fee goes to the chosen agent

    @TB-BID-013
    Scenario Outline: An acceptance gift is ledgered and stays out of cost to the person
      Given a posted want whose poster bought priority for <fee> cents
      When the deal of "alder" on it is signed
      Then an acceptance gift of <gift> cents goes to "alder"
      And the money of the deal holds nothing of it

      Examples:
        | fee  | gift |
        | 1000 | 500  |
        | 1001 | 500  |

    @TB-BID-013
    Scenario Outline: Where half the fee is no whole cent there is no gift
      Given a posted want whose poster bought priority for <fee> cents
      When the deal of "alder" on it is signed
      Then there is no acceptance gift

      Examples:
        | fee |
        | 1   |

    @TB-BID-013
    Scenario: Without a fee there is no gift
      Given a posted want
      When the deal of "alder" on it is signed
      Then there is no acceptance gift

  Rule: TB-BID-015 One proposal an agent and target

    @TB-BID-015
    Scenario: A second proposal by the same agent on one target is refused
      Given a posted want
      And "alder" has bid on it
      When "alder" bids on it
      Then TB-BID-015 refuses it at "target"

    @TB-BID-015
    Scenario: A newer proposal supersedes the older one
      Given a posted want
      And "alder" has bid on it
      When "alder" bids on it, superseding its bid
      Then it is carried out
      And one proposal of "alder" stands and one is superseded

    @TB-BID-015
    Scenario: A finalist's proposal stands as it was judged
      Given a posted want
      And "alder" is a finalist who was asked a question
      When "alder" bids on it, superseding its bid
      Then TB-BID-015 refuses it at "supersedes"

    @TB-BID-015
    Scenario: A withdrawn agent does not come back to the same want
      Given a posted want
      And "alder" has bid on it
      And "alder" has withdrawn its bid
      When "alder" bids on it
      Then TB-BID-015 refuses it at "target"

    @TB-BID-015
    Scenario: The agent of a signed deal cannot withdraw its proposal
      Given a posted want
      And "alder" is a finalist, then its deal is signed
      When "alder" withdraws its bid
      Then TB-BID-015 refuses it at "proposal"

    @TB-CMD-003
    Scenario: Nobody supersedes or withdraws the proposal of another agent
      Given a posted want
      And "alder" has bid on it
      When "birch" bids on it, superseding the bid of "alder"
      Then TB-CMD-003 refuses it at "by"

    @TB-CMD-004
    Scenario: A proposal that was withdrawn cannot be chosen
      Given a posted want
      And "alder" has bid on it
      And "alder" has withdrawn its bid
      When the person chooses "alder"
      Then TB-CMD-004 refuses it at "proposal"

  Rule: TB-BID-012 Priority upgrade is the poster's option

    @TB-BID-012
    Scenario: A priority upgrade is recorded before any deal exists
      Given a posted want of "Ada"
      When the poster buys priority for 500 cents
      Then it is carried out
      And a fee line of 500 cents stands on the want and on no deal

    @TB-BID-012
    Scenario Outline: A fee is at least one cent
      Given a posted want of "Ada"
      When the poster buys priority for <cents> cents
      Then <result>

      Examples:
        | cents | result                                  |
        | -1    | TB-BID-012 refuses it at "fee_cents"    |
        | 0     | TB-BID-012 refuses it at "fee_cents"    |
        | 1     | it is carried out                       |

    @TB-BID-012
    Scenario: There is no priority for a want that is not on the board
      Given a reviewed want of "Ada"
      When the poster buys priority for 500 cents
      Then TB-BID-012 refuses it at "target"

    @TB-BID-012
    Scenario: There is no priority once a deal exists
      Given a posted want of "Ada"
      And "alder" proposed a deal on the want
      When the poster buys priority for 500 cents
      Then TB-BID-012 refuses it at "target"
