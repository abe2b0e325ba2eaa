"""What fields of tickets and of people's profiles are made of: titles, places, tags, choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from clones.helpdesk.domain.changes import identifier, plain_text
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound

LAST = 9999
OPTIONS = 2000
TAG = re.compile(r"[^\s,\"'<>&]{1,255}")
Option = dict[str, Any]


def title_of(value: Any) -> str:
    """Return a field's title.

    Raises:
        RecordInvalid: it is blank or too long.
    """
    text = (plain_text("title", value, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("title", "Title: cannot be blank", "BlankValue")
    return text


def tag_of(value: Any) -> str:
    """Return the tag of a checkbox.

    Raises:
        RecordInvalid: no tag can be that.
    """
    text = str(value).strip().lower()
    if not TAG.fullmatch(text):
        raise RecordInvalid.of("tag", "Tag: is invalid", "InvalidValue")
    return text


def check_pattern(kind: str, pattern: str | None) -> None:
    """Refuse a field that is to be checked by a pattern and has none.

    Raises:
        RecordInvalid: the pattern is missing.
    """
    if kind == "regexp" and not pattern:
        raise RecordInvalid.of(
            "regexp_for_validation", "Regexp for validation: cannot be blank", "BlankValue"
        )


def kept_options(
    options: Sequence[Option],
    given: Sequence[Mapping[str, Any]],
    *,
    taken: Collection[str],
    next_id: Callable[[], int],
) -> list[Option]:
    """Return the choices to keep: those known by id or value keep their ids.

    `options` are those there were, `taken` the values that belong to others.

    Raises:
        RecordInvalid: there are none or too many, or one is invalid or there already.
    """
    if not given:
        raise RecordInvalid.of(
            "field_options", "Field options: must contain at least one option", "EmptyValue"
        )
    if len(given) > OPTIONS:
        raise RecordInvalid.of("field_options", f"Field options: more than {OPTIONS} options")
    by_id = {option["id"]: option for option in options}
    by_value = {option["value"]: option for option in options}
    found: list[Option] = []
    for item in given:
        before = by_id.get(item.get("id")) or by_value.get(str(item.get("value"))) or {}
        name = (plain_text("name", item.get("name", before.get("name")), 255) or "").strip()
        value = str(item.get("value", before.get("value")) or "")
        # A tag that the field has stays as it is, whatever rules there were when it came.
        kept = value in by_value
        value = value if kept else value.strip().lower()
        if not name or not (kept or TAG.fullmatch(value)):
            raise RecordInvalid.of(
                "field_options", f"Field options: {name or value} is invalid", "InvalidValue"
            )
        if any(value == option["value"] for option in found) or (value in taken and not kept):
            raise RecordInvalid.of(
                "field_options", f"Field options: {value} is already in use", "DuplicateValue"
            )
        key = before.get("id") or next_id()
        chosen = item.get("default", before.get("default", False))
        found.append({"id": key, "name": name, "value": value, "default": bool(chosen)})
    return found


def with_option(
    options: Sequence[Option], changes: Mapping[str, Any]
) -> tuple[list[Option], int, bool]:
    """Return choices with one changed or added, its place, and whether it was added.

    Raises:
        InvalidAttribute: the id is no number.
    """
    key = identifier("id", changes.get("id"))
    found_all = [dict(option) for option in options]
    found = next((option for option in found_all if option["id"] == key), None)
    created = found is None
    given = {name: changes[name] for name in ("name", "value", "default") if name in changes}
    if found is None:
        found = dict(given)
        found_all.append(found)
    else:
        found.update(given)
    if changes.get("position") is not None:
        found_all.remove(found)
        found_all.insert(min(max(0, changes["position"]), len(found_all)), found)
    return found_all, found_all.index(found), created


def without_option(options: Sequence[Option], key: int) -> list[Option]:
    """Return choices without one.

    Raises:
        RecordNotFound: there is no such choice.
    """
    left = [option for option in options if option["id"] != key]
    if len(left) == len(options):
        raise RecordNotFound("option", key)
    return left


def left_of(kept: Any, values: Collection[str]) -> Any:
    """Return what is left of a field's value once choices have gone, None for nothing."""
    if isinstance(kept, list):
        return [item for item in kept if item not in values] or None
    return None if kept in values else kept
