"""What a bulk edit asks for: the API's lists of fields by their kind, as changes of single issues.

The result is what an edit of one issue takes: `fields` with whole values, `update` with operations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

MONTHS: Final = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
_SHORT: Final = re.compile(r"(\d{1,2})/([A-Za-z]{3})/(\d{2}|\d{4})")
_BACKWARDS: Final = re.compile(r"(\d{2})-(\d{2})-(\d{4})")
OPTIONS: Final = ("ADD", "REMOVE", "REPLACE", "REMOVE_ALL")


class BadEdit(Exception):
    """Raised when a bulk edit is not of the form that the API has; it says what is wrong."""


@dataclass(slots=True)
class Edits:
    """What becomes of each issue. `ids` are the fields that are named, in their order."""

    fields: dict[str, Any] = field(default_factory=dict)
    update: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    issue_type: str | None = None
    status: str | None = None
    ids: list[str] = field(default_factory=list)


def read_edits(value: Mapping[str, Any]) -> Edits:
    """Return what the parts of `editedFieldsInput` ask for.

    Raises:
        BadEdit: a part is not of its form.
    """
    edits = Edits()
    for name, part in value.items():
        if part is None:
            continue
        if name in _LISTS:
            for item in _items(name, part):
                _LISTS[name](edits, item)
        elif name in _ONES:
            _ONES[name](edits, _mapping(name, part))
        else:
            raise BadEdit(f"Unknown field input: {name}")
    return edits


def day_of(text: str) -> str:
    """Return a day as edits of issues take it, from any of the forms that bulk edits take.

    Raises:
        BadEdit: it is no day.
    """
    try:
        if found := _SHORT.fullmatch(text):
            year = int(found[3]) + (2000 if len(found[3]) == 2 else 0)
            month = MONTHS.index(found[2].lower()) + 1
            return date(year, month, int(found[1])).isoformat()
        if found := _BACKWARDS.fullmatch(text):
            return date(int(found[3]), int(found[2]), int(found[1])).isoformat()
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise BadEdit(f"The date '{text}' is not valid.") from error


def _items(name: str, part: Any) -> Iterable[Mapping[str, Any]]:
    if not isinstance(part, list):
        raise BadEdit(f"{name} must be a list.")
    return [_mapping(name, item) for item in part]


def _mapping(name: str, part: Any) -> Mapping[str, Any]:
    if not isinstance(part, Mapping):
        raise BadEdit(f"{name} has an invalid value.")
    return part


def _id(item: Mapping[str, Any]) -> str:
    found = item.get("fieldId")
    if not isinstance(found, str) or not found:
        raise BadEdit("The fieldId must be specified.")
    return found


def _set(edits: Edits, id: str, value: Any) -> None:
    edits.ids.append(id)
    edits.fields[id] = value


def _several(edits: Edits, item: Mapping[str, Any], values: list[Any]) -> None:
    """Add, remove or replace values of a field that has several."""
    id, option = _id(item), item.get("bulkEditMultiSelectFieldOption")
    if option not in OPTIONS:
        raise BadEdit(f"The bulkEditMultiSelectFieldOption of {id} must be one of {OPTIONS}.")
    if option in ("REPLACE", "REMOVE_ALL"):
        _set(edits, id, values if option == "REPLACE" else [])
        return
    edits.ids.append(id)
    edits.update[id] = [{str(option).lower(): value} for value in values]


def _part(item: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = item.get(name)
    return found if isinstance(found, Mapping) else {}


def _parts(item: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = item.get(name)
    return [part for part in found or () if isinstance(part, Mapping)]


def _reference(value: Any) -> dict[str, str] | None:
    """Return what an id refers to; -1 and nothing refer to nothing."""
    return None if value in (None, "", -1, "-1") else {"id": str(value)}


def _cascade(edits: Edits, item: Mapping[str, Any]) -> None:
    value: dict[str, Any] | None = _reference(_part(item, "parentOptionValue").get("optionId"))
    child = _reference(_part(item, "childOptionValue").get("optionId"))
    if value is not None and child is not None:
        value["child"] = child
    _set(edits, _id(item), value)


def _date(edits: Edits, item: Mapping[str, Any]) -> None:
    text = str(_part(item, "date").get("formattedDate") or "")
    _set(edits, _id(item), day_of(text) if text else None)


def _person(edits: Edits, item: Mapping[str, Any]) -> None:
    account = _part(item, "user").get("accountId")
    _set(edits, _id(item), {"accountId": account} if account else None)


def _people(edits: Edits, item: Mapping[str, Any]) -> None:
    found = [{"accountId": user.get("accountId")} for user in _parts(item, "users")]
    _set(edits, _id(item), found)


def _rich(edits: Edits, item: Mapping[str, Any]) -> None:
    _set(edits, _id(item), _part(item, "richText").get("adfValue") or None)


def _components(edits: Edits, item: Mapping[str, Any]) -> None:
    found = [{"id": str(part.get("componentId"))} for part in _parts(item, "components")]
    _several(edits, {"fieldId": "components", **item}, found)


def _estimate(edits: Edits, text: Any, name: str) -> None:
    edits.ids.append("timetracking")
    edits.fields["timetracking"] = {**edits.fields.get("timetracking", {}), name: text}


def _type(edits: Edits, item: Mapping[str, Any]) -> None:
    edits.ids.append("issuetype")
    edits.issue_type = str(item.get("issueTypeId"))


def _status(edits: Edits, item: Mapping[str, Any]) -> None:
    edits.ids.append("status")
    edits.status = str(item.get("statusId"))


Reader = Callable[[Edits, Mapping[str, Any]], None]
_LISTS: Final[dict[str, Reader]] = {
    "cascadingSelectFields": _cascade,
    "clearableNumberFields": lambda edits, item: _set(edits, _id(item), item.get("value")),
    "colorFields": lambda edits, item: _set(
        edits, _id(item), _part(item, "color").get("name") or None
    ),
    "datePickerFields": _date,
    "dateTimePickerFields": lambda edits, item: _set(
        edits, _id(item), _part(item, "dateTime").get("formattedDateTime") or None
    ),
    "labelsFields": lambda edits, item: _several(
        edits, item, [str(part.get("name", "")) for part in _parts(item, "labels")]
    ),
    "multipleGroupPickerFields": lambda edits, item: _set(
        edits, _id(item), [{"name": part.get("groupName")} for part in _parts(item, "groups")]
    ),
    "multipleSelectClearableUserPickerFields": _people,
    "multipleSelectFields": lambda edits, item: _set(
        edits, _id(item), [{"id": str(part.get("optionId"))} for part in _parts(item, "options")]
    ),
    "multipleVersionPickerFields": lambda edits, item: _several(
        edits, item, [{"id": str(part.get("versionId"))} for part in _parts(item, "versions")]
    ),
    "richTextFields": _rich,
    "singleGroupPickerFields": lambda edits, item: _set(
        edits,
        _id(item),
        {"name": name} if (name := _part(item, "group").get("groupName")) else None,
    ),
    "singleLineTextFields": lambda edits, item: _set(edits, _id(item), item.get("text") or None),
    "singleSelectClearableUserPickerFields": _person,
    "singleSelectFields": lambda edits, item: _set(
        edits, _id(item), _reference(_part(item, "option").get("optionId"))
    ),
    "singleVersionPickerFields": lambda edits, item: _set(
        edits, _id(item), _reference(_part(item, "version").get("versionId"))
    ),
    "urlFields": lambda edits, item: _set(edits, _id(item), item.get("url") or None),
}
_ONES: Final[dict[str, Reader]] = {
    "issueType": _type,
    "multiselectComponents": _components,
    "originalEstimateField": lambda edits, item: _estimate(
        edits, item.get("originalEstimateField"), "originalEstimate"
    ),
    "priority": lambda edits, item: _set(edits, "priority", _reference(item.get("priorityId"))),
    "status": _status,
    "timeTrackingField": lambda edits, item: _estimate(
        edits, item.get("timeRemaining"), "remainingEstimate"
    ),
}
