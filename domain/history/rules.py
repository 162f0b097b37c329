"""What an import must hold to."""

from __future__ import annotations

from ...rules.evaluators import Judgement, guard, requires
from ..world import Case
from .state import History

requires("TB-AUDIT-006", event="attempt.imported", field="columns")


@guard("TB-LEDGER-010", on="attempt.imported")
def rows_come_once_and_in_order(case: Case) -> Judgement:
    """TB-LEDGER-010: a row of a file is ledgered once, in the order of the file."""
    last = case.state.last_row if isinstance(case.state, History) else 1
    if case.data["row"] <= last:
        return case.finding(
            "rows",
            f"row {case.data['row']} of this file does not come after row {last}",
            "send the rows in order, once",
        )
    return None
