"""The facts of T06 a second time: the request read again, and applied to the version's rows.

`arrange` knows what belongs where by the drafts that it planted; here it is told from what the
work items have become.
"""

from __future__ import annotations

from typing import Any

from clones.tracker.models import (
    Issue,
    IssueComponent,
    IssueLabel,
    IssueVersion,
    User,
    Version,
)
from episodes.families.t06.reading import REVERTS, Request, read_request
from episodes.tasks.tracker_acts import text_of

Item = dict[str, Any]


def derive(goal: str) -> dict[str, Any]:
    """Return the facts as plain loops over the bound sandbox find them.

    Raises:
        LookupError: the goal names nobody who asks for a release.
    """
    asker, issue, asked = _request(goal)
    versions = {
        row.name: row for row in Version.objects.all() if row.project_id == issue.project_id
    }
    version = versions[asked.version]
    items = _items(version)
    left = asked.leftovers(items)
    notes, silent = asked.notes(items), _silent(asked, items)
    ids = {name: row.id for name, row in versions.items()}
    return {
        "asker": asker.id,
        "request": issue.id,
        "request_key": issue.key,
        "space": issue.project.key,
        "version": version.name,
        "version_id": version.id,
        "date": asked.date,
        "place": "comment" if asked.title is None else "item",
        "notes": notes,
        "silent": silent,
        "hushed": _hushed(notes, silent, items),
        "leftovers": {key: ids.get(left[key]) for key in sorted(left)},
        "versions": sorted(row.id for row in Version.objects.all()),
    }


def _request(goal: str) -> tuple[User, Issue, Request]:
    for issue in Issue.objects.select_related("reporter", "project").order_by("-created"):
        reporter, text = issue.reporter, text_of(issue.description)
        if reporter is None or reporter.display_name not in goal or "release date" not in text:
            continue
        return reporter, issue, read_request(text)
    raise LookupError("nobody whom the goal names asks for a release")


def _items(version: Version) -> list[Item]:
    """Return what the version holds, as agents see it."""
    held = [link.issue_id for link in IssueVersion.objects.all() if link.kind == "fix"
            and link.version_id == version.id]  # fmt: skip
    labels = [(row.issue_id, row.label) for row in IssueLabel.objects.all()]
    parts = [
        (row.issue_id, row.component.name)
        for row in IssueComponent.objects.select_related("component").order_by("id")
    ]
    rows = Issue.objects.select_related("issue_type", "priority", "status", "resolution")
    return [
        {
            "key": issue.key,
            "summary": issue.summary,
            "type": issue.issue_type.name,
            "priority": issue.priority.name if issue.priority else "",
            "labels": [label for key, label in labels if key == issue.id],
            "components": [name for key, name in parts if key == issue.id],
            "category": issue.status.category,
            "status": issue.status.name,
            "resolution": issue.resolution.name if issue.resolution else "",
            "due": issue.due_date.isoformat() if issue.due_date else "",
        }
        for issue in rows
        if issue.id in held
    ]


def _silent(asked: Request, items: list[Item]) -> dict[str, list[str]]:
    """Return what is done and stays out of the notes, by why."""
    told = {key for keys in asked.notes(items).values() for key in keys}
    taken = {found[1] for item in items if (found := REVERTS.match(item["summary"]))}
    silent: dict[str, list[str]] = {}
    for item in items:
        if item["category"] != "done" or item["key"] in told:
            continue
        if item["resolution"] != "Done":
            role = "refused"
        elif REVERTS.match(item["summary"]):
            role = "revert"
        elif item["key"] in taken:
            role = "reverted"
        else:
            role = "internal" if "internal" in item["labels"] else "embargo"
        silent.setdefault(role, []).append(item["key"])
    return {role: sorted(silent[role]) for role in sorted(silent)}


def _hushed(
    notes: dict[str, list[str]], silent: dict[str, list[str]], items: list[Item]
) -> list[str]:
    """Return the titles of what is embargoed that no title in the notes has in it."""
    titles = {item["key"]: item["summary"] for item in items}
    told = [titles[key].lower() for keys in notes.values() for key in keys]
    embargoed = {titles[key] for key in silent.get("embargo", [])}
    return sorted(title for title in embargoed if not any(title.lower() in one for one in told))
