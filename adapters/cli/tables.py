"""The board as tables for a terminal: weeks, seasons, Toll per band, calibration.

Nothing is computed here. Figures come from the board document, where they are exact; a fraction is shown with three
decimals, money with two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.table import Table

from .output import cell, table

Document = Mapping[str, Any]
WEEKS_SHOWN = 13
PLACES_SHOWN = 20
DASH = "-"
_CROWN = "champion"
_LEGEND = "champion: as awarded when the week was closed; ranks and figures are those of now"


def board_tables(document: Document, weeks: int = WEEKS_SHOWN) -> Iterator[Table]:
    """Every table of a board, those of its historic part last and marked as such. The last `weeks` weeks are shown."""
    yield from _tables(document, weeks, "")
    historic = document.get("historic")
    if historic:
        yield from _tables(historic, weeks, "Historic: ")


def _tables(document: Document, weeks: int, mark: str) -> Iterator[Table]:
    if document["weeks"]:
        yield weekly_table(document["weeks"][-weeks:], mark)
    for season in document["seasons"]:
        yield season_table(season, mark)
    overall = document["overall"]  # None where the ledger holds no attempt of this origin
    if overall is not None:
        yield toll_table(overall["bands"], mark)
    quarters = [quarter for quarter in document["quarters"] if quarter.get("calibration")]
    for quarter in quarters:
        yield calibration_table(quarter["calibration"], f"{mark}Calibration, quarter {quarter['quarter']}")
    if overall is not None and not quarters:
        gaps = {name: band.get("gap") for name, band in overall["bands"].items()}
        yield calibration_table(gaps, f"{mark}Calibration, all attempts so far")


def weekly_table(weeks: Sequence[Document], mark: str = "") -> Table:
    """Who stands where in each week, and who was crowned when it was closed, or leads while it is open.

    A crown stays as it was awarded; where it would go to somebody else now, its place says so. An agent that was
    crowned and has no place shown now, for its attempts no longer count, gets a line of its own.
    """
    columns = ["week", "rank", "agent", "points", "n", "delivered", "agent days", "crown"]
    made = table(f"{mark}Weekly tables", columns, [], right=columns[3:7])
    for week in weeks:
        rows = list(_week_rows(week))
        for number, row in enumerate(rows, 1):
            made.add_row(*map(cell, (week["week"], *row)), end_section=number == len(rows))
    if any((week.get("crown") or {}).get("awarded") for week in weeks):
        made.caption = _LEGEND
    return made


def _week_rows(week: Document) -> Iterator[tuple[str, ...]]:
    """The lines of one week, without its name."""
    crowns = _crowns(week.get("crown") or {})
    shown = week["table"][:PLACES_SHOWN]
    for place in shown:
        yield (*_place(place), crowns.pop(place["agent"], ("", ""))[1])
    if more := week.get("places", len(week["table"])) - len(shown):
        yield (DASH, f"and {more} more", *(DASH for _ in range(5)))
    for name, crown in crowns.values():
        yield (DASH, name, *(DASH for _ in range(4)), crown)
    if not shown and not crowns:
        yield (DASH,) * 7


def _crowns(crown: Document) -> dict[str, tuple[str, str]]:
    """Agent -> its name, and what the table says of its crown. An agent that merely leads now says so."""
    leaders = crown.get("now", crown)
    leads = dict(zip(leaders.get("champions", ()), leaders.get("names", ()), strict=True))
    if not crown.get("awarded"):
        return {agent: (name, "leads") for agent, name in leads.items()}
    crowned = dict(zip(crown["champions"], crown["names"], strict=True))
    moved = f"{_CROWN} (as closed; now {', '.join(leads.values()) or 'nobody'})"
    found = {agent: (name, "leads now") for agent, name in leads.items()}
    return found | {agent: (name, _CROWN if agent in leads else moved) for agent, name in crowned.items()}


def season_table(season: Document, mark: str = "") -> Table:
    """The sum of a season's weeks by agent."""
    columns = ["rank", "agent", "points", "n", "delivered", "agent days", "interval of points"]
    state = "" if season["closed"] else ", not closed yet"
    shown = season["table"][:PLACES_SHOWN]
    rows = [(*_place(place), interval(place["points"])) for place in shown]
    if more := season.get("places", len(season["table"])) - len(shown):
        rows.append((DASH, f"and {more} more", *(DASH for _ in columns[2:])))
    return table(f"{mark}Season {season['season']}{state}", columns, rows, right=columns[2:6])


def _place(place: Document) -> tuple[str, ...]:
    points, time = place["points"], place["time"]
    return (
        str(place["rank"]),
        str(place["name"]),
        signed(points["value"]),
        str(points["n"]),
        str(place["successes"]),
        str(time.get("agent_days") or DASH),
    )


def toll_table(bands: Mapping[str, Document], mark: str = "") -> Table:
    """The Toll of each band: median agent time and cost of its crossings, and the share that cost nothing."""
    columns = ["band", "crossings", "agent days", "cost", "free share", "success rate", "n"]
    rows = []
    for name, band in bands.items():
        toll = band.get("toll") or {}
        rows.append(
            (
                name,
                toll.get("crossings", 0),
                (toll.get("time") or {}).get("agent_days"),
                dollars((toll.get("cost") or {}).get("value")),
                decimal((toll.get("free_share") or {}).get("value")),
                decimal(band["success_rate"]["value"]),
                band["success_rate"]["n"],
            )
        )
    return table(f"{mark}Toll per band (medians over crossings)", columns, rows, right=columns[1:])


def calibration_table(gaps: Mapping[str, Any], title: str) -> Table:
    """The calibration gap G of each band with its interval, and whether it can be read yet."""
    columns = ["band", "G", "interval", "n", "reading"]
    rows = []
    for name, gap in gaps.items():
        if gap:
            reading = "official" if gap.get("official_reading") else gap.get("mark")
            rows.append((name, signed(decimal(gap["value"])), interval(gap), gap["n"], reading))
    return table(title, columns, rows, right=["G", "n"])


def decimal(value: str | None) -> str | None:
    """An exact number with three decimals; None stays None."""
    return None if value is None else f"{float(Fraction(value)):.3f}"


def signed(value: str | None) -> str:
    """A number with its sign; a dash for none."""
    if value is None:
        return DASH
    return value if value.startswith("-") else f"+{value}"


def dollars(cents: str | None) -> str | None:
    """An amount in dollars; None stays None."""
    return None if cents is None else f"${float(Fraction(cents) / 100):,.2f}"


def interval(figure: Document) -> str:
    """The interval of a figure, or a dash where it has none."""
    if figure["low"] is None:
        return DASH
    return f"{decimal(figure['low'])} to {decimal(figure['high'])}"
