"""Private words about a deal: they go to the vault for the two sides and stewards, the event carries a commitment."""

from __future__ import annotations

from ..world import World
from .state import Deal


def committed(world: World, deal: Deal, kind: str, text: str | None) -> dict[str, str]:
    """The field `<kind>_commitment` for a text, or no field where there is no text."""
    if text is None:
        return {}
    value = world.commit(f"deal.{kind}", {"text": text}, subject=deal.id, readers=deal.readers)
    return {f"{kind}_commitment": value}
