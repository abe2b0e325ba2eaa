"""Whether a write at the tracker was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look
from episodes.tasks.tracker_acts import text_of

# Fields whose values are named, and what names them.
NAMED: Final = ("accountId", "key", "id", "name", "value")


def moved(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether an issue is no longer offered the transition, or has what it was to set.

    A transition that leads from everywhere is still offered: then where the issue came to counts.
    """
    key, number = arguments["issueIdOrKey"], str(arguments["body"]["transition"]["id"])
    found = space.act("tracker_getIssue", issueIdOrKey=key, expand="transitions")
    offered = found["body"]["transitions"]
    target = next((one["to"]["id"] for one in offered if str(one["id"]) == number), None)
    here = found["body"]["fields"]["status"]["id"]
    return found if target is None or target == here else None


def edited(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the fields of an issue are what they were to become."""
    found = space.act("tracker_getIssue", issueIdOrKey=arguments["issueIdOrKey"])
    wanted = arguments["body"].get("fields") or {}
    held = found["body"]["fields"]
    return found if all(_same(held.get(name), value) for name, value in wanted.items()) else None


def assigned(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether an issue is whose it was to become."""
    found = space.act("tracker_getIssue", issueIdOrKey=arguments["issueIdOrKey"])
    holder = found["body"]["fields"].get("assignee") or {}
    return found if holder.get("accountId") == arguments["body"].get("accountId") else None


def commented(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether an issue has a comment of these words."""
    found = space.act("tracker_getComments", key=arguments["key"])
    said = [text_of(comment["body"]) for comment in found["body"]["comments"]]
    return found if text_of(arguments["body"]["body"]) in said else None


def linked(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the two issues have a link of the kind, this way round."""
    body = arguments["body"]
    source, destination = body["inwardIssue"]["key"], body["outwardIssue"]["key"]
    found = space.act("tracker_getIssue", issueIdOrKey=source)
    for one in found["body"]["fields"].get("issuelinks") or ():
        far = one.get("outwardIssue") or {}
        if one["type"]["name"] == body["type"]["name"] and far.get("key") == destination:
            return found
    return None


def created(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether an issue of that summary was made in the space by oneself, and return it."""
    fields = arguments["body"]["fields"]
    jql = f"project = {fields['project']['key']} AND reporter = currentUser() ORDER BY created DESC"
    found = space.act("tracker_searchAndReconsileIssuesUsingJql", jql=jql, fields="summary")
    for row in found["body"]["issues"]:
        if row["fields"]["summary"] == fields["summary"]:
            return {**found, "body": {"id": row["id"], "key": row["key"]}}
    return None


def _same(held: Any, wanted: Any) -> bool:
    """Tell whether a field holds what it was to: records are named in one of several ways."""
    if isinstance(wanted, Mapping) and wanted.get("type") == "doc":
        return text_of(held) == text_of(wanted)
    if isinstance(wanted, Mapping):
        named = [name for name in NAMED if name in wanted]
        return isinstance(held, Mapping) and all(
            str(held.get(name)) == str(wanted[name]) for name in named
        )
    if isinstance(wanted, list):
        held = held or []
        return len(held) == len(wanted) and all(
            any(_same(one, other) for one in held) for other in wanted
        )
    return bool(held == wanted)


LOOKS: Final[Mapping[str, Look]] = {
    "tracker_doTransition": moved,
    "tracker_editIssue": edited,
    "tracker_assignIssue": assigned,
    "tracker_addComment": commented,
    "tracker_linkIssues": linked,
    "tracker_createIssue": created,
}
