"""Work type schemes: the types that spaces offer, in their order, and the default one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import Input, PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, order_acts
from clones.core.web.posted import posted_text
from clones.core.web.resource_pages import AskedField
from clones.tracker.domain import issue_type_schemes as schemes
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import IssueType, IssueTypeScheme, Project
from clones.tracker.queries.schemes import (
    spaces_of_type_schemes,
    types_of_schemes,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import checks, classic_spaces, named, select, site_types
from clones.tracker.web.admin.lists import admin_view, crumbs_of, moving, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.admin.work_types import level_name
from clones.tracker.web.parts.pictures import type_picture
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import say

HERE: Final = "type-schemes"
AT: Final = address_of(HERE)


class TypeSchemePages(AdminPages[IssueTypeScheme]):
    """The list of schemes and their forms (the vendor's ManageIssueTypeSchemes page).

    A new one can be made of another: `add` is code.
    """

    resource = schemes.ISSUE_TYPE_SCHEME
    order = ("name", "id")
    here = HERE
    title = "Work type schemes"
    noun = "work type scheme"
    gone = schemes.GONE
    said = "Which work types company-managed spaces offer."
    columns = ("Name", "Work types", "Spaces")
    has_details = True
    asks = (AskedField("name"), AskedField("description"))

    def rows(self) -> QuerySet[IssueTypeScheme]:
        """Return the schemes with their default type."""
        return super().rows().select_related("default_type")

    def list_rows(self, found: Sequence[IssueTypeScheme]) -> list[ListRow]:
        """Return the schemes with their types and spaces."""
        keys = [row.id for row in found]
        types, spaces = types_of_schemes(keys), spaces_of_type_schemes(keys)
        return [
            ListRow(
                [
                    self.name_cell(row, ["Default"] if row.is_default else []),
                    Cell(", ".join(_named(kind, row) for kind in types.get(row.id, []))),
                    spaces_cell(spaces.get(row.id, [])),
                ],
                self.acts(row, found, goes=not row.is_default),
                row,
            )
            for row in found
        ]

    def acts(
        self, record: IssueTypeScheme, among: Sequence[IssueTypeScheme], *, goes: bool = True
    ) -> list[Action]:
        """Return what can be done with a scheme: a new one is made like it, too."""
        edit, *rest = super().acts(record, among, goes=goes)
        return [edit, Action("Copy", f"{self.at}/add?copy={record.id}", record.name), *rest]

    def inputs(self, found: IssueTypeScheme | None) -> list[Input]:
        """Return what is asked of a scheme, with its default type."""
        if found is None:
            return super().inputs(found)
        kinds = types_of_schemes([found.id]).get(found.id, [])
        default = select(
            "default", "Default work type", [(kind.id, kind.name) for kind in kinds],
            found.default_type_id, none="" if found.default_type_id else "None",
        )  # fmt: skip
        return [*super().inputs(found), default]

    def values(self, sent: PageForm, found: IssueTypeScheme | None) -> dict[str, Any]:
        """Return what was sent, with the id of the default type."""
        return {**super().values(sent, found), "default": sent.text("default") or None}

    def consequence(self, record: IssueTypeScheme) -> str:
        """Return which spaces use the default one from then on."""
        spaces = spaces_of_type_schemes([record.id]).get(record.id, [])
        if not spaces:
            return say("No space uses it.")
        names = ", ".join(one.name for one in spaces)
        return f"{say('These spaces')} will use the default scheme: {names}."


PAGES: Final = TypeSchemePages()


def _named(kind: IssueType, scheme: IssueTypeScheme) -> str:
    return f"{kind.name} (default)" if kind.id == scheme.default_type_id else kind.name


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a scheme, of chosen types or with those of another one (`copy`)."""
    copied = request.GET.get("copy", "")
    source = PAGES.find(int(copied)) if is_digits(copied) else None
    have = [] if source is None else [kind.id for kind in types_of_schemes([source.id])[source.id]]

    def write(sent: PageForm) -> tuple[str, str]:
        made = schemes.create_type_scheme(
            sent.text("name"),
            sent.text("description"),
            sent.several("types"),
            sent.text("default") or None,
            actor=who.rights,
        )
        return f"{say('Work type scheme')} “{made.name}” added", f"{AT}/{made.id}"

    types = site_types()
    inputs = [
        *named("" if source is None else f"Copy of {source.name}"),
        checks("types", "Work types", types, have),
        select(
            "default", "Default work type", types,
            None if source is None else source.default_type_id, none="None",
        ),
    ]  # fmt: skip
    sheet = FormPage(say("Add work type scheme"), request.path, AT, inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show a scheme: its types in order, and its spaces."""
    scheme = PAGES.find(key)
    at = f"{AT}/{scheme.id}"
    kinds = types_of_schemes([scheme.id]).get(scheme.id, [])
    types = Panel(
        ["Name", "Type"],
        [
            ListRow(
                [
                    Cell(
                        kind.name, below=kind.description, picture=type_picture(kind),
                        tags=["Default"] if kind.id == scheme.default_type_id else [],
                    ),
                    Cell(level_name(kind.hierarchy_level)),
                ],
                [
                    *order_acts(
                        f"{at}/types/{kind.id}/move", kind.name, first=place == 0,
                        last=place == len(kinds) - 1,
                    ),
                    *([] if scheme.is_default else [
                        Action("Remove", f"{at}/types/{kind.id}/remove", kind.name, post=True)
                    ]),
                ],
                kind,
            )
            for place, kind in enumerate(kinds)
        ],
        say("Work types"),
        acts=[Action("Add work types", f"{at}/types/add")],
    )  # fmt: skip
    spaces = Panel(
        ["Space", "Key"],
        [
            ListRow([Cell(one.name, f"/browse/{one.key}"), Cell(one.key)], record=one)
            for one in spaces_of_type_schemes([scheme.id]).get(scheme.id, [])
        ],
        say("Spaces"),
        empty="No space uses this scheme.",
        acts=[Action("Associate a space", f"{at}/spaces/add")],
    )
    return admin_view(
        request,
        who,
        ListPage(
            scheme.name, HERE, [types, spaces], scheme.description,
            [
                Action("Edit", f"{at}/edit"),
                *([] if scheme.is_default else [Action("Delete", f"{at}/delete")]),
            ],
            crumbs=crumbs_of(HERE), record=scheme,
        ),
    )  # fmt: skip


@admin_page
def add_types(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Put types at the end of a scheme."""
    scheme = PAGES.find(key)
    have = {kind.id for kind in types_of_schemes([scheme.id]).get(scheme.id, [])}

    def write(sent: PageForm) -> str:
        wanted = sent.several("types")
        schemes.add_types(scheme, wanted, actor=who.rights)
        return f"{say('Work types')} added to “{scheme.name}”"

    free = [pair for pair in site_types() if pair[0] not in have]
    said = "" if free else say("The scheme has all work types.")
    sheet = FormPage(
        say("Add work types"), request.path, f"{AT}/{scheme.id}",
        [checks("types", "Work types", free)], "Add", said,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def move_type(request: SandboxRequest, who: Visitor, key: int, kind: int) -> HttpResponse:
    """Move a type of a scheme one place up or down."""
    scheme = PAGES.find(key)

    def write() -> str:
        order = [one.id for one in types_of_schemes([scheme.id])[scheme.id]]
        found = one_of(
            IssueType.objects.filter(id__in=order), kind, "The issue type was not found."
        )
        where = moving(order, found.id, posted_text(request, "way"))
        schemes.move_types(scheme, [str(found.id)], **where, actor=who.rights)
        return f"{say('Work type')} “{found.name}” moved"

    return act(request, who, write, back=f"{AT}/{scheme.id}", here=HERE)


@admin_form
def remove_type(request: SandboxRequest, who: Visitor, key: int, kind: int) -> HttpResponse:
    """Take a type out of a scheme."""
    scheme = PAGES.find(key)

    def write() -> str:
        schemes.remove_type(scheme, str(kind), actor=who.rights)
        return f"{say('Work type')} removed from “{scheme.name}”"

    return act(request, who, write, back=f"{AT}/{scheme.id}", here=HERE)


@admin_page
def associate(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let a company-managed space use a scheme."""
    scheme = PAGES.find(key)

    def write(sent: PageForm) -> str:
        rows = Project.objects.filter(deleted_at=None)
        project = one_of(rows, sent.text("space"), "The project was not found.")
        schemes.assign_type_scheme(scheme, project, actor=who.rights)
        return f"{project.name} uses “{scheme.name}” now"

    inputs = [select("space", "Space", classic_spaces(), required=True, none="Choose a space")]
    sheet = FormPage(
        f"Associate {scheme.name} with {say('a space')}", request.path, f"{AT}/{scheme.id}",
        inputs,
        "Associate",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
