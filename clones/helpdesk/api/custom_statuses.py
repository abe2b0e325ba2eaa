"""Writes of the statuses of tickets."""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, Body
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.api.settings import STATUSES
from clones.helpdesk.domain import custom_statuses
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter


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


register_resource(
    STATUSES,
    resources.creates("CreateCustomStatus", "Create a status of tickets.", body=StatusBody),
    resources.updates("UpdateCustomStatus", "Change a status of tickets.", body=StatusBody),
    module=__name__,
)


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
