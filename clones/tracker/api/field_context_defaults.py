"""Default values of custom fields, by context."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.field_contexts import PATH, ContextQuery, asked_contexts, field_of
from clones.tracker.api.operations import actor, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.domain.context_defaults import set_defaults


class Defaults(AdminBody):
    """Default values of a custom field's contexts, each with its type and context."""

    values: list[dict[str, Any]] = Field([], alias="defaultValues")


@operation(
    "getDefaultValues",
    "GET",
    PATH + "/defaultValue",
    summary="List the default values of a custom field.",
    query=ContextQuery,
    access="admin",
)
def list_defaults(call: Call) -> dict[str, Any]:
    """List the defaults of contexts; those without one are left out."""
    rows = asked_contexts(call).filter(default__isnull=False)
    return page_bean(
        call, rows, lambda found: [{"contextId": str(row.id), **row.default} for row in found]
    )


@operation(
    "setDefaultValues",
    "PUT",
    PATH + "/defaultValue",
    summary="Set default values of a custom field.",
    body=Defaults,
    access="admin",
    status=204,
)
def change_defaults(call: Call) -> None:
    """Set the defaults of contexts."""
    set_defaults(field_of(call), call.body.values, actor=actor(call))
