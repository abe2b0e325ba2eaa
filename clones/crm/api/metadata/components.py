"""Components of an organization, each as metadata has it: objects, fields, rules, list views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from clones.crm.api.metadata.processes import DEFINERS, shown_rules
from clones.crm.api.metadata.reports import report_metadata
from clones.crm.models import (
    CustomField,
    CustomObject,
    ListViewDefinition,
    ReportDefinition,
    ValidationRule,
    rows_of,
)
from clones.crm.queries.schema import org_schema
from clones.crm.rules.listing import list_view_of
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.schema import Field, OrgSchema, SObject
from clones.crm.rules.schema.custom import SUFFIX

MATCHING: Final = "MatchingRule"
UNFILED: Final = "unfiled$public"
# What each kind of component is called in files: folder and suffix; None within another's file.
KINDS: Final[dict[str, tuple[str, str] | None]] = {
    "CustomObject": ("objects", "object"),
    "CustomField": None,
    "ListView": None,
    "ValidationRule": None,
    "Report": ("reports", "report"),
    "BusinessProcess": None,
    "RecordType": None,
    "PermissionSet": ("permissionsets", "permissionset"),
    "Profile": ("profiles", "profile"),
    "ApprovalProcess": ("approvalProcesses", "approvalProcess"),
    "DuplicateRule": ("duplicateRules", "duplicateRule"),
    "MatchingRule": ("matchingRules", "matchingRule"),
}
CHILDREN: Final = {
    "BusinessProcess": "businessProcesses",
    "CustomField": "fields",
    "ListView": "listViews",
    "RecordType": "recordTypes",
    "ValidationRule": "validationRules",
}
_SCOPES: Final = {"everything": "Everything", "mine": "Mine", "queue": "Queue"}
# Fields of standard objects whose values are records: the object, and what else each value says.
_STATUSES: Final[dict[tuple[str, str], tuple[str, tuple[tuple[str, str], ...]]]] = {
    ("Lead", "Status"): ("LeadStatus", (("converted", "IsConverted"),)),
    ("Case", "Status"): ("CaseStatus", (("closed", "IsClosed"),)),
    ("Task", "Status"): ("TaskStatus", (("closed", "IsClosed"),)),
    ("Opportunity", "StageName"): (
        "OpportunityStage",
        (("closed", "IsClosed"), ("won", "IsWon"), ("probability", "DefaultProbability")),
    ),
}


@dataclass(frozen=True, slots=True)
class Component:
    """A component: its kind, its whole name, its id, when it came and changed, what it is."""

    kind: str
    name: str
    id: str
    body: dict[str, Any]
    created_at: datetime | None = None
    changed_at: datetime | None = None

    @property
    def file(self) -> str:
        """The path of the file that it is in."""
        own = KINDS[self.kind]
        if own is None:
            return f"objects/{self.name.partition('.')[0]}.object"
        name = self.name.partition(".")[0] if self.kind == MATCHING else self.name
        return f"{own[0]}/{name}.{own[1]}"


def components(kind: str, *, version: float, user: str) -> Iterator[Component]:
    """Yield the components of a kind, by name, that a user (by id) may see."""
    schema = org_schema()
    if kind == "CustomObject":
        yield from _objects(schema, version, user)
    elif kind == "CustomField":
        yield from _fields(schema)
    elif kind == "ValidationRule":
        for rule in ValidationRule.objects.order_by("object", "name"):
            name = f"{rule.object}.{rule.name}"
            body = _rule(rule)
            yield Component(kind, name, rule.id, body, rule.created_at, rule.updated_at)
    elif kind == "ListView":
        yield from _views(schema)
    elif kind == "Report":
        yield from _reports(schema)
    elif kind in DEFINERS:
        for row, name, body in shown_rules(kind):
            yield Component(kind, name, row.pk, body, row.CreatedDate, row.LastModifiedDate)


def find_component(kind: str, name: str, *, version: float, user: str) -> Component | None:
    """Return a component by its whole name; None if there is none."""
    for one in components(kind, version=version, user=user):
        if one.name.lower() == name.lower():
            return one
    return _standard_field(name) if kind == "CustomField" else None


def _objects(schema: OrgSchema, version: float, user: str) -> Iterator[Component]:
    custom = {row.name: row for row in CustomObject.objects.all()}
    parts: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for kind, member in CHILDREN.items():
        for one in components(kind, version=version, user=user):
            own = parts.setdefault(one.name.partition(".")[0], {})
            own.setdefault(member, []).append(one.body)
    for of in sorted(schema, key=lambda one: one.name):
        row = custom.get(of.name)
        if row is None and not of.abilities["layoutable"]:
            continue
        body: dict[str, Any] = {"fullName": of.name}
        if row is not None:
            name_field = of.name_field
            body |= {
                "deploymentStatus": "Deployed",
                "label": of.label,
                "nameField": {
                    "label": "Name" if name_field is None else name_field.label,
                    "type": "Text",
                },
                "pluralLabel": of.plural,
                "sharingModel": "ReadWrite",
            }
        body |= parts.get(of.name, {})
        created = None if row is None else row.created_at
        changed = None if row is None else row.updated_at
        id = "" if row is None else row.id
        yield Component("CustomObject", of.name, id, body, created, changed)


def _fields(schema: OrgSchema) -> Iterator[Component]:
    for row in CustomField.objects.filter(name__endswith=SUFFIX).order_by("object", "name"):
        of = schema.find(row.object)
        field = None if of is None else of.field(row.name)
        if of is None or field is None:
            continue
        body = custom_field_metadata(of, field)
        name = f"{row.object}.{row.name}"
        yield Component("CustomField", name, row.id, body, row.created_at, row.updated_at)


def custom_field_metadata(of: SObject, field: Field) -> dict[str, Any]:
    """Return a custom field as metadata has it."""
    kind = _kind_of(field)
    found: dict[str, Any] = {"fullName": field.name}
    if kind == "Checkbox":
        found["defaultValue"] = bool(field.flags["defaultValue"])
    found |= {"externalId": bool(field.externalId), "label": field.label}
    if kind in ("Text", "LongTextArea"):
        found["length"] = field.length
    if field.is_number:
        found["precision"] = field.precision
    if kind in ("Lookup", "MasterDetail"):
        seen = next(iter((field.children or {}).values()), None)
        found["referenceTo"] = field.reference_to[0]
        if seen is not None and seen.name is not None:
            found["relationshipLabel"] = of.plural
            found["relationshipName"] = seen.name.removesuffix("__r")
    if kind not in ("Checkbox", "MasterDetail"):
        found["required"] = not field.nillable
    if field.is_number:
        found["scale"] = field.scale
    found["type"] = kind
    if kind in ("Text", "Number"):
        found["unique"] = bool(field.unique)
    if kind == "Picklist":
        found["valueSet"] = {
            "restricted": bool(field.restrictedPicklist),
            "valueSetDefinition": {
                "sorted": False,
                "value": [
                    {"fullName": one.value, "default": one.is_default, "label": one.label}
                    for one in field.values
                ],
            },
        }
    return found


def _kind_of(field: Field) -> str:
    if field.type == "reference":
        return "Lookup" if field.relationshipOrder is None else "MasterDetail"
    if field.type == "textarea":
        return "TextArea" if field.length <= 255 else "LongTextArea"
    return {
        "string": "Text",
        "email": "Email",
        "phone": "Phone",
        "url": "Url",
        "picklist": "Picklist",
        "boolean": "Checkbox",
        "double": "Number",
        "currency": "Currency",
        "percent": "Percent",
        "date": "Date",
        "datetime": "DateTime",
    }.get(field.type, "Text")


def _standard_field(name: str) -> Component | None:
    """Return a standard field by its whole name: the values of its picklist are what it says."""
    of_name, _, field_name = name.partition(".")
    of = org_schema().find(of_name)
    field = None if of is None else of.field(field_name)
    if of is None or field is None or field.custom:
        return None
    body: dict[str, Any] = {"fullName": field.name}
    if field.type == "picklist":
        body["picklist"] = {"picklistValues": _values(of, field), "sorted": False}
        body["type"] = "Picklist"
    return Component("CustomField", f"{of.name}.{field.name}", "", body)


def _values(of: SObject, field: Field) -> list[dict[str, Any]]:
    listed = _STATUSES.get((of.name, field.name))
    if listed is None:
        return [{"fullName": one.value, "default": one.is_default} for one in field.values]
    name, more = listed
    shown = []
    for row in rows_of(name).order_by("SortOrder", "Id"):
        one: dict[str, Any] = {
            "fullName": row.ApiName,
            "default": bool(getattr(row, "IsDefault", False)),
        }
        for key, column in more:
            value = getattr(row, column)
            one[key] = int(value) if key == "probability" else value
        shown.append(one)
    return shown


def _rule(rule: ValidationRule) -> dict[str, Any]:
    found = {
        "fullName": rule.name,
        "active": rule.is_active,
        "description": rule.description,
        "errorConditionFormula": rule.formula,
        "errorDisplayField": rule.field,
        "errorMessage": rule.message,
    }
    return {name: value for name, value in found.items() if value is not None}


def _views(schema: OrgSchema) -> Iterator[Component]:
    kept = dict(ListViewDefinition.objects.values_list("id", "definition"))
    for row in rows_of("ListView").order_by("SobjectType", "DeveloperName", "Id"):
        of = schema.find(row.SobjectType or "")
        shows = None if of is None else list_view_of(kept.get(row.Id, {}), of)
        if shows is None or shows.scope not in _SCOPES or shows.visibility != "Public":
            continue
        body: dict[str, Any] = {"fullName": row.DeveloperName}
        if shows.logic:
            body["booleanFilter"] = shows.logic
        body |= {"columns": list(shows.columns), "filterScope": _SCOPES[shows.scope]}
        body["filters"] = [one.as_json() for one in shows.filters]
        body["label"] = row.Name
        yield Component(
            "ListView",
            f"{row.SobjectType}.{row.DeveloperName}",
            row.Id,
            body,
            row.CreatedDate,
            row.LastModifiedDate,
        )


def _reports(schema: OrgSchema) -> Iterator[Component]:
    kept = dict(ReportDefinition.objects.values_list("id", "definition"))
    folders = dict(rows_of("Folder").filter(Type="Report").values_list("Id", "DeveloperName"))
    for row in rows_of("Report").filter(IsDeleted=False).order_by("DeveloperName", "Id"):
        folder = UNFILED if row.OwnerId == ORGANIZATION_ID else folders.get(row.OwnerId)
        if folder is None:
            continue
        body = report_metadata(row, kept.get(row.Id, {}), schema)
        name = f"{folder}/{row.DeveloperName}"
        yield Component("Report", name, row.Id, body, row.CreatedDate, row.LastModifiedDate)
