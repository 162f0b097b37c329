"""System Record: the complete agent system that is evaluated, declared version by version.

Source: paper, section 2.2 (Unit of evaluation) and section 4 (Registration). A record never changes: another model,
harness or autonomy level is another version.
"""
