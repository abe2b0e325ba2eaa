"""Request types and their forms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.desk.basics import Json, self_link
from clones.tracker.api.presenters.refs import avatar_urls
from clones.tracker.models import (
    Component,
    FieldOption,
    Project,
    RequestType,
    RequestTypeField,
    ServiceDesk,
    Version,
)
from clones.tracker.queries.desks import PortalRights, is_agent, is_manager
from clones.tracker.queries.fieldsets import Fieldset, IssueField, fieldsets_of
from clones.tracker.queries.kinds import priorities_of
from clones.tracker.rules.field_catalogue import system_fields

ICON: Final = "SD_REQTYPE"
# What the vendor sorts types of issues into.
PRACTICES: Final = {
    "[System] Incident": "incidents",
    "[System] Service request": "service_requests",
    "[System] Service request with approvals": "service_requests",
    "[System] Change": "changes",
    "[System] Problem": "problems",
}


def present_request_types(
    rows: Sequence[RequestType], desk: ServiceDesk, show: Show, *, with_fields: bool = False
) -> list[Json]:
    """Return request types of a desk, with their forms if that was asked for."""
    forms = present_forms(rows, desk, show) if with_fields else {}
    may_ask = PortalRights(show.reader.user).may("CREATE_ISSUES", desk.project)
    return [_type(row, desk, show, forms.get(row.id), may_ask=may_ask) for row in rows]


def _type(
    row: RequestType, desk: ServiceDesk, show: Show, form: Json | None, *, may_ask: bool
) -> Json:
    show.note(row)
    found: Json = {
        "_expands": ["field"],
        "id": str(row.id),
        "_links": self_link(f"servicedesk/{desk.id}/requesttype/{row.id}", show),
        "name": row.name,
        "description": row.description,
        "helpText": row.help_text,
        "issueTypeId": str(row.issue_type_id),
        "serviceDeskId": str(desk.id),
        "portalId": str(desk.id),
        "groupIds": [str(group) for group in row.groups],
        "icon": {
            "id": str(row.icon_id),
            "_links": {"iconUrls": avatar_urls(ICON, row.icon_id, show)},
        },
        "practice": PRACTICES.get(row.issue_type.name, "unassigned"),
        "restrictionStatus": "RESTRICTED" if row.restricted else "OPEN",
        "canCreateRequest": may_ask,
    }
    if form is not None:
        found["fields"] = form
    return found


def present_request_type_ref(row: RequestType, desk: int, show: Show) -> Json:
    """Return a request type as requests show it."""
    return {
        "_expands": ["field"],
        "id": str(row.id),
        "_links": self_link(f"servicedesk/{desk}/requesttype/{row.id}", show),
        "name": row.name,
        "description": row.description,
        "helpText": row.help_text,
        "issueTypeId": str(row.issue_type_id),
        "serviceDeskId": str(desk),
        "portalId": str(desk),
        "groupIds": [str(group) for group in row.groups],
        "icon": {
            "id": str(row.icon_id),
            "_links": {"iconUrls": avatar_urls(ICON, row.icon_id, show)},
        },
    }


def present_forms(
    rows: Sequence[RequestType], desk: ServiceDesk, show: Show, *, with_hidden: bool = False
) -> dict[int, Json]:
    """Return the forms of request types, by the type's id, with what the reader may do there."""
    works = is_agent(show.reader, desk)
    hidden = with_hidden and is_manager(show.reader, desk)
    forms = fields_by_type(rows)
    project = desk.project
    fieldsets = fieldsets_of({(project, row.issue_type) for row in rows})
    choices = _Choices(project)
    return {
        row.id: {
            "requestTypeFields": [
                _form_field(field, fieldsets[project.id, row.issue_type_id], choices)
                for field in forms[row.id]
                if field.visible or hidden
            ],
            "canRaiseOnBehalfOf": works,
            "canAddRequestParticipants": works,
        }
        for row in rows
    }


def fields_by_type(rows: Iterable[RequestType]) -> Mapping[int, list[RequestTypeField]]:
    """Return the fields of forms in their order, by the request type's id: one statement."""
    found: dict[int, list[RequestTypeField]] = defaultdict(list)
    fields = RequestTypeField.objects.filter(request_type__in=[row.id for row in rows])
    for field in fields.order_by("request_type_id", "position", "id"):
        found[field.request_type_id].append(field)
    return found


def _form_field(row: RequestTypeField, fieldset: Fieldset, choices: _Choices) -> Json:
    field = fieldset.fields.get(row.field)
    name = field.name if field is not None else row.field
    found: Json = {
        "fieldId": row.field,
        "name": row.display_name or name,
        "description": row.help_text,
        "required": row.required,
        "defaultValues": [],
        "validValues": [] if field is None else choices.of(field, fieldset),
        "presetValues": [] if row.preset is None else [_text(row.preset)],
        "jiraSchema": _schema(row.field, field),
        "visible": row.visible,
    }
    return found


def _schema(id: str, field: IssueField | None) -> Json:
    if field is not None:
        return {key: value for key, value in field.schema.items() if value is not None}
    known = system_fields().get(id)
    return (known.schema if known is not None else None) or {"type": "any"}


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("id") or value.get("value") or value.get("name") or "")
    return str(value)


class _Choices:
    """What can be chosen in the fields of forms of a space; each list is read once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[str, list[Json]] = {}

    def of(self, field: IssueField, fieldset: Fieldset) -> list[Json]:
        """Return the values of a field, nested where it is a tree."""
        if field.id not in self._known:
            self._known[field.id] = self._read(field, fieldset)
        return self._known[field.id]

    def _read(self, field: IssueField, fieldset: Fieldset) -> list[Json]:
        match field.id:
            case "priority":
                return [_choice(row.id, row.name) for row in priorities_of(self._project)]
            case "components":
                parts = Component.objects.filter(project=self._project).order_by("name", "id")
                return [_choice(row.id, row.name) for row in parts]
            case "versions" | "fixVersions":
                rows = Version.objects.filter(project=self._project, archived=False)
                return [_choice(row.id, row.name) for row in rows.order_by("position", "id")]
        if field.context is None:
            return []
        return _tree([row for row in fieldset.options(field) if not row.disabled])


def _tree(options: Sequence[FieldOption]) -> list[Json]:
    children: dict[int | None, list[Json]] = defaultdict(list)
    shown = {row.id: _choice(row.id, row.value) for row in options}
    for row in options:
        children[row.parent_id].append(shown[row.id])
    for id, choice in shown.items():
        choice["children"] = children.get(id, [])
    return children.get(None, [])


def _choice(id: int, label: str) -> Json:
    return {"value": str(id), "label": label, "children": []}
