"""Period: a week, a season or a quarter, closed once and after its end.

Source: paper, section 5 (ranking, calibration audit); the calendar is ruling A-11.
"""
