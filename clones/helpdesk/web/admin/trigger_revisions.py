"""A trigger's revisions in Admin Center: who changed it when, what it was, and what changed.

A revision is compared with the one before it, or with any other that is chosen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.models import Trigger, TriggerRevision, User
from clones.helpdesk.queries.trigger_revisions import SYSTEM, revision_of, revisions_of
from clones.helpdesk.rules.trigger_revisions import diff_of
from clones.helpdesk.rules.vocabulary import OPERATORS
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import frame
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.rule_rows import RuleSection
from clones.helpdesk.web.admin.triggers import EDITOR
from clones.helpdesk.web.times import ShownTime, Times

ACTIVE = "admin_triggers"
SIGNS = {"-": "removed", "+": "added", "=": "same"}


@dataclass(frozen=True, slots=True)
class Version:
    """A revision in the sidebar."""

    url: str
    number: int
    author: str
    time: ShownTime
    is_open: bool
    is_current: bool


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a revision: whether it came, went or stayed, and what it says."""

    change: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """Lines under one heading."""

    heading: str
    lines: tuple[DiffLine, ...]


@admin_page
def revisions(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a trigger's latest revision, and the list of all."""
    return _show(request, agent, key, None)


@admin_page
def revision(request: SandboxRequest, agent: Agent, key: int, number: int) -> HttpResponse:
    """Show a revision of a trigger, and the list of all."""
    return _show(request, agent, key, number)


def _show(request: SandboxRequest, agent: Agent, key: int, number: int | None) -> HttpResponse:
    trigger: Trigger = EDITOR.find(key, agent.user)
    sightings.note(trigger, "detail")
    rows = revisions_of(trigger)
    shown = rows[0] if number is None else revision_of(trigger, number)
    hidden = request.GET.get("changes") == "hide"
    against = _against(request.GET.get("against", ""), rows, shown)
    sections = {section.name: section for section in EDITOR.sections()}
    changed = against is not None and not hidden
    context = {
        "versions": _versions(rows, shown, Times(agent.user)),
        "blocks": (
            _differences(against, shown, sections)
            if against is not None and changed
            else _contents(shown, sections)
        ),
        "shown": shown,
        "others": [
            (row.number, against is not None and row.number == against.number)
            for row in rows
            if row.number != shown.number
        ],
        "changed": changed,
        "back": reverse("helpdesk:admin_trigger", args=[trigger.id]),
        "form_url": reverse("helpdesk:admin_trigger_revision", args=[trigger.id, shown.number]),
    }
    return frame.page(
        request,
        agent,
        "helpdesk/admin/rules/revisions.html",
        context,
        title=f"Revision history: {trigger.title}",
        active=ACTIVE,
    )


def _against(
    asked: str, rows: Sequence[TriggerRevision], shown: TriggerRevision
) -> TriggerRevision | None:
    """Return the revision to compare with: the one asked for, else the one before."""
    chosen = next((row for row in rows if str(row.number) == asked), None)
    if chosen is not None and chosen.number != shown.number:
        return chosen
    return next((row for row in rows if row.number < shown.number), None)


def _versions(
    rows: Sequence[TriggerRevision], shown: TriggerRevision, times: Times
) -> list[Version]:
    names = dict(
        User.objects.filter(id__in={row.author_id for row in rows}).values_list("id", "name")
    )
    return [
        Version(
            reverse("helpdesk:admin_trigger_revision", args=[row.trigger_id, row.number]),
            row.number,
            "System" if row.author_id == SYSTEM else names.get(row.author_id, "Unknown user"),
            times.show(row.created_at),
            row.number == shown.number,
            row.number == rows[0].number,
        )
        for row in rows
    ]


def _contents(shown: TriggerRevision, sections: Mapping[str, RuleSection]) -> list[Block]:
    """Return what a trigger was, for reading."""
    kept = shown.snapshot
    items = {**kept["conditions"], "actions": kept["actions"]}
    plain = [
        Block("Trigger name", (DiffLine("", kept["title"]),)),
        Block("Description", (DiffLine("", kept["description"] or "-"),)),
        Block("Status", (DiffLine("", _status(kept["active"])),)),
    ]
    return plain + [
        Block(
            section.heading,
            tuple(DiffLine("", _words(item, section)) for item in items.get(name) or []),
        )
        for name, section in sections.items()
    ]


def _differences(
    source: TriggerRevision, target: TriggerRevision, sections: Mapping[str, RuleSection]
) -> list[Block]:
    """Return what differs between two revisions; what is the same under no heading is left out."""
    found = diff_of(source.snapshot, target.snapshot)
    items = {**found["conditions"], "actions": found["actions"]}
    blocks = [
        Block("Trigger name", _plain(found["title"], str)),
        Block("Description", _plain(found["description"], lambda text: text or "-")),
        Block("Status", _plain(found["active"], _status)),
        *(
            Block(section.heading, _lines(items.get(name) or [], section))
            for name, section in sections.items()
        ),
    ]
    return [block for block in blocks if block.lines]


def _plain(changes: Sequence[Mapping[str, Any]], words: Any) -> tuple[DiffLine, ...]:
    return tuple(DiffLine(SIGNS[item["change"]], words(item["content"])) for item in changes)


def _lines(items: Sequence[Mapping[str, Any]], section: RuleSection) -> tuple[DiffLine, ...]:
    """Return one line for what stayed, went or came, two for what became something else."""
    lines = []
    for item in items:
        signs = {change["change"] for changes in item.values() for change in changes}
        if len(signs) == 1:
            lines.append(DiffLine(SIGNS[signs.pop()], _words(_side(item, "-+="), section)))
            continue
        lines.append(DiffLine("removed", _words(_side(item, "-="), section)))
        lines.append(DiffLine("added", _words(_side(item, "+="), section)))
    return tuple(lines)


def _side(item: Mapping[str, Any], signs: str) -> dict[str, Any]:
    return {
        name: next(change["content"] for change in changes if change["change"] in signs)
        for name, changes in item.items()
    }


def _words(item: Mapping[str, Any], section: RuleSection) -> str:
    """Return a condition or an action in the words of the editor."""
    name = str(item["field"])
    definition = section.definition(name)
    labels = dict(definition.values) if definition is not None else {}
    value = item.get("value")
    values = value if isinstance(value, list) else [] if value in (None, "") else [value]
    texts = [labels.get(str(part), _text(part)) for part in values]
    title = definition.title if definition is not None else name
    operator = "" if section.is_actions else OPERATORS.get(str(item.get("operator") or "is"), "")
    if not section.is_actions and not operator:
        operator = str(item.get("operator"))
    return " | ".join(part for part in (title, operator, ", ".join(texts)) if part)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _status(active: object) -> str:
    return "Active" if active else "Inactive"
