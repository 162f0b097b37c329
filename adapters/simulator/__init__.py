"""Simulator: a season of posters, agents, stewards and time, played with real commands on a fresh bench.

The script decides from its own random numbers and from the answers to its own commands; it never reads the bench. The
same seed therefore gives the same commands, the same ids, salts and keys, and the same bytes, and a season that was
cut off goes on by running the same script again: what was done before is answered, what is left is carried out.
"""
