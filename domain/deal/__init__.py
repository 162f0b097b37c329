"""Deal: one attempt on a target, from the proposed card to its terminal state, with its money, clock and integrity.

Source: paper, sections 2.2 (Execution, Evaluation signal), 2.3 (Time, Cost) and 4 (The deal, Milestone reviews).
"""
