"""How a careful agent builds a view that somebody asks for: from goal, accounts and acts alone."""

from __future__ import annotations

from typing import Any

from episodes.families.h17.looking import LOOKS
from episodes.families.h17.reading import COLUMN_NAMES, Asked, Request, read_request
from episodes.families.h17.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.desk_acts import find_ticket
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

SYSTEM = {"Status": "status", "Type": "type", "Priority": "priority", "Tags": "current_tags"}
STATUSES = {"On-hold": "hold"}


def by_api(space: ActingSpace) -> None:
    """Read the request, look up groups and fields, create the view, finish."""
    space = RetryingSpace(space, LOOKS)
    space.act("helpdesk_CreateView", body={"view": wanted_view(space)})
    space.act("finish", status="done")


def wanted_view(space: ActingSpace) -> dict[str, Any]:
    """Return the view that the goal's ticket asks for, as the API takes it."""
    asked = read_request(find_ticket(space)["description"])
    listed = space.act("helpdesk_ListGroups", per_page=100)["body"]["groups"]
    groups = {group["name"]: group["id"] for group in listed}
    fields = space.act("helpdesk_ListTicketFields")["body"]["ticket_fields"]
    return as_body(asked, groups, {field["title"]: field for field in fields})


def as_body(asked: Request, groups: dict[str, int], fields: dict[str, Any]) -> dict[str, Any]:
    """Return a request as the body of a view."""
    conditions: dict[str, list[dict[str, Any]]] = {"all": [], "any": []}
    for each in asked.conditions:
        conditions[each.side].append(_condition(each, groups, fields))
    output: dict[str, Any] = {
        "columns": [COLUMN_NAMES[title] for title in asked.columns],
        "sort_by": COLUMN_NAMES[asked.sort_by],
        "sort_order": asked.sort_order,
    }
    if asked.group_by is not None:
        output["group_by"] = COLUMN_NAMES[asked.group_by]
        output["group_order"] = asked.group_order
    keys = [groups[name] for name in sorted(asked.groups)]
    restriction = {"type": "Group", "id": keys[0], "ids": keys} if keys else None
    return {"title": asked.name, **conditions, "output": output, "restriction": restriction}


def _condition(each: Asked, groups: dict[str, int], fields: dict[str, Any]) -> dict[str, Any]:
    if each.field == "Group":
        return _said("group_id", each.operator, str(groups[each.value]))
    if each.field == "Assignee":
        return _said("assignee_id", "is", "")
    if each.field in SYSTEM:
        value = STATUSES.get(each.value, each.value.lower())
        return _said(SYSTEM[each.field], each.operator, value)
    field = fields[each.field]
    if field["type"] == "checkbox":
        return _said(f"custom_fields_{field['id']}", "is", "true")
    options = {option["name"]: option["value"] for option in field["custom_field_options"]}
    return _said(f"custom_fields_{field['id']}", "is", options[each.value])


def _said(field: str, operator: str, value: str) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value}


SOLVE: dict[Space, Script] = {"api": by_api, "browser": in_browser}
