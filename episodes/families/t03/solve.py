"""How a careful engineer sorts incoming reports: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.families.t03.reading import (
    CODE,
    Guide,
    Incoming,
    Known,
    Sorted,
    guide_of,
    sort_out,
    space_of,
)
from episodes.families.t03.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import (
    edit,
    link,
    moves_of,
    named_move,
    quoted,
    search,
    take,
    text_of,
)
from episodes.tasks.tracker_looking import LOOKS
from sandlot.service import Space

INCOMING: Final = "labels = incoming AND statusCategory != Done"
Row = Mapping[str, Any]


def by_api(space: ActingSpace) -> None:
    """Read the reports, the guide and what is on record; do what each asks for; finish."""
    space = RetryingSpace(space, LOOKS)
    for found in look_into(space):
        deal_with(space, found)
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> list[Sorted]:
    """Return what becomes of each report."""
    reports = reports_of(space)
    key = reports[0]["fields"]["project"]["key"]
    guide = read_guide(space, key)
    versions = versions_of(space, key)
    known = on_record(space, key, reports)
    return [
        sort_out(
            Incoming(row["key"], row["fields"]["summary"], text_of(row["fields"]["description"])),
            guide,
            known,
            versions,
        )
        for row in reports
    ]


def reports_of(space: ActingSpace) -> list[Row]:
    """Return the incoming reports of the space that the goal names, the oldest first."""
    rows = search(space, f"{INCOMING} ORDER BY created", "summary", "description", "project")
    name = space_of(space.goal, [row["fields"]["project"]["name"] for row in rows])
    return [row for row in rows if row["fields"]["project"]["name"] == name]


def read_guide(space: ActingSpace, key: str) -> Guide:
    """Return the triage guide of a space."""
    where = f'project = {key} AND statusCategory != Done AND summary ~ "triage"'
    rows = search(space, f"{where} ORDER BY created DESC", "summary", "description", most=10)
    return guide_of(text_of(rows[0]["fields"]["description"]))


def versions_of(space: ActingSpace, key: str) -> list[str]:
    """Return the names of a space's released versions, the oldest first."""
    shown = space.act("tracker_getProjectVersions", projectIdOrKey=key)["body"]
    released = [row for row in shown if row.get("releaseDate")]
    return [str(row["name"]) for row in sorted(released, key=lambda row: row["releaseDate"])]


def on_record(space: ActingSpace, key: str, reports: list[Row]) -> dict[str, Known]:
    """Return what is on record by the codes that the reports quote."""
    own = {row["key"] for row in reports}
    texts = [text_of(row["fields"]["description"]) for row in reports]
    codes = [code[0] for text in texts if (code := CODE.search(text)) is not None]
    quotes = " OR ".join(f"text ~ {quoted(code)}" for code in codes)
    rows = search(space, f"project = {key} AND ({quotes})", "description", "fixVersions")
    found: dict[str, Known] = {}
    for row in rows:
        quote = CODE.search(text_of(row["fields"]["description"]))
        if row["key"] not in own and quote is not None:
            fixed = row["fields"]["fixVersions"]
            found[quote[0]] = Known(row["key"], fixed[0]["name"] if fixed else None)
    return found


def deal_with(space: ActingSpace, found: Sorted) -> None:
    """Do with a report what becomes of it."""
    if found.component is not None:
        fields: dict[str, Any] = {
            "components": [{"name": found.component}],
            "priority": {"name": found.priority},
        }
        if found.came_back:
            fields["labels"] = ["incoming", "regression"]
        edit(space, found.key, **fields)
    if found.link is not None and found.record is not None:
        link(space, found.link, found.key, found.record)
    if found.resolution is not None:
        close(space, found.key, found.resolution)


def close(space: ActingSpace, key: str, resolution: str) -> None:
    """Take a report through Close, with its resolution.

    Raises:
        LookupError: it is not offered.
    """
    chosen = named_move(moves_of(space, key), "Close")
    if chosen is None:
        raise LookupError(f"{key} cannot be closed")
    take(space, key, chosen["id"], fields={"resolution": {"name": resolution}})


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
