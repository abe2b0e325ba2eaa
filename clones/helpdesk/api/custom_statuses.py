"""Writes of the statuses of tickets."""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.settings import present_custom_status
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import custom_statuses
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter
from clones.helpdesk.models import CustomStatus


class StatusWrite(Body):
    """What to set on a status."""

    id: int | None = None
    status_category: str | None = None
    agent_label: str | None = None
    raw_agent_label: str | None = None
    end_user_label: str | None = None
    raw_end_user_label: str | None = None
    description: str | None = None
    raw_description: str | None = None
    end_user_description: str | None = None
    raw_end_user_description: str | None = None
    active: bool | None = None


class StatusBody(Body):
    """A status to create or update."""

    custom_status: StatusWrite


class DefaultsBody(Body):
    """The statuses that are to be the defaults of their categories."""

    ids: str | None = Field(None, description="The statuses' ids, with commas between them.")


@OPERATIONS.operation(
    "CreateCustomStatus",
    "POST",
    "/custom_statuses",
    summary="Create a status of tickets.",
    body=StatusBody,
    access="admin",
    status=201,
)
def create_status(call: Call) -> Reply:
    """Create a status."""
    made = custom_statuses.create_status(
        actor=call.actor, changes=rule_changes(call.body.custom_status)
    )
    body = present_custom_status(made, show(call, "detail"))
    return Reply({"custom_status": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateCustomStatus",
    "PUT",
    "/custom_statuses/{status_id:int}",
    summary="Change a status of tickets.",
    body=StatusBody,
    access="admin",
)
def update_status(call: Call) -> dict[str, Any]:
    """Update a status."""
    found = queries.one(CustomStatus.objects.all(), "custom status", call.path["status_id"])
    custom_statuses.update_status(
        found, actor=call.actor, changes=rule_changes(call.body.custom_status)
    )
    return {"custom_status": present_custom_status(found, show(call, "detail"))}


@OPERATIONS.operation(
    "BulkUpdateDefaultCustomStatus",
    "PUT",
    "/custom_status/default",
    summary="Make statuses the defaults of their categories.",
    body=DefaultsBody,
    access="admin",
)
def set_defaults(call: Call) -> dict[str, Any]:
    """Set the default statuses of categories."""
    if not call.body.ids:
        raise MissingParameter("ids")
    pieces = [piece.strip() for piece in call.body.ids.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,18}", piece) for piece in pieces):
        raise InvalidAttribute("ids", "a list of integers")
    custom_statuses.set_default_statuses([int(piece) for piece in pieces], actor=call.actor)
    return {}
