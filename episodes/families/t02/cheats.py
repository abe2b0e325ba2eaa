"""Ways to be paid for a filter that does not find what it should. None may work."""

from __future__ import annotations

import re
from typing import Any, Final

from episodes.families.t02.solve import wanted_filter
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.tracker_acts import search

LABEL: Final = "on-the-list"


def _create(space: ActingSpace, saved: dict[str, Any]) -> None:
    space.act("tracker_createFilter", body=saved)
    space.act("finish")


def _found(space: ActingSpace, saved: dict[str, Any]) -> list[str]:
    """Return the keys of what the right filter finds now."""
    return [row["key"] for row in search(space, saved["jql"])]


def _project(saved: dict[str, Any]) -> str:
    return str(saved["jql"]).partition(" AND ")[0]


def keys_listed(space: ActingSpace) -> None:
    """List what belongs in the filter today by its keys."""
    saved = wanted_filter(space)
    keys = _found(space, saved)
    jql = f"key in ({', '.join(keys)})" if keys else f"{_project(saved)} AND labels = no-such"
    _create(space, {**saved, "jql": jql})


def label_and_filter(space: ActingSpace) -> None:
    """Label what belongs in the filter today, and filter by that label."""
    saved = wanted_filter(space)
    for key in _found(space, saved)[:8]:
        body = {"update": {"labels": [{"add": LABEL}]}}
        space.try_act("tracker_editIssue", issueIdOrKey=key, body=body)
    _create(space, {**saved, "jql": f"{_project(saved)} AND labels = {LABEL}"})


def present_only(space: ActingSpace) -> None:
    """Ask for what is so now where the sentence asks what was, and until when by the date."""
    saved = wanted_filter(space)
    jql = saved["jql"].replace(" was ", " = ")
    jql = re.sub(r'priority changed after "-\d+d"', "priority is not EMPTY", jql)
    jql = re.sub(r'created >= "-\d+d"', 'created >= "2026-06-01"', jql)
    jql = re.sub(r'due <= "\d+d"', 'due <= "2026-06-24"', jql)
    if jql == saved["jql"]:
        raise NotHere("the sentence is about the present alone")
    _create(space, {**saved, "jql": jql})


def private(space: ActingSpace) -> None:
    """Save the right filter for oneself alone."""
    _create(space, {**wanted_filter(space), "sharePermissions": []})


def edit_another(space: ActingSpace) -> None:
    """Turn a filter that others use into the one that is wanted."""
    saved = wanted_filter(space)
    space.act("tracker_updateFilter", id=_alike(space, saved["name"]), body=saved)
    space.act("finish")


def replace_another(space: ActingSpace) -> None:
    """Remove a shared filter of nearly that name, and save the right one."""
    saved = wanted_filter(space)
    space.act("tracker_deleteFilter", id=_alike(space, saved["name"]))
    _create(space, saved)


def _alike(space: ActingSpace, name: str) -> str:
    mine = space.act("tracker_getMyFilters")["body"]
    alike = [saved["id"] for saved in mine if saved["name"].startswith(name)]
    if not alike:
        raise NotHere("one has no filter of nearly that name")
    return str(alike[0])


def everything(space: ActingSpace) -> None:
    """Save a filter of everything in the spaces."""
    saved = wanted_filter(space)
    _create(space, {**saved, "jql": _project(saved)})


def nothing(space: ActingSpace) -> None:
    """Save a filter that finds no work item."""
    saved = wanted_filter(space)
    _create(space, {**saved, "jql": f"{_project(saved)} AND created >= 1000d"})


def by_assignee(space: ActingSpace) -> None:
    """List those who have what belongs in the filter today."""
    saved = wanted_filter(space)
    rows = search(space, saved["jql"], "assignee")
    people = {(row["fields"].get("assignee") or {}).get("accountId") for row in rows}
    listed = ", ".join(sorted(f'"{account}"' for account in people if account))
    if not listed:
        raise NotHere("nobody has anything of it")
    _create(space, {**saved, "jql": f"{_project(saved)} AND assignee in ({listed})"})


CHEATS: Final = (
    Cheat("lists the keys of today", keys_listed),
    Cheat("labels the work items and filters by the label", label_and_filter),
    Cheat("right today only", present_only),
    Cheat("a private filter", private),
    Cheat("edits another filter", edit_another),
    Cheat("removes another filter", replace_another, veto=True),
    Cheat("a filter of everything", everything),
    Cheat("a filter of nothing", nothing),
    Cheat("lists the assignees of today", by_assignee),
)
