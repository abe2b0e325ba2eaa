"""Priority schemes: which priorities the spaces that use one offer.

Where a change leaves work items with a priority that their space offers no more, the form asks by
which it is to be replaced; a task does it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.core.web.posted import posted_text, posted_texts
from clones.tracker.domain import priority_schemes as schemes
from clones.tracker.domain.priority_schemes import PriorityMappings, SchemeChange
from clones.tracker.domain.scheme_parts import key_of, one_of
from clones.tracker.models import Priority, PriorityScheme, PrioritySchemeItem, Project
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import all_spaces, checks, named, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.parts.pictures import priority_picture
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "priority-schemes"
AT: Final = address_of(HERE)
INTO: Final = "in-"
OUT: Final = "out-"


def _find(key: int) -> PriorityScheme:
    return one_of(PriorityScheme.objects.all(), key, schemes.GONE)


def _priorities(keys: Collection[int]) -> dict[int, list[Priority]]:
    """Return the priorities of schemes in their order, by the scheme's id."""
    rows = PrioritySchemeItem.objects.filter(scheme__in=keys).select_related("priority")
    found: dict[int, list[Priority]] = {key: [] for key in keys}
    for item in rows.order_by("position", "id"):
        found[item.scheme_id].append(item.priority)
    return found


def _spaces(keys: Collection[int]) -> dict[int, list[Project]]:
    rows = Project.objects.filter(priority_scheme__in=keys, deleted_at=None)
    found: dict[int, list[Project]] = {key: [] for key in keys}
    for project in rows.order_by("name", "id"):
        found[project.priority_scheme_id].append(project)
    return found


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List schemes with their priorities and spaces."""
    rows = list(PriorityScheme.objects.order_by("-is_default", "name", "id"))
    keys = [row.id for row in rows]
    priorities, spaces = _priorities(keys), _spaces(keys)
    busy = busy_with(schemes.MIGRATION, "scheme")
    panel = Panel(
        ["Name", "Priorities", "Spaces"],
        [
            ListRow(
                [
                    Cell(
                        row.name, f"{AT}/{row.id}", row.description,
                        tags=[
                            *(["Default"] if row.is_default else []),
                            *([say("Work items are being changed")] if row.id in busy else []),
                        ],
                    ),
                    Cell(", ".join(_named(one, row) for one in priorities[row.id])),
                    spaces_cell(spaces[row.id]),
                ],
                [
                    Action("Edit", f"{AT}/{row.id}/edit", row.name),
                    *(
                        []
                        if row.is_default
                        else [Action("Delete", f"{AT}/{row.id}/delete", row.name)]
                    ),
                ],
                row,
            )
            for row in rows
        ],
    )  # fmt: skip
    return admin_view(
        request,
        who,
        ListPage(
            "Priority schemes", HERE, [panel],
            acts=[Action("Add priority scheme", f"{AT}/add", primary=True)],
            said=say("Which priorities spaces offer, and which one new work items get."),
        ),
    )  # fmt: skip


def _named(priority: Priority, scheme: PriorityScheme) -> str:
    is_default = priority.id == scheme.default_priority_id
    return f"{priority.name} (default)" if is_default else priority.name


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the priorities of a scheme, and its spaces."""
    scheme = _find(key)
    at = f"{AT}/{scheme.id}"
    priorities = Panel(
        ["Priority"],
        [
            ListRow(
                [
                    Cell(
                        one.name, below=one.description, picture=priority_picture(one),
                        tags=["Default"] if one.id == scheme.default_priority_id else [],
                    )
                ],
                record=one,
            )
            for one in _priorities([scheme.id])[scheme.id]
        ],
        "Priorities",
    )  # fmt: skip
    spaces = Panel(
        ["Space", "Key"],
        [
            ListRow(
                [Cell(one.name, f"/browse/{one.key}"), Cell(one.key)],
                [] if scheme.is_default else [Action("Remove", f"{at}/spaces/{one.id}", one.name)],
                one,
            )
            for one in _spaces([scheme.id])[scheme.id]
        ],
        say("Spaces"),
        empty="No space uses this scheme.",
        acts=[Action("Add a space", f"{at}/spaces/add")],
    )
    return admin_view(
        request,
        who,
        ListPage(
            scheme.name, HERE, [priorities, spaces], scheme.description,
            [
                Action("Edit", f"{at}/edit"),
                *([] if scheme.is_default else [Action("Delete", f"{at}/delete")]),
            ],
            crumbs=crumbs_of(HERE), record=scheme,
        ),
    )  # fmt: skip


def _inputs(name: str, about: str, have: Collection[int], default: int | None) -> list[Input]:
    rows = list(Priority.objects.order_by("position", "id").values_list("id", "name"))
    return [
        *named(name, about),
        checks("priorities", "Priorities", rows, have),
        select("default", "Default priority", rows, default, required=True),
    ]


def _wanted(request: SandboxRequest) -> list[int]:
    """Return the ids of the priorities that are ticked."""
    return [key_of(str(one)) for one in posted_texts(request, "priorities")]


