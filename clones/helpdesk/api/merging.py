"""Merging tickets into one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.history import ticket_of
from clones.helpdesk.api.operations import MANY, OPERATIONS, Body
from clones.helpdesk.api.ticket_bulk import start
from clones.helpdesk.domain import merging
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues


class MergeBody(Body):
    """A merge of tickets: the sources, and the comments on target and sources."""

    ids: list[int] | None = Field(None, description="The tickets to close.")
    target_comment: str | None = Field(None, description="What to say on the ticket that stays.")
    source_comment: str | None = Field(None, description="What to say on the closed tickets.")
    target_comment_is_public: bool = False
    source_comment_is_public: bool = False


@OPERATIONS.operation(
    "MergeTicketsIntoTargetTicket",
    "POST",
    "/tickets/{ticket_id:int}/merge",
    summary="Close tickets in favour of another one, as a job.",
    body=MergeBody,
)
def merge(call: Call) -> dict[str, Any]:
    """Queue a merge."""
    given = call.body
    if not given.ids:
        raise MissingParameter("ids")
    if len(given.ids) > MANY:
        raise TooManyValues(MANY)
    item = {
        "id": ticket_of(call).id,
        "sources": list(dict.fromkeys(given.ids)),
        "on_target": asdict(
            merging.MergeComment(given.target_comment, given.target_comment_is_public)
        ),
        "on_sources": asdict(
            merging.MergeComment(given.source_comment, given.source_comment_is_public)
        ),
    }
    return start(call, merging.KIND, [item])
