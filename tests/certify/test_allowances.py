"""What a task allows names columns; people are brought in where its goal asks for it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import pytest

from clones.core.journal import ActRow, TableLayout
from episodes.control_plane import ControlPlane
from episodes.start import prepare
from episodes.tasks.catalogue import known_families
from episodes.tasks.footprint import Allow, RowWrite
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from tests.certify.conftest import plain_of

# Who hears of a ticket, and of an issue.
BRINGING_IN: Final = frozenset({"email_cc_ids", "follower_ids", "requester_id", "reporter_id"})
# Families whose goal asks for it, and why.
ASKED: Final = {
    "H07": "whoever is copied on a repeat stays in the one conversation that they become",
    "H08": "who wrote a mail that is let in joins the ticket that it answers",
}


def allows_of(family: Family, host: ControlPlane) -> tuple[Allow, ...]:
    """Return what the instance of a family that tests play allows."""
    instance = InstanceId(family.id, family.version, family.world, "tiny", 1, plain_of(family))
    prepared = prepare(host, family, instance)
    try:
        return prepared.arranged.allows
    finally:
        host.sandboxes.delete(prepared.sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("family", known_families(), ids=lambda family: family.id)
def test_updates_are_allowed_by_column(family: Family, host: ControlPlane) -> None:
    brought: set[str] = set()
    for allow in allows_of(family, host):
        if "update" not in allow.operations:
            continue
        if allow.columns is None:
            # Rows that may be made and removed as a whole, beside one that is named.
            assert allow.operations == {"insert", "update", "delete"}, allow
            assert allow.keys is not None or allow.where or allow.beside is not None, allow
        else:
            brought |= allow.columns & BRINGING_IN
    assert bool(brought) == (family.id in ASKED), brought


def changing(before: dict[str, Any], after: dict[str, Any]) -> RowWrite:
    """Return the agent's change of a ticket's fields."""
    layout = TableLayout(1, "helpdesk_ticket", "record", "id", ("id", "custom_fields"), ())
    done = ActRow(
        1, datetime(2026, 6, 16, tzinfo=UTC), 1, "r1", "helpdesk.account:7", None, "write"
    )
    rows = [{"id": 5, "custom_fields": fields} for fields in (before, after)]
    return RowWrite(1, done, done, layout, 5, *rows)


@pytest.mark.parametrize(
    ("before", "after", "permitted"),
    [
        ({}, {"1": "refunded"}, True),
        ({"1": "refunded", "2": "KT60"}, {"2": "KT60"}, True),
        ({"2": None}, {"1": "refunded"}, True),
        ({}, {"1": "refunded", "2": "garbage"}, False),
        ({"2": "KT60"}, {"2": "garbage"}, False),
        ({"2": "KT60"}, {}, False),
    ],
)
def test_of_a_column_some_keys_may_be_allowed(
    before: dict[str, Any], after: dict[str, Any], permitted: bool
) -> None:
    allow = Allow(
        "helpdesk_ticket",
        frozenset({"update"}),
        keys=frozenset({5}),
        columns=frozenset({"custom_fields"}),
        parts=(("custom_fields", frozenset({"1"})),),
    )
    assert allow.permits(changing(before, after)) is permitted
