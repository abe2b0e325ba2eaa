"""What custom fields begin with: as inputs, as the vendor's objects, and in words.

The objects are those of `clones.tracker.domain.context_defaults`; inputs have their keys as names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from django.http import QueryDict

from clones.core.digits import is_digits
from clones.tracker.domain.context_defaults import KEYS
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import (
    CustomField,
    FieldContext,
    FieldOption,
    Group,
    Project,
    User,
    Version,
)
from clones.tracker.rules.field_catalogue import custom_type
from clones.tracker.web.admin.inputs import (
    Pairs,
    all_spaces,
    area,
    check,
    grouped,
    groups,
    line,
    multiple,
    people,
    select,
)
from clones.tracker.web.settings.forms import Input

VERSIONS: Final = 500
LABEL: Final = "Default value"
# By what a default value names things of each kind.
_KEYS: Final = {
    "option": ("optionId", "cascadingOptionId", "optionIds"),
    "user": ("accountId", "accountIds"),
    "group": ("groupId", "groupIds"),
    "version": ("versionId", "versionIds"),
    "project": ("projectId",),
}
LINES: Final = {"readonly": "text", "textfield": "text", "url": "url"}
MOMENTS: Final = {
    "datepicker": ("date", "As 2026-06-16."),
    "datetimepicker": ("dateTime", "As 2026-06-16T09:30+00:00."),
}
CHOSEN: Final[dict[str, tuple[str, Callable[[], Pairs]]]] = {
    "project": ("projectId", all_spaces),
    "single.user.select": ("accountId", people),
    "multi.user.select": ("accountIds", people),
    "grouppicker.single": ("groupId", groups),
    "grouppicker.multiple": ("groupIds", groups),
}


EITHER: Final = "Type a default or use the current time, not both."


def default_inputs(context: FieldContext) -> list[Input]:
    """Return the inputs of a context's default value, as it is."""
    kind = custom_type(context.field.type).default_type
    now: dict[str, Any] = context.default if isinstance(context.default, dict) else {}
    if kind in LINES:
        return [line(LINES[kind], LABEL, str(now.get(LINES[kind], "")))]
    if kind in MOMENTS:
        name, hint = MOMENTS[kind]
        on = bool(now.get("useCurrent"))
        return [
            line(name, LABEL, str(now.get(name, "")), hint=hint),
            check("useCurrent", "Use the current time", on=on),
        ]
    if kind.startswith("option."):
        return _of_options(kind, context, now)
    if kind.startswith("version."):
        return _of_versions(kind, now)
    if kind in CHOSEN:
        name, pairs = CHOSEN[kind]
        return [(_several if name.endswith("Ids") else _one)(name, pairs(), now)]
    return _typed(kind, now)


def _typed(kind: str, now: dict[str, Any]) -> list[Input]:
    if kind == "textarea":
        return [area("text", LABEL, str(now.get("text", "")))]
    if kind == "float":
        number = now.get("number")
        return [line("number", LABEL, "" if number is None else f"{number:g}")]
    if kind == "labels":
        text = " ".join(now.get("labels", ()))
        return [line("labels", LABEL, text, hint="Separate labels with spaces.")]
    return []


def _one(name: str, pairs: Pairs, now: dict[str, Any]) -> Input:
    return select(name, LABEL, pairs, now.get(name), none="None")


def _several(name: str, pairs: Pairs, now: dict[str, Any]) -> Input:
    return multiple(name, LABEL, pairs, now.get(name, ()))


def _of_options(kind: str, context: FieldContext, now: dict[str, Any]) -> list[Input]:
    rows = list(context.options.filter(disabled=False).order_by("position", "id"))
    pairs = [(row.id, row.value) for row in rows if row.parent_id is None]
    if kind == "option.multiple":
        return [_several("optionIds", pairs, now)]
    if kind == "option.single":
        return [_one("optionId", pairs, now)]
    below = [
        (value, [(row.id, row.value) for row in rows if row.parent_id == key])
        for key, value in pairs
    ]
    child = grouped(
        "cascadingOptionId", "Second level", below, now.get("cascadingOptionId"), none="None"
    )
    return [_one("optionId", pairs, now), child]


