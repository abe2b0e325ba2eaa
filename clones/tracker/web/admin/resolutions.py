"""Resolutions: their list in order, the default one, and what becomes of one that goes."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, order_acts
from clones.tracker.domain import resolutions
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Issue, Resolution
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import HAS, counted, named, select
from clones.tracker.web.admin.lists import admin_view, moving
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.settings.forms import FormPage

HERE: Final = "resolutions"
AT: Final = address_of(HERE)


def _find(key: int) -> Resolution:
    return one_of(Resolution.objects.all(), key, resolutions.GONE.format(id=key))


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List resolutions (the vendor's Issue settings > Resolutions)."""
    rows = list(Resolution.objects.order_by("position", "id"))
    busy = busy_with(resolutions.DELETION, "resolution")
    shown = [
        ListRow(
            [
                Cell(
                    row.name,
                    below=row.description,
                    tags=[
                        *(["Default"] if row.is_default else []),
                        *(["Being deleted"] if row.id in busy else []),
                    ],
                ),
            ],
            [
                *order_acts(
                    f"{AT}/{row.id}/move", row.name, first=at == 0, last=at == len(rows) - 1
                ),
                Action("Edit", f"{AT}/{row.id}", row.name),
                Action("Clear default", f"{AT}/default", row.name, post=True)
                if row.is_default
                else Action(
                    "Make default", f"{AT}/default", row.name, post=True, sends={"id": str(row.id)}
                ),
                *([Action("Delete", f"{AT}/{row.id}/delete", row.name)] if len(rows) > 1 else []),
            ],
            row,
        )
        for at, row in enumerate(rows)
    ]
    return admin_view(
        request,
        who,
        ListPage(
            "Resolutions",
            HERE,
            [Panel(["Name"], shown)],
            said="The ways in which work can be resolved, in the order in which they are offered.",
            acts=[Action("Add resolution", f"{AT}/add", primary=True)],
        ),
    )


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a resolution."""

    def write(sent: PageForm) -> str:
        made = resolutions.create_resolution(
            sent.text("name"), sent.text("description"), actor=who.rights
        )
        return f"Resolution “{made.name}” added"

    sheet = FormPage("Add resolution", request.path, AT, named(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a resolution."""
    found = _find(key)

    def write(sent: PageForm) -> str:
        resolutions.update_resolution(
            found, sent.text("name"), sent.text("description"), actor=who.rights
        )
        return f"Resolution “{found.name}” updated"

    sheet = FormPage("Edit resolution", request.path, AT, named(found.name, found.description))
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Begin to delete a resolution; its work items get another, which the form asks for."""
    found = _find(key)
    others = Resolution.objects.exclude(id=found.id).order_by("position", "id")

    def write(sent: PageForm) -> str:
        heir = one_of(others, sent.text("heir"), "Choose the resolution to use instead.")
        resolutions.start_deletion(found, heir, actor=who.rights)
        return f"Resolution “{found.name}” is being deleted"

    sheet = FormPage(
        f"Delete resolution: {found.name}",
        request.path,
        AT,
        [
            select(
                "heir", "New resolution", others.values_list("id", "name"), required=True,
                hint="Work items with this resolution get it.",
            )
        ],
        "Delete",
        counted(Issue.objects.filter(resolution=found), HAS, "this resolution."),
        danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def move(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Move a resolution one place up or down."""

    def write() -> str:
        order = list(Resolution.objects.order_by("position", "id").values_list("id", flat=True))
        found = _find(key)
        where = moving(order, found.id, request.POST.get("way", ""))
        resolutions.move_resolutions([str(found.id)], **where, actor=who.rights)
        return f"Resolution “{found.name}” moved"

    return act(request, who, write, back=AT, here=HERE)


@admin_form
def set_default(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Set the default resolution, or with no `id` take it back."""

    def write() -> str:
        wanted = request.POST.get("id", "")
        found = _find(int(wanted)) if wanted.isdecimal() else None
        resolutions.set_default_resolution(found, actor=who.rights)
        return (
            "There is no default resolution now"
            if found is None
            else (f"“{found.name}” is the default resolution")
        )

    return act(request, who, write, back=AT, here=HERE)
