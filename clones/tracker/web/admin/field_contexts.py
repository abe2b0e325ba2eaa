"""Contexts of custom fields: for which spaces and types a field is, and what it begins with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListRow, Panel
from clones.tracker.domain import context_defaults, custom_fields, field_contexts
from clones.tracker.models import CustomField, FieldContext
from clones.tracker.rules.field_catalogue import custom_type
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.field_defaults import default_inputs, default_texts, read_default
from clones.tracker.web.admin.inputs import classic_spaces, multiple, named, site_types
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "fields"
AT: Final = address_of(HERE)
ALL: Final = "Leave it empty for all of them."


def find(key: int, context: int) -> tuple[CustomField, FieldContext]:
    """Return a field and one of its contexts.

    Raises:
        NotFound: there is none of either.
    """
    field = custom_fields.find_field(f"customfield_{key}")
    return field, field_contexts.find_context(field, context)


def contexts_of(field: CustomField) -> list[FieldContext]:
    """Return the contexts of a field with their spaces and types: the one for all spaces first."""
    rows = FieldContext.objects.filter(field=field).select_related("field")
    rows = rows.prefetch_related("projects__project", "issue_types__issue_type")
    return sorted(rows, key=lambda one: (not one.all_projects, one.name.casefold(), one.id))


def spaces_text(context: FieldContext) -> str:
    """Return the spaces of a context in words."""
    if context.all_projects:
        return say("All spaces")
    return ", ".join(sorted(row.project.name for row in context.projects.all()))


def types_text(context: FieldContext) -> str:
    """Return the types of a context in words."""
    if context.all_issue_types:
        return say("All work types")
    return ", ".join(sorted(row.issue_type.name for row in context.issue_types.all()))


def context_panels(field: CustomField) -> Sequence[Panel]:
    """Return the table of a field's contexts."""
    at = f"{AT}/{field.id}/contexts"
    kind = custom_type(field.type)
    rows = []
    contexts = contexts_of(field)
    texts = default_texts(contexts)
    for context in contexts:
        here, name = f"{at}/{context.id}", context.name
        acts = [
            *([Action("Edit options", here, name, whole=True)] if kind.choice else []),
            *([Action("Edit default", f"{here}/default", name)] if kind.default_type else []),
            Action("Edit context", f"{here}/edit", name),
            Action("Delete", f"{here}/delete", name),
        ]
        cells = [
            Cell(name, here if kind.choice else "", context.description),
            Cell(spaces_text(context)),
            Cell(types_text(context)),
            Cell(texts[context.id] or "None"),
        ]
        rows.append(ListRow(cells, [] if field.is_locked else acts, context))
    acts = [] if field.is_locked else [Action("Add context", f"{at}/add")]
    return [
        Panel(
            ["Context", "Spaces", "Work types", "Default value"], rows, "Contexts", acts=acts,
            empty="Without a context the field is in no space.",
        )
    ]  # fmt: skip


def _where(context: FieldContext | None = None) -> list[Input]:
    spaces = [] if context is None else [row.project_id for row in context.projects.all()]
    types = [] if context is None else [row.issue_type_id for row in context.issue_types.all()]
    return [
        multiple("projects", "Spaces", classic_spaces(), spaces, hint=ALL),
        multiple("types", "Work types", site_types(), types, hint=ALL),
    ]


@admin_page
def add(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Make a context for spaces and types; none of a kind means all."""
    field = custom_fields.find_field(f"customfield_{key}")

    def write(sent: PageForm) -> str:
        made = field_contexts.create_context(
            field,
            sent.text("name"),
            sent.text("description"),
            sent.several("projects"),
            sent.several("types"),
            actor=who.rights,
        )
        return f"Context “{made.name}” added"

    inputs = [*named(), *_where()]
    sheet = FormPage(f"Add context to {field.name}", request.path, f"{AT}/{key}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int, context: int) -> HttpResponse:
    """Change a context: its name, and for which spaces and types it is."""
    _, found = find(key, context)

    def write(sent: PageForm) -> str:
        field_contexts.update_context(
            found, sent.text("name"), sent.text("description"), actor=who.rights
        )
        _set_spaces(found, set(sent.several("projects")), who)
        _set_types(found, set(sent.several("types")), who)
        return f"Context “{found.name}” updated"

    inputs = [*named(found.name, found.description), *_where(found)]
    sheet = FormPage("Edit context", request.path, f"{AT}/{key}", inputs)
    return ask(request, who, sheet, write, here=HERE)


def _set_spaces(context: FieldContext, wanted: set[str], who: Visitor) -> None:
    have = {str(key) for key in context.projects.values_list("project_id", flat=True)}
    # What comes first, what goes last: in between the context is never one for all spaces.
    if come := sorted(wanted - have):
        field_contexts.add_projects(context, come, actor=who.rights)
    if go := sorted(have - wanted):
        field_contexts.remove_projects(context, go, actor=who.rights)


def _set_types(context: FieldContext, wanted: set[str], who: Visitor) -> None:
    have = {str(key) for key in context.issue_types.values_list("issue_type_id", flat=True)}
    if come := sorted(wanted - have):
        field_contexts.add_types(context, come, actor=who.rights)
    if go := sorted(have - wanted):
        field_contexts.remove_types(context, go, actor=who.rights)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int, context: int) -> HttpResponse:
    """Delete a context with its options."""
    _, found = find(key, context)

    def write(sent: PageForm) -> str:
        name = found.name
        field_contexts.delete_context(found, actor=who.rights)
        return f"Context “{name}” deleted"

    sheet = FormPage(
        f"Delete context: {found.name}", request.path, f"{AT}/{key}", button="Delete", danger=True,
        said=say("Its options go with it, and work items lose them."),
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def default(request: SandboxRequest, who: Visitor, key: int, context: int) -> HttpResponse:
    """Set what a field begins with in a context, or with nothing take it back."""
    field, found = find(key, context)

    def write(sent: PageForm) -> str:
        value = read_default(field, request.POST)
        wanted = {**value, "contextId": str(found.id)}
        context_defaults.set_defaults(field, [wanted], actor=who.rights)
        return f"Default value of “{found.name}” updated"

    sheet = FormPage(
        f"Default value: {found.name}", request.path, f"{AT}/{key}", default_inputs(found),
        said="Leave it empty for no default value.",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
