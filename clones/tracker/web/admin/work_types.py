"""Work types of the site."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import issue_types
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Issue, IssueType, IssueTypeScheme, IssueTypeSchemeItem
from clones.tracker.queries.kinds import alternatives
from clones.tracker.queries.schemes import classic_type_schemes
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import IS, counted, named, select
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.parts.pictures import type_picture
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import say

HERE: Final = "types"
AT: Final = address_of(HERE)
SCHEMES: Final = address_of("type-schemes")
LEVELS: Final = ((0, "Standard"), (-1, "Sub-task"))
GONE: Final = "The issue type was not found."


def _find(key: int) -> IssueType:
    return one_of(IssueType.objects.filter(project=None), key, GONE)


def level_name(level: int) -> str:
    """Return what a level of the hierarchy is called."""
    return "Epic" if level > 0 else dict(LEVELS)[0 if level == 0 else -1]


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the work types of the site (the vendor's Issue settings > Issue types)."""
    rows = list(IssueType.objects.filter(project=None).order_by("-hierarchy_level", "name", "id"))
    schemes = _schemes()
    panel = Panel(
        ["Name", "Type", "Related schemes"],
        [
            ListRow(
                [
                    Cell(kind.name, below=kind.description, picture=type_picture(kind)),
                    Cell(level_name(kind.hierarchy_level)),
                    Cell(links=schemes.get(kind.id, [])),
                ],
                [
                    Action("Edit", f"{AT}/{kind.id}", kind.name),
                    Action("Delete", f"{AT}/{kind.id}/delete", kind.name),
                ],
                kind,
            )
            for kind in rows
        ],
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Work types", HERE, [panel], acts=[Action("Add work type", f"{AT}/add", primary=True)],
            said=say("What kinds of work there are. Team-managed spaces have types of their own."),
        ),
    )  # fmt: skip


def _schemes() -> dict[int, list[Link]]:
    """Return the schemes that offer types, by the type's id."""
    shown = classic_type_schemes().values("id")
    rows = IssueTypeSchemeItem.objects.filter(scheme__in=shown).select_related("scheme")
    found: dict[int, list[Link]] = {}
    for item in rows.order_by("scheme__name", "id"):
        scheme: IssueTypeScheme = item.scheme
        link = Link(scheme.name, f"{SCHEMES}/{scheme.id}")
        found.setdefault(item.issue_type_id, []).append(link)
    return found


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a work type, a standard one or one of sub-tasks."""

    def write(sent: PageForm) -> str:
        level = sent.text("level")
        if level not in {"0", "-1"}:
            raise Invalid(fields={"level": f"The hierarchy level {level} is not valid."})
        made = issue_types.create_issue_type(
            sent.text("name"),
            sent.text("description"),
            int(level),
            actor=who.rights,
        )
        return f"{say('Work type')} “{made.name}” added"

    inputs = [*named(), select("level", "Type", LEVELS, 0, required=True)]
    sheet = FormPage(say("Add work type"), request.path, AT, inputs, "Add")
    return ask(request, who, sheet, write, here=HERE, names={"hierarchyLevel": "level"})


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a work type's name and description."""
    kind = _find(key)

    def write(sent: PageForm) -> str:
        issue_types.update_issue_type(
            kind,
            name=sent.text("name"),
            description=sent.text("description"),
            actor=who.rights,
        )
        return f"{say('Work type')} “{kind.name}” updated"

    sheet = FormPage(say("Edit work type"), request.path, AT, named(kind.name, kind.description))
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a work type; work items of it become items of another, which the form asks for."""
    kind = _find(key)
    issues = Issue.objects.filter(issue_type=kind)
    others = [(one.id, one.name) for one in alternatives(kind)] if issues.exists() else []

    def write(sent: PageForm) -> str:
        chosen = sent.text("alternative")
        other = one_of(IssueType.objects.all(), chosen, GONE) if chosen else None
        name = kind.name
        issue_types.delete_issue_type(kind, other, actor=who.rights)
        return f"{say('Work type')} “{name}” deleted"

    inputs = (
        [
            select(
                "alternative", "New work type for matching work items", others, required=True,
                none="Choose a work type",
                hint="Types with the same workflow, fields and screens in all spaces.",
            )
        ]
        if issues.exists() and others
        else []
    )  # fmt: skip
    sheet = FormPage(
        f"{say('Delete work type')}: {kind.name}", request.path, AT, inputs, "Delete",
        counted(issues, IS, "of this type."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
