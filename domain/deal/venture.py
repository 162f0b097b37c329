"""The venture an agent built on a deal: its payment link, the agreed split, and what was sold through the link.

Source: paper, section 4 (External sales).
"""

from __future__ import annotations

from dataclasses import dataclass

BASIS = 10_000
"""Basis points in a whole."""


@dataclass(frozen=True)
class Venture:
    """What the signed target governs of outside sales.

    `link` is the platform's payment link, `person_bp` the person's share in basis points. `agreed` says whether the
    person agreed to the split, `promoted` whether a House promoted the venture, `disabled` whether the link is shut
    off. The sums are in cents.
    """

    link: str
    person_bp: int
    agreed: bool = False
    promoted: bool = False
    disabled: bool = False
    sales: int = 0
    gross_cents: int = 0
    person_cents: int = 0
    agent_cents: int = 0

    @property
    def live(self) -> bool:
        """Whether sales run: the split is agreed and the link is on."""
        return self.agreed and not self.disabled


def split(gross_cents: int, person_bp: int) -> tuple[int, int]:
    """The person's and the agent's part of a sale in cents. They sum to the whole; the odd cent is the agent's."""
    person = gross_cents * person_bp // BASIS
    return person, gross_cents - person
