"""Conditions of views and automations as database questions.

The same conditions, judged over plain facts, are in `clones.helpdesk.rules.conditions`; a test
holds the two to the same answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import F, Q

from clones.core.digits import is_digits
from clones.helpdesk.models import STATUSES, GroupMembership, User
from clones.helpdesk.rules.conditions import (
    CHANNELS,
    CUSTOM,
    TYPE_NUMBERS,
    VALUE_FIELDS,
    condition_tags,
    condition_words,
)
from clones.helpdesk.rules.system_fields import BY_NAME, RANKS

NOTHING = Q(pk__in=[])
# Comparisons of one question: SQLite takes expressions of a thousand, and the lists add some.
MOST_COMPARISONS = 900
_ANY_TIME = datetime(2026, 6, 16, 14, tzinfo=UTC)
HOUR = timedelta(hours=1)
# A thousand years: further than any moment of a ticket, and within the calendar from any of them.
MOST_HOURS = 1_000 * 366 * 24
COUNTERS = {
    "reopens": "metric__reopens",
    "replies": "metric__replies",
    "agent_stations": "metric__assignee_stations",
    "group_stations": "metric__group_stations",
}
MOMENTS = {
    "created_at": "created_at",
    "updated_at": "updated_at",
    "assigned_at": "metric__assigned_at",
    "requester_updated_at": "metric__requester_updated_at",
    "assignee_updated_at": "metric__assignee_updated_at",
    "due_date": "due_at",
}


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and when: what `current_user`, `current_groups` and hour counters stand for."""

    now: datetime
    user: User | None = None


def question(conditions: Mapping[str, Sequence[Mapping[str, Any]]], asker: Asker) -> Q:
    """Return the question whose answer are the tickets that meet the conditions.

    A condition that a database cannot answer (those about an update) holds for no ticket.
    """
    found = Q()
    for item in conditions.get("all", ()):
        found &= _one(item, asker)
    some = [_one(item, asker) for item in conditions.get("any", ())]
    if some:
        either = some[0]
        for other in some[1:]:
            either |= other
        found &= either
    return found


def is_too_much(conditions: Mapping[str, Sequence[Mapping[str, Any]]]) -> bool:
    """Tell whether conditions compare more than one statement of a database can."""
    return _comparisons(question(conditions, Asker(_ANY_TIME))) > MOST_COMPARISONS


def _comparisons(found: Q) -> int:
    return sum(_comparisons(part) if isinstance(part, Q) else 1 for part in found.children)


def can_be_asked(name: str, operator: str, value: Any) -> bool:
    """Tell whether a database can answer conditions of this field and operator at all."""
    asker = Asker(_ANY_TIME)
    return _one({"field": name, "operator": operator, "value": value}, asker) != NOTHING


def _one(condition: Mapping[str, Any], asker: Asker) -> Q:
    name, operator = str(condition["field"]), str(condition.get("operator") or "is")
    value = condition.get("value")
    if name == "ticket_type_id":
        name, value = "type", TYPE_NUMBERS.get(str(value), value)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(operator, value, asker)
    if name in VALUE_FIELDS:
        return _column(name, operator, value, asker)
    custom = CUSTOM.fullmatch(name)
    if custom is not None:
        return _custom(custom.group(1), operator, value)
    if name in COUNTERS:
        return _compared(COUNTERS[name], operator, value)
    if name.lower() in STATUSES and name.isupper():
        return Q(status=name.lower()) & _hours("metric__status_updated_at", operator, value, asker)
    if name in MOMENTS:
        return _hours(MOMENTS[name], operator, value, asker)
    if name == "until_due_date":
        return _hours_until("due_at", operator, value, asker)
    return NOTHING


def _column(name: str, operator: str, value: Any, asker: Asker) -> Q:
    if name == "group_id" and value == "current_groups":
        groups = GroupMembership.objects.filter(user=asker.user).values("group_id")
        inside = Q(group_id__in=groups)
        return inside if operator != "is_not" else Q(group_id=None) | ~inside
    if operator in ("present", "not_present"):
        return Q(**{f"{name}__isnull": operator == "not_present"})
    if operator in ("includes", "not_includes") and isinstance(value, list):
        inside = Q(**{f"{name}__in": [_plain(name, item, asker) for item in value]})
        outside = Q(**{f"{name}__isnull": True}) | ~inside
        return inside if operator == "includes" else outside
    if operator.startswith(("less_than", "greater_than")):
        return _ranked(name, operator, str(value))
    if operator not in ("is", "is_not"):
        return NOTHING
    if value in (None, ""):
        return Q(**{f"{name}__isnull": operator == "is"})
    if value in ("requester_id", "assignee_id"):
        same = Q(**{name: F(str(value))})
    else:
        same = Q(**{name: _plain(name, value, asker)})
    return same if operator == "is" else Q(**{f"{name}__isnull": True}) | ~same


def _plain(name: str, value: Any, asker: Asker) -> Any:
    if value == "current_user":
        return asker.user.id if asker.user is not None else 0
    if name.endswith("_id"):
        text = str(value)
        return int(text) if is_digits(text) else 0
    return str(value)


def _ranked(name: str, operator: str, value: str) -> Q:
    ranks = RANKS.get(name, {})
    if value not in ranks:
        return NOTHING
    mark = ranks[value]
    tests: dict[str, Callable[[int], bool]] = {
        "less_than": lambda rank: rank < mark,
        "less_than_equal": lambda rank: rank <= mark,
        "greater_than": lambda rank: rank > mark,
        "greater_than_equal": lambda rank: rank >= mark,
    }
    test = tests.get(operator)
    if test is None:
        return NOTHING
    found = Q(**{f"{name}__in": [item for item in ranks if test(ranks[item])]})
    if operator.startswith("less_than") and not BY_NAME[name].never_empty:
        found |= Q(**{name: None})
    return found


