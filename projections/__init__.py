"""Pure folds from ledgered events to read models, and the exact statistics of the board.

A projection reads no clock and decides nothing: the same log gives the same bytes. Imports the layers below only.
"""
