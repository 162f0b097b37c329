"""Rules that judge changes of the rulebook."""

from __future__ import annotations

from ...protocol.edition import EditionError
from ...rules.evaluators import Judgement, guard, requires
from ..world import Case
from .state import Rulebook

requires("TB-CAL-006", event="odds.anchor.changed")


@guard("TB-GOV-019", on="rulebook.edition.enacted")
def enacted_once_by_its_hash(case: Case) -> Judgement:
    """TB-GOV-019: what is enacted is a published edition with its hash, once, and never for the past."""
    version, found = case.data["version"], []
    try:
        known = case.law.shelf.get(version).hash
    except EditionError as error:
        return case.finding("version", str(error), "publish the edition first, or name one that is published")
    if known != case.data["hash"]:
        found.append(case.finding("hash", f"edition {version} has hash {known}", "give the hash of the edition meant"))
    rulebook = case.state or Rulebook()
    if any(edition.version == version for edition in rulebook.editions):
        found.append(case.finding("version", f"edition {version} is enacted already", "enact the next version"))
    if case.data["effective"] < case.at:
        found.append(
            case.finding(
                "effective",
                f"{case.data['effective']} is past; what happened then was judged by the edition in force then",
                "give an instant from now on, or none for at once",
            )
        )
    return found


@guard("TB-MODEL-007", on="model.alias.recorded")
def one_canonical_id_for_a_name(case: Case) -> Judgement:
    """TB-MODEL-007: a declared name has one canonical id, and a canonical id is no alias of another."""
    declared, canonical, found = case.data["declared"], case.data["canonical"], []
    rulebook = case.state or Rulebook()
    aliases = {**case.law.params("TB-MODEL-003")["aliases"], **rulebook.aliases}
    if aliases.get(declared, canonical) != canonical:
        found.append(
            case.finding("declared", f"{declared} stands for {aliases[declared]} already", "keep the id that stands")
        )
    if canonical in aliases:
        found.append(
            case.finding(
                "canonical", f"{canonical} is itself an alias of {aliases[canonical]}", f"name {aliases[canonical]}"
            )
        )
    if declared in aliases.values() or declared == canonical:
        found.append(
            case.finding("declared", f"{declared} is a canonical id already", "an id stands for itself without alias")
        )
    return found
