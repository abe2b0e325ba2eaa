"""Prepared queries give what their querysets give, from whichever sandbox is bound."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from clones.core.models import Account, Credential, Job
from clones.core.prepared import NotPreparable, Prepared, PreparedAt
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind

CREDENTIALS: Prepared[Credential] = Prepared(
    lambda kind: Credential.objects.select_related("account").filter(kind=kind).order_by("id"), str
)
DUE: Prepared[Job] = Prepared(
    lambda to, key: Job.objects.filter(due__lte=to, key=key).order_by("due", "id"), datetime, str
)
LOGINS: Prepared[tuple[str, str]] = Prepared(
    lambda number: (
        Credential.objects.filter(id__gte=number)
        .order_by("id")
        .values_list("account__login", "kind")
    ),
    int,
)


@pytest.fixture
def bound(empty_sandbox: SandboxRow) -> Iterator[SandboxRow]:
    """A bound sandbox with some accounts, credentials and jobs, undone afterwards."""
    with bind(empty_sandbox), unit_of_work("write"):
        _fill("ana")
        yield empty_sandbox


def _fill(name: str) -> None:
    account = Account.objects.create(
        id=7, clone="helpdesk", subject="7", login=f"{name}@kestrel.example", role="agent"
    )
    for number, kind in enumerate(("password", "api_token", "api_token")):
        Credential.objects.create(id=number, account=account, kind=kind, created_at=PRESENT)
    for number in range(5):
        Job.objects.create(
            id=number,
            kind="test",
            payload={"n": [number, None, 0.5]},
            due=PRESENT + timedelta(minutes=number),
            key="%s" if number % 2 else None,
        )


def values_of(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_numbers_that_no_column_holds_are_compared_all_the_same(bound: SandboxRow) -> None:
    assert len(LOGINS.all(2)) == 1
    for _ in range(2):
        assert LOGINS.all(2**63) == LOGINS.all(10**30) == []
        assert len(LOGINS.all(-(2**70))) == 3


def test_rows_are_those_of_the_queryset_with_what_they_refer_to(bound: SandboxRow) -> None:
    plain = Credential.objects.select_related("account").filter(kind="api_token").order_by("id")
    for _ in range(2):  # compiling, then compiled
        found = CREDENTIALS.all("api_token")
        assert [values_of(row) for row in found] == [values_of(row) for row in plain]
        assert len(found) == 2
        with CaptureQueriesContext(connection) as captured:
            assert found[0].account.login == "ana@kestrel.example"
        assert not captured.captured_queries
        assert found[0]._state.db == "default"
        assert not found[0]._state.adding


def test_times_and_percent_signs_are_parameters(bound: SandboxRow) -> None:
    found = DUE.all(PRESENT + timedelta(minutes=2), "%s")
    assert [row.due for row in found] == [PRESENT + timedelta(minutes=1)]
    assert [(row.id, row.payload) for row in found] == [(1, {"n": [1, None, 0.5]})]
    assert found[0].due == PRESENT + timedelta(minutes=1)
    assert [row.id for row in DUE.all(PRESENT + timedelta(minutes=9), "%s")] == [1, 3]
    assert DUE.first(PRESENT, "%s") is None


def test_documents_are_read_as_their_fields_read_them(bound: SandboxRow) -> None:
    payloads: tuple[Any, ...] = ([], {}, [[]], "[]", "", 0, 1.5, True, {"a": ["é", None]})
    jobs: Prepared[Job] = Prepared(lambda kind: Job.objects.filter(kind=kind).order_by("id"), str)
    for number, payload in enumerate(payloads):
        Job.objects.create(id=50 + number, kind="doc", payload=payload, due=PRESENT)
    found = [row.payload for row in jobs.all("doc")]
    assert found == [row.payload for row in Job.objects.filter(kind="doc").order_by("id")]
    assert repr(found) == repr(list(payloads))
    found[0].append(1)
    assert jobs.all("doc")[0].payload == [], "each row has a list of its own"


def test_values_come_as_tuples(bound: SandboxRow) -> None:
    login = "ana@kestrel.example"
    assert LOGINS.all(1) == [(login, "api_token"), (login, "api_token")]
    kinds: Prepared[str] = Prepared(
        lambda: Credential.objects.order_by("-id").values_list("kind", flat=True)
    )
    assert kinds.all() == ["api_token", "api_token", "password"]


def test_each_sandbox_is_read_by_itself_and_as_it_stands(
    bound: SandboxRow, sandboxes: Sandboxes, empty_image: Manifest
) -> None:
    assert CREDENTIALS.first("password") is not None
    other = sandboxes.create(empty_image)
    with bind(other), unit_of_work("write"):
        assert CREDENTIALS.all("password") == []
        _fill("ben")
        found = CREDENTIALS.first("password")
        assert found is not None
        assert found.account.login == "ben@kestrel.example"
        Credential.objects.filter(kind="password").update(kind="session")
        assert CREDENTIALS.first("password") is None
    sandboxes.delete(other.id)


@pytest.mark.parametrize(
    "prepared",
    [
        Prepared(lambda text: Job.objects.filter(key__contains=text), str),
        Prepared(lambda text: Job.objects.filter(Q(key=text) | Q(key=f"[{text}]")), str),
        Prepared(lambda key: Job.objects.filter(Q(id=key) | Q(kind__contains=f",{key},")), int),
        Prepared(lambda unused: Job.objects.all(), str),
        Prepared(lambda text: Account.objects.filter(login=text).values("login"), str),
        Prepared(lambda key: Account.objects.filter(id=key).prefetch_related("credentials"), int),
    ],
)
def test_what_cannot_be_prepared_is_refused(bound: SandboxRow, prepared: Prepared[Any]) -> None:
    with pytest.raises(NotPreparable):
        prepared.all("a")


AROUND: PreparedAt[int] = PreparedAt(
    lambda now: (
        Job.objects.filter(
            due__gt=now - timedelta(minutes=2), due__lte=now + timedelta(seconds=90), kind="test"
        )
        .order_by("id")
        .values_list("id", flat=True)[:1000]
    )
)


def test_moments_are_reckoned_from_the_one_that_is_given(bound: SandboxRow) -> None:
    for seconds in (-300, 0, 29.5, 30, 119.999999, 120, 150, 10_000):
        moment = PRESENT + timedelta(seconds=seconds)
        wanted = [
            number
            for number in range(5)
            if timedelta(minutes=-2) < number * timedelta(minutes=1) + PRESENT - moment
            and number * timedelta(minutes=1) + PRESENT - moment <= timedelta(seconds=90)
        ]
        assert AROUND.all(moment) == wanted
    with CaptureQueriesContext(connection) as captured:
        assert AROUND.all(PRESENT) == [0, 1]
    assert len(captured.captured_queries) == 1


def test_documents_and_texts_stand_beside_moments(bound: SandboxRow) -> None:
    found: PreparedAt[int] = PreparedAt(
        lambda now: (
            Job.objects.filter(due__lte=now, key__icontains="%", payload__n=[3, None, 0.5])
            .order_by("id")
            .values_list("id", flat=True)
        )
    )
    assert found.all(PRESENT + timedelta(minutes=3)) == [3]
    assert found.all(PRESENT + timedelta(minutes=2)) == []


def test_what_no_row_can_be_is_found_at_no_moment(bound: SandboxRow) -> None:
    never: PreparedAt[Job] = PreparedAt(lambda now: Job.objects.filter(pk__in=[], due__lte=now))
    assert never.all(PRESENT) == never.all(PRESENT) == []


def test_moments_that_cannot_be_compiled_with_are_asked_for_as_they_are(bound: SandboxRow) -> None:
    later = timedelta(days=365 * 200)
    far: PreparedAt[int] = PreparedAt(
        lambda now: Job.objects.filter(due__lte=now + later).values_list("id", flat=True)
    )
    assert sorted(far.all(PRESENT)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "prepared",
    [
        PreparedAt(lambda now: Job.objects.filter(due__year=now.year)),
        PreparedAt(lambda now: Job.objects.filter(id__lte=now.day)),
        PreparedAt(
            lambda now: (
                Job.objects.filter(due__lte=now) if now.day % 2 else Job.objects.filter(due__lt=now)
            )
        ),
    ],
    ids=["a part of it", "a number made of it", "another statement"],
)
def test_what_is_not_reckoned_from_the_moment_is_refused(
    bound: SandboxRow, prepared: PreparedAt[Any]
) -> None:
    with pytest.raises(NotPreparable):
        prepared.all(PRESENT)
