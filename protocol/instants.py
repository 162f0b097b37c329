"""Instants: points in time as text, as aware UTC datetimes and as whole microseconds since 1970-01-01T00:00:00Z.

The one written form is `YYYY-MM-DDTHH:MM:SS.ffffffZ` (RFC 3339 with six digits and `Z`), so instants sort as text.
Read is any RFC 3339 instant with an offset. An instant without an offset is refused (ruling A-56), and so are leap
seconds and more than six digits of fraction, which a datetime could only hold by rounding.
"""

import re
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(?P<offset>[Zz]|[+-][0-9]{2}:[0-9]{2})?"
)
_DAY_MICROS = 86_400_000_000


class InstantError(ValueError):
    """The text or datetime is no aware instant of the kind this module reads."""


def parse(text: str) -> datetime:
    """Read an RFC 3339 instant and return it as an aware datetime in UTC; `InstantError` where it is none."""
    shape = _INSTANT.fullmatch(text)
    if shape is None:
        raise InstantError(f"{text!r} is no instant like 2026-08-24T00:00:00Z (at most six digits of fraction)")
    if shape["offset"] is None:
        raise InstantError(f"{text!r} names no offset from UTC; write Z or +HH:MM")
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InstantError(f"{text!r} is no instant: {error}") from None


def text(moment: datetime) -> str:
    """Write an aware datetime as `YYYY-MM-DDTHH:MM:SS.ffffffZ`; `InstantError` for a naive one."""
    return _utc(moment).isoformat(timespec="microseconds")[:-6] + "Z"


def micros(moment: str | datetime) -> int:
    """Whole microseconds from 1970-01-01T00:00:00Z to the instant (negative before), exact."""
    since = (parse(moment) if isinstance(moment, str) else _utc(moment)) - EPOCH
    return since.days * _DAY_MICROS + since.seconds * 1_000_000 + since.microseconds


def from_micros(count: int) -> datetime:
    """The aware UTC datetime `count` microseconds after 1970-01-01T00:00:00Z; the inverse of `micros`."""
    try:
        return EPOCH + timedelta(microseconds=count)
    except OverflowError:
        raise InstantError(f"{count} microseconds lie outside the years 1 to 9999") from None


def _utc(moment: datetime) -> datetime:
    if moment.utcoffset() is None:
        raise InstantError(f"{moment.isoformat()} names no offset from UTC; give an aware datetime")
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)
