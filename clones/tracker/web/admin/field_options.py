"""Options of a custom field in a context: added, renamed, put in order, disabled, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel, order_acts
from clones.core.web.posted import posted_text
from clones.tracker.domain import field_options as options
from clones.tracker.domain.field_options import OptionValues
from clones.tracker.models import FieldOption, FieldValue
from clones.tracker.rules.field_catalogue import custom_type
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.field_contexts import AT, HERE, find, spaces_text, types_text
from clones.tracker.web.admin.field_defaults import default_texts
from clones.tracker.web.admin.inputs import area, line, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of, moving
from clones.tracker.web.settings.forms import FormPage

ONE_A_LINE: Final = "One option a line."


def _at(key: int, context: int) -> str:
    return f"{AT}/{key}/contexts/{context}"


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int, context: int) -> HttpResponse:
    """Show the options of a field in a context, those of a second level below their first."""
    field, found = find(key, context)
    options.check_has_options(found)
    at = _at(key, context)
    rows = list(found.options.order_by("position", "id"))
    first = [row for row in rows if row.parent_id is None]
    lines: list[ListRow] = []
    for place, row in enumerate(first):
        lines.append(_row(row, at, (place == 0, place == len(first) - 1)))
        below = [one for one in rows if one.parent_id == row.id]
        lines += [
            _row(one, at, (number == 0, number == len(below) - 1), above=row.value)
            for number, one in enumerate(below)
        ]
    panel = Panel(
        ["Option", "Below"] if custom_type(field.type).choice == "tree" else ["Option"],
        lines if custom_type(field.type).choice == "tree" else _without_above(lines),
        "Options",
        empty="There are no options yet.",
        acts=[Action("Add options", f"{at}/options/add", primary=True)],
    )
    facts = [
        ("Spaces", Cell(spaces_text(found))),
        ("Work types", Cell(types_text(found))),
        ("Default value", Cell(default_texts([found])[found.id] or "None")),
    ]
    crumbs = crumbs_of(HERE, Link(field.name, f"{AT}/{field.id}"))
    return admin_view(
        request,
        who,
        ListPage(
            found.name, HERE, [panel], found.description,
            [Action("Edit default", f"{at}/default"), Action("Edit context", f"{at}/edit")], facts,
            crumbs=crumbs, record=found,
        ),
    )  # fmt: skip


def _row(row: FieldOption, at: str, ends: tuple[bool, bool], above: str = "") -> ListRow:
    here = f"{at}/options/{row.id}"
    first, last = ends
    switch = Action(
        "Enable" if row.disabled else "Disable", f"{here}/switch", row.value, post=True,
        sends={"disabled": "" if row.disabled else "1"},
    )  # fmt: skip
    return ListRow(
        [Cell(row.value, tags=["Disabled"] if row.disabled else []), Cell(above)],
        [
            *order_acts(f"{here}/move", row.value, first=first, last=last),
            Action("Edit", f"{here}/edit", row.value),
            switch,
            Action("Delete", f"{here}/delete", row.value),
        ],
        row,
    )


def _without_above(lines: Sequence[ListRow]) -> list[ListRow]:
    return [ListRow(line.cells[:1], line.acts, line.record) for line in lines]


@admin_page
def add(request: SandboxRequest, who: Visitor, key: int, context: int) -> HttpResponse:
    """Put options at the end, or below one of a cascading field."""
    field, found = find(key, context)
    rows = found.options.filter(parent=None).order_by("position", "id")

    def write(sent: PageForm) -> str:
        texts = [one.strip() for one in sent.text("values").splitlines()]
        parent = sent.text("parent") or None
        wanted = [OptionValues(value=one, parent=parent) for one in texts if one]
        made = options.create_options(found, wanted, actor=who.rights)
        return f"{len(made)} {'option' if len(made) == 1 else 'options'} added"

    inputs = [area("values", "Options", required=True, hint=ONE_A_LINE)]
    if custom_type(field.type).choice == "tree":
        pairs = rows.values_list("id", "value")
        inputs.append(select("parent", "Below", pairs, none="None: the first level"))
    heading = f"Add options to {field.name}"
    sheet = FormPage(heading, request.path, _at(key, context), inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(
    request: SandboxRequest, who: Visitor, key: int, context: int, option: int
) -> HttpResponse:
    """Rename an option, on all work items that have it."""
    _, found = find(key, context)
    row = options.find_option(found, option)

    def write(sent: PageForm) -> str:
        values = OptionValues(value=sent.text("value"), id=str(row.id))
        options.update_options(found, [values], actor=who.rights)
        return "Option updated"

    inputs = [line("value", "Option", row.value, required=True)]
    sheet = FormPage("Edit option", request.path, _at(key, context), inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def switch(
    request: SandboxRequest, who: Visitor, key: int, context: int, option: int
) -> HttpResponse:
    """Disable an option, which then can be chosen no more, or enable it."""
    _, found = find(key, context)
    row = options.find_option(found, option)
    disabled = bool(posted_text(request, "disabled"))

    def write() -> str:
        values = OptionValues(disabled=disabled, id=str(row.id))
        options.update_options(found, [values], actor=who.rights)
        return f"Option “{row.value}” {'disabled' if disabled else 'enabled'}"

    return act(request, who, write, back=_at(key, context), here=HERE)


@admin_form
def move(
    request: SandboxRequest, who: Visitor, key: int, context: int, option: int
) -> HttpResponse:
    """Move an option one place up or down among its level's."""
    _, found = find(key, context)
    row = options.find_option(found, option)

    def write() -> str:
        siblings = found.options.filter(parent=row.parent_id).order_by("position", "id")
        order = list(siblings.values_list("id", flat=True))
        where = moving(order, row.id, posted_text(request, "way"))
        options.move_options(found, [str(row.id)], **where, actor=who.rights)
        return f"Option “{row.value}” moved"

    return act(request, who, write, back=_at(key, context), here=HERE)


@admin_page
def delete(
    request: SandboxRequest, who: Visitor, key: int, context: int, option: int
) -> HttpResponse:
    """Delete an option, or begin to replace it by another on the work items that have it."""
    _, found = find(key, context)
    row = options.find_option(found, option)
    number = FieldValue.objects.filter(option=row).values("issue").distinct().count()
    others = found.options.exclude(id=row.id).filter(disabled=False).order_by("position", "id")

    def write(sent: PageForm) -> str:
        heir = sent.text("heir")
        if heir:
            options.start_replacement(row, heir, None, actor=who.rights)
            return f"Option “{row.value}” is being replaced: delete it afterwards"
        value = row.value
        options.delete_option(row, actor=who.rights)
        return f"Option “{value}” deleted"

    inputs = (
        [
            select(
                "heir", "Replace it with", others.values_list("id", "value"), none="Nothing",
                hint="The option is then replaced on them, and stays until it is deleted.",
            )
        ]
        if number
        else []
    )  # fmt: skip
    said = f"{number:,} work {'item has' if number == 1 else 'items have'} this option."
    heading = f"Delete option: {row.value}"
    sheet = FormPage(heading, request.path, _at(key, context), inputs, "Delete", said, danger=True)
    return ask(request, who, sheet, write, here=HERE)
