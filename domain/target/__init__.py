"""Target: one want from intake to its pick, with its card, its frozen odds, its proposals and its lineage.

A want passes three stages before it is public (paper, 2.1): intake, refinement, steward review. Until it is posted its
texts lie in the vault and the ledger holds commitments; posting publishes the card and freezes the probability.
"""
