"""Revisions of triggers: list and show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.core.operations.paging import read_token, write_token
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Query, show
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.api.sideloads import users_by_id
from clones.helpdesk.domain.errors import InvalidAttribute
from clones.helpdesk.models import Trigger, TriggerRevision
from clones.helpdesk.queries.trigger_revisions import revision_of, revisions_of
from clones.helpdesk.rules.trigger_revisions import diff_of

MOST = 1000


class WithAuthors(Query):
    """The sideloads of a trigger's revision: its author."""

    include: CommaList[str] = Field([], description="users: who made them")


class RevisionList(WithAuthors):
    """Paging and sideloads of the list of a trigger's revisions."""

    cursor: str | None = None
    limit: int = Field(MOST, ge=1, le=MOST)


def _trigger(call: Call) -> Trigger:
    return queries.one(Trigger.objects.all(), "trigger", call.path["trigger_id"])


def present_revision(found: TriggerRevision, to: Show) -> dict[str, Any]:
    """Return a revision as JSON."""
    return {
        "url": to.url(f"triggers/{found.trigger_id}/revisions/{found.number}"),
        "id": found.number,
        "author_id": found.author_id,
        "created_at": when(found.created_at),
        "snapshot": found.snapshot,
    }


def _with_diff(found: TriggerRevision, before: TriggerRevision | None, to: Show) -> dict[str, Any]:
    """Return a revision with what it changed; the first changed nothing."""
    source = before if before is not None else found
    diff = {
        "source_id": source.number,
        "target_id": found.number,
        **diff_of(source.snapshot, found.snapshot),
    }
    return {**present_revision(found, to), "diff": diff}


def _authors(call: Call, rows: Sequence[TriggerRevision]) -> dict[str, Any]:
    if "users" not in call.query.include:
        return {}
    return {"users": users_by_id([row.author_id for row in rows], show(call))}


@OPERATIONS.operation(
    "ListTriggerRevisions",
    "GET",
    "/triggers/{trigger_id:int}/revisions",
    summary="List what a trigger was after each edit, the latest first.",
    query=RevisionList,
)
def list_revisions(call: Call) -> dict[str, Any]:
    """List a trigger's revisions."""
    trigger, limit = _trigger(call), call.query.limit
    show(call, "detail").note(trigger)
    rows = revisions_of(trigger)
    start, end = _span([row.number for row in rows], call.query.cursor, limit)
    chosen = rows[start:end]
    before = {row.number: older for row, older in zip(rows, [*rows[1:], None], strict=True)}
    after = _cursor("+", chosen[0].number) if chosen and start > 0 else None
    older = _cursor("-", chosen[-1].number) if chosen and end < len(rows) else None
    place = show(call).url(f"triggers/{trigger.id}/revisions")
    return {
        "trigger_revisions": [_with_diff(row, before[row.number], show(call)) for row in chosen],
        "count": len(chosen),
        "after_cursor": after,
        "after_url": f"{place}?cursor={after}&limit={limit}" if after else None,
        "before_cursor": older,
        "before_url": f"{place}?cursor={older}&limit={limit}" if older else None,
        **_authors(call, chosen),
    }


@OPERATIONS.operation(
    "TriggerRevision",
    "GET",
    "/triggers/{trigger_id:int}/revisions/{trigger_revision_id:int}",
    summary="Show what a trigger was after an edit.",
    query=WithAuthors,
)
def show_revision(call: Call) -> dict[str, Any]:
    """Show a trigger's revision."""
    trigger = _trigger(call)
    show(call, "detail").note(trigger)
    found = revision_of(trigger, call.path["trigger_revision_id"])
    return {"trigger_revision": present_revision(found, show(call)), **_authors(call, [found])}


def _span(numbers: Sequence[int], cursor: str | None, limit: int) -> tuple[int, int]:
    """Return where in falling numbers the page of a cursor begins and ends.

    Raises:
        InvalidAttribute: no list gave the cursor.
    """
    if cursor is None:
        return 0, min(limit, len(numbers))
    way, number = _read(cursor)
    if way == "+":
        end = sum(1 for item in numbers if item > number)
        return max(0, end - limit), end
    start = sum(1 for item in numbers if item >= number)
    return start, min(start + limit, len(numbers))


def _cursor(way: str, number: int) -> str:
    return write_token(f"{way}{number}")


def _read(cursor: str) -> tuple[str, int]:
    try:
        text = read_token(cursor)
    except ValueError:
        text = ""
    number = whole_number(text[1:], digits=11)
    if text[:1] not in ("+", "-") or number is None:
        raise InvalidAttribute("cursor", "a cursor of an earlier answer")
    return text[0], number
