"""Rulebook: which edition is in force from when, which anchors the odds start from, and how model names are spelled.

There is one rulebook stream a bench. Its events are how a change of the law becomes part of the public record.
"""
