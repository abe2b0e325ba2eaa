"""Values as histories have them: an id where the field has such, and what people read.

The forms are those of changelogs in the vendor's own captures and examples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from clones.tracker.domain.richtext import markup_of
from clones.tracker.queries.fieldsets import IssueField

HistoryValue = tuple[str | None, str | None]
HistoryForm = Callable[[Any], HistoryValue]
NOTHING: HistoryValue = (None, None)


def history_value(field: IssueField, value: Any) -> HistoryValue:
    """Return a value's id and text, as an item of a history has them."""
    name = field.kind.name
    if name in _LISTS:
        return _LISTS[name](value or ())
    if value is None:
        return (None, "") if name in ("text", "url", "readonly", "epic_name") else NOTHING
    return _ONES[name](value) if name in _ONES else (str(value.id), value.name)


def number_text(value: float) -> str:
    """Return a number without a fraction that says nothing."""
    return f"{value:.15g}"


def _options(values: Any) -> HistoryValue:
    if not values:
        return "", ""
    ids = ", ".join(str(value.id) for value in values)
    return f"[{ids}]", ",".join(value.value for value in values)


def _cascade(value: Any) -> HistoryValue:
    top = value if value.parent is None else value.parent
    text = f"Parent values: {top.value}({top.id})"
    if value.parent is not None:
        text += f"Level 1 values: {value.value}({value.id})"
    return None, text


def _people(values: Any) -> HistoryValue:
    if not values:
        return NOTHING
    ids = ", ".join(value.account_id for value in values)
    return f"[{ids}]", f"[{', '.join(value.display_name for value in values)}]"


def _groups(values: Any) -> HistoryValue:
    if not values:
        return NOTHING
    ids = ", ".join(value.uuid for value in values)
    return f"[{ids}]", f"[{', '.join(value.name for value in values)}]"


def _named(values: Any) -> HistoryValue:
    if not values:
        return NOTHING
    ids = ", ".join(str(value.id) for value in values)
    return f"[{ids}]", ", ".join(value.name for value in values)


_LISTS: Final[Mapping[str, HistoryForm]] = {
    "labels": lambda values: (None, " ".join(values)),
    "options": _options,
    "users": _people,
    "groups": _groups,
    "versions": _named,
    "components": _named,
}
_ONES: Final[Mapping[str, HistoryForm]] = {
    "text": lambda value: (None, value),
    "url": lambda value: (None, value),
    "readonly": lambda value: (None, value),
    "epic_name": lambda value: (None, value),
    "rich": lambda value: (None, markup_of(value)),
    "number": lambda value: (None, number_text(value)),
    "seconds": lambda value: (str(value), str(value)),
    "day": lambda value: (value.isoformat(), f"{value.isoformat()} 00:00:00.0"),
    "moment": lambda value: (value.isoformat(), value.isoformat()),
    "option": lambda value: (str(value.id), value.value),
    "cascade": _cascade,
    "user": lambda value: (value.account_id, value.display_name),
    "group": lambda value: (value.uuid, value.name),
    "parent": lambda value: (str(value.id), value.key),
}
