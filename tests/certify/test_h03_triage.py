"""H03: every variant is reached, the guide is read back from its text, and mails are understood."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Final

import pytest

from episodes.families.h03.batch import KINDS, LANGUAGES, Letter, bank, compose
from episodes.families.h03.guide import Case, GuideVersion, Kind, Routing
from episodes.families.h03.params import SIZES, Params, params_of, structural_variants
from episodes.families.h03.reading import Guide as Read
from episodes.families.h03.reading import Sorted, guide_of, in_force, is_spam, sort_out
from episodes.tasks.acting import RecordedAct
from episodes.tasks.cheating import is_write
from episodes.tasks.instances import InstanceId

MACHINES: Final = ("Kite 60", "Kite 60 Pro", "Merlin 45", "Osprey 130")
NEW, OLD = date(2026, 3, 15), date(2025, 5, 11)


def guide_in_force(params: Params) -> GuideVersion:
    return params.guide(NEW, OLD)


def every_guide() -> list[Params]:
    return [params for params in structural_variants() if params.size == SIZES[0]]


def as_sorted(routing: Routing) -> Sorted:
    return Sorted(routing.group, routing.type, routing.priority, routing.machine, routing.tags)


def worded(kind: Kind, language: str, core: str, machine: str, aside: str = "") -> str:
    texts = bank()
    opener = texts["openers"][language][0]
    body = f"{opener}\n\n{core} {aside}\n\nJo"
    filled = {"machine": machine, "other": "Osprey 130", "order": "48213", "city": "Leeds"}
    for name, value in filled.items():
        body = body.replace(f"{{{name}}}", value)
    return body


def test_288_numbers_in_a_row_meet_every_variant() -> None:
    numbers = range(41, 41 + 288)
    met = {params_of(InstanceId("H03", 1, "kestrel", "tiny", 1, number)) for number in numbers}
    assert met == set(structural_variants())
    assert len(met) == 288


def test_neighbours_differ_in_size() -> None:
    sizes = [params_of(InstanceId("H03", 1, "kestrel", "tiny", 1, n)).size for n in range(20)]
    assert all(sizes.count(size) >= 5 for size in SIZES)


@pytest.mark.parametrize("params", every_guide(), ids=str)
def test_a_guide_is_read_back_from_its_text(params: Params) -> None:
    guide = guide_in_force(params)
    read = guide_of(guide.text())
    for kind in KINDS:
        core = bank()["requests"][kind]["en"][0]
        named = "Merlin 45" if "{machine}" in core else None
        still = bank()["standstill"]["en"][0]
        for vip in (True, False):
            for standstill in (True, False):
                body = worded(kind, "en", core, "Merlin 45", still if standstill else "")
                case = Case(kind, named, standstill=standstill, vip=vip)
                tags = ["vip"] if vip else []
                assert sort_out(read, body, tags, MACHINES) == as_sorted(guide.route(case))


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("kind", KINDS)
def test_what_people_ask_for_is_understood(kind: Kind, language: str) -> None:
    guide = guide_in_force(structural_variants()[0])
    read: Read = guide_of(guide.text())
    asides = [entry["aside"] for entry in bank()["misleading"] if entry["about"] != kind]
    for core in bank()["requests"][kind][language]:
        named = "Kite 60 Pro" if "{machine}" in core else None
        case = Case(kind, named, language=language)
        for aside in ["", *(asides if language == "en" else [])]:
            body = worded(kind, language, core, "Kite 60 Pro", aside)
            assert sort_out(read, body, [], MACHINES) == as_sorted(guide.route(case)), body
            assert not is_spam(body)


def test_spam_is_known_from_its_text() -> None:
    assert all(is_spam(entry["body"]) for entry in bank()["spam"])


def test_of_two_guides_the_later_is_in_force() -> None:
    params = structural_variants()[100]
    new, old = guide_in_force(params).text(), params.superseded(OLD).text()
    assert in_force([old, new]) == in_force([new, old]) == new
    with pytest.raises(LookupError):
        in_force(["Routing guide, valid from 1 June 2026. Everything stays where it came in."])


def batches(size: int) -> list[list[Letter]]:
    return [compose(size, Random(seed), MACHINES) for seed in range(60)]


@pytest.mark.parametrize("size", SIZES)
def test_a_batch_has_what_makes_it_hard(size: int) -> None:
    for letters in batches(size):
        roles = [letter.role for letter in letters]
        assert [roles.count(role) for role in ("spam", "vip", "language", "right", "taken")] == [
            1
        ] * 5
        assert len(letters) == size + 1
        kinds = {letter.case.kind for letter in letters if letter.case is not None}
        assert {"connection", "return_refund"} <= kinds


@pytest.mark.parametrize("size", SIZES)
def test_the_superseded_guide_sends_some_of_a_batch_elsewhere(size: int) -> None:
    for params in every_guide()[::5]:
        new, old = guide_in_force(params), params.superseded(OLD)
        for letters in batches(size)[::6]:
            cases = [each.case for each in letters if each.case and each.role != "taken"]
            assert [new.route(case) for case in cases] != [old.route(case) for case in cases]


def test_what_writes_without_a_body_is_a_write() -> None:
    spam = RecordedAct("helpdesk_MarkTicketAsSpamAndSuspendRequester", {"ticket_id": 1})
    assert is_write(spam)
    assert is_write(RecordedAct("helpdesk_DeleteTicket", {"ticket_id": 1}))
    assert not is_write(RecordedAct("helpdesk_ListDeletedTickets", {}))
