"""What changed on an issue as its page tells it: names of fields and values as people read them.

Changelogs keep the vendor's forms, "timeestimate" from 3600 to 7200; pages say them in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from clones.core.digits import is_digits
from clones.tracker.models import ChangeItem
from clones.tracker.rules.durations_of_work import WorkTime, text_of
from clones.tracker.rules.field_catalogue import system_fields
from clones.tracker.web.parts.times import day_text, when
from clones.tracker.web.shell import words

LISTS: Final = frozenset(("components", "fixVersions", "versions"))
DURATIONS: Final = {
    "timeoriginalestimate": "Original estimate",
    "timeestimate": "Remaining estimate",
    "timespent": "Time spent",
}
# Called by names of their own, not by their field's.
_OWN: Final = frozenset(("attachment", "issuelinks"))
_NAMES: Final = {"WorklogId": "Worklog", "RemoteWorkItemLink": "Web link"}
_DAY: Final = " 00:00:00.0"
_CASCADE: Final = re.compile(
    r"Parent values: (.*?)\(\d+\)(?:Level 1 values: (.*)\(\d+\))?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class FieldHistory:
    """What became of a field: what people read of it before and after, "" for nothing."""

    field: str
    old_string: str
    new_string: str


def changes_of(items: Iterable[ChangeItem], zone: ZoneInfo, work: WorkTime) -> list[FieldHistory]:
    """Return what changed: of a list that has an item for each that went or came, once."""
    found: dict[str, list[ChangeItem]] = {}
    for item in items:
        own = item.field_id if item.field_id in LISTS else f"item {item.id}"
        found.setdefault(own, []).append(item)
    changes = []
    for same in found.values():
        old = [_text(item, item.old, item.old_string, zone, work) for item in same]
        new = [_text(item, item.new, item.new_string, zone, work) for item in same]
        changes.append(
            FieldHistory(_name(same[0]), ", ".join(filter(None, old)), ", ".join(filter(None, new)))
        )
    return changes


def _name(item: ChangeItem) -> str:
    """Return the name that the page gives a field."""
    id = item.field_id
    if item.field_type == "custom" or id in _OWN:
        return item.field
    if id in DURATIONS:
        return DURATIONS[id]
    if id in ("issuetype", "project"):
        said = words().type if id == "issuetype" else words().space
        return said[:1].upper() + said[1:]
    known = system_fields().get(id)
    return known.name if known is not None else _NAMES.get(item.field, item.field)


def _text(
    item: ChangeItem, id: str | None, text: str | None, zone: ZoneInfo, work: WorkTime
) -> str:
    """Return a value in words; `id` is what a changelog has beside its text."""
    if not text:
        return ""
    if item.field_id in DURATIONS:
        return text_of(int(text), work) if is_digits(text) else text
    if id is not None and text == f"{id}{_DAY}":
        return day_text(date.fromisoformat(id))
    if item.field_type != "custom":
        return text
    if id is not None and id == text:
        return _moment(text, zone)
    if id is not None and id.startswith("[") and text.startswith("["):
        return text[1:-1]
    levels = _CASCADE.fullmatch(text) if id is None else None
    return " - ".join(filter(None, levels.groups())) if levels is not None else text


def _moment(text: str, zone: ZoneInfo) -> str:
    try:
        return when(datetime.fromisoformat(text), zone)
    except ValueError:
        return text
