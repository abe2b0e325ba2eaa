"""Priorities: their list in order, with colours and icons, and the default one."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, order_acts
from clones.tracker.domain import priorities
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Issue, Priority
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import HAS, counted, line, named, select
from clones.tracker.web.admin.lists import admin_view, moving
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.parts.pictures import priority_picture
from clones.tracker.web.settings.forms import FormPage, Input, text_of
from clones.tracker.web.vocabulary import say

HERE: Final = "priorities"
AT: Final = address_of(HERE)
ICONS: Final = (
    *("highest", "high", "medium", "low", "lowest"),
    *("blocker", "critical", "major", "minor", "trivial"),
)
GREY: Final = "#cccccc"


def _find(key: int) -> Priority:
    return one_of(Priority.objects.all(), key, priorities.GONE.format(id=key))


def _icon(name: str) -> str:
    return f"/images/icons/priorities/{name}_new.svg"


def _inputs(found: Priority | None = None) -> list[Input]:
    pairs = [(_icon(name), name.capitalize()) for name in ICONS]
    now = priorities.DEFAULT_ICON if found is None else found.icon
    if now and now not in {value for value, _ in pairs}:
        pairs.append((now, "The icon that it has"))
    return [
        *(named() if found is None else named(found.name, found.description)),
        select("iconUrl", "Icon", pairs, now or priorities.DEFAULT_ICON),
        line(
            "statusColor", "Priority color", GREY if found is None else found.color,
            required=True, hint="As #ff5630.",
        ),
    ]  # fmt: skip


def _swatch(color: str) -> SafeString:
    return format_html(
        '<svg class="admin-swatch" width="16" height="16" aria-hidden="true">'
        '<rect width="16" height="16" rx="3" fill="{}"></rect></svg>',
        color,
    )


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List priorities, the highest first (the vendor's Issue settings > Priorities)."""
    rows = list(Priority.objects.order_by("position", "id"))
    busy = busy_with(priorities.DELETION, "priority")
    panel = Panel(
        ["Name", "Color"],
        [
            ListRow(
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
                ],
                _acts(row, first=place == 0, last=place == len(rows) - 1),
                row,
            )
            for place, row in enumerate(rows)
        ],
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Priorities", HERE, [panel],
            acts=[Action("Create priority", f"{AT}/add", primary=True)],
            said=say("How urgent work is, the highest first. Schemes say which ones spaces offer."),
        ),
    )  # fmt: skip


def _acts(row: Priority, *, first: bool, last: bool) -> list[Action]:
    default = (
        Action("Clear default", f"{AT}/default", row.name, post=True)
        if row.is_default
        else Action("Make default", f"{AT}/default", row.name, post=True, sends={"id": str(row.id)})
    )
    return [
        *order_acts(f"{AT}/{row.id}/move", row.name, first=first, last=last),
        Action("Edit", f"{AT}/{row.id}", row.name),
        default,
        *([] if first and last else [Action("Delete", f"{AT}/{row.id}/delete", row.name)]),
    ]


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a priority below all others."""

    def write(sent: PageForm) -> str:
        made = priorities.create_priority(
            sent.text("name"),
            sent.text("statusColor"),
            description=sent.text("description"),
            icon=sent.text("iconUrl") or None,
            actor=who.rights,
        )
        return f"Priority “{made.name}” created"

    sheet = FormPage("Create priority", request.path, AT, _inputs(), "Create")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a priority."""
    found = _find(key)
    icon = found.icon

    def write(sent: PageForm) -> str:
        wanted = sent.text("iconUrl")
        priorities.update_priority(
            found,
            name=sent.text("name"),
            description=sent.text("description"),
            color=sent.text("statusColor"),
            icon=None if wanted in {"", icon} else wanted,
            actor=who.rights,
        )
        return f"Priority “{found.name}” updated"

    sheet = FormPage("Edit priority", request.path, AT, _inputs(found))
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Begin to delete a priority; its work items get the default one of their space."""
    found = _find(key)

    def write(sent: PageForm) -> str:
        priorities.start_deletion(found, actor=who.rights)
        return f"Priority “{found.name}” is being deleted"

    count = counted(Issue.objects.filter(priority=found), HAS, "this priority.")
    sheet = FormPage(
        f"Delete priority: {found.name}", request.path, AT, button="Delete",
        said=f"{count} {say('Work items get the default priority of their space.')}", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def move(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Move a priority one place up or down; the default scheme follows."""

    def write() -> str:
        order = list(Priority.objects.order_by("position", "id").values_list("id", flat=True))
        found = _find(key)
        where = moving(order, found.id, request.POST.get("way", ""))
        priorities.move_priorities([str(found.id)], **where, actor=who.rights)
        return f"Priority “{found.name}” moved"

    return act(request, who, write, back=AT, here=HERE)


@admin_form
def set_default(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Set the default priority, or with no `id` take it back."""

    def write() -> str:
        wanted = text_of(request, "id")
        found = _find(int(wanted)) if wanted.isdecimal() and len(wanted) < 19 else None
        priorities.set_default_priority(found, actor=who.rights)
        if found is None:
            return "There is no default priority now"
        return f"“{found.name}” is the default priority"

    return act(request, who, write, back=AT, here=HERE)
