"""One registry of evaluators, keyed by stable rule id.

An evaluator is how the code enforces a rule of the registry. There are three kinds:

* a *guard* judges a proposed event against the state before it and finds what the rule forbids;
* a *requirement* says that an event (or a field of it) must be written;
* a *computation* derives a quantity, such as the frozen probability or the Bench rating.

Every evaluator can be switched off, which is how the project proves that a scenario really tests its rule: a guard
that is off finds nothing, a requirement that is off leaves its event or field out, a computation that is off returns
its declared neutral value.

A guard is *public* when anyone can re-run it from the log, *private* when it needs facts of the vault or of the
private indexes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from .law import Law

P = ParamSpec("P")
T = TypeVar("T")

ANY = "*"
"""A guard registered on this event type judges every event."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a guard found wrong: the field (dotted path in the command), what is the matter, and how to mend it."""

    field: str
    detail: str
    fix: str


Judgement = Finding | Iterable[Finding] | None


@dataclass(frozen=True, slots=True)
class Guard:
    """A rule that refuses: `judge(case)` returns nothing, one finding or several."""

    rule: str
    on: tuple[str, ...]
    private: bool
    judge: Callable[[Any], Judgement]
    upto: int | None = None
    kind: Literal["guard"] = "guard"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A rule that demands a record: the event type, or one field of it, that must be on the ledger."""

    rule: str
    event: str
    field: str | None
    private: bool = False
    upto: int | None = None
    kind: Literal["requirement"] = "requirement"


@dataclass(frozen=True, slots=True)
class Computation:
    """A rule that derives a quantity; `neutral` stands in for the result while the rule is switched off."""

    rule: str
    function: Callable[..., Any]
    neutral: Any
    private: bool = False
    upto: int | None = None
    kind: Literal["computed"] = "computed"


Evaluator = Guard | Requirement | Computation


@dataclass(slots=True)
class Registry:
    """All evaluators, by rule id and by the event types they concern.

    `by_rule` has the one evaluator of each rule as it stands now. Where a rule was reworded and attempts still pin the
    older wording, its older evaluator stays beside it, registered as `"<ID>~N"`: it speaks for revisions up to N.
    """

    by_rule: dict[str, Evaluator] = field(default_factory=dict)
    earlier: dict[str, dict[int, Evaluator]] = field(default_factory=dict)
    _guards: dict[str, list[Guard]] = field(default_factory=dict)
    _requirements: dict[str, list[Requirement]] = field(default_factory=dict)

    def add(self, evaluator: Evaluator) -> None:
        """Enter an evaluator; a second one for the same rule, or revision, is a programming error (`ValueError`)."""
        if evaluator.upto is not None:
            known = self.earlier.setdefault(evaluator.rule, {})
            if evaluator.upto in known:
                raise ValueError(f"{evaluator.rule}~{evaluator.upto} has two evaluators")
            self.earlier[evaluator.rule] = dict(sorted({**known, evaluator.upto: evaluator}.items()))
        elif evaluator.rule in self.by_rule:
            raise ValueError(f"{evaluator.rule} has two evaluators; a rule has exactly one")
        else:
            self.by_rule[evaluator.rule] = evaluator
        if isinstance(evaluator, Guard):
            for event_type in evaluator.on:
                self._guards.setdefault(event_type, []).append(evaluator)
        elif isinstance(evaluator, Requirement):
            self._requirements.setdefault(evaluator.event, []).append(evaluator)

    def speaker(self, rule: str, rev: int) -> Evaluator | None:
        """The evaluator that speaks for this revision of the rule: the oldest one that reaches it, or the present."""
        for upto, evaluator in self.earlier.get(rule, {}).items():
            if rev <= upto:
                return evaluator
        return self.by_rule.get(rule)

    def speaks(self, evaluator: Evaluator, law: Law) -> bool:
        """Whether the evaluator is the one for the revision of its rule that governs under this law."""
        if evaluator.rule not in self.earlier:
            return True
        return self.speaker(evaluator.rule, law.entry(evaluator.rule).rev) is evaluator

    def guards_on(self, event_type: str, *, include_any: bool = True) -> Iterator[Guard]:
        """The guards that judge events of this type and are not switched off, in order of registration."""
        off = _off.get()
        every = self._guards.get(ANY, ()) if include_any else ()
        for guard_ in (*every, *self._guards.get(event_type, ())):
            if guard_.rule not in off:
                yield guard_

    def requirements_on(self, event_type: str) -> Iterator[Requirement]:
        """The requirements that this event type fulfils, switched off or not."""
        yield from self._requirements.get(ANY, ())
        yield from self._requirements.get(event_type, ())


def _revised(text: str) -> tuple[str, int | None]:
    """The rule and, of an evaluator kept for older revisions (`"<ID>~N"`), the last revision it speaks for."""
    rule, _, upto = text.partition("~")
    return rule, int(upto) if upto else None


_registry = Registry()
_off: ContextVar[frozenset[str]] = ContextVar("rules_switched_off", default=frozenset())


def registry() -> Registry:
    """The one registry of evaluators of this process."""
    return _registry


def is_off(rule: str) -> bool:
    """Whether the rule is switched off in the current context."""
    return rule in _off.get()


def any_off() -> bool:
    """Whether any rule is switched off: a proof is running."""
    return bool(_off.get())


@contextmanager
def switched_off(*rules: str) -> Iterator[None]:
    """Switch the evaluators of these rules off for the duration of the block (proofs and tests only)."""
    token = _off.set(_off.get() | frozenset(rules))
    try:
        yield
    finally:
        _off.reset(token)


def guard(
    rule: str, *, on: str | tuple[str, ...], private: bool = False
) -> Callable[[Callable[[Any], Judgement]], Callable[[Any], Judgement]]:
    """Register the decorated function as the guard of a rule on one or several event types (`"*"`: on all)."""
    id, upto = _revised(rule)

    def register(judge: Callable[[Any], Judgement]) -> Callable[[Any], Judgement]:
        _registry.add(Guard(id, (on,) if isinstance(on, str) else on, private, judge, upto))
        return judge

    return register


def requires(rule: str, *, event: str, field: str | None = None) -> None:
    """Register the rule as demanding the event type (`"*"`: every event), or one field of its data."""
    id, upto = _revised(rule)
    _registry.add(Requirement(id, event, field, upto=upto))


def computes(
    rule: str, *, neutral: Any
) -> Callable[[Callable[Concatenate[Any, P], T]], Callable[Concatenate[Law, P], T]]:
    """Register the decorated `f(params, …)` as the computation of a rule.

    It is called as `f(law, …)`: the law supplies the rule's parameters under the edition that governs, and notes the
    citation. While the rule is switched off, or not in force under that law, the call returns `neutral`, or
    `neutral(…)` where that is a function. Whichever revision of the rule governs, its own function is the one that
    runs: calls go to the present one, and it finds the older.
    """
    id, upto = _revised(rule)

    def register(function: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Law, P], T]:
        _registry.add(Computation(id, function, neutral, upto=upto))

        def off(args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
            result: T = neutral(*args, **kwargs) if callable(neutral) else neutral
            return result

        @wraps(function)
        def call(law: Law, /, *args: P.args, **kwargs: P.kwargs) -> T:
            if id in _off.get():
                return off(args, kwargs)
            params = law.apply(id)
            if params is None:
                return off(args, kwargs)
            if id in _registry.earlier:
                speaker = _registry.speaker(id, law.entry(id).rev)
                if isinstance(speaker, Computation):
                    result: T = speaker.function(params, *args, **kwargs)
                    return result
            return function(params, *args, **kwargs)

        return call

    return register
