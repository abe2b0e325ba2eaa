"""How a careful agent saves a filter that somebody asks for: from goal, accounts and acts alone."""

from __future__ import annotations

from typing import Any, Final

from episodes.families.t02.looking import LOOKS
from episodes.families.t02.request import Request, read_request
from episodes.families.t02.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import read_issue, search, text_of
from sandlot.service import Space

OWN: Final = 'assignee = currentUser() AND statusCategory = "To Do" ORDER BY created DESC'


def by_api(space: ActingSpace) -> None:
    """Find the request among the own work, read it, save the filter, finish."""
    space = RetryingSpace(space, LOOKS)
    space.act("tracker_createFilter", body=wanted_filter(space))
    space.act("finish", status="done")


def asked_for(space: ActingSpace) -> Request:
    """Return what the work item that the goal speaks of asks for.

    Raises:
        LookupError: none is by anybody whom the goal names.
    """
    for row in search(space, OWN, "summary", "reporter", most=100):
        reporter = (row["fields"].get("reporter") or {}).get("displayName", "")
        if reporter and reporter in space.goal:
            issue = read_issue(space, row["key"])
            return read_request(text_of(issue["fields"]["description"]))
    raise LookupError("nothing that is mine was asked for by anybody whom the goal names")


def wanted_filter(space: ActingSpace) -> dict[str, Any]:
    """Return the filter that is asked for, as the API takes it; starred, as by the page."""
    asked = asked_for(space)
    return {
        "name": asked.name,
        "jql": asked.jql,
        "favourite": True,
        "sharePermissions": [_share(space, *asked.share)],
    }


def _share(space: ActingSpace, kind: str, name: str) -> dict[str, Any]:
    if kind == "group":
        return {"type": "group", "group": {"name": name}}
    if kind == "space":
        found = space.act("tracker_searchProjects", query=name)["body"]["values"]
        key = next(project["id"] for project in found if project["name"] == name)
        return {"type": "project", "project": {"id": key}}
    return {"type": "authenticated"}


SOLVE: dict[Space, Script] = {"api": by_api, "browser": in_browser}
