"""Work item security schemes: levels by which items are hidden, and who sees those of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import QuerySet
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.core.web.posted import posted_text
from clones.tracker.domain import security_schemes as schemes
from clones.tracker.domain.holders import Held
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.domain.security_schemes import SECURITY_SCHEME, LevelDraft
from clones.tracker.models import Issue, Project, SecurityLevel, SecurityMember, SecurityScheme
from clones.tracker.queries.holder_names import holder_names
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.holders import holder_input, read_holder
from clones.tracker.web.admin.inputs import HAS, check, counted, named, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell, spaces_using
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import speaker

HERE: Final = "security-schemes"
AT: Final = address_of(HERE)


class SecuritySchemePages(AdminPages[SecurityScheme]):
    """The list of schemes and their forms (the vendor's ViewIssueSecuritySchemes page)."""

    resource = SECURITY_SCHEME
    here = HERE
    title = "Work item security schemes"
    noun = "security scheme"
    leaves = "Its levels are deleted, too."
    has_details = True
    opens = "Security levels"
    said = "Who sees which work items of a space."
    columns = ("Name", "Security levels", "Spaces")
    empty = "There are no security schemes: everybody who sees a space sees all its work."

    def find(self, key: int | str) -> SecurityScheme:
        """Return the scheme of an id, or refuse as the vendor does."""
        return schemes.scheme_of(str(key))

    def rows(self) -> QuerySet[SecurityScheme]:
        """Return the schemes with their levels."""
        return super().rows().prefetch_related("levels")

    def list_rows(self, found: Sequence[SecurityScheme]) -> list[ListRow]:
        """Return the schemes with their levels and spaces."""
        spaces = spaces_using("security_scheme", found)
        return [
            ListRow(
                [
                    self.name_cell(row),
                    Cell(", ".join(sorted(level.name for level in row.levels.all())) or "None"),
                    spaces_cell(spaces[row.id]),
                ],
                self.acts(row, found, goes=not spaces[row.id]),
                row,
            )
            for row in found
        ]


PAGES: Final = SecuritySchemePages()


def _levels(scheme: SecurityScheme) -> QuerySet[SecurityLevel]:
    return scheme.levels.order_by("name", "id")


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the levels of a scheme, each with its members."""
    scheme = PAGES.find(key)
    at = f"{AT}/{scheme.id}"
    levels = list(_levels(scheme))
    members = list(SecurityMember.objects.filter(level__in=levels).order_by("id"))
    names = holder_names(((one.holder_type, one.parameter) for one in members), spoken=speaker())
    busy = busy_with(schemes.REMOVE, "level")
    panels = [
        _panel(
            level,
            [one for one in members if one.level_id == level.id],
            names,
            at,
            is_default=level.id == scheme.default_level_id,
            busy=level.id in busy,
        )
        for level in levels
    ]
    users = Project.objects.filter(security_scheme=scheme, deleted_at=None)
    spaces = list(users.order_by("name", "id"))
    said = (
        scheme.description if levels else f"{scheme.description} There are no levels yet.".strip()
    )
    return admin_view(
        request,
        who,
        ListPage(
            scheme.name, HERE, panels, said,
            [
                Action("Edit", f"{at}/edit"),
                *([] if spaces else [Action("Delete", f"{at}/delete")]),
                Action("Add level", f"{at}/levels/add", primary=True),
            ],
            [("Spaces", spaces_cell(spaces))], crumbs=crumbs_of(HERE), record=scheme,
        ),
    )  # fmt: skip


def _panel(
    level: SecurityLevel,
    members: Sequence[SecurityMember],
    names: Mapping[Held, str],
    at: str,
    *,
    is_default: bool,
    busy: bool,
) -> Panel:
    """Return the table of a level's members."""
    here = f"{at}/levels/{level.id}"
    rows = []
    for one in members:
        name = names[one.holder_type, one.parameter]
        address = f"{here}/members/{one.id}/remove"
        remove = Action("Remove", address, f"{name} from {level.name}", post=True)
        rows.append(ListRow([Cell(name)], [remove]))
    marks = [*(["default"] if is_default else []), *(["being deleted"] if busy else [])]
    heading = f"{level.name} ({', '.join(marks)})" if marks else level.name
    sends = {"level": "" if is_default else str(level.id)}
    label = "Clear default" if is_default else "Make default"
    acts = [
        Action("Add member", f"{here}/members/add", f"to {level.name}"),
        Action("Edit", here, level.name),
        Action(label, f"{at}/default", level.name, post=True, sends=sends),
        Action("Delete", f"{here}/delete", level.name),
    ]
    empty = "Nobody sees the work items of this level."
    return Panel(["Members"], rows, heading, level.description, empty, acts)


@admin_page
def add_level(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Put a level into a scheme."""
    scheme = PAGES.find(key)

    def write(sent: PageForm) -> str:
        level = LevelDraft(
            sent.text("name"),
            sent.text("description"),
            is_default=sent.ticked("default"),
        )
        schemes.add_levels(scheme, [level], actor=who.rights)
        return f"Security level “{level.name}” added"

    inputs = [*named(), check("default", "New work items get this level")]
    sheet = FormPage("Add security level", request.path, f"{AT}/{scheme.id}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


def _level(scheme: SecurityScheme, level: int) -> SecurityLevel:
    return schemes.level_of(scheme, str(level))


@admin_page
def edit_level(request: SandboxRequest, who: Visitor, key: int, level: int) -> HttpResponse:
    """Change a level's name and description."""
    found = _level(PAGES.find(key), level)

    def write(sent: PageForm) -> str:
        schemes.update_level(found, sent.text("name"), sent.text("description"), actor=who.rights)
        return f"Security level “{found.name}” updated"

    inputs = named(found.name, found.description)
    sheet = FormPage("Edit security level", request.path, f"{AT}/{key}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def set_default(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Set the level that new work items get, or with no `level` take it back."""
    scheme = PAGES.find(key)

    def write() -> str:
        level = posted_text(request, "level") or None
        schemes.set_default_levels({str(scheme.id): level}, actor=who.rights)
        return "Default security level updated"

    return act(request, who, write, back=f"{AT}/{scheme.id}", here=HERE)


@admin_page
def delete_level(request: SandboxRequest, who: Visitor, key: int, level: int) -> HttpResponse:
    """Begin to delete a level; its work items get another, or none."""
    scheme = PAGES.find(key)
    found = _level(scheme, level)
    others = _levels(scheme).exclude(id=found.id)

    def write(sent: PageForm) -> str:
        heir = sent.text("replacement")
        other = schemes.level_of(scheme, heir) if heir else None
        schemes.remove_level(found, other, actor=who.rights)
        return f"Security level “{found.name}” is being deleted"

    issues = Issue.objects.filter(security_level=found)
    inputs = [
        select(
            "replacement", "New security level", others.values_list("id", "name"),
            none="None: everybody who sees the space sees them",
        )
    ]  # fmt: skip
    sheet = FormPage(
        f"Delete security level: {found.name}", request.path, f"{AT}/{key}", inputs, "Delete",
        counted(issues, HAS, "this level."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def add_member(request: SandboxRequest, who: Visitor, key: int, level: int) -> HttpResponse:
    """Let somebody see the work items of a level."""
    found = _level(PAGES.find(key), level)

    def write(sent: PageForm) -> str:
        holder = read_holder(sent.text("holder"))
        schemes.add_members(found, [holder], actor=who.rights)
        return f"Member added to “{found.name}”"

    inputs = [holder_input("holder", "Member", public=False)]
    sheet = FormPage(f"Add member to {found.name}", request.path, f"{AT}/{key}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_member(
    request: SandboxRequest, who: Visitor, key: int, level: int, member: int
) -> HttpResponse:
    """Take somebody from a level."""
    found = _level(PAGES.find(key), level)

    def write() -> str:
        rows = SecurityMember.objects.filter(level=found).select_related("level__scheme")
        schemes.remove_member(one_of(rows, member, "The member was not found."), actor=who.rights)
        return f"Member removed from “{found.name}”"

    return act(request, who, write, back=f"{AT}/{key}", here=HERE)
