"""The facts of X02 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

import re
from typing import Any, Final

from clones.helpdesk.models import Comment, Ticket, User
from clones.tracker.models import Component, Issue, IssueVersion, Project, Version
from episodes.tasks.tracker_acts import text_of

CODE: Final = re.compile(r"[A-Z]{2}X\d{4}")
SERIAL: Final = re.compile(r"[A-Z0-9]{4}-\d{4}-\d{4}")
SYSTEM: Final = re.compile(r"with ((?:Windows|macOS|Ubuntu) [\d.]+(?: \w+H\d)?)\.\s")
FILE: Final = re.compile(r"happens with (\S+) for one")
MARKERS: Final = (
    ("signing in and accounts", ("password", "sign in", "account")),
    ("speed and waiting", ("slow", "minutes")),
    ("saving and files", ("i save", "save to", "when i save")),
    ("what the screen shows", ("screen",)),
)
EFFECTS: Final = (
    ("it is a nuisance", "nuisance"),
    ("work is lost", "lost"),
    ("the customer stands still", "stand still"),
)
DEMANDED: Final = (
    ("the code of the error", "code"),
    ("the version", "version"),
    ("serial number", "serial"),
    ("operating system", "system"),
    ("the name of the file", "file"),
)


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: something that the goal speaks of is not there.
    """
    ticket = _ticket(goal)
    mails = [
        comment
        for comment in Comment.objects.all().order_by("id")
        if comment.ticket_id == ticket.id and comment.author_id == ticket.requester_id
    ]
    note = next(
        comment
        for comment in Comment.objects.all().order_by("id")
        if "This replaces what was pinned before" in comment.body
    )
    lines = [line.strip() for line in note.body.splitlines() if line.strip()]
    first = mails[0].body
    names = re.findall(r"version (?:is )?([\w.-]*\w)", "\n".join(mail.body for mail in mails))
    right = names[0] if len(mails) == 1 else names[1]
    held = {
        "code": CODE.findall(first)[0],
        "version": right,
        "serial": SERIAL.findall(first)[0],
        "system": SYSTEM.findall(first + "\n")[0],
        "file": FILE.findall(first)[0],
    }
    demand = next(line for line in lines if line.startswith("What a bug has to tell:"))
    space = _space(lines)
    return {
        "ticket": ticket.id,
        "requester": ticket.requester_id,
        "mails": [mail.id for mail in mails],
        "note": note.id,
        "space": space.key,
        "space_id": space.id,
        "code": held["code"],
        "told": {fact: held[fact] for words, fact in DEMANDED if words in demand},
        "taken_back": names[0] if len(mails) > 1 else None,
        "other_versions": _other_versions(space, right),
        **_engineering(space, held["code"], first.lower(), lines),
    }


def _ticket(goal: str) -> Ticket:
    names = {user.id: user.name for user in User.objects.all() if user.role == "end-user"}
    found = [
        ticket
        for ticket in Ticket.objects.all().order_by("id")
        if ticket.status not in ("solved", "closed")
        and names.get(ticket.requester_id, "\0") in goal
    ]
    if len(found) != 1:
        raise LookupError(f"{len(found)} open tickets are of somebody whom the goal names")
    return found[0]


def _space(lines: list[str]) -> Project:
    line = next(line for line in lines if line.startswith("All of them go to the space "))
    name = line.removeprefix("All of them go to the space ").removesuffix(" on the tracker.")
    return next(project for project in Project.objects.all() if project.name == name)


def _other_versions(space: Project, right: str) -> list[str]:
    """Return the names of what was released after the first version, but for one."""
    rows = [
        row
        for row in Version.objects.all()
        if row.project_id == space.id and row.released and not row.archived
    ]
    rows.sort(key=lambda row: (str(row.release_date), row.position, row.id))
    return sorted(row.name for row in rows[1:] if row.name != right)


def _engineering(space: Project, code: str, mail: str, lines: list[str]) -> dict[str, Any]:
    """Return what is on record of the code, and what the note makes of it."""
    own = [
        issue
        for issue in Issue.objects.select_related("status", "priority").order_by("id")
        if issue.project_id == space.id and code in text_of(issue.description)
    ]
    record = own[0] if own else None
    open_one = record if record is not None and record.status.category != "done" else None
    component = priority = None
    if open_one is None:
        about = next(name for name, words in MARKERS if any(word in mail for word in words))
        named = _value(lines, f"Component for {about}: ")
        rows = [row for row in Component.objects.all() if row.project_id == space.id]
        component = next(row.id for row in rows if row.name == named)
        effect = next(name for name, word in EFFECTS if word in mail)
        priority = _value(lines, f"Priority where {effect}: ")
    held = priority
    if open_one is not None and open_one.priority is not None:
        held = open_one.priority.name
    versions = {row.id: row for row in Version.objects.all() if row.project_id == space.id}
    planned = None
    for row in IssueVersion.objects.all():
        if open_one is not None and row.issue_id == open_one.id and row.kind == "fix":
            planned = versions[row.version_id].name
    coming = [row.name for row in versions.values() if not row.released and not row.archived]
    promises = next(line for line in lines if line.startswith("Then answer the customer"))
    days = re.findall(rf"\b{held}: (\d+) working days", promises)
    return {
        "record": record.id if record is not None else None,
        "joined": open_one.id if open_one is not None else None,
        "joined_key": open_one.key if open_one is not None else None,
        "component": component,
        "priority": priority,
        "bug_priority": held,
        "version": planned,
        "unplanned": sorted(name for name in coming if name != planned),
        "days": int(days[0]),
    }


def _value(lines: list[str], head: str) -> str:
    line = next(line for line in lines if line.startswith(head))
    return line.removeprefix(head).removesuffix(".")
