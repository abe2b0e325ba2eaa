"""Every list turns its pages, and every write is kept: one desk, one call of each operation.

What an operation answers is looked at where its own tests are; a list that forgot which page it was
asked for, or a write that answers and keeps nothing, is found here whichever it is.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from clones.core.operations import Operation
from clones.helpdesk.api.entry import operations
from snapshots.sandboxes import Sandboxes
from tests import odd_calls
from tests.helpdesk.conftest import Answer, Desk
from tests.helpdesk.examples import Scene
from tools.fidelity.breaks import breaks_of
from tools.fidelity.subject import SUBJECTS

SUBJECT = SUBJECTS["helpdesk"]
# One has cursors of its own, and an export shows nothing of the last minute: see their tests.
OTHERWISE = frozenset({"ListArticlesIncremental", "ListTicketAudits"})
# Whoever may sign in is no record of the desk: nothing of it stands in the journal.
SIGN_INS = frozenset(
    {
        "BulkDeleteSessionsByUserId",
        "ChangeOwnPassword",
        "DeleteAuthenticatedSession",
        "DeleteSession",
        "LogoutManyUsers",
    }
)


def lists_in_pages() -> list[Operation]:
    """Return the operations that give a page of a list."""
    return [
        operation
        for operation in operations().all.values()
        if any(fault.kind == "whole" for fault in breaks_of(SUBJECT, operation))
        and operation.id not in OTHERWISE
    ]


def ask(scene: Scene, operation: Operation, **more: Any) -> Answer:
    """Call an operation as its example does, with some parameters in addition."""
    example = scene.example(operation)
    query = "&".join(
        [part for part in (example.query,) if part] + [f"{k}={v}" for k, v in more.items()]
    )
    return scene.call(operation, example.path, query, b"", by=example.by)


def records(answer: Answer) -> list[Any]:
    """Return the first list of an answer."""
    return next(value for value in answer.body.values() if isinstance(value, list))


def problem_of_pages(scene: Scene, operation: Operation) -> str | None:
    """Tell what is wrong with the pages of a list, or None."""
    whole = records(ask(scene, operation))
    if not whole:
        return "has no record at this desk: add one to examples.json"
    by_cursor = ask(scene, operation, **{"page[size]": 1})
    if by_cursor.status == 200 and "meta" in by_cursor.body:
        first, meta = records(by_cursor), by_cursor.body["meta"]
        after = {"page[size]": 1, "page[after]": meta["after_cursor"]}
        second = records(ask(scene, operation, **after))
        if (len(first), meta["has_more"]) != (1, len(whole) > 1):
            return f"page[size]=1: {len(first)} of {len(whole)}, {meta}"
        if first == second or len(second) != min(len(whole) - 1, 1):
            return f"page[after]: {len(second)} after the first of {len(whole)}"
    if "meta" in ask(scene, operation).body:
        return None  # by cursors only
    return problem_of_numbers(scene, operation, whole)


def problem_of_numbers(scene: Scene, operation: Operation, whole: list[Any]) -> str | None:
    """Tell what is wrong with the numbered pages of a list, or None."""
    one = ask(scene, operation, per_page=1)
    if records(one) != whole[:1]:
        return f"per_page=1: {len(records(one))} of {len(whole)}"
    link = one.body["next_page"]
    following = parse_qs(urlsplit(link).query)["page"] if link else None
    if following != (["2"] if len(whole) > 1 else None):
        return f"next_page is {link} after the first of {len(whole)}"
    second = records(ask(scene, operation, per_page=1, page=2))
    if second != whole[1:2]:
        return f"page=2: {len(second)} after the first of {len(whole)}"
    return None


def test_every_list_turns_its_pages(desk: Desk) -> None:
    scene = Scene(desk)
    found = {
        operation.id: problem
        for operation in lists_in_pages()
        if (problem := problem_of_pages(scene, operation)) is not None
    }
    assert found == {}


def test_every_write_is_kept(desk: Desk, sandboxes: Sandboxes) -> None:
    scene, found = Scene(desk), []
    sandboxes.mark(desk.row.id, "set")
    for operation in operations().all.values():
        if not operation.writes or operation.id in SUBJECT.writes_nothing | SIGN_INS:
            continue
        example = scene.example(operation)
        scene.prepare(operation)
        sandboxes.mark(desk.row.id, "prepared")
        answer = scene.call(
            operation, example.path, example.query, odd_calls.sent(example.body), by=example.by
        )
        assert answer.status < 300, (operation.id, answer.body)
        if not sandboxes.diff(desk.row.id, "prepared"):
            found.append(operation.id)
        sandboxes.rewind(desk.row.id, "set")
    assert found == []
