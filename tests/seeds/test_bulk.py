"""Rows on their way into the store of a world, and what the store has when they are there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.core import ids
from clones.core.journal import content_digest, journal
from clones.core.tenancy.stores import StorePool
from clones.core.word_index import holding
from clones.helpdesk.models import AuditEvent, Comment, Ticket, TicketMetric
from seeds.bulk import BulkWriter, Identifiers, UnknownColumn
from seeds.worlds import BuildReport
from snapshots.interface import engine
from tests.core.ground import identity_by_rows

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_rows_name_their_columns_in_any_order(tiny: BuildReport) -> None:
    ticket = Ticket.objects.order_by("id")[0]
    TicketMetric.objects.filter(ticket=ticket).delete()
    row = {
        "id": 5,
        "ticket_id": ticket.id,
        "created_at": NOON,
        "minutes": {"a": 1},
        "reopens": 2,
        "updated_at": NOON,
    }
    found = []
    for given in (row, dict(reversed(row.items()))):
        writer = BulkWriter()
        writer.add(TicketMetric, given)
        assert writer.counts() == {"helpdesk.TicketMetric": 1}
        writer.flush()
        found.append(TicketMetric.objects.filter(id=5).values().get())
        TicketMetric.objects.filter(id=5).delete()
    first, second = found
    assert first == second
    assert first["created_at"] == NOON
    assert first["minutes"] == {"a": 1}
    assert (first["reopens"], first["replies"], first["solved_at"]) == (2, 0, None)


def test_equal_json_is_one_text_and_other_types_are_another() -> None:
    table = BulkWriter().table(AuditEvent)

    def text(body: object) -> object:
        row = {"id": 1, "audit_id": 2, "type": "Change", "position": 0, "body": body}
        return table.stored(row)[table.columns.index("body")]

    assert text({"value": "a", "tags": ["b"]}) is text({"value": "a", "tags": ["b"]})
    assert [text({"n": value}) for value in (1, True, 1.0)] == [
        '{"n": 1}',
        '{"n": true}',
        '{"n": 1.0}',
    ]
    assert text({"at": NOON}) == '{"at": "2026-03-04T12:00:00Z"}'


def test_columns_that_are_strange_or_missing_are_refused() -> None:
    writer = BulkWriter()
    with pytest.raises(UnknownColumn, match="has no colour, size"):
        writer.add(AuditEvent, {"id": 1, "size": 2, "colour": 3})
    with pytest.raises(UnknownColumn, match="needs a value"):
        writer.add(AuditEvent, {"id": 1})
    assert writer.counts() == {"helpdesk.AuditEvent": 0}


def test_stamps_are_the_first_that_a_moment_has_free() -> None:
    numbers = Identifiers("s")
    given: set[int] = set()
    moments = [NOON, NOON, NOON + timedelta(milliseconds=2), NOON, NOON - timedelta(hours=1), NOON]
    for moment in moments * 3:
        expected = ids.stamp_of(moment)
        while expected in given:
            expected += ids.STRIDE
        assert numbers.stamp(Comment, moment) == expected
        given.add(expected)
    assert numbers.stamp(Ticket, NOON) == ids.stamp_of(NOON)
    assert numbers.taken(Comment) == given


def test_codes_are_the_digits_of_their_hash() -> None:
    text = ids.code_text("what it is made of", 24)
    assert text == ids.code_text("what it is made of", 25)[:24]
    number = int.from_bytes(blake2b(b"what it is made of", digest_size=48).digest())
    for letter in text:
        number, digit = divmod(number, 62)
        assert letter == ids.BASE62[digit]


def test_a_world_has_all_that_a_store_has(built: BuildReport, tmp_path: Path) -> None:
    assert journal().missing_triggers() == []
    told = Ticket.objects.filter(subject__has_word="refund")
    asked = holding(Ticket.objects.all(), "refund", "word")
    assert set(asked) == set(told) != set()
    with CaptureQueriesContext(connection) as captured:
        list(asked.all())
    assert "words_helpdesk_ticket" in captured.captured_queries[-1]["sql"]
    found = engine().structure()
    empty = tmp_path / f"empty{engine().suffix}"
    engine().new_store(empty)
    pool = StorePool(1)
    try:
        with pool.bind(empty):
            assert engine().structure() == found
    finally:
        pool.close()
        engine().remove(empty)


def test_the_rows_of_a_world_are_not_journaled_and_the_next_one_is(built: BuildReport) -> None:
    written = {row.table.name for row in journal().rows(0)}
    assert not {name for name in written if name.startswith(("helpdesk_", "billing_", "mail_"))}
    position = journal().position()
    ticket = Ticket.objects.order_by("id")[0]
    Ticket.objects.filter(id=ticket.id).update(subject="Changed")
    (row,) = journal().rows(position)
    assert (row.table.name, row.key) == ("helpdesk_ticket", ticket.id)


def test_the_identity_of_a_world_is_that_of_its_rows_one_by_one(built: BuildReport) -> None:
    assert content_digest() == identity_by_rows()
