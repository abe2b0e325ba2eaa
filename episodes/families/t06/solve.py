"""How a careful agent brings a version out: from goal, accounts and acts alone."""

from __future__ import annotations

from typing import Any, Final

from episodes.families.t06.looking import LOOKS
from episodes.families.t06.reading import Item, Request, notes_text, read_request
from episodes.families.t06.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import document, read_issue, say, search, text_of
from sandlot.service import Space

OWN: Final = 'assignee = currentUser() AND statusCategory = "To Do" ORDER BY created DESC'
FIELDS: Final = (
    *("summary", "issuetype", "priority", "labels", "components", "status", "resolution"),
    "duedate",
)


def by_api(space: ActingSpace) -> None:
    """Read the request and the version, move leftovers, write the notes, release, finish."""
    space = RetryingSpace(space, LOOKS)
    key, asked = asked_for(space)
    versions = versions_of(space, key)
    items = items_of(space, key, asked)
    move_leftovers(space, asked, items, versions)
    summaries = {item["key"]: item["summary"] for item in items}
    tell(space, key, asked, notes_text(asked.notes(items), summaries))
    release(space, versions[asked.version], asked)
    space.act("finish", status="done")


def asked_for(space: ActingSpace) -> tuple[str, Request]:
    """Return the key of the work item that the goal speaks of, and what it asks for.

    Raises:
        LookupError: none is by anybody whom the goal names.
    """
    for row in search(space, OWN, "summary", "reporter", most=100):
        reporter = (row["fields"].get("reporter") or {}).get("displayName", "")
        if reporter and reporter in space.goal:
            text = text_of(read_issue(space, row["key"])["fields"]["description"])
            if "release date" in text:
                return row["key"], read_request(text)
    raise LookupError("nothing that is mine was asked for by anybody whom the goal names")


def versions_of(space: ActingSpace, key: str) -> dict[str, str]:
    """Return the ids of the versions of an issue's space, by their names."""
    body = space.act("tracker_getProjectVersions", projectIdOrKey=key.partition("-")[0])["body"]
    return {version["name"]: str(version["id"]) for version in body}


def items_of(space: ActingSpace, key: str, asked: Request) -> list[Item]:
    """Return what the version holds."""
    jql = f'project = {key.partition("-")[0]} AND fixVersion = "{asked.version}" ORDER BY key'
    return [as_item(row) for row in search(space, jql, *FIELDS)]


def as_item(row: dict[str, Any]) -> Item:
    """Return an issue of the API as an item."""
    fields = row["fields"]
    return {
        "key": row["key"],
        "summary": fields["summary"],
        "type": fields["issuetype"]["name"],
        "priority": (fields.get("priority") or {}).get("name", ""),
        "labels": fields.get("labels") or [],
        "components": [part["name"] for part in fields.get("components") or []],
        "category": fields["status"]["statusCategory"]["key"],
        "status": fields["status"]["name"],
        "resolution": (fields.get("resolution") or {}).get("name", ""),
        "due": fields.get("duedate") or "",
    }


def move_leftovers(
    space: ActingSpace, asked: Request, items: list[Item], versions: dict[str, str]
) -> None:
    """Give each open item the version that the rule says, or none."""
    for key, name in asked.leftovers(items).items():
        wanted = [{"id": versions[name]}] if name else []
        body = {"fields": {"fixVersions": wanted}}
        space.act("tracker_editIssue", issueIdOrKey=key, body=body)


def tell(space: ActingSpace, key: str, asked: Request, text: str) -> None:
    """Write the notes where they are wanted."""
    if asked.title is None:
        say(space, key, text)
        return
    fields = {
        "project": {"key": key.partition("-")[0]},
        "issuetype": {"name": "Task"},
        "summary": asked.title,
        "description": document(text),
    }
    space.act("tracker_createIssue", body={"fields": fields})


def release(space: ActingSpace, version: str, asked: Request) -> None:
    """Release the version on the day."""
    body = {"released": True, "releaseDate": asked.date}
    space.act("tracker_updateVersion", id=version, body=body)


SOLVE: dict[Space, Script] = {"api": by_api, "browser": in_browser}
