"""What happens to whom: the plan of a season.

The first wants follow a roster that shows everything the protocol knows: each ending, both standards, all bands, late
verification, reversals, findings, reposts, campaigns, resale, sales. The rest are drawn at random, and whether they
are delivered is drawn with their own frozen probability, so that the calibration table has something to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .dice import Dice
from .wishes import LOWERING, RAISING, WISHES, Wish

DELIVERED = "delivered"
FAILURES = (
    "expired",
    "declined_step",
    "declined_finish",
    "ended",
    "lapsed_ask",
    "lapsed_step",
    "walked",
    "stopped",
)
"""Endings of an attempt that is not delivered."""
UNSIGNED = ("closed", "withdrawn", "unwelcome")
"""Endings of a want without an attempt."""
CLASSES = ("proven_path", "first_attempt_project", "venture")
_ROSTER_DAYS, _LAST_START = 51, 58
"""Days over which the starts of the roster are spread, and the last day on which any want starts: later ones would not
end within the season."""
_ANCHORS = {"proven_path": 70, "first_attempt_project": 35, "venture": 8}
_DIAL = 5
_CEILINGS = {"proven_path": (20, 600), "first_attempt_project": (60, 2_500), "venture": (100, 4_000)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One want from intake to its end.

    `day` is when it starts, counted from the start of the season (a follow-up starts when the want before it ended).
    `total` is the ask of the chosen agent in whole dollars, 0 for free. `extras` are the things that happen on the
    way and afterwards. `follow` is the repost or the next campaign stage.
    """

    number: int
    ending: str
    reference_class: str
    wish: Wish
    dials: tuple[str, ...] = ()
    total: int = 0
    day: int = 0
    agent: str | None = None
    late: bool = False
    extras: frozenset[str] = frozenset()
    follow: Plot | None = field(default=None)

    @property
    def name(self) -> str:
        """The name of the want's life."""
        return f"want {self.number}"


@dataclass(frozen=True, slots=True)
class _Part:
    """A line of the roster."""

    ending: str
    reference_class: str
    paid: bool
    extras: str = ""
    wish: int | None = None
    agent: str | None = None
    late: bool = False
    follows: bool = False


_ROSTER = (
    _Part(DELIVERED, "proven_path", True, "rated subsidised asks refusals", wish=0, agent="Alder"),
    _Part(DELIVERED, "proven_path", False, "pulsed rated bid_changes"),
    _Part(DELIVERED, "first_attempt_project", True, "interim sales breach", agent="Birch"),
    _Part("expired", "first_attempt_project", True, "repost"),
    _Part(DELIVERED, "proven_path", False, "engine", follows=True),
    _Part(DELIVERED, "venture", True, "late_verification revised", late=True),
    _Part("lapsed_ask", "first_attempt_project", False, "asks"),
    _Part("walked", "first_attempt_project", True, "changed", agent="Hazel"),
    _Part("stopped", "proven_path", True),
    _Part("declined_step", "proven_path", True),
    _Part("ended", "venture", False, "silent", agent="Hazel"),
    _Part(DELIVERED, "proven_path", True, "confirmed rated"),
    _Part(DELIVERED, "proven_path", True, "partial_refund priority resale", wish=0, agent="Alder"),
    _Part(DELIVERED, "first_attempt_project", True, "full_refund"),
    _Part(DELIVERED, "proven_path", True, "chargeback on_the_dot"),
    _Part(DELIVERED, "proven_path", False, "cleared campaign"),
    _Part(DELIVERED, "first_attempt_project", True, "unsettled", follows=True),
    _Part("lapsed_step", "proven_path", True, "by_hand"),
    _Part("expired", "venture", False, "by_hand"),
    _Part("declined_finish", "first_attempt_project", False, "second_try erased"),
    _Part("closed", "proven_path", False),
    _Part("withdrawn", "first_attempt_project", True),
    _Part("unwelcome", "venture", False),
    _Part(DELIVERED, "first_attempt_project", True, "declined_deal screened finding"),
)


