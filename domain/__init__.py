"""Pure deciders, one folder an aggregate, with the evaluators of its rules beside them.

No I/O and no wall clock: time and entropy arrive with the command. Imports `protocol` and `rules`.
"""
