"""Instants: one written form, exact microseconds, naive instants refused (ruling A-56)."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tollbench.protocol.instants import EPOCH, InstantError, from_micros, micros, parse, text


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("2026-08-24T00:00:00Z", "2026-08-24T00:00:00.000000Z"),
        ("2026-08-24T00:00:00.5Z", "2026-08-24T00:00:00.500000Z"),
        ("2026-08-24T00:00:00.000001Z", "2026-08-24T00:00:00.000001Z"),
        ("2026-08-10T23:15:40.220167+00:00", "2026-08-10T23:15:40.220167Z"),
        ("2026-08-24T00:30:00+02:00", "2026-08-23T22:30:00.000000Z"),
        ("2026-08-24 00:30:00-00:30", "2026-08-24T01:00:00.000000Z"),
        ("2026-08-24t00:30:00z", "2026-08-24T00:30:00.000000Z"),
        ("2024-02-29T23:59:59.999999Z", "2024-02-29T23:59:59.999999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
    ],
)
def test_read_and_written(given, written):
    moment = parse(given)
    assert moment.tzinfo is UTC
    assert text(moment) == written
    assert parse(written) == moment


@pytest.mark.parametrize("given", ["2026-08-24T00:00:00", "2026-08-24T00:00:00.000000"])
def test_naive_text_is_refused(given):
    with pytest.raises(InstantError, match="names no offset"):
        parse(given)


@pytest.mark.parametrize(
    "given",
    [
        "",
        "2026-08-24",
        "20260824T000000Z",
        "2026-W35-1T00:00:00Z",
        "2026-08-24T00:00Z",
        "2026-08-24T00:00:00.1234567Z",
        "2026-08-24T00:00:00,5Z",
        "2026-08-24T00:00:00.Z",
        "2026-08-24T00:00:60Z",
        "2026-08-24T24:00:01Z",
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-08-24T00:00:00+0200",
        "2026-08-24T00:00:00+25:00",
        "2026-08-24T00:00:00Z\n",
        " 2026-08-24T00:00:00Z",
        "٢٠٢٦-08-24T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "tomorrow",
    ],
)
def test_what_is_no_instant_is_refused(given):
    with pytest.raises(InstantError):
        parse(given)


def test_naive_datetime_is_refused():
    naive = datetime(2026, 8, 24)  # noqa: DTZ001 - the point of the test
    with pytest.raises(InstantError, match="aware"):
        text(naive)
    with pytest.raises(InstantError, match="aware"):
        micros(naive)


def test_microseconds_are_exact_far_from_the_epoch():
    assert micros("1970-01-01T00:00:00Z") == 0
    assert micros("1969-12-31T23:59:59.999999Z") == -1
    assert micros("9999-12-31T23:59:59.999999Z") == 253_402_300_799_999_999
    assert micros(datetime(2026, 8, 24, 2, tzinfo=timezone(timedelta(hours=2)))) == micros("2026-08-24T00:00:00Z")
    assert from_micros(0) == EPOCH
    assert text(from_micros(253_402_300_799_999_999)) == "9999-12-31T23:59:59.999999Z"


def test_count_outside_the_calendar_is_refused():
    for count in (253_402_300_800_000_000, -(10**18), 10**30):
        with pytest.raises(InstantError):
            from_micros(count)
