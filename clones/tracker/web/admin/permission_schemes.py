"""Permission schemes: who holds which permission in the spaces that use one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import QuerySet
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import permission_schemes as schemes
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.permission_schemes import PERMISSION_SCHEME
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import PermissionGrant, PermissionScheme, Project
from clones.tracker.queries.holder_names import holder_names
from clones.tracker.rules.permission_catalogue import PERMISSIONS, PROJECT
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.holders import holder_input, read_holder
from clones.tracker.web.admin.inputs import checks, multiple, named
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell, spaces_using
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import said, speaker, words

HERE: Final = "permission-schemes"
AT: Final = address_of(HERE)
# Permissions by what they are about, by the ends of their keys, as the vendor's page groups them.
SECTIONS: Final = (
    ("Comments permissions", ("_COMMENTS",)),
    ("Attachments permissions", ("_ATTACHMENTS",)),
    ("Time tracking permissions", ("_WORKLOGS", "WORK_ON_ISSUES")),
    ("Voters and watchers permissions", ("_WATCHERS",)),
    ("Work item permissions", ("_ISSUES", "_REPORTER", "_ISSUE_SECURITY", "ASSIGNABLE_USER")),
)
FIRST: Final = "Space permissions"


class PermissionSchemePages(AdminPages[PermissionScheme]):
    """The list of schemes and their forms (the vendor's ViewPermissionSchemes page)."""

    resource = PERMISSION_SCHEME
    here = HERE
    title = "Permission schemes"
    noun = "permission scheme"
    gone = schemes.GONE
    leaves = "A scheme can be deleted as long as no space uses it."
    has_details = True
    opens = "Permissions"
    copies = True
    said = "Who may do what in company-managed spaces."
    columns = ("Name", "Spaces")

    def find(self, key: int | str) -> PermissionScheme:
        """Return the scheme of an id: also the default one's, 0, which is no other record's."""
        found = PermissionScheme.objects.filter(id=key).first()
        if found is None:
            raise NotFound(self.gone.format(id=key))
        return found

    def records(self) -> QuerySet[PermissionScheme]:
        """Return the schemes of company-managed spaces."""
        return PermissionScheme.objects.exclude(projects__style="next-gen")

    def list_rows(self, found: Sequence[PermissionScheme]) -> list[ListRow]:
        """Return the schemes with their spaces."""
        spaces = spaces_using("permission_scheme", found)
        return [
            ListRow(
                [
                    self.name_cell(row, ["Default"] if row.is_default else []),
                    spaces_cell(spaces[row.id]),
                ],
                self.acts(row, found, goes=not (row.is_default or spaces[row.id])),
                row,
            )
            for row in found
        ]


PAGES: Final = PermissionSchemePages()


def section_of(permission: str) -> str:
    """Return what a permission of a space is listed under."""
    return next((name for name, ends in SECTIONS if permission.endswith(ends)), FIRST)


@admin_page
def copy(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Make a scheme with the grants of another one."""
    source = PAGES.find(key)

    def write(sent: PageForm) -> tuple[str, str]:
        rows = source.grants.order_by("id")
        held = rows.values_list("permission", "holder_type", "parameter")
        grants = [(permission, (kind, about)) for permission, kind, about in held]
        made = schemes.create_permission_scheme(
            sent.text("name"), sent.text("description"), grants, actor=who.rights
        )
        return f"Permission scheme “{made.name}” added", f"{AT}/{made.id}"

    inputs = named(f"Copy of {source.name}", source.description)
    sheet = FormPage(f"Copy permission scheme: {source.name}", request.path, AT, inputs, "Copy")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show who holds each permission."""
    row = PAGES.find(key)
    at = f"{AT}/{row.id}"
    grants = list(row.grants.order_by("id"))
    names = holder_names(((one.holder_type, one.parameter) for one in grants), spoken=speaker())
    held: dict[str, list[str]] = {}
    for one in grants:
        held.setdefault(one.permission, []).append(names[one.holder_type, one.parameter])
    used = words()
    tables: dict[str, list[ListRow]] = {FIRST: []}
    for found in (PERMISSIONS[key] for key in PERMISSIONS if key in PROJECT):
        mine = held.get(found.key, [])
        acts = [
            Action("Grant", f"{at}/grants/add?permission={found.key}", found.name),
            *([Action("Remove", f"{at}/grants/{found.key}/remove", found.name)] if mine else []),
        ]
        about = said(found.description, used)
        cells = [Cell(found.name, below=about), Cell(links=[Link(one) for one in mine])]
        tables.setdefault(section_of(found.key), []).append(ListRow(cells, acts))
    panels = [
        Panel(["Permission", "Granted to"], lines, said(heading, used))
        for heading, lines in tables.items()
    ]
    users = Project.objects.filter(permission_scheme=row, deleted_at=None)
    spaces = list(users.order_by("name", "id"))
    return admin_view(
        request,
        who,
        ListPage(
            row.name, HERE, panels, row.description,
            [
                Action("Edit", f"{at}/edit"),
                *([] if row.is_default or spaces else [Action("Delete", f"{at}/delete")]),
                Action("Grant permission", f"{at}/grants/add", primary=True),
            ],
            [("Spaces", spaces_cell(spaces))], crumbs=crumbs_of(HERE), record=row,
        ),
    )  # fmt: skip


@admin_page
def grant(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Grant one or more permissions to somebody."""
    row = PAGES.find(key)
    pairs = [(one, PERMISSIONS[one].name) for one in PERMISSIONS if one in PROJECT]

    def write(sent: PageForm) -> str:
        wanted = sent.several("permissions")
        if not wanted:
            raise Invalid(fields={"permissions": "Choose the permissions to grant."})
        holder = read_holder(sent.text("holder"))
        for permission in wanted:
            schemes.create_grant(row, (permission, holder), actor=who.rights)
        return "Permission granted" if len(wanted) == 1 else "Permissions granted"

    now = request.GET.getlist("permission")
    inputs = [
        multiple("permissions", "Permissions", pairs, now),
        holder_input("holder", "Granted to"),
    ]
    sheet = FormPage("Grant permission", request.path, f"{AT}/{row.id}", inputs, "Grant")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def revoke(request: SandboxRequest, who: Visitor, key: int, permission: str) -> HttpResponse:
    """Take a permission from those that are chosen among its holders."""
    row = PAGES.find(key)
    grants = list(row.grants.filter(permission=permission).order_by("id"))
    names = holder_names(((one.holder_type, one.parameter) for one in grants), spoken=speaker())
    pairs = [(one.id, names[one.holder_type, one.parameter]) for one in grants]

    def write(sent: PageForm) -> str:
        keys = {key_of(one) for one in sent.several("grants")}
        gone: list[PermissionGrant] = [one for one in grants if one.id in keys]
        if not gone:
            raise Invalid(fields={"grants": "Choose whom to take the permission from."})
        for one in gone:
            schemes.delete_grant(one, actor=who.rights)
        return "Permission removed"

    label = PERMISSIONS[permission].name if permission in PERMISSIONS else permission
    inputs = [checks("grants", label, pairs)]
    sheet = FormPage(
        f"Remove permission: {label}", request.path, f"{AT}/{row.id}", inputs, "Remove",
        danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
