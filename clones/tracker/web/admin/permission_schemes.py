"""Permission schemes: who holds which permission in the spaces that use one."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import permission_schemes as schemes
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import PermissionGrant, PermissionScheme, Project
from clones.tracker.queries.holder_names import holder_names
from clones.tracker.rules.permission_catalogue import PERMISSIONS, PROJECT
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.holders import holder_input, read_holder
from clones.tracker.web.admin.inputs import checks, multiple, named
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import said, say, speaker, words

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


def _find(key: int) -> PermissionScheme:
    # The default scheme has the number 0, which `one_of` takes for none.
    found = PermissionScheme.objects.filter(id=key).first()
    if found is None:
        raise NotFound(schemes.GONE.format(key))
    return found


def section_of(permission: str) -> str:
    """Return what a permission of a space is listed under."""
    return next((name for name, ends in SECTIONS if permission.endswith(ends)), FIRST)


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List schemes with their spaces (the vendor's ViewPermissionSchemes page)."""
    rows = PermissionScheme.objects.exclude(projects__style="next-gen")
    found = list(rows.order_by("-is_default", "name", "id"))
    spaces: dict[int, list[Project]] = {row.id: [] for row in found}
    users = Project.objects.filter(permission_scheme__in=found, deleted_at=None)
    for project in users.order_by("id"):
        spaces[project.permission_scheme_id].append(project)
    panel = Panel(
        ["Name", "Spaces"],
        [
            ListRow(
                [
                    Cell(
                        row.name, f"{AT}/{row.id}", row.description,
                        tags=["Default"] if row.is_default else [],
                    ),
                    spaces_cell(spaces[row.id]),
                ],
                [
                    Action("Permissions", f"{AT}/{row.id}", row.name, whole=True),
                    Action("Edit", f"{AT}/{row.id}/edit", row.name),
                    Action("Copy", f"{AT}/{row.id}/copy", row.name),
                    *(
                        []
                        if row.is_default or spaces[row.id]
                        else [Action("Delete", f"{AT}/{row.id}/delete", row.name)]
                    ),
                ],
                row,
            )
            for row in found
        ],
    )  # fmt: skip
    return admin_view(
        request,
        who,
        ListPage(
            "Permission schemes", HERE, [panel],
            acts=[Action("Add permission scheme", f"{AT}/add", primary=True)],
            said=say("Who may do what in company-managed spaces."),
        ),
    )  # fmt: skip


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a scheme without grants."""

    def write(sent: PageForm) -> tuple[str, str]:
        made = schemes.create_permission_scheme(
            sent.text("name"), sent.text("description"), [], actor=who.rights
        )
        return f"Permission scheme “{made.name}” added", f"{AT}/{made.id}"

    sheet = FormPage("Add permission scheme", request.path, AT, named(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def copy(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Make a scheme with the grants of another one."""
    source = _find(key)

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
    row = _find(key)
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
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a scheme's name and description."""
    row = _find(key)

    def write(sent: PageForm) -> str:
        schemes.update_permission_scheme(
            row, sent.text("name"), sent.text("description"), None, actor=who.rights
        )
        return f"Permission scheme “{row.name}” updated"

    inputs = named(row.name, row.description)
    sheet = FormPage("Edit permission scheme", request.path, f"{AT}/{row.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a scheme that no space uses."""
    row = _find(key)

    def write(sent: PageForm) -> str:
        name = row.name
        schemes.delete_permission_scheme(row, actor=who.rights)
        return f"Permission scheme “{name}” deleted"

    sheet = FormPage(
        f"Delete permission scheme: {row.name}", request.path, AT, button="Delete",
        said=say("A scheme can be deleted as long as no space uses it."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def grant(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Grant one or more permissions to somebody."""
    row = _find(key)
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
    row = _find(key)
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
