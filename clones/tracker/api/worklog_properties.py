"""What integrations keep with work logs."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.tracker.api.entity_properties import drop, keep, keys_of, value_of
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.domain.worklogs import require_editable
from clones.tracker.models import Worklog
from clones.tracker.queries.rights import find_issue
from clones.tracker.queries.worklogs import find_worklog

PATH = "/rest/api/3/issue/{key}/worklog/{id}/properties"


@operation(
    "getWorklogPropertyKeys",
    "GET",
    PATH,
    summary="List the keys of a work log's properties.",
    access="anyone",
)
def list_worklog_properties(call: Call) -> dict[str, Any]:
    """List the keys."""
    worklog = _found(call)
    address = show(call).url(f"issue/{worklog.issue_id}/worklog/{worklog.id}/properties")
    return keys_of("worklog", str(worklog.id), address)


@operation(
    "getWorklogProperty",
    "GET",
    PATH + "/{property}",
    summary="Show a property of a work log.",
    access="anyone",
)
def show_worklog_property(call: Call) -> dict[str, Any]:
    """Show a property."""
    return value_of("worklog", str(_found(call).id), call.path["property"])


@operation(
    "setWorklogProperty",
    "PUT",
    PATH + "/{property}",
    summary="Set a property of a work log. The body is its value.",
    raw_body=True,
)
def set_worklog_property(call: Call) -> Reply:
    """Set a property."""
    return keep("worklog", str(_editable(call).id), call.path["property"], call.body)


@operation(
    "deleteWorklogProperty",
    "DELETE",
    PATH + "/{property}",
    summary="Delete a property of a work log.",
    status=204,
)
def delete_worklog_property(call: Call) -> Reply:
    """Delete a property."""
    return drop("worklog", str(_editable(call).id), call.path["property"])


def _found(call: Call) -> Worklog:
    rights = actor(call)
    return find_worklog(rights, call.path["id"], find_issue(rights, call.path["key"]))


def _editable(call: Call) -> Worklog:
    worklog = _found(call)
    require_editable(worklog, actor=actor(call))
    return worklog
