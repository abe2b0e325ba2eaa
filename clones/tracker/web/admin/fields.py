"""Custom fields: made by kind, changed, put on screens, into the trash and out of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Count
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import (
    Action,
    Cell,
    Link,
    ListPage,
    ListRow,
    Panel,
    SearchForm,
    Tab,
)
from clones.core.web.paging import page_from
from clones.tracker.domain import custom_fields, screens
from clones.tracker.domain.scheme_parts import key_of, one_of
from clones.tracker.models import CustomField, FieldContext, Screen, ScreenTab, ScreenTabField
from clones.tracker.rules.field_catalogue import custom_type, custom_types
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.field_contexts import context_panels
from clones.tracker.web.admin.inputs import checks, named, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.parts.times import when
from clones.tracker.web.settings.forms import FormPage, Input

HERE: Final = "fields"
AT: Final = address_of(HERE)
SCREENS: Final = address_of("screens")
SCREENS_NAMED: Final = 3
# What the searchers of several types are called.
SEARCHERS: Final = {
    "exactnumber": "Number searcher",
    "numberrange": "Number range searcher",
    "multiselectsearcher": "Multi select searcher",
    "grouppickersearcher": "Group picker searcher",
}


def _made() -> list[tuple[str, str]]:
    """Return the types that admins can make fields of, by name."""
    rows = ((key, kind.label) for key, kind in custom_types().items() if kind.is_made)
    return sorted(rows, key=lambda pair: pair[1].casefold())


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List custom fields, with a text in their name or of a type; or those in the trash."""
    text, kind = request.GET.get("query", "").strip(), request.GET.get("type", "")
    trash = request.GET.get("tab") == "trash"
    rows = CustomField.objects.filter(project=None, trashed_at__isnull=not trash)
    if text:
        rows = rows.filter(name__icontains=text)
    if kind:
        rows = rows.filter(type=kind)
    pages = page_from(request, rows.select_related("trashed_by").order_by("name", "id"))
    panel = _trash(pages.rows, who) if trash else _live(pages.rows)
    tabs = [Tab("Active", AT, not trash), Tab("Trash", f"{AT}?tab=trash", trash)]
    inputs = [select("type", "Type", _made(), kind, none="All types")]
    return admin_view(
        request,
        who,
        ListPage(
            "Custom fields", HERE, [panel],
            acts=[Action("Create custom field", f"{AT}/create", primary=True)],
            search=None if trash else SearchForm("Search fields", text, inputs), pages=pages,
            tabs=tabs,
        ),
    )  # fmt: skip


def _live(found: Collection[CustomField]) -> Panel:
    keys = [row.id for row in found]
    shown = _screens([row.key for row in found])
    counts = dict(
        FieldContext.objects.filter(field__in=keys)
        .order_by()
        .values_list("field_id")
        .annotate(number=Count("id"))
    )
    busy = busy_with(custom_fields.DELETION, "field")
    rows = []
    for row in found:
        at, links = f"{AT}/{row.id}", shown.get(row.key, [])
        more = len(links) - SCREENS_NAMED
        links = [*links[:SCREENS_NAMED], *([Link(f"{more} more")] if more > 0 else [])]
        number = counts.get(row.id, 0)
        tags = [
            *(["Locked"] if row.is_locked else []),
            *(["Being deleted"] if row.id in busy else []),
        ]
        rows.append(
            ListRow(
                [
                    Cell(row.name, at, row.description, tags=tags),
                    Cell(custom_type(row.type).label),
                    Cell(f"{number} context" if number == 1 else f"{number} contexts"),
                    Cell(links=links),
                ],
                _acts(row),
                row,
            )
        )
    columns = ["Name", "Type", "Contexts", "Screens"]
    return Panel(columns, rows, empty="No fields were found.")


def _acts(row: CustomField) -> list[Action]:
    at = f"{AT}/{row.id}"
    acts = [Action("Associate to screens", f"{at}/screens", row.name)]
    if row.is_locked:
        return acts
    return [
        Action("Edit", f"{at}/edit", row.name),
        *acts,
        Action("Move to trash", f"{at}/trash", row.name),
    ]


def _screens(keys: Collection[str]) -> dict[str, list[Link]]:
    """Return the screens that fields are on, by the field's id."""
    rows = ScreenTabField.objects.filter(field__in=keys).select_related("tab__screen")
    found: dict[str, list[Link]] = {}
    for row in rows.order_by("tab__screen__name", "id"):
        link = Link(row.tab.screen.name, f"{SCREENS}/{row.tab.screen_id}")
        found.setdefault(row.field, []).append(link)
    return found


def _trash(found: Collection[CustomField], who: Visitor) -> Panel:
    rows = [
        ListRow(
            [
                Cell(row.name, below=row.description),
                Cell(custom_type(row.type).label),
                Cell(when(row.trashed_at, who.rights.zone)),
                Cell("" if row.trashed_by is None else row.trashed_by.display_name),
            ],
            [
                Action("Restore", f"{AT}/{row.id}/restore", row.name, post=True),
                Action("Delete permanently", f"{AT}/{row.id}/delete", row.name),
            ],
            row,
        )
        for row in found
    ]
    columns = ["Name", "Type", "Moved to trash", "By"]
    said = "Fields in the trash are deleted for good after 60 days."
    return Panel(columns, rows, said=said, empty="There are no fields in the trash.")


