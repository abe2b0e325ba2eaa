"""Querysets compiled by shape give what they give by themselves, whichever sandbox is bound."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q, QuerySet
from django.test.utils import CaptureQueriesContext

from clones.core import shapes
from clones.core.models import Job
from clones.core.shapes import Build, QueryContext, Shapes, counted_keys
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind

HOUR = timedelta(hours=1)
NOW = QueryContext(PRESENT, 0)
TOLD: dict[str, Build] = {
    "moment": lambda now, key: Job.objects.filter(due__lte=now),
    "before": lambda now, key: Job.objects.filter(due__lte=now - 2 * HOUR),
    "between": lambda now, key: Job.objects.filter(due__gt=now - 3 * HOUR, due__lte=now + HOUR),
    "key": lambda now, key: Job.objects.filter(Q(id=key) | Q(id=3)),
    "within": lambda now, key: Job.objects.filter(
        id__in=Job.objects.filter(id__gt=key, due__lt=now).values("id")
    ),
    "neither": lambda now, key: Job.objects.filter(kind="odd"),
    "nothing": lambda now, key: Job.objects.filter(pk__in=[]),
}
NOT_TOLD: dict[str, Build] = {
    "inside a text": lambda now, key: Job.objects.filter(Q(key=f"k{key}") | Q(due__gt=now)),
    "two statements": lambda now, key: (
        Job.objects.filter(kind="odd") if key % 2 else Job.objects.filter(id__lt=key, key=None)
    ),
    "ahead of all time": lambda now, key: Job.objects.filter(
        due__lt=now + timedelta(days=365 * 6000)
    ),
}


@pytest.fixture
def bound(empty_sandbox: SandboxRow) -> Iterator[SandboxRow]:
    """A bound sandbox with some jobs, undone afterwards."""
    with bind(empty_sandbox), unit_of_work("write"):
        fill(8)
        yield empty_sandbox


def fill(count: int) -> None:
    for number in range(count):
        Job.objects.create(
            id=number,
            kind="odd" if number % 2 else "even",
            payload={},
            due=PRESENT + (number - 4) * HOUR,
            key=f"k{number}" if number % 3 else None,
        )


def ordered(build: Build) -> Build:
    return lambda now, key: build(now, key).order_by("kind", "-due", "id")


def same(kept: Shapes, name: str, build: Build, now: datetime, key: int) -> None:
    """Check that counting and both pages are what the queryset gives."""
    rows: QuerySet[Any] = ordered(build)(now, key)
    assert kept.count(name, build, QueryContext(now, key)) == rows.count()
    for start, end in ((0, 3), (3, 6), (40, 50)):
        expected = list(counted_keys(rows)[start:end])
        assert kept.part(name, ordered(build), QueryContext(now, key), start, end) == expected
        keys = kept.keys(name, ordered(build), QueryContext(now, key), start, end)
        assert keys == [found for found, _ in expected]


@pytest.mark.parametrize("name", [*TOLD, *NOT_TOLD])
def test_keys_and_counts_are_those_of_the_queryset(bound: SandboxRow, name: str) -> None:
    kept, build = Shapes(), {**TOLD, **NOT_TOLD}[name]
    for key in (0, 3, 5, 10**12):
        for moment in (PRESENT, PRESENT - 2 * HOUR, PRESENT + timedelta(microseconds=1)):
            same(kept, name, build, moment, key)


@pytest.mark.parametrize("name", TOLD)
def test_a_shape_is_built_once(bound: SandboxRow, name: str) -> None:
    kept, built = Shapes(), list[int]()

    def build(now: datetime, key: int) -> QuerySet[Any]:
        built.append(key)
        return TOLD[name](now, key)

    numbers = [kept.count(name, build, QueryContext(PRESENT + n * HOUR, n)) for n in range(5)]
    assert numbers == [TOLD[name](PRESENT + n * HOUR, n).count() for n in range(5)]
    assert len(built) == 2, "for two stand-ins, at the first use"
    with CaptureQueriesContext(connection) as asked:
        kept.count(name, build, QueryContext(PRESENT, 1))
    assert len(asked.captured_queries) == (0 if name == "nothing" else 1)


def test_shapes_are_told_apart(bound: SandboxRow) -> None:
    kept = Shapes()
    for kind in ("odd", "even", "odd"):
        found = kept.count(kind, lambda now, key: Job.objects.filter(kind=kind), NOW)  # noqa: B023 - called at once
        assert found == 4
    assert kept.count("none", lambda now, key: Job.objects.filter(kind="none"), NOW) == 0


def test_each_sandbox_is_read_by_itself_and_as_it_stands(
    bound: SandboxRow, sandboxes: Sandboxes, empty_image: Manifest
) -> None:
    kept, build = Shapes(), TOLD["moment"]
    assert kept.count("due", build, NOW) == 5
    other = sandboxes.create(empty_image)
    with bind(other), unit_of_work("write"):
        assert kept.count("due", build, NOW) == 0
        fill(2)
        assert kept.count("due", build, NOW) == 2
        Job.objects.all().delete()
        assert kept.count("due", build, NOW) == 0
    assert kept.count("due", build, NOW) == 5
    sandboxes.delete(other.id)


def test_more_shapes_than_are_kept_are_asked_all_the_same(
    bound: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shapes, "MOST", 3)
    kept = Shapes()
    for _ in range(2):
        for name, build in TOLD.items():
            assert kept.count(name, build, QueryContext(PRESENT, 1)) == build(PRESENT, 1).count()
