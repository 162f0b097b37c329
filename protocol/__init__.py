"""Authority and formats: canonical bytes, instants, commitments, signatures, refusals, envelopes and editions.

The lowest layer. It imports nothing else of the project and does no I/O beyond reading its own package data, so a
stranger can check a published log with this folder alone.
"""
