"""What people want in the simulated season: a few wants for each reference class of the rubric."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wish:
    """A want with its strata, its finish line and the steps that a plan for it has."""

    category: str
    delivery: str
    want: str
    form: str
    finish: str
    steps: tuple[str, ...]


_DOOR, _CALENDAR, _MONEY = "object_at_door", "booking_on_calendar", "money_in_account"

WISHES: dict[str, tuple[Wish, ...]] = {
    "proven_path": (
        Wish(
            "home",
            "location_dependent",
            "The dripping kitchen tap and the loose cabinet door repaired before my parents visit.",
            _CALENDAR,
            "A plumber's visit stands in my calendar and both repairs are done and dry on the day after.",
            ("Find three plumbers with dates", "Agree price and date", "Confirm the repair"),
        ),
        Wish(
            "purchase",
            "remote",
            "A used upright piano that fits a third-floor stairwell, tuned once it stands.",
            _DOOR,
            "The piano stands in my living room and has been tuned.",
            ("Shortlist five pianos", "Buy one", "Deliver and tune"),
        ),
        Wish(
            "travel",
            "remote",
            "A week by train to the coast for four, with two nights at a farm.",
            _CALENDAR,
            "All tickets and both bookings are in my calendar with confirmation numbers.",
            ("Propose two routes", "Book trains and beds"),
        ),
        Wish(
            "education",
            "remote",
            "A weekly conversation partner in Portuguese, on my level.",
            _CALENDAR,
            "Six sessions with one partner stand in my calendar.",
            ("Find partners", "Hold a first session", "Book six sessions"),
        ),
    ),
    "first_attempt_project": (
        Wish(
            "software",
            "remote",
            "A small web shop for my mother's ceramics, which she can fill by herself.",
            _DOOR,
            "The shop is online, holds twelve pieces, and a test order arrived at our door.",
            ("Sketch the shop", "Put it online", "Enter twelve pieces", "Run a test order"),
        ),
        Wish(
            "creative",
            "remote",
            "My grandfather's letters from 1952 as a printed book with a map.",
            _DOOR,
            "Ten printed copies lie on my table.",
            ("Transcribe the letters", "Draw the map", "Set and print"),
        ),
        Wish(
            "career",
            "remote",
            "Three interviews for a part-time job as a bookkeeper near my town.",
            _CALENDAR,
            "Three interviews with different employers stand in my calendar.",
            ("Rewrite the application", "Write to twenty employers", "Fix the dates"),
        ),
        Wish(
            "event",
            "location_dependent",
            "A street party for forty neighbours with permit, music and a long table.",
            _CALENDAR,
            "The permit is granted and the band has confirmed the date.",
            ("Apply for the permit", "Book the band", "Collect tables", "Invite the street"),
        ),
    ),
    "venture": (
        Wish(
            "income",
            "remote",
            "Three hundred a month from recorded guitar lessons that I made years ago.",
            _MONEY,
            "Three hundred arrived in my account from lessons sold in one month.",
            ("Prepare the lessons", "Open a storefront", "Bring the first ten buyers"),
        ),
        Wish(
            "business",
            "location_dependent",
            "A breakfast stall at the station that pays for itself within weeks.",
            _MONEY,
            "The takings of one week exceed its costs, in my account.",
            ("Find the pitch", "Equip the stall", "Run two weeks", "Settle the books"),
        ),
        Wish(
            "health",
            "remote",
            "A place in the spring research programme for my daughter's rare illness.",
            _CALENDAR,
            "The admission appointment stands in our calendar.",
            ("Gather the records", "Write to the centres", "Follow up"),
        ),
    ),
}
"""Wants by reference class."""

RAISING = ("budget_meets_typical_cost", "proven_workflow_with_receipt", "same_day_approvals", "short_dependency_chain")
LOWERING = ("budget_below_typical_cost", "free_lane_engine_from_zero", "no_timeline_slack", "third_party_consent")
TERMS = ("consent", "eligibility", "privacy", "ownership", "payment", "data_retention", "withdrawal")
CRITERIA = ("legitimate", "actionable", "verifiable")
REGIONS = ("Ostrava", "Porto", "Lagos", "Leeds", "Quito", "Tampere", "Pune", "Turin")