def plots(seed: int, targets: int) -> list[Plot]:
    """The plan of a season with exactly so many wants, follow-ups included, in the order of their numbers."""
    made: list[Plot] = []
    for number in range(1, targets + 1):
        dice = Dice(seed, f"plot {number}")
        part = _ROSTER[number - 1] if number <= len(_ROSTER) else None
        plot = _drawn(dice, number) if part is None else _of_roster(dice, number, part)
        follows = _may_follow(dice, made[-1]) if part is None else part.follows
        if follows:
            made[-1] = _with_follow(made[-1], plot)
        else:
            made.append(plot)
    return made


def _may_follow(dice: Dice, before: Plot) -> bool:
    """Whether a drawn want comes as the repost or the next stage of the want before it."""
    ready = before.number > len(_ROSTER) and before.follow is None and before.day <= _LAST_START // 2
    return dice.chance(12) and ready and before.ending not in (*UNSIGNED, "stopped") and "erased" not in before.extras


def _with_follow(before: Plot, plot: Plot) -> Plot:
    """The want with its follow-up; a repost is the same want again."""
    again = before.ending != DELIVERED
    return replace(before, follow=replace(plot, wish=before.wish) if again else plot)


def _of_roster(dice: Dice, number: int, part: _Part) -> Plot:
    wishes = WISHES[part.reference_class]
    return Plot(
        number=number,
        ending=part.ending,
        reference_class=part.reference_class,
        wish=dice.pick(wishes) if part.wish is None else wishes[part.wish],
        dials=tuple(_dials(dice)),
        total=_total(dice, part.reference_class) if part.paid else 0,
        day=1 + number * _ROSTER_DAYS // len(_ROSTER),
        agent=part.agent,
        late=part.late,
        extras=frozenset(part.extras.split()),
    )


def _drawn(dice: Dice, number: int) -> Plot:
    reference_class = dice.pick((*CLASSES[:1] * 5, *CLASSES[1:2] * 4, *CLASSES[2:] * 2))
    dials = tuple(_dials(dice))
    percent = _percent(reference_class, dials)
    ending = DELIVERED if dice.chance(percent) else dice.pick((*FAILURES[:6] * 2, *FAILURES[6:]))
    if dice.chance(6):
        ending = dice.pick(UNSIGNED)
    total = _total(dice, reference_class) if dice.chance(55) else 0
    return Plot(
        number=number,
        ending=ending,
        reference_class=reference_class,
        wish=dice.pick(WISHES[reference_class]),
        dials=dials,
        total=total,
        day=dice.between(1, _LAST_START),
        late=dice.chance(12),
        extras=frozenset(_extras(dice, ending, total > 0)),
    )


def _dials(dice: Dice) -> list[str]:
    return dice.some(RAISING, dice.below(3)) + dice.some(LOWERING[1:], dice.below(2))


def _percent(reference_class: str, dials: tuple[str, ...]) -> int:
    turned = sum(_DIAL if dial in RAISING else -_DIAL for dial in dials)
    return min(90, max(2, _ANCHORS[reference_class] + turned))


def _total(dice: Dice, reference_class: str) -> int:
    return dice.between(*_CEILINGS[reference_class])


_ODDS = {
    "asks": 30,
    "revised": 20,
    "rated": 60,
    "subsidised": 40,
    "interim": 10,
    "pulsed": 8,
    "bid_changes": 25,
    "priority": 8,
    "resale": 25,
    "declined_deal": 8,
    "changed": 4,
    "silent": 4,
    "second_try": 50,
    "erased": 5,
}
"""How often, in a hundred wants, something happens on the way."""
_SLOW = ("silent", "changed")
"""What does not fit into the short deals that have pulses."""
_AFTER_DELIVERY = (
    "partial_refund",
    "full_refund",
    "chargeback",
    "cleared",
    "confirmed",
    "screened",
    "finding",
    "unsettled",
    "late_verification",
    "sales",
    "engine",
)


def _extras(dice: Dice, ending: str, paid: bool) -> Iterator[str]:
    if "pulsed" in (drawn := [extra for extra, percent in _ODDS.items() if dice.chance(percent)]):
        drawn = [extra for extra in drawn if extra not in _SLOW]
    yield from drawn
    if ending == DELIVERED and dice.chance(25):
        extra = dice.pick(_AFTER_DELIVERY)
        if extra == "sales" and dice.chance(40):
            yield "breach"
        if extra != "engine" or not paid:
            yield extra
