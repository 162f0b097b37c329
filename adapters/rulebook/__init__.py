"""Rulebook tools that need the code or a ledger: proofs, traces, recounts and the exported site."""
