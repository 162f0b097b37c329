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
    kind: Literal["guard"] = "guard"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A rule that demands a record: the event type, or one field of it, that must be on the ledger."""

    rule: str
    event: str
    field: str | None
    private: bool = False
    kind: Literal["requirement"] = "requirement"


@dataclass(frozen=True, slots=True)
class Computation:
    """A rule that derives a quantity; `neutral` stands in for the result while the rule is switched off."""

    rule: str
    function: Callable[..., Any]
    neutral: Any
    private: bool = False
    kind: Literal["computed"] = "computed"


Evaluator = Guard | Requirement | Computation


@dataclass(slots=True)
class Registry:
    """All evaluators, by rule id and by the event types they concern. One evaluator a rule."""

    by_rule: dict[str, Evaluator] = field(default_factory=dict)
    _guards: dict[str, list[Guard]] = field(default_factory=dict)
    _requirements: dict[str, list[Requirement]] = field(default_factory=dict)

    def add(self, evaluator: Evaluator) -> None:
        """Enter an evaluator; a second one for the same rule is a programming error (`ValueError`)."""
        if evaluator.rule in self.by_rule:
            raise ValueError(f"{evaluator.rule} has two evaluators; a rule has exactly one")
        self.by_rule[evaluator.rule] = evaluator
        if isinstance(evaluator, Guard):
            for event_type in evaluator.on:
                self._guards.setdefault(event_type, []).append(evaluator)
        elif isinstance(evaluator, Requirement):
            self._requirements.setdefault(evaluator.event, []).append(evaluator)

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

    def register(judge: Callable[[Any], Judgement]) -> Callable[[Any], Judgement]:
        _registry.add(Guard(rule, (on,) if isinstance(on, str) else on, private, judge))
        return judge

    return register


def requires(rule: str, *, event: str, field: str | None = None) -> None:
    """Register the rule as demanding the event type (`"*"`: every event), or one field of its data."""
    _registry.add(Requirement(rule, event, field))


def computes(
    rule: str, *, neutral: Any
) -> Callable[[Callable[Concatenate[Any, P], T]], Callable[Concatenate[Law, P], T]]:
    """Register the decorated `f(params, …)` as the computation of a rule.

    It is called as `f(law, …)`: the law supplies the rule's parameters under the edition that governs, and notes the
    citation. While the rule is switched off, or not in force under that law, the call returns `neutral`, or
    `neutral(…)` where that is a function.
    """

    def register(function: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Law, P], T]:
        _registry.add(Computation(rule, function, neutral))

        def off(args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
            result: T = neutral(*args, **kwargs) if callable(neutral) else neutral
            return result

        @wraps(function)
        def call(law: Law, /, *args: P.args, **kwargs: P.kwargs) -> T:
            if rule in _off.get():
                return off(args, kwargs)
            params = law.apply(rule)
            return off(args, kwargs) if params is None else function(params, *args, **kwargs)

        return call

    return register
