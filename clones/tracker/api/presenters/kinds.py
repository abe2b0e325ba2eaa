"""Types, statuses, priorities, resolutions and their schemes, as the API shows them."""

from __future__ import annotations

from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import (
    icon_url,
    issue_type_ref,
    project_ref,
    resolution_ref,
    status_ref,
)
from clones.tracker.models import (
    IssueType,
    IssueTypeScheme,
    Priority,
    PriorityScheme,
    Project,
    Resolution,
    Status,
)

Json = dict[str, Any]
# The categories of statuses in the newer operations on them, by the older key.
NEW_CATEGORIES: Final = {
    "undefined": "TODO",
    "new": "TODO",
    "indeterminate": "IN_PROGRESS",
    "done": "DONE",
}


def scope_of(project_id: int | None) -> Json:
    """Return the scope of what a team-managed space has for itself; nothing of the site's."""
    if project_id is None:
        return {}
    return {"scope": {"type": "PROJECT", "project": {"id": str(project_id)}}}


def inner_page(values: list[Any], *, most: int = 100) -> Json:
    """Return a list within a record, as a page that begins with its first."""
    return {
        "maxResults": most,
        "startAt": 0,
        "total": len(values),
        "isLast": len(values) <= most,
        "values": values[:most],
    }


def issue_type_body(kind: IssueType, show: Show) -> Json:
    """Return a type of issues."""
    return {**(issue_type_ref(kind, show) or {}), **scope_of(kind.project_id)}


def type_scheme_body(
    scheme: IssueTypeScheme,
    show: Show,
    *,
    projects: list[Project] | None = None,
    types: list[IssueType] | None = None,
) -> Json:
    """Return a scheme of types; with its spaces and types where they are asked for."""
    found: Json = {
        "id": str(scheme.id),
        "name": scheme.name,
        "description": scheme.description,
    }
    if scheme.default_type_id is not None:
        found["defaultIssueTypeId"] = str(scheme.default_type_id)
    if scheme.is_default:
        found["isDefault"] = True
    if projects is not None:
        found["projects"] = inner_page([project_ref(project, show) for project in projects])
    if types is not None:
        found["issueTypes"] = inner_page([issue_type_body(kind, show) for kind in types])
    return found


def status_body(status: Status, show: Show) -> Json:
    """Return a status of active workflows."""
    return {**(status_ref(status, show) or {}), **scope_of(status.project_id)}


def new_status_body(status: Status) -> Json:
    """Return a status as the newer operations on statuses show it."""
    scope: Json = {"type": "GLOBAL"}
    if status.project_id is not None:
        scope = {"type": "PROJECT", "project": {"id": str(status.project_id)}}
    return {
        "id": str(status.id),
        "name": status.name,
        "statusCategory": NEW_CATEGORIES[status.category],
        "scope": scope,
        "description": status.description,
    }


def priority_body(priority: Priority, show: Show) -> Json:
    """Return a priority."""
    return {
        "self": show.url(f"priority/{priority.id}"),
        "statusColor": priority.color,
        "description": priority.description,
        "iconUrl": icon_url(priority, show),
        "name": priority.name,
        "id": str(priority.id),
        "isDefault": priority.is_default,
    }


def placed_priority_body(
    priority: Priority, position: int, show: Show, *, default: int | None = None
) -> Json:
    """Return a priority in its place in a scheme; `default` is the scheme's default one."""
    return {
        **priority_body(priority, show),
        "isDefault": priority.id == default,
        "sequence": str(position),
    }


def priority_scheme_body(scheme: PriorityScheme, show: Show) -> Json:
    """Return a scheme of priorities."""
    found: Json = {
        "self": show.url(f"priorityscheme/{scheme.id}"),
        "id": str(scheme.id),
        "name": scheme.name,
        "description": scheme.description,
        "isDefault": scheme.is_default,
        "default": scheme.is_default,
    }
    if scheme.default_priority_id is not None:
        found["defaultPriorityId"] = str(scheme.default_priority_id)
    return found


def resolution_body(resolution: Resolution, show: Show) -> Json:
    """Return a resolution in a page: it tells whether it is the default one."""
    return {**(resolution_ref(resolution, show) or {}), "isDefault": resolution.is_default}