def _replacing(
    needed: Iterable[int], offered: Collection[int], prefix: str, what: str
) -> list[Input]:
    """Return a list for each priority that needs another one: which it shall be."""
    rows = Priority.objects.order_by("position", "id")
    names = dict(rows.values_list("id", "name"))
    pairs = [(id, name) for id, name in names.items() if id in offered]
    return [
        select(
            f"{prefix}{id}", f"{what} {names[id]} get", pairs, required=True,
            none="Choose a priority",
        )
        for id in names if id in set(needed)
    ]  # fmt: skip


def _mapping(request: SandboxRequest, prefix: str) -> dict[int, int]:
    """Return which priorities are replaced by which, as far as the form says it."""
    return {
        key_of(name.removeprefix(prefix)): key_of(str(value))
        for name, value in request.POST.items()
        if name.startswith(prefix) and value
    }


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a scheme."""

    def write(sent: PageForm) -> tuple[str, str]:
        change = SchemeChange(
            name=sent.text("name"),
            description=sent.text("description"),
            default=key_of(sent.text("default")),
            add=_wanted(request),
        )
        made, _ = schemes.create_scheme(change, actor=who.rights)
        return f"Priority scheme “{made.name}” added", f"{AT}/{made.id}"

    sheet = FormPage("Add priority scheme", request.path, AT, _inputs("", "", (), None), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a scheme; work items with a priority that it loses get another."""
    scheme = _find(key)
    have = [one.id for one in _priorities([scheme.id])[scheme.id]]
    inputs = _inputs(scheme.name, scheme.description, have, scheme.default_priority_id)
    wanted = _wanted(request) if request.method == "POST" else have
    removed = [id for id in have if id not in wanted]
    used = Project.objects.filter(priority_scheme=scheme).exists()
    if removed and used:
        needed = schemes.needed_into(wanted, [], removed=removed)
        inputs += _replacing(needed, wanted, INTO, say("Work items with priority"))

    def write(sent: PageForm) -> str:
        mapping = _mapping(request, INTO)
        change = SchemeChange(
            name=sent.text("name"),
            description=sent.text("description"),
            default=key_of(sent.text("default")),
            add=[id for id in wanted if id not in have],
            remove=removed,
            mappings=PriorityMappings(into=mapping or None),
        )
        schemes.update_scheme(scheme, change, actor=who.rights)
        return f"Priority scheme “{scheme.name}” updated"

    sheet = FormPage("Edit priority scheme", request.path, f"{AT}/{scheme.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a scheme that no space uses."""
    scheme = _find(key)

    def write(sent: PageForm) -> str:
        name = scheme.name
        schemes.delete_scheme(scheme, actor=who.rights)
        return f"Priority scheme “{name}” deleted"

    sheet = FormPage(
        f"Delete priority scheme: {scheme.name}", request.path, AT, button="Delete",
        said=say("A scheme can be deleted as long as no space uses it."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


def _needed(scheme: PriorityScheme, space: Project | None) -> Sequence[Input]:
    """Return what is asked for a space that comes into a scheme."""
    if space is None:
        return ()
    final = [one.id for one in _priorities([scheme.id])[scheme.id]]
    needed = schemes.needed_into(final, [space], removed=())
    return _replacing(needed, final, INTO, say("Work items with priority"))


@admin_page
def add_space(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let a space use a scheme."""
    scheme = _find(key)
    rows = Project.objects.filter(deleted_at=None).exclude(priority_scheme=scheme)
    space = rows.filter(id=key_of(posted_text(request, "space"))).first()
    free = set(rows.values_list("id", flat=True))
    pairs = [pair for pair in all_spaces() if pair[0] in free]
    inputs = [
        select("space", "Space", pairs, required=True, none="Choose a space"),
        *_needed(scheme, space),
    ]

    def write(sent: PageForm) -> str:
        mapping = _mapping(request, INTO)
        found = one_of(rows, sent.text("space"), "The project was not found.")
        change = SchemeChange(
            add_projects=[found.id], mappings=PriorityMappings(into=mapping or None)
        )
        schemes.update_scheme(scheme, change, actor=who.rights)
        return f"{found.name} uses “{scheme.name}” now"

    sheet = FormPage(
        f"{say('Add a space')} to {scheme.name}", request.path, f"{AT}/{scheme.id}", inputs, "Add"
    )
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def remove_space(request: SandboxRequest, who: Visitor, key: int, space: int) -> HttpResponse:
    """Give a space the default scheme; priorities that it has not need others."""
    scheme = _find(key)
    rows = Project.objects.filter(priority_scheme=scheme, deleted_at=None)
    found = one_of(rows, space, "The project was not found.")
    have = {one.id for one in _priorities([scheme.id])[scheme.id]}
    default = schemes.default_scheme()
    base = [one.id for one in _priorities([default.id])[default.id]]
    inputs = _replacing(have - set(base), base, OUT, say("Work items with priority"))

    def write(sent: PageForm) -> str:
        mapping = _mapping(request, OUT)
        change = SchemeChange(
            remove_projects=[found.id], mappings=PriorityMappings(out=mapping or None)
        )
        schemes.update_scheme(scheme, change, actor=who.rights)
        return f"{found.name} uses the default priority scheme now"

    sheet = FormPage(
        f"Remove {found.name} from {scheme.name}", request.path, f"{AT}/{scheme.id}", inputs,
        "Remove", say("The space will use the default priority scheme."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
