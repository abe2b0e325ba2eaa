"""How a careful admin makes a macro: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes.families.h13.looking import LOOKS
from episodes.families.h13.reading import Wanted, plain_actions, wanted_of
from episodes.families.h13.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.desk_acts import find_ticket
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space


def by_api(space: ActingSpace) -> None:
    """Read the ticket to its end, look up what it names, make the macro, finish."""
    space = RetryingSpace(space, LOOKS)
    space.act("helpdesk_CreateMacro", body={"macro": macro_asked_for(space)})
    space.act("finish", status="done")


def macro_asked_for(space: ActingSpace) -> dict[str, Any]:
    """Read the ticket and look up what it names; return the macro that it asks for."""
    ticket = find_ticket(space)
    wanted = wanted_of(mails_of(space, ticket))
    groups = groups_by_name(space) if wanted.group or wanted.to_group else {}
    actions: list[dict[str, Any]] = [*plain_actions(wanted)]
    if wanted.to_group is not None:
        actions.append({"field": "group_id", "value": str(groups[wanted.to_group])})
    if wanted.category is not None:
        actions.append(category_action(space, wanted.category))
    group = whose(space, wanted, ticket, groups)
    restriction = {"type": "Group", "ids": [group]}
    return {"title": wanted.title, "actions": actions, "restriction": restriction}


def mails_of(space: ActingSpace, ticket: Mapping[str, Any]) -> list[str]:
    """Return what the requester wrote in a ticket, oldest first."""
    shown = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])
    own = ticket["requester_id"]
    return [said["body"] for said in shown["body"]["comments"] if said["author_id"] == own]


def groups_by_name(space: ActingSpace) -> dict[str, int]:
    """Return the ids of groups by name."""
    found = space.act("helpdesk_ListGroups", per_page=100)
    return {group["name"]: group["id"] for group in found["body"]["groups"]}


def category_action(space: ActingSpace, label: str) -> dict[str, Any]:
    """Return the action that sets the category.

    Raises:
        LookupError: there is no such category.
    """
    found = space.act("helpdesk_ListTicketFields")
    for entry in found["body"]["ticket_fields"]:
        if entry["title"] == "Category":
            for option in entry["custom_field_options"]:
                if option["name"] == label:
                    return {"field": f"custom_fields_{entry['id']}", "value": option["value"]}
    raise LookupError(f"there is no category {label}")


def whose(
    space: ActingSpace, wanted: Wanted, ticket: Mapping[str, Any], groups: Mapping[str, int]
) -> int:
    """Return the group whose macro it is to be.

    Raises:
        LookupError: the macro that it is to be like is not there, or is everybody's.
    """
    if wanted.group is not None:
        return groups[wanted.group]
    if wanted.ours:
        shown = space.act("helpdesk_ShowUser", user_id=ticket["requester_id"])
        return int(shown["body"]["user"]["default_group_id"])
    found = space.act("helpdesk_SearchMacro", query=wanted.same_as)
    for macro in found["body"]["macros"]:
        if macro["title"] == wanted.same_as and macro["restriction"]:
            return int(macro["restriction"]["id"])
    raise LookupError(f"nobody's own macro is called {wanted.same_as}")


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
