"""Kinds of links between work items."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.tracker.domain import link_types
from clones.tracker.domain.site_switches import is_on, set_switch
from clones.tracker.models import IssueLink, IssueLinkType
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import line
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "link-types"
AT: Final = address_of(HERE)
SWITCH: Final = "issue_linking_enabled"


def _inputs(found: IssueLinkType | None = None) -> list[Input]:
    return [
        line("name", "Name", "" if found is None else found.name, required=True),
        line(
            "outward", "Outward link description", "" if found is None else found.outward,
            required=True, hint="What the work item that the link begins at does: “blocks”.",
        ),
        line(
            "inward", "Inward link description", "" if found is None else found.inward,
            required=True, hint="What is done to the one that it leads to: “is blocked by”.",
        ),
    ]  # fmt: skip


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the kinds of links, and turn links on and off (the vendor's ViewLinkTypes page)."""
    on = is_on(SWITCH)
    rows = [
        ListRow(
            [Cell(row.name), Cell(row.outward), Cell(row.inward)],
            [
                Action("Edit", f"{AT}/{row.id}", row.name),
                Action("Delete", f"{AT}/{row.id}/delete", row.name),
            ],
            row,
        )
        for row in IssueLinkType.objects.order_by("name", "id")
    ]
    columns = ["Name", "Outward description", "Inward description"]
    return admin_view(
        request,
        who,
        ListPage(
            "Work item linking",
            HERE,
            [Panel(columns, rows, empty="There are no kinds of links.")],
            said=say("Work item linking is on." if on else "Work item linking is off."),
            acts=[
                Action(
                    "Deactivate" if on else "Activate", f"{AT}/switch", say("work item linking"),
                    post=True, sends={"on": "" if on else "1"},
                ),
                Action("Add link type", f"{AT}/add", primary=True),
            ],
        ),
    )  # fmt: skip


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a kind of links."""

    def write(sent: PageForm) -> str:
        made = link_types.create_link_type(
            sent.text("name"),
            sent.text("inward"),
            sent.text("outward"),
            actor=who.rights,
        )
        return f"Link type “{made.name}” added"

    sheet = FormPage("Add link type", request.path, AT, _inputs(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a kind of links."""
    found = link_types.find_link_type(str(key))

    def write(sent: PageForm) -> str:
        link_types.update_link_type(
            found,
            name=sent.text("name"),
            inward=sent.text("inward"),
            outward=sent.text("outward"),
            actor=who.rights,
        )
        return f"Link type “{found.name}” updated"

    sheet = FormPage("Edit link type", request.path, AT, _inputs(found))
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a kind of links with all links of it."""
    found = link_types.find_link_type(str(key))
    number = IssueLink.objects.filter(type=found).count()

    def write(sent: PageForm) -> str:
        name = found.name
        link_types.delete_link_type(found, actor=who.rights)
        return f"Link type “{name}” deleted"

    sheet = FormPage(
        f"Delete link type: {found.name}", request.path, AT, button="Delete", danger=True,
        said=f"{number:,} {'link' if number == 1 else 'links'} of this type will be deleted, too.",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def switch(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Turn links of work items on or off."""
    on = bool(request.POST.get("on"))

    def write() -> str:
        set_switch(SWITCH, on=on, actor=who.rights)
        return f"{say('Work item linking')} is {'on' if on else 'off'}"

    return act(request, who, write, back=AT, here=HERE)
