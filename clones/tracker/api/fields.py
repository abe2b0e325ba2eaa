"""Fields: the list of all of them, the search for them, and making and changing custom ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.fields import (
    custom_field_body,
    searched_custom_body,
    searched_system_body,
    system_field_body,
)
from clones.tracker.domain import custom_fields
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import CustomField, IssueType, Project
from clones.tracker.queries.field_counts import FieldCounts, fields_in
from clones.tracker.queries.fields import visible_fields
from clones.tracker.queries.fieldsets import Fieldset, fieldsets_of
from clones.tracker.queries.kinds import types_of_projects
from clones.tracker.queries.rights import visible_projects
from clones.tracker.rules.field_catalogue import SystemField, system_fields

AnyField = SystemField | CustomField


class FieldWrite(AdminBody):
    """A custom field to create: its name, type, searcher and description."""

    name: str | None = None
    description: str | None = None
    type: str | None = None
    searcher: str | None = Field(None, alias="searcherKey")


class FieldUpdate(AdminBody):
    """The attributes of a custom field that can change; only what is sent does."""

    name: str | None = None
    description: str | None = None
    searcher: str | None = Field(None, alias="searcherKey")


class FieldSearch(Query):
    """Filters, order and expansions of a search of fields."""

    type: CommaList[str] = []
    id: CommaList[str] | None = None
    text: str | None = Field(None, alias="query")
    order: str | None = Field(None, alias="orderBy")
    expand: CommaList[str] = []
    projects: CommaList[Id] | None = Field(None, alias="projectIds")


class ProjectFields(Query):
    """The spaces, issue types and fields whose use of fields is listed."""

    projects: CommaList[Id] = Field(alias="projectId")
    types: CommaList[Id] = Field(alias="workTypeId")
    fields: CommaList[str] | None = Field(None, alias="fieldId")


def any_field(id: str) -> AnyField:
    """Return the field with an id, of the site's own or a custom one that is not in the trash.

    Raises:
        NotFound: there is none.
    """
    found = system_fields().get(id)
    return custom_fields.find_field(id) if found is None else found


@operation(
    "getFields",
    "GET",
    "/rest/api/3/field",
    summary="List all fields that one sees.",
    access="anyone",
)
def list_fields(call: Call) -> list[Any]:
    """List the fields of every site, then custom ones that have a context in a space one sees."""
    found = [system_field_body(field) for field in system_fields().values()]
    return found + [custom_field_body(field) for field in visible_fields(actor(call))]


@operation(
    "createCustomField",
    "POST",
    "/rest/api/3/field",
    summary="Make a custom field.",
    body=FieldWrite,
    access="admin",
    status=201,
)
def create_field(call: Call) -> dict[str, Any]:
    """Make a custom field."""
    given: FieldWrite = call.body
    made = custom_fields.create_field(
        given.name,
        given.type,
        actor=actor(call),
        description=given.description,
        searcher=given.searcher,
    )
    return custom_field_body(made)


@operation(
    "updateCustomField",
    "PUT",
    "/rest/api/3/field/{fieldId}",
    summary="Change a custom field.",
    body=FieldUpdate,
    access="admin",
    status=204,
)
def update_field(call: Call) -> None:
    """Change a custom field."""
    given: FieldUpdate = call.body
    changes = {name: getattr(given, name) for name in given.model_fields_set}
    field = custom_fields.find_field(call.path["fieldId"])
    custom_fields.update_field(field, changes, actor=actor(call))


@operation(
    "getFieldsPaginated",
    "GET",
    "/rest/api/3/field/search",
    summary="Search fields by id, name and type.",
    query=FieldSearch,
)
def search_fields(call: Call) -> dict[str, Any]:
    """Search fields; there are so few that they are put in order here."""
    asked: FieldSearch = call.query
    kinds = set(asked.type) or {"custom", "system"}
    if kinds - {"custom", "system"}:
        raise Invalid("The field type is invalid. Use 'custom' or 'system'.")
    rows: list[AnyField] = list(system_fields().values()) if "system" in kinds else []
    if "custom" in kinds:
        customs = visible_fields(actor(call)).filter(project=None)
        if asked.projects:
            customs = customs.filter(id__in=fields_in(actor(call), asked.projects))
        rows += list(customs)
    if asked.id is not None:
        wanted = set(asked.id)
        rows = [row for row in rows if id_of(row) in wanted]
    if asked.text:
        text = asked.text.lower()
        rows = [row for row in rows if text in f"{row.name}\n{_about(row)}".lower()]
    counts = FieldCounts()
    return page_bean(
        call,
        _ordered(rows, asked.order, counts),
        lambda page: _searched(page, set(asked.expand), counts, call),
    )


def id_of(field: AnyField) -> str:
    """Return the id of a field."""
    return field.id if isinstance(field, SystemField) else field.key


def _about(field: AnyField) -> str:
    return field.about if isinstance(field, SystemField) else field.description


def _ordered(
    rows: Sequence[AnyField], order: str | None, counts: FieldCounts
) -> Sequence[AnyField]:
    text = (order or "").strip().removeprefix("+")
    if not text:
        return rows
    by: dict[str, Callable[[AnyField], Any]] = {
        "name": lambda field: field.name.lower(),
        "lastUsed": lambda field: _since(counts.of("lastUsed").get(id_of(field))),
        **{
            what: lambda field, what=what: counts.of(what).get(id_of(field), 0)  # type: ignore[misc]
            for what in ("contextsCount", "screensCount", "projectsCount")
        },
    }
    key = by.get(text.removeprefix("-"))
    if key is None:
        raise Invalid(f"The value '{order}' is invalid for the parameter 'orderBy'.")
    by_id = sorted(rows, key=id_of)
    return sorted(by_id, key=key, reverse=text.startswith("-"))


def _since(moment: datetime | None) -> float:
    return 0.0 if moment is None else moment.timestamp()


def _searched(rows: list[AnyField], beside: set[str], counts: FieldCounts, call: Call) -> list[Any]:
    reading = show(call)
    found = []
    for field in rows:
        if isinstance(field, SystemField):
            body = searched_system_body(field)
        else:
            body = searched_custom_body(field)
            if "searcherKey" in beside and field.searcher is not None:
                body["searcherKey"] = field.searcher
        id = id_of(field)
        if "key" in beside:
            body["key"] = id
        if "stableId" in beside:
            body["stableId"] = f"sfid:{field.name.lower().replace(' ', '-')}"
        if "isLocked" in beside:
            body["isLocked"] = isinstance(field, SystemField) or field.is_locked
        for what in ("screensCount", "contextsCount", "projectsCount"):
            if what in beside:
                body[what] = counts.of(what).get(id, 0)
        if "lastUsed" in beside:
            body["lastUsed"] = _last_used(counts.of("lastUsed").get(id), reading.when)
        found.append(body)
    return found


def _last_used(moment: datetime | None, when: Callable[[datetime], str | None]) -> dict[str, Any]:
    if moment is None:
        return {"type": "NO_INFORMATION"}
    return {"type": "TRACKED", "value": when(moment)}


@operation(
    "getProjectFields",
    "GET",
    "/rest/api/3/projects/fields",
    summary="List the fields of types in spaces.",
    query=ProjectFields,
)
def list_project_fields(call: Call) -> dict[str, Any]:
    """List the fields that count for types in spaces that the caller sees."""
    asked: ProjectFields = call.query
    spaces = list(visible_projects(actor(call)).filter(id__in=asked.projects))
    if not spaces:
        raise NotFound("One or more projects were not found.")
    pairs: list[tuple[Project, IssueType]] = []
    offered = types_of_projects(spaces)
    for space in sorted(spaces, key=lambda one: one.id):
        pairs += [(space, kind) for kind in offered[space.id] if kind.id in asked.types]
    wanted = None if asked.fields is None else set(asked.fields)
    found = [
        (fieldset, field)
        for fieldset in fieldsets_of(pairs).values()
        for field in fieldset.fields.values()
        if wanted is None or field.id in wanted
    ]

    def present(rows: list[tuple[Fieldset, Any]]) -> list[Any]:
        return [
            {
                "fieldId": field.id,
                "projectId": fieldset.project.id,
                "workTypeId": fieldset.issue_type.id,
                "isRequired": field.required,
                "description": field.description,
            }
            for fieldset, field in rows
        ]

    return page_bean(call, found, present)
