"""Answers of every clone are dated by the sandbox's clock, which is not the machine's."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest
from django.test import Client

from clones.core import clock, jobs
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.vendors import clones
from snapshots.manifest import Manifest
from tests.conftest import PRESENT, bind
from tests.sandbox_pool import SandboxPool


def date_of(row: SandboxRow, clone: str, method: str, path: str) -> datetime:
    client = Client(headers={"host": f"{clone}.{row.id}.localhost:8800"})
    answer = client.generic(method, path)
    return parsedate_to_datetime(answer.headers["Date"])


@pytest.mark.parametrize("clone", [clone.name for clone in clones()])
def test_answers_are_dated_by_the_sandboxs_clock(
    clone: str, sandbox_pool: SandboxPool, empty_image: Manifest
) -> None:
    with sandbox_pool.borrow(empty_image) as row:
        for path in ("/", "/api/v2/tickets.json", "/rest/api/3/myself", "/v1/charges", "/nowhere"):
            assert abs(date_of(row, clone, "GET", path) - PRESENT) < timedelta(minutes=1), path
        with bind(row), unit_of_work("write"):
            jobs.advance(clock.now() + timedelta(days=3))
        for method in ("GET", "POST"):
            moved = date_of(row, clone, method, "/") - PRESENT
            assert timedelta(days=3) <= moved < timedelta(days=3, minutes=1)


def test_what_no_sandbox_answers_has_no_date_of_ours(empty_image: Manifest) -> None:
    answer = Client(headers={"host": "helpdesk.sb-aaaaaaaaaa.localhost:8800"}).get("/")
    assert (answer.status_code, answer.headers.get("Date")) == (404, None)