def _custom(key: str, operator: str, value: Any) -> Q:
    """Return a question about a custom field."""
    if operator in ("present", "not_present"):
        wanted = (operator == "present") != (str(value).lower() == "false")
        filled = custom_filled(key)
        return filled if wanted else ~filled
    if operator in ("is", "is_not", "includes", "not_includes"):
        same = NOTHING
        for item in value if isinstance(value, list) else [value]:
            same |= custom_is(key, item)
        return same if operator in ("is", "includes") else ~same
    return NOTHING


def custom_filled(key: str, column: str = "custom_fields") -> Q:
    """Return the question for records whose custom field holds something."""
    # The fields are matched as JSON text: a path of digits would be taken for a place in a list.
    unset = Q(**{f"{column}__icontains": f'"{key}": false'})
    return Q(**{f"{column}__icontains": f'"{key}": '}) & ~unset


def custom_is(key: str, value: Any, column: str = "custom_fields") -> Q:
    """Return the question for records whose custom field is a value, or has it among its values."""
    if value in (None, ""):
        return ~custom_filled(key, column)
    lowered = str(value).lower()
    if lowered == "true":
        return Q(**{f"{column}__icontains": f'"{key}": true'})
    if lowered == "false":
        return ~custom_filled(key, column)
    text = json.dumps(str(value))
    among = rf'"{key}": \[[^]]*{re.escape(text)}'
    return Q(**{f"{column}__icontains": f'"{key}": {text}'}) | (
        Q(**{f"{column}__icontains": text}) & Q(**{f"{column}__iregex": among})
    )


def custom_begins(key: str, value: str, column: str = "custom_fields") -> Q:
    """Return the question for records whose custom field begins with a text."""
    return Q(**{f"{column}__icontains": f'"{key}": ' + json.dumps(value)[:-1]})


def _compared(column: str, operator: str, value: Any) -> Q:
    if not re.fullmatch(r"-?\d+", str(value)):
        return NOTHING
    sides = {
        "is": "",
        "less_than": "__lt",
        "less_than_equal": "__lte",
        "greater_than": "__gt",
        "greater_than_equal": "__gte",
    }
    if operator == "is_not":
        return ~Q(**{column: int(value)})
    return Q(**{f"{column}{sides[operator]}": int(value)}) if operator in sides else NOTHING


def _hours(column: str, operator: str, value: Any, asker: Asker) -> Q:
    """Return a question about whole hours since a moment."""
    operator = operator.removesuffix("_business_hours")
    if not is_digits(str(value)):
        return NOTHING
    exactly = asker.now - min(int(value), MOST_HOURS) * HOUR
    tests = {
        "is": {f"{column}__gt": exactly - HOUR, f"{column}__lte": exactly},
        "less_than": {f"{column}__gt": exactly},
        "less_than_equal": {f"{column}__gt": exactly - HOUR},
        "greater_than": {f"{column}__lte": exactly - HOUR},
        "greater_than_equal": {f"{column}__lte": exactly},
    }
    return Q(**tests[operator]) if operator in tests else NOTHING


def _hours_until(column: str, operator: str, value: Any, asker: Asker) -> Q:
    """Return a question about whole hours until a moment."""
    if not is_digits(str(value)):
        return NOTHING
    exactly = asker.now + min(int(value), MOST_HOURS) * HOUR
    ahead = Q(**{f"{column}__gt": asker.now})
    tests = {
        "is": {f"{column}__gte": exactly, f"{column}__lt": exactly + HOUR},
        "less_than": {f"{column}__lt": exactly},
        "less_than_equal": {f"{column}__lt": exactly + HOUR},
        "greater_than": {f"{column}__gte": exactly + HOUR},
        "greater_than_equal": {f"{column}__gte": exactly},
    }
    return ahead & Q(**tests[operator]) if operator in tests else NOTHING


def _tags(operator: str, value: Any, asker: Asker) -> Q:
    found = NOTHING
    for tag in condition_tags(value):
        found |= tagged(tag)
    return ~found if operator.startswith(("not_", "is_not")) else found


def tagged(tag: str) -> Q:
    """Return the question for tickets, users or organizations that have a tag."""
    return Q(tags__icontains=f'"{tag}"')


def _via(operator: str, value: Any, asker: Asker) -> Q:
    same = Q(via__channel=CHANNELS.get(str(value), str(value)))
    return ~same if operator == "is_not" else same


def _privacy(operator: str, value: Any, asker: Asker) -> Q:
    return Q(is_public=(value == "public") == (operator != "is_not"))


def word(column: str, text: str) -> Q:
    """Return the question for records whose text has a whole word."""
    return Q(**{f"{column}__has_word": text})


def _words(column: str) -> Callable[[str, Any, Asker], Q]:
    def judge(operator: str, value: Any, asker: Asker) -> Q:
        if operator in ("includes_string", "not_includes_string"):
            found = Q(**{f"{column}__icontains": str(value)}) if value else NOTHING
        else:
            found = NOTHING
            for item in condition_words(value):
                found |= word(column, item)
        return ~found if operator.startswith(("not_", "is_not")) else found

    return judge


_SPECIAL: dict[str, Callable[[str, Any, Asker], Q]] = {
    "current_tags": _tags,
    "via_id": _via,
    "ticket_is_public": _privacy,
    "subject_includes_word": _words("subject"),
    "description_includes_word": _words("description"),
}