def _searchers(kind: str, now: str | None) -> Input:
    pairs = [(key, _searcher_name(key)) for key in custom_type(kind).searchers]
    return select("searcherKey", "Search template", pairs, now, none="None")


def _searcher_name(key: str) -> str:
    short = key.rpartition(":")[2]
    return SEARCHERS.get(short) or short


@admin_page
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a field; it is found by the first way of searching that its type has."""

    def write(sent: PageForm) -> tuple[str, str]:
        kind = sent.text("type")
        known = custom_type(kind).searchers
        made = custom_fields.create_field(
            sent.text("name"),
            kind,
            description=sent.text("description"),
            searcher=known[0] if known else None,
            actor=who.rights,
        )
        return f"Custom field “{made.name}” created", f"{AT}/{made.id}"

    kinds = select("type", "Type", _made(), required=True, none="Choose a field type")
    sheet = FormPage("Create custom field", request.path, AT, [kinds, *named()], "Create")
    return ask(request, who, sheet, write, here=HERE)


def _find(key: int, *, trashed: bool | None = False) -> CustomField:
    return custom_fields.find_field(f"customfield_{key}", trashed=trashed)


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show a field with its contexts, their options, and the screens that it is on."""
    field = _find(key)
    links = _screens([field.key]).get(field.key, [])
    shown = Panel(
        ["Screen"],
        [ListRow([Cell(link.label, link.address)]) for link in links],
        "Screens",
        empty="The field is on no screen.",
        acts=[Action("Associate to screens", f"{AT}/{field.id}/screens")],
    )
    kind = custom_type(field.type)
    facts = [
        ("Type", Cell(kind.label)),
        ("ID", Cell(field.key)),
        ("Search template", Cell(_searcher_name(field.searcher) if field.searcher else "None")),
    ]
    return admin_view(
        request,
        who,
        ListPage(
            field.name, HERE, [*context_panels(field), shown], field.description,
            [act for act in _acts(field) if not act.label.startswith("Associate")],
            facts, crumbs=crumbs_of(HERE), record=field,
        ),
    )  # fmt: skip


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a field's name, description and the way in which it is searched."""
    field = _find(key)

    def write(sent: PageForm) -> str:
        changes = {
            "name": sent.text("name"),
            "description": sent.text("description"),
            "searcher": sent.text("searcherKey") or None,
        }
        custom_fields.update_field(field, changes, actor=who.rights)
        return f"Custom field “{field.name}” updated"

    inputs = [*named(field.name, field.description), _searchers(field.type, field.searcher)]
    sheet = FormPage("Edit custom field", request.path, f"{AT}/{field.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def associate(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Say on which screens a field is: on the first tab of those that are new."""
    field = _find(key)
    rows = ScreenTabField.objects.filter(field=field.key).select_related("tab")
    now = {row.tab.screen_id: row.tab for row in rows.order_by("id")}
    pairs = list(Screen.objects.order_by("name", "id").values_list("id", "name"))

    def write(sent: PageForm) -> str:
        wanted = {key_of(one) for one in sent.several("screens")}
        for screen, tab in now.items():
            if screen not in wanted:
                screens.remove_field(tab, field.key, actor=who.rights)
        for screen, _ in pairs:
            if screen in wanted and screen not in now:
                tabs = ScreenTab.objects.filter(screen=screen).order_by("position", "id")
                first = one_of(tabs, getattr(tabs.first(), "id", 0), screens.TAB_GONE)
                screens.add_field(first, field.key, actor=who.rights)
        return f"“{field.name}” is on {len(wanted)} screens"

    inputs = [checks("screens", "Screens", pairs, list(now))]
    heading = f"Associate {field.name} to screens"
    sheet = FormPage(heading, request.path, f"{AT}/{field.id}", inputs, "Update")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def trash(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Put a field into the trash."""
    field = _find(key)

    def write(sent: PageForm) -> str:
        custom_fields.trash_field(field, actor=who.rights)
        return f"“{field.name}” moved to trash"

    sheet = FormPage(
        f"Move {field.name} to trash?", request.path, AT, button="Move to trash", danger=True,
        said="The field disappears everywhere. It can be restored within 60 days.",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def restore(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Take a field out of the trash."""
    field = _find(key, trashed=True)

    def write() -> str:
        custom_fields.restore_field(field, actor=who.rights)
        return f"“{field.name}” restored"

    return act(request, who, write, back=AT, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Begin to delete a field that is in the trash, with all its values."""
    field = _find(key, trashed=True)

    def write(sent: PageForm) -> str:
        custom_fields.start_deletion(field, actor=who.rights)
        return f"“{field.name}” is being deleted"

    sheet = FormPage(
        f"Delete {field.name} permanently?", request.path, f"{AT}?tab=trash", button="Delete",
        said="All values of the field are deleted, too. This cannot be undone.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
