"""Queries drawn at random over a world's records: each has an answer, in little time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from seeds.temporary import TemporaryWorld
from tests import tiers
from tests.crm.random_queries import QueryDraw
from tests.seeds.conftest import stored_world

COUNT = 100_000 if tiers.EVERYTHING else 300
WORLD = "small" if tiers.EVERYTHING else "tiny"
LONGEST = 2.0  # seconds
pytestmark = [pytest.mark.timeout(7200)] if tiers.EVERYTHING else []


@pytest.fixture(scope="module")
def store() -> Iterator[TemporaryWorld]:
    """A world of seed 1: the tiny one before a merge, where everything is tried a larger one."""
    with stored_world(WORLD, 1) as world:
        yield world


def test_every_query_has_an_answer(store: TemporaryWorld) -> None:
    from clones.crm.errors import CrmError  # noqa: PLC0415 - the app may not be there
    from clones.crm.models import rows_of  # noqa: PLC0415 - as above
    from clones.crm.queries.soql.asking import ask  # noqa: PLC0415 - as above

    draw, answers, slowest = QueryDraw(tiers.SEED if tiers.EVERYTHING else 1), Counter[str](), 0.0
    with store.bound():
        user = str(rows_of("User").order_by("CreatedDate").first().pk)
        for _ in range(COUNT):
            text = draw.query()
            began = time.monotonic()
            with said(text):
                try:
                    page = ask(text, user=user, version=64.0).page("/services/data/v64.0")
                    answers["some" if page.records else "none"] += 1
                except CrmError as error:
                    answers[error.code] += 1
            slowest = max(slowest, time.monotonic() - began)
    print(dict(answers), f"slowest {slowest:.2f} s")
    assert answers["some"] > COUNT / 3
    assert slowest < LONGEST


@contextmanager
def said(text: str) -> Iterator[None]:
    """Name a query in what goes wrong with it."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{text}: {error!r}") from error
