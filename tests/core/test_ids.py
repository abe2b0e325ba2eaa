"""Identifiers look like the vendor's, never repeat, and are functions of the sandbox alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from clones.core import clock, ids
from clones.core.models import Blob, Credential, IdSequence, Message, Session
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind
from tests.determinism import no_machine_inputs


@pytest.fixture
def twin(sandboxes: Sandboxes, empty_image: Manifest) -> Iterator[SandboxRow]:
    row = sandboxes.create(empty_image)
    yield row
    sandboxes.delete(row.id)


@pytest.fixture(autouse=True)
def _writing(twin: SandboxRow, empty_sandbox: SandboxRow) -> Iterator[None]:
    with bind(empty_sandbox), unit_of_work("write"), no_machine_inputs():
        yield


def message(number: int, moment: datetime) -> Message:
    return Message.objects.create(
        id=number, direction="out", clone="helpdesk", sent_at=moment, sender="a", recipients=[]
    )


def test_serials_count_from_one() -> None:
    assert [ids.next_serial(Message, dated_by="sent_at") for _ in range(3)] == [1, 2, 3]


def test_serials_are_not_given_twice_though_their_row_is_gone() -> None:
    message(ids.next_serial(Message), PRESENT).delete()
    assert ids.next_serial(Message) == 2


@pytest.mark.parametrize(
    ("taken", "days_ago", "expected"),
    [
        ([1, 2, 3, 5, 6], 7, 4),  # the gap beside its neighbour in time
        ([1, 2, 3, 5, 6], 0, 7),  # as late as the newest: the next gap upwards
        ([2, 3, 4, 5, 6, 7, 8, 9], 9, 1),  # earlier than all
        ([1, 2, 4, 5, 6, 7, 9], 7, 3),  # between its neighbours
        ([1, 2, 4, 5, 6, 7, 9], 3, 8),
        ([1, 4, 5, 6, 7, 8], 5, 3),  # the nearer of two
    ],
)
def test_a_planted_serial_is_the_free_one_nearest_in_time(
    taken: list[int], days_ago: int, expected: int
) -> None:
    """Number n was made 10 - n days before the present."""
    IdSequence.objects.create(name="core.message.serial", last=10)
    for number in taken:
        message(number, PRESENT - timedelta(days=10 - number))
    with clock.at(PRESENT - timedelta(days=days_ago)):
        assert ids.next_serial(Message, dated_by="sent_at") == expected
    assert ids.next_serial(Message) == 11


def test_planted_serials_go_on_where_no_gap_is_near() -> None:
    IdSequence.objects.create(name="core.message.serial", last=60)
    for number in (1, *range(40, 61)):
        message(number, PRESENT - timedelta(days=61 - number))
    with clock.at(PRESENT - timedelta(hours=2)):
        message(ids.next_serial(Message, dated_by="sent_at"), clock.now())
    with clock.at(PRESENT - timedelta(hours=1)):
        assert ids.next_serial(Message, dated_by="sent_at") == 62
    assert ids.next_serial(Message) == 63


def test_no_free_serial_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "REACH", 2)
    IdSequence.objects.create(name="core.message.serial", last=9)
    for number in range(1, 10):
        message(number, PRESENT - timedelta(days=10 - number))
    with clock.at(PRESENT - timedelta(days=5)), pytest.raises(ids.NoFreeId):
        ids.next_serial(Message, dated_by="sent_at")


def test_stamps_rise_with_time_and_are_unique_in_their_clone() -> None:
    given = [ids.next_stamp(model) for model in (Session, Credential, Session, Credential)]
    clock.set_time(PRESENT + timedelta(hours=1))
    given += [ids.next_stamp(Session), *ids.next_stamps(Credential, 3), ids.next_stamp(Session)]
    assert given == sorted(set(given))
    assert given[0] == ids.stamp_of(PRESENT)
    assert given[4] == ids.stamp_of(PRESENT + timedelta(hours=1))
    assert all(len(str(number)) in {13, 14} for number in given)
    assert ids.next_stamps(Session, 0) == []


def test_stamps_rise_even_if_the_clock_stands() -> None:
    clock.configure(mode="frozen")
    given = [ids.next_stamp(Session) for _ in range(300)]
    assert given == sorted(set(given))


def test_a_millisecond_apart_is_a_stamp_apart() -> None:
    moments = [PRESENT + timedelta(milliseconds=count) for count in range(2000)]
    stamps = [ids.stamp_of(moment) for moment in moments]
    assert {after - before for before, after in pairwise(stamps)} == {ids.STRIDE}


def test_planted_stamps_are_those_free_at_their_time() -> None:
    past = PRESENT - timedelta(days=2)
    first = ids.stamp_of(past)
    for number in (first, first + ids.STRIDE, first + 3 * ids.STRIDE):
        message(number, past)
    live = ids.next_stamp(Message)
    with clock.at(past):
        assert ids.next_stamp(Message) == first + 2 * ids.STRIDE
        assert ids.next_stamps(Message, 3) == [first + step * ids.STRIDE for step in (2, 4, 5)]
    assert ids.next_stamp(Message) == live + ids.STRIDE


def test_a_stamp_planted_at_the_present_is_not_given_again() -> None:
    with clock.at(PRESENT):
        planted = message(ids.next_stamp(Message), PRESENT)
    assert ids.next_stamp(Message) == planted.id + ids.STRIDE


def test_planting_a_thousand_rows_at_one_moment_finds_room() -> None:
    with clock.at(PRESENT):
        for number in ids.next_stamps(Message, ids.WINDOW + 10):
            message(number, PRESENT)
        (beyond,) = ids.next_stamps(Message, 1)
    assert beyond == ids.stamp_of(PRESENT) + (ids.WINDOW + 10) * ids.STRIDE


def test_codes_are_functions_of_seed_model_and_number() -> None:
    given = [ids.next_code("ch_", Message) for _ in range(50)]
    assert len(set(given)) == 50
    assert given[0] == "ch_" + ids.code_text("test|core.message.code|1", 24)
    assert all(len(code) == 27 and set(code[3:]) <= set(ids.BASE62) for code in given)
    assert ids.next_code("ch_", Blob)[3:] not in {code[3:] for code in given}


def test_equal_sandboxes_give_equal_ids(twin: SandboxRow) -> None:
    def shift() -> list[object]:
        return [
            ids.next_code("re_", Message),
            ids.next_serial(Message),
            ids.next_stamp(Session),
            clock.tick(),
            ids.next_stamp(Session),
        ]

    first = shift()
    with bind(twin), unit_of_work("write"):
        assert shift() == first


def test_ulids_begin_with_their_time_and_never_repeat() -> None:
    made = [ids.next_ulid(Message) for _ in range(100)]
    assert len(set(made)) == 100
    assert {len(text) for text in made} == {26}
    begin = ids.ulid_text(clock.now(), "")[:10]
    assert {text[:10] for text in made} == {begin}
    assert ids.ulid_text(clock.now() + timedelta(milliseconds=1), "") > max(made)


def test_ulids_are_functions_of_time_and_material() -> None:
    moment = datetime(2016, 7, 30, 22, 36, 16, 385000, tzinfo=UTC)
    assert ids.ulid_text(moment, "a")[:10] == "01ARYZ6S41"  # as the format's own description has it
    assert ids.ulid_text(moment, "a") == ids.ulid_text(moment, "a") != ids.ulid_text(moment, "b")
