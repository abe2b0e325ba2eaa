"""How a careful engineer answers a question about one work item: from goal, accounts and acts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from episodes.families.t01.reading import Wanted, build_in, last_change, likest, wanted_of
from episodes.families.t01.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import changes_of, read_issue, search, text_of
from sandlot.service import Space


def by_api(space: ActingSpace) -> None:
    """Find the work item, read it, answer."""
    space = RetryingSpace(space, {})
    wanted = wanted_of(space.goal)
    issue = find(space, wanted)
    space.act("finish", status="done", answer=answer_from(space, wanted, issue["key"]))


def issues_found(space: ActingSpace, wanted: Wanted) -> list[dict[str, Any]]:
    """Return the work items that the search for the described one finds."""
    return search(space, wanted.jql, "summary", "reporter", "created", most=50)


def find(space: ActingSpace, wanted: Wanted) -> dict[str, Any]:
    """Return the work item that is described, as the search shows it."""
    rows = issues_found(space, wanted)
    if wanted.who:
        rows = [row for row in rows if row["fields"]["reporter"]["displayName"] == wanted.who]
    return rows[likest(wanted.topic, [row["fields"]["summary"] for row in rows])]


def answer_from(space: ActingSpace, wanted: Wanted, key: str) -> Any:
    """Read a work item and return what is asked of it.

    Raises:
        LookupError: it does not say it.
    """
    issue = read_issue(space, key, history=True)
    fields, entries = issue["fields"], issue["changelog"]["histories"]
    match wanted.fact:
        case "fixed":
            return fields["fixVersions"][-1]["name"]
        case "taken":
            return _local(last_change(changes_of(entries, "assignee"))[0], wanted.zone)
        case "before":
            return last_change(changes_of(entries, "assignee"))[1]
        case "done":
            moves = [one for one in changes_of(entries, "status") if one[2] == "Done"]
            return _local(last_change(moves)[0], wanted.zone)
        case "spent":
            return fields["timespent"] // 60
        case "blocker":
            return _blocker(fields["issuelinks"])
        case "priority":
            changes = changes_of(entries, "priority")
            return changes[0][1] if changes else fields["priority"]["name"]
    said = sorted(fields["comment"]["comments"], key=lambda one: one["created"])
    return build_in(text_of(one["body"]) for one in said)


def _local(moment: str, zone: str) -> str:
    return f"{datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def _blocker(links: list[dict[str, Any]]) -> str:
    """Return the key of what blocks a work item.

    Raises:
        LookupError: nothing does.
    """
    for link in links:
        if link["type"]["inward"] == "is blocked by" and "inwardIssue" in link:
            return str(link["inwardIssue"]["key"])
    raise LookupError("nothing blocks it")


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
