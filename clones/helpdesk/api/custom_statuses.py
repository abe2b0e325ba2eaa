"""Statuses of tickets."""

from __future__ import annotations

import re
from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, Body, Query, Words
from clones.helpdesk.api.presenters.settings import present_custom_status
from clones.helpdesk.api.resources import WHOLE, by_key, register_resource
from clones.helpdesk.domain import custom_statuses
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter
from clones.helpdesk.models import CustomStatus


class StatusList(Query):
    """Filters of the list of custom statuses; categories with commas between them."""

    active: str | None = None
    default: str | None = None
    status_categories: Words | None = None


class StatusWrite(Body):
    """The attributes of a custom ticket status that can be set."""

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
    """A custom ticket status to create or update."""

    custom_status: StatusWrite


class DefaultsBody(Body):
    """The ids of the custom statuses that become the defaults of their categories."""

    ids: str | None = Field(None, description="The statuses' ids, with commas between them.")


def _wanted_statuses(call: Call) -> QuerySet[CustomStatus]:
    rows = custom_statuses.CUSTOM_STATUS.rows()
    for name in ("active", "default"):
        said = getattr(call.query, name)
        if said is not None:
            rows = rows.filter(**{name: said == "true"})
    if call.query.status_categories is not None:
        rows = rows.filter(status_category__in=call.query.status_categories)
    return rows


register_resource(
    resources.ResourceApi(
        resource=custom_statuses.CUSTOM_STATUS,
        path="/custom_statuses",
        one="/{status_id:int}",
        find=by_key(custom_statuses.CUSTOM_STATUS, "custom status"),
        present=present_custom_status,
        body=StatusBody,
        name="custom_status",
        names="custom_statuses",
    ),
    resources.lists(
        "ListCustomStatuses",
        "List the statuses of tickets.",
        access="end-user",
        query=StatusList,
        rows=_wanted_statuses,
        manner=WHOLE,
    ),
    resources.creates("CreateCustomStatus", "Create a status of tickets."),
    resources.shows("ShowCustomStatus", "Show one status of tickets."),
    resources.updates("UpdateCustomStatus", "Change a status of tickets."),
    resources.deletes("DeleteCustomStatus", "Take a status of tickets out of use."),
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
