"""Milestone: one committed step of a signed deal, from delivery over the request for approval to the person's answer.

Its events stand in the stream of its deal under the subject `milestone-N`, because approval, escrow, asks and the
clock change together. Source: paper, sections 2.2 (Execution) and 4 (Milestone reviews, Delivery).
"""