def _of_versions(kind: str, now: dict[str, Any]) -> list[Input]:
    rows = Version.objects.filter(archived=False, project__deleted_at=None)
    found = rows.select_related("project").order_by("project__name", "position", "id")[:VERSIONS]
    pairs = [(row.id, f"{row.project.key}: {row.name}") for row in found]
    if kind == "version.multiple":
        return [_several("versionIds", pairs, now)]
    return [_one("versionId", pairs, now)]


def read_default(field: CustomField, data: QueryDict) -> dict[str, Any]:
    """Return the object of a default value that a form sent, without its context.

    Raises:
        Invalid: the number is none, or a moment is typed beside the current time.
    """
    kind = custom_type(field.type).default_type
    needed, allowed = KEYS.get(kind, ((), ()))
    found: dict[str, Any] = {"type": kind}
    for name in (*needed, *allowed):
        several = [str(one) for one in data.getlist(name) if one]
        if not several:
            continue
        text = several[0].strip()
        if name == "labels":
            found[name] = text.split()
        elif name.endswith("Ids"):
            found[name] = several
        elif name == "useCurrent":
            found[name] = True
        elif name == "number":
            found[name] = _number(text)
        elif text:
            found[name] = text
    typed = found.keys() & {"date", "dateTime"}
    if typed and "useCurrent" in found:
        raise Invalid(fields=dict.fromkeys(typed, EITHER))
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise Invalid(fields={"number": "The number is invalid."}) from error


def default_texts(contexts: Collection[FieldContext]) -> dict[int, str]:
    """Return the default values of contexts in words ("" for none), by the context's id."""
    values: dict[int, dict[str, Any]] = {
        one.id: one.default if isinstance(one.default, dict) else {} for one in contexts
    }
    names = _names(values.values())
    return {key: _text(now, names) for key, now in values.items()}


def _text(now: dict[str, Any], names: Mapping[str, Mapping[str, str]]) -> str:
    if now.get("useCurrent"):
        return "The current time"
    for name in ("text", "url", "date", "dateTime"):
        if now.get(name):
            return str(now[name])
    if now.get("number") is not None:
        return f"{now['number']:g}"
    if now.get("labels"):
        return " ".join(now["labels"])
    return ", ".join(names[kind].get(id, id) for kind, id in _named(now))


def _named(now: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the things that a default value names: their kinds and ids."""
    return [
        (kind, str(id))
        for kind, keys in _KEYS.items()
        for key in keys
        for id in (now.get(key, ()) if key.endswith("Ids") else [now.get(key)])
        if id is not None
    ]


def _names(values: Iterable[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Return what the things that default values name are called, by kind and id."""
    ids: dict[str, set[str]] = {kind: set() for kind in _KEYS}
    for now in values:
        for kind, id in _named(now):
            ids[kind].add(id)
    return {kind: _read(kind, sorted(ids[kind])) for kind in _KEYS}


def _read(kind: str, ids: list[str]) -> dict[str, str]:
    if not ids:
        return {}
    if kind == "user":
        people_rows = User.objects.filter(account_id__in=ids)
        return dict(people_rows.values_list("account_id", "display_name"))
    if kind == "group":
        return dict(Group.objects.filter(uuid__in=ids).values_list("uuid", "name"))
    keys = [int(id) for id in ids if is_digits(id)]
    found: dict[int, str]
    if kind == "option":
        found = dict(FieldOption.objects.filter(id__in=keys).values_list("id", "value"))
    elif kind == "version":
        found = dict(Version.objects.filter(id__in=keys).values_list("id", "name"))
    else:
        found = dict(Project.objects.filter(id__in=keys).values_list("id", "name"))
    return {str(key): name for key, name in found.items()}
