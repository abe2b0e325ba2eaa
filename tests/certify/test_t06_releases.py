"""T06's requests: every variant is reached, and what is asked for is read as it was meant."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from episodes.families.t06 import words
from episodes.families.t06.checks import placed, speaks_of_embargoed
from episodes.families.t06.contents import draw, heading_of, target_of
from episodes.families.t06.params import Params, params_of, structural_variants
from episodes.families.t06.reading import NotUnderstood, Request, notes_text, read_request
from episodes.tasks.instances import InstanceId
from episodes.tasks.tracker_acts import document, text_of

DAY = date(2026, 6, 18)
COMPONENTS = ["Import", "Editor", "Account & licensing", "Connection"]
CATEGORIES = {"done": "done", "doing": "indeterminate", "todo": "new"}
STATUSES = {"done": "Done", "doing": "In Progress", "todo": "To Do"}
VERSIONS = {"next": "5.4", "patch": "5.3.2", "": ""}


def asked_in(params: Params, chance: Random, *, flat: bool) -> Request:
    """Return what is understood of a request of a variant."""
    wish = {
        "version": "5.3.1",
        "next": "5.4",
        "patch": "5.3.2",
        "date": DAY.isoformat(),
        "title": "Release notes 5.3.1",
        "place": params.place,
        "scheme": params.scheme,
        "leaves": list(params.leaves),
        "rest": params.rest,
    }
    text = words.request(wish, chance)
    return read_request(" ".join(text.split()) if flat else text_of(document(text)))


def item_of(place: int, draft: dict[str, Any]) -> dict[str, Any]:
    """Return a draft as agents would see it."""
    due, part = draft["due"], draft["component"]
    reverted = draft["reverts"]
    return {
        "key": f"STU-{place}",
        "summary": "Something" if reverted is None else f"Revert STU-{reverted}: something",
        "type": draft["type"],
        "priority": draft["priority"],
        "labels": draft["labels"],
        "components": [] if part is None else [COMPONENTS[part]],
        "category": CATEGORIES[draft["state"]],
        "status": STATUSES[draft["state"]],
        "resolution": draft["resolution"] or "",
        "due": "" if due is None else (DAY + timedelta(days=due)).isoformat(),
    }


@pytest.mark.parametrize("flat", [False, True])
def test_every_variant_is_read_as_it_was_meant(flat: bool) -> None:
    for number, params in enumerate(structural_variants()):
        found = asked_in(params, Random(number), flat=flat)
        assert (found.version, found.date, found.next) == ("5.3.1", DAY.isoformat(), "5.4")
        assert found.patch == ("5.3.2" if params.rest.startswith("split") else "")
        assert (found.scheme, found.leaves, found.rest) == (
            params.scheme,
            params.leaves,
            params.rest,
        )
        assert (found.title is None) is (params.place == "comment")


def test_notes_and_leftovers_are_what_the_drafts_were_meant_for() -> None:
    for number, params in enumerate(structural_variants()):
        chance = Random(number)
        asked = asked_in(params, chance, flat=False)
        drafts = draw(params, len(COMPONENTS), chance)
        items = [item_of(place, draft) for place, draft in enumerate(drafts)]
        meant: dict[str, list[str]] = {}
        for draft, item in zip(drafts, items, strict=True):
            if draft["role"] == "in":
                heading = heading_of(params.scheme, draft, COMPONENTS)
                meant.setdefault(heading, []).append(item["key"])
        assert 12 <= len(drafts) <= 25
        assert asked.notes(items) == {name: sorted(keys) for name, keys in meant.items()}
        assert asked.leftovers(items) == {
            item["key"]: VERSIONS[target_of(params.rest, draft)]
            for draft, item in zip(drafts, items, strict=True)
            if draft["role"] == "left"
        }
        assert {draft["role"] for draft in drafts} >= {"in", "left", "refused", *params.leaves}


def test_every_variant_is_reached() -> None:
    instances = [InstanceId("T06", 1, "kestrel", "tiny", 1, number) for number in range(200)]
    assert len(structural_variants()) == 200
    assert len({params_of(each) for each in instances}) == 200


def test_what_is_no_request_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        read_request("Could you call me back?")


def test_notes_are_told_by_their_headings() -> None:
    notes = {"Fixed": ["STU-2", "STU-3"], "New": ["STU-1"]}
    meant = {("Fixed", "STU-2"), ("Fixed", "STU-3"), ("New", "STU-1")}
    text = notes_text(notes, {"STU-1": "A", "STU-2": "B: new", "STU-3": "C"})
    assert placed(text_of(document(text)), notes) == meant
    assert placed("FIXED\n* STU-2 B\n* C (STU-3)\n## New\nSTU-1", notes) == meant
    assert placed("New: STU-1\nFixed: STU-2, STU-3", notes) == meant
    assert placed("STU-1\nNew\nFixed", notes) == {("", "STU-1")}


def test_a_title_that_begins_like_a_heading_is_none() -> None:
    notes = {"Editor": ["STU-1", "STU-2"], "Import": ["STU-3"]}
    text = "Editor\nImport: loses lines (STU-1)\nSTU-2 Import: slow\nImport:\nSTU-3 Editor: gone"
    assert placed(text, notes) == {("Editor", "STU-1"), ("Editor", "STU-2"), ("Import", "STU-3")}


def test_what_is_embargoed_is_told_by_its_title_too() -> None:
    facts = {"silent": {"embargo": ["STU-9"]}, "hushed": ["Crash in the preview"]}
    assert speaks_of_embargoed(facts, "Fixed\nSTU-9")
    assert speaks_of_embargoed(facts, "and the crash in\nthe preview is gone")
    assert not speaks_of_embargoed(facts, "Fixed\nSTU-99 Crash in the import")
