"""Person: posters, operators and stewards, with their keys, their verification and their attestations.

The public record knows a person by a pseudonymous id only (paper, privacy system; TB-PRIV-001, TB-PRIV-002): name and
contact lie in the vault behind one commitment.
"""
