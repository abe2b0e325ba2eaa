"""What families of the tracker stand on: texts, acts told apart, tables that follow, pages read."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.apps import apps

from clones.core.vendors import CORE_DERIVED, clone_named, clones
from episodes.certify.retaking import key_made
from episodes.certify.tracker_mutants import of_the_tracker
from episodes.tasks.acting import RecordedAct
from episodes.tasks.catalogue import known_families
from episodes.tasks.cheating import is_write
from episodes.tasks.common_cheats import KNOWING, common_cheats
from episodes.tasks.footprint import DERIVED
from episodes.tasks.spec import Persona
from episodes.tasks.tracker_acts import changes_of, document, named_move, text_of
from episodes.tasks.tracker_cheats import issues_written, with_keys
from episodes.tasks.tracker_pages import change_in, detail_on, rows_on, within

EDIT = RecordedAct(
    "tracker_editIssue", {"issueIdOrKey": "CLD-4", "body": {"fields": {"summary": "a"}}}
)
MOVE = RecordedAct(
    "tracker_doTransition", {"issueIdOrKey": "CLD-5", "body": {"transition": {"id": "51"}}}
)
FINISH = RecordedAct("finish", {"status": "done"})
LIST = """- row: Type | Key | Summary | Status
- row "CLD-12 Sync fails To Do":
  - link "CLD-12" [ref=e1]
  - link "Sync fails" [ref=e2]
  - cells: To Do | Ann Example
- row "STU-3 Export To Do":
  - link "STU-3" [ref=e3]
  - link "Export" [ref=e4]
"""
PAGE = """- main:
  - complementary "Details":
    - term: Assignee
    - definition: Ann Example
    - term: Fix versions
    - definition: 5.3
    - term: Labels
    - definition: None
- dialog "Close: CLD-12" [ref=e8]:
  - combobox "Resolution" [ref=e9]
"""


def test_every_table_that_follows_is_a_table() -> None:
    names = {model._meta.db_table for model in apps.get_models()}
    of_each = {clone.name: clone.derived_tables for clone in clones()} | {"core": CORE_DERIVED}
    assert sum(bool(tables) for tables in of_each.values()) > 2
    for clone, tables in of_each.items():
        assert tables <= names
        assert all(table.startswith(f"{clone}_") and table in DERIVED for table in tables)
    assert "helpdesk_ticket" not in DERIVED


def test_a_text_comes_back_from_its_document() -> None:
    text = "Hello,\n\none\ntwo\n\n- first\n- second"
    assert text_of(document(text)) == "Hello,\none\ntwo\nfirst\nsecond"
    assert text_of(None) == ""


def test_reads_with_a_body_are_no_writes_and_writes_without_one_are() -> None:
    assert is_write(EDIT)
    assert is_write(MOVE)
    assert is_write(RecordedAct("tracker_deleteIssueLink", {"id": "1"}))
    assert is_write(RecordedAct("tracker_addVote", {"issueIdOrKey": "CLD-4"}))
    assert not is_write(
        RecordedAct("tracker_searchAndReconsileIssuesUsingJqlPost", {"body": {"jql": "a"}})
    )
    assert not is_write(RecordedAct("tracker_countIssues", {"body": {"jql": "a"}}))
    assert not is_write(RecordedAct("tracker_getIssue", {"issueIdOrKey": "CLD-4"}))


def test_work_starts_where_the_first_account_is_and_cheats_know_that_clone() -> None:
    assert Persona("developer", {"tracker": "a", "helpdesk": "b"}).home == "tracker"
    home, forms = clone_named("tracker"), clone_named("billing")
    assert home is not None
    assert forms is not None
    names = [cheat.name for cheat in common_cheats([EDIT, FINISH], Random(1), home, forms)]
    assert "right work on the nearest look-alike" in names
    assert len(set(names)) == len(names)
    homes = {next(iter(_logins(family.id))) for family in known_families()}
    assert homes <= set(KNOWING)
    assert homes <= {clone.name for clone in clones() if clone.probes is not None}


def _logins(family: str) -> tuple[str, ...]:
    return ("tracker",) if family.startswith("T") else ("helpdesk",)


def test_keys_are_replaced_whole_and_texts_with_them() -> None:
    found = with_keys({"body": ["CLD-4 and CLD-44", {"key": "CLD-4"}]}, {"CLD-4": "CLD-9"})
    assert found == {"body": ["CLD-9 and CLD-44", {"key": "CLD-9"}]}
    assert issues_written([EDIT, MOVE, EDIT, FINISH]) == ["CLD-4", "CLD-5"]


def test_a_transition_is_found_by_its_name_before_its_status() -> None:
    moves = [
        {"id": "61", "name": "Done", "to": {"name": "Done"}},
        {"id": "51", "name": "Close", "to": {"name": "Done"}},
    ]
    assert named_move(moves, "Close") == moves[1]
    assert named_move(moves[1:], "Done") == moves[1]
    assert named_move(moves, "Open") is None


def test_changes_of_a_field_stand_in_the_order_of_time() -> None:
    item = {"field": "status", "fromString": "To Do", "toString": "Done"}
    other = {"field": "assignee", "fromString": None, "toString": "Ann"}
    entries: list[dict[str, Any]] = [
        {"created": "2026-02-02", "author": {"displayName": "Ben"}, "items": [item, other]},
        {"created": "2026-01-01", "author": None, "items": [item]},
    ]
    assert [change[0] for change in changes_of(entries, "status")] == ["2026-01-01", "2026-02-02"]
    assert changes_of(entries, "assignee") == [("2026-02-02", None, "Ann", "Ben")]


@pytest.mark.parametrize(("id", "key"), [("10012", "10012"), (17, "17"), ("ch_1", None)])
def test_what_an_answer_made_is_told_by_its_key(id: str | int, key: str | None) -> None:
    assert key_made({"status": 201, "body": {"id": id, "key": "CLD-4"}}) == key


def test_mutants_of_the_tracker_are_of_what_was_done_there() -> None:
    found = of_the_tracker([EDIT, MOVE, FINISH], {"neighbour": "CLD-7"})
    names = [mutant.name for mutant in found]
    assert "write 0 next door" in names
    assert "label another issue" in names
    assert len(set(names)) == len(names)
    assert of_the_tracker([FINISH], {}) == []


def test_a_change_is_read_off_an_entry_alone_or_among_others() -> None:
    alone = "EW\nEwa Wolczyk changed the assignee May 8, 2026 at 2:41 PM\nAnn Example\nto\nBen"
    assert change_in(alone, "assignee") == ("Ann Example", "Ben")
    assert change_in(alone, "status") is None
    several = (
        "EW\nEwa Wolczyk changed 2 fields\nresolution: None\nto\nDone\nstatus: To Do\nto\nDone"
    )
    assert change_in(several, "status") == ("To Do", "Done")
    assert change_in(several, "resolution") == ("None", "Done")


def test_lists_and_details_are_read_off_a_page() -> None:
    rows = rows_on({"tree": LIST})
    assert [(row.key, row.summary, row.ref) for row in rows] == [
        ("CLD-12", "Sync fails", "e2"),
        ("STU-3", "Export", "e4"),
    ]
    assert "Ann Example" in rows[0].words
    assert detail_on({"tree": PAGE}, "Fix versions") == "5.3"
    assert detail_on({"tree": PAGE}, "Labels") == ""
    assert "Resolution" in within({"tree": PAGE}, "dialog")["tree"]
    assert "Assignee" not in within({"tree": PAGE}, "dialog")["tree"]
