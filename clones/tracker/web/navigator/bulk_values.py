"""What a form of a bulk edit says of fields, as the domain's bulk edits take it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.issues.planning import PERMISSIONS
from clones.tracker.models import Group, Issue
from clones.tracker.queries.bulk_fields import SEVERAL, Editable, editable_together
from clones.tracker.queries.fieldsets import IssueField, fieldsets_of
from clones.tracker.queries.rights import Rights
from clones.tracker.web.parts.choices import Choices
from clones.tracker.web.parts.controls import (
    ORIGINAL,
    REMAINING,
    Control,
    Typed,
    control_of,
    is_controlled,
)
from clones.tracker.web.parts.rich import read_text

Json = dict[str, Any]
WAYS: Final = {
    "ADD": "Add to existing",
    "REPLACE": "Replace all with",
    "REMOVE": "Find and remove these",
    "REMOVE_ALL": "Clear field",
}
# The name of the part that a kind of fields has, and of what is in it.
_LISTS: Final = {
    "text": "singleLineTextFields",
    "url": "urlFields",
    "rich": "richTextFields",
    "number": "clearableNumberFields",
    "day": "datePickerFields",
    "moment": "dateTimePickerFields",
    "option": "singleSelectFields",
    "options": "multipleSelectFields",
    "cascade": "cascadingSelectFields",
    "user": "singleSelectClearableUserPickerFields",
    "users": "multipleSelectClearableUserPickerFields",
    "group": "singleGroupPickerFields",
    "groups": "multipleGroupPickerFields",
    "version": "singleVersionPickerFields",
    "versions": "multipleVersionPickerFields",
    "labels": "labelsFields",
}


def editable_fields(issues: Sequence[Issue], rights: Rights) -> list[Editable]:
    """Return the fields that a bulk edit has controls for and somebody may set, by name."""
    denied = {
        id
        for id, permission in PERMISSIONS.items()
        if not all(rights.may_on(permission, issue) for issue in issues)
    }
    return [
        one
        for one in editable_together(issues)
        if one.field.id not in denied
        and (one.field.kind.name == "issuetype" or is_controlled(one.field))
    ]


def controls_of(
    fields: Sequence[Editable], issues: Sequence[Issue], typed: Typed, rights: Rights
) -> list[tuple[Control, bool, str]]:
    """Return controls with whether the field has several values, and how they are to change.

    Only what can be chosen on every one of the issues is offered.
    """
    pairs = {(one.project_id, one.issue_type_id): (one.project, one.issue_type) for one in issues}
    choices = [Choices(fieldset, rights) for fieldset in fieldsets_of(pairs.values()).values()]
    found = []
    for editable in fields:
        field = editable.field
        control = control_of(field, typed, choices[0])
        if control.choices:
            common = [{value for value, _ in other.of(field)} for other in choices[1:]]
            kept = [one for one in control.choices if all(one.value in ids for ids in common)]
            control = replace(control, choices=kept)
        way = (typed.get(f"way:{field.id}") or ["ADD"])[0]
        found.append((control, field.kind.name in SEVERAL, way))
    return found


def edited_input(
    fields: Mapping[str, IssueField], changed: Sequence[str], typed: Typed, rights: Rights
) -> tuple[Json, list[str]]:
    """Return the parts of an edit and the ids of the fields that it changes.

    Raises:
        Invalid: a field cannot be changed so, or a value cannot be read.
    """
    parts: Json = {}
    ids: list[str] = []
    for id in changed:
        field = fields.get(id)
        if field is None:
            raise Invalid(f"The field '{id}' cannot be changed on all of these.")
        _put(parts, field, typed)
        ids.append(id)
    return parts, ids


def _put(parts: Json, field: IssueField, typed: Typed) -> None:
    values = [value.strip() for value in typed.get(field.id, ()) if value.strip()]
    text = values[0] if values else ""
    kind = field.kind.name
    way = (typed.get(f"way:{field.id}") or ["ADD"])[0]
    match kind:
        case "priority":
            parts["priority"] = {"priorityId": text or "-1"}
        case "issuetype":
            parts["issueType"] = {"issueTypeId": text}
        case "components":
            parts["multiselectComponents"] = {
                "fieldId": field.id,
                "components": [{"componentId": value} for value in values],
                "bulkEditMultiSelectFieldOption": way,
            }
        case "timetracking":
            original, remaining = typed.get(ORIGINAL, [""])[0], typed.get(REMAINING, [""])[0]
            parts["originalEstimateField"] = {"originalEstimateField": original}
            parts["timeTrackingField"] = {"timeRemaining": remaining}
        case _:
            item = {"fieldId": field.id, **_item(field, values, text, typed)}
            if kind in SEVERAL:
                item["bulkEditMultiSelectFieldOption"] = way
            parts.setdefault(_LISTS[kind], []).append(item)


def _item(field: IssueField, values: list[str], text: str, typed: Typed) -> Json:
    """Return the part of one field: what it has beside the field's id."""
    return _ITEMS[field.kind.name](SentValues(field, values, text, typed))


@dataclass(frozen=True, slots=True)
class SentValues:
    """What was sent of a field: all its values, and the first of them."""

    field: IssueField
    values: Sequence[str]
    text: str
    typed: Typed

    @property
    def groups(self) -> list[str]:
        """The names of the groups that were chosen."""
        rows = Group.objects.filter(uuid__in=self.values).order_by("name", "id")
        return list(rows.values_list("name", flat=True))

    @property
    def document(self) -> Json | None:
        """The document that was written."""
        return read_text(self.typed, self.field.id, None, self.field.id)

    @property
    def number(self) -> float | None:
        """The number that was written.

        Raises:
            Invalid: it is none.
        """
        if not self.text:
            return None
        try:
            return float(self.text)
        except ValueError as error:
            said = f"'{self.text}' is an invalid number"
            raise Invalid(fields={self.field.id: said}) from error

    @property
    def below(self) -> str:
        """The option that was chosen on the second level of a tree."""
        return (self.typed.get(f"{self.field.id}:1") or [""])[0]

    def each(self, name: str) -> list[dict[str, str]]:
        """Return the values, each under a name."""
        return [{name: value} for value in self.values]


_ITEMS: Final[Mapping[str, Callable[[SentValues], Json]]] = {
    "text": lambda given: {"text": given.text},
    "url": lambda given: {"url": given.text},
    "rich": lambda given: {"richText": {"adfValue": given.document}},
    "number": lambda given: {"value": given.number},
    "day": lambda given: {"date": {"formattedDate": given.text}},
    "moment": lambda given: {"dateTime": {"formattedDateTime": given.text}},
    "option": lambda given: {"option": {"optionId": given.text}},
    "options": lambda given: {"options": given.each("optionId")},
    "cascade": lambda given: {
        "parentOptionValue": {"optionId": given.text},
        "childOptionValue": {"optionId": given.below},
    },
    "user": lambda given: {"user": {"accountId": given.text}},
    "users": lambda given: {"users": given.each("accountId")},
    "group": lambda given: {"group": {"groupName": next(iter(given.groups), "")}},
    "groups": lambda given: {"groups": [{"groupName": name} for name in given.groups]},
    "version": lambda given: {"version": {"versionId": given.text}},
    "versions": lambda given: {"versions": given.each("versionId")},
    "labels": lambda given: {
        "labels": [{"name": name} for name in given.text.replace(",", " ").split()]
    },
}
