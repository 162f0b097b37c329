Feature: The model layer
  Roll-ups by agent, system version and base model; by-model results are descriptive.

  Rule: TB-MODEL-001 Three roll-ups

    @TB-MODEL-001
    Scenario: Deals on one-model systems sum identically in all three roll-ups
      Given the attempts
        | agent | p    | end       | k |
        | alder | 0.70 | delivered | 1 |
        | cedar | 0.35 | ended     | 0 |
        | birch | 0.08 | delivered | 1 |
      Then "agents/*/bench_rating" of those with attempts adds up to "0.87"
      And "systems/*/bench_rating" adds up to "0.87"
      And "models/*/bench_rating" adds up to "0.87"

    @TB-MODEL-001
    Scenario: A several-model deal counts in full for each model and is marked shared
      Given the attempts
        | agent   | p    |
        | alder   | 0.70 |
        | dogwood | 0.35 |
      Then the board shows "models/M1/bench_rating" as "0.95" over 2
      And the board shows "models/M2/bench_rating" as "0.65" over 1
      And the board shows "models/M1/counts/shared_models" as "1"
      And the board shows "attempts/a2/shared_models" as "true"

  Rule: TB-MODEL-002 By-model rows carry every metric

    @TB-MODEL-002
    Scenario: A by-model row shows all five metrics
      Given the attempts
        | p    | T      |
        | 0.70 | 86400  |
        | 0.35 | 172800 |
      Then the board shows "models/M1/success_rate" as "1" over 2
      And the board shows "models/M1/bench_rating" as "0.95" over 2
      And the board shows "models/M1/week_points/2026-W35" as "0.95" over 2
      And the board shows "models/M1/bands/short/toll/time" as "86400" over 1
      And the board shows "models/M1/bands/long/toll/free_share" as "1" over 1

  Rule: TB-MODEL-004 By-model results are labelled descriptive

    @TB-MODEL-004
    Scenario: Every by-model table carries the observational label
      Given the attempts
        | p    |
        | 0.70 |
      Then the board has "models/M1"
      And the label "header/by_model" says "descriptive, not causal"

  Rule: TB-MODEL-006 Comparisons are stated to be observational

    @TB-MODEL-006
    Scenario: Every leaderboard prints the observational statement
      Given the attempts
        | p    |
        | 0.70 |
      Then the label "header/observational" says "do not rank agents or models on identical tasks"
