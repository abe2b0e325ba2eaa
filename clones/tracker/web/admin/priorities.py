"""Priorities: their list in order, with colours and icons, and the default one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clones.core.resources import ResourceField
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Cell
from clones.core.web.resource_pages import AskedField
from clones.tracker.domain.priorities import DEFAULT_ICON, DELETION, GONE, PRIORITY
from clones.tracker.models import Issue, Priority
from clones.tracker.web.admin.inputs import HAS, counted
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.parts.pictures import priority_picture
from clones.tracker.web.vocabulary import say

ICONS: Final = (
    *("highest", "high", "medium", "low", "lowest"),
    *("blocker", "critical", "major", "minor", "trivial"),
)


class PriorityPages(AdminPages[Priority]):
    """The pages of priorities, the highest first (the vendor's Issue settings > Priorities)."""

    resource = PRIORITY
    here = "priorities"
    title = "Priorities"
    noun = "priority"
    verb = "Create"
    gone = GONE
    columns = ("Name", "Color")
    said = "How urgent work is, the highest first. Schemes say which ones spaces offer."
    asks = (
        AskedField("name"),
        AskedField("description"),
        AskedField("icon", "select"),
        AskedField("color", hint="As #ff5630."),
    )

    def cells(self, found: Sequence[Priority]) -> list[list[Cell]]:
        """Return the name and the colour of each, with what is going on with it."""
        busy = busy_with(DELETION, "priority")
        return [
            [
                Cell(
                    row.name,
                    below=row.description,
                    picture=priority_picture(row),
                    tags=[
                        *(["Default"] if row.is_default else []),
                        *(["Being deleted"] if row.id in busy else []),
                    ],
                ),
                Cell(row.color, picture=_swatch(row.color)),
            ]
            for row in found
        ]

    def can_go(self, record: Priority, among: Sequence[Priority]) -> bool:
        """Tell whether it is not the last one."""
        return len(among) > 1

    def value(self, field: ResourceField, found: Priority | None) -> Any:
        """Return what stands in an input; where there is no icon, the usual one."""
        kept = super().value(field, found)
        return kept or DEFAULT_ICON if field.name == "icon" else kept

    def choices(self, field: ResourceField, found: Priority | None) -> list[tuple[object, str]]:
        """Return the icons, and the one that a priority has where it is none of these."""
        pairs: list[tuple[object, str]] = [(_icon(name), name.capitalize()) for name in ICONS]
        now = self.value(field, found)
        if now not in {value for value, _ in pairs}:
            pairs.append((now, "The icon that it has"))
        return pairs

    def values(self, sent: PageForm, found: Priority | None) -> dict[str, Any]:
        """Return what was sent; an icon that is as it was stays."""
        values = super().values(sent, found)
        kept = {"", None if found is None else found.icon}
        return {**values, "icon": None if values["icon"] in kept else values["icon"]}

    def consequence(self, record: Priority) -> str:
        """Return how many work items have it, and what they get."""
        count = counted(Issue.objects.filter(priority=record), HAS, "this priority.")
        return f"{count} {say('Work items get the default priority of their space.')}"


PAGES: Final = PriorityPages()


def _icon(name: str) -> str:
    return f"/images/icons/priorities/{name}_new.svg"


def _swatch(color: str) -> SafeString:
    return format_html(
        '<svg class="admin-swatch" width="16" height="16" aria-hidden="true">'
        '<rect width="16" height="16" rx="3" fill="{}"></rect></svg>',
        color,
    )
