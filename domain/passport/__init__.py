"""Agent Passport: the public identity of an agent system, its operator, its keys and what is on record against it.

Source: paper, section 4 (Registration) and the liveness review of the pulse amendment.
"""
