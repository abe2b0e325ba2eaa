"""Conditions of triggers, automations and SLAs, judged over plain facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from clones.core.words import words_of
from clones.helpdesk.rules.system_fields import BY_NAME, RANKS, names_where
from clones.helpdesk.rules.tags import split_tags

# Words of a condition that one statement asks for; engines take a thousand alternatives at most.
WORDS = 500
TYPE_NUMBERS = {"1": "question", "2": "incident", "3": "problem", "4": "task"}
CHANNELS = {
    "0": "web",
    "4": "email",
    "5": "api",
    "8": "rule",
    "16": "satisfaction_prediction",
    "27": "closed_ticket",
    "29": "chat",
    "33": "voice",
    "48": "web_widget",
    "50": "help_center",
    "57": "sms",
}
VALUE_FIELDS = frozenset(names_where(lambda item: item.rules is not None and item.rules.condition))
COUNTERS = frozenset({"reopens", "replies", "agent_stations", "group_stations"})
HOURS = frozenset(
    {
        "NEW",
        "OPEN",
        "PENDING",
        "HOLD",
        "SOLVED",
        "CLOSED",
        "created_at",
        "assigned_at",
        "updated_at",
        "requester_updated_at",
        "assignee_updated_at",
        "due_date",
        "until_due_date",
        "until_sla_next_breach_at",
    }
)
CUSTOM = re.compile(r"custom_fields_(\d+)")
PROFILE = re.compile(r"(requester|organization)\.custom_fields\.([A-Za-z0-9_]+)")

Condition = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UpdateComment:
    """The comment of an update."""

    body: str
    public: bool
    has_attachment: bool = False


@dataclass(slots=True)
class Situation:
    """What a rule may look at. Nobody changes it; were it frozen, it would take thrice the time.

    `values` are the ticket's under audit names, `before` those before the update (None for a new
    ticket). `hours` maps counters to whole hours, absent where the counter does not run; the same
    name with `_business` counts business hours.
    """

    values: Mapping[str, Any]
    before: Mapping[str, Any] | None = None
    description: str = ""
    said: UpdateComment | None = None
    is_public: bool = True
    actor_id: int | None = None
    actor_is_agent: bool = False
    actor_groups: frozenset[int] = frozenset()
    channel: str = "api"
    current_channel: str = "api"
    requester_fields: Mapping[str, Any] = field(default_factory=dict)
    organization_fields: Mapping[str, Any] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)
    hours: Mapping[str, int] = field(default_factory=dict)
    in_business_hours: bool = True
    today: date | None = None


def matches(conditions: Mapping[str, Sequence[Condition]], situation: Situation) -> bool:
    """Tell whether all of `all` and one of `any` (if there are any) hold."""
    for item in conditions.get("all", ()):
        if not holds(item, situation):
            return False
    some = conditions.get("any", ())
    return not some or any(holds(item, situation) for item in some)


def names() -> frozenset[str]:
    """Return the fields that conditions of every account may name."""
    return VALUE_FIELDS | COUNTERS | HOURS | _JUDGES.keys()


def is_known(name: str) -> bool:
    """Tell whether conditions may name this field."""
    return bool(name in names() or CUSTOM.fullmatch(name) or PROFILE.fullmatch(name))


def holds(condition: Condition, situation: Situation) -> bool:
    """Tell whether one condition holds; one that names an unknown field never does."""
    name, operator = str(condition["field"]), str(condition.get("operator") or "is")
    value = condition.get("value")
    if name == "ticket_type_id":
        name, value = "type", TYPE_NUMBERS.get(str(value), value)
    judge = _JUDGES.get(name)
    if judge is not None:
        return judge(operator, value, situation)
    if name in VALUE_FIELDS:
        return _value_holds(name, operator, value, situation)
    if CUSTOM.fullmatch(name):
        return _custom_holds(name, operator, value, situation)
    if name in COUNTERS:
        return compare(situation.counters.get(name, 0), operator, _number(value))
    if name in HOURS:
        return _hours_hold(name, operator, value, situation)
    profile = PROFILE.fullmatch(name)
    if profile is not None:
        fields = (
            situation.requester_fields
            if profile.group(1) == "requester"
            else situation.organization_fields
        )
        return _plain_holds(fields.get(profile.group(2)), operator, value)
    return False


def compare(found: float | None, operator: str, wanted: float | None) -> bool:
    """Tell whether two numbers stand as the operator says."""
    if found is None or wanted is None:
        return operator == "is_not"
    table = {
        "is": found == wanted,
        "is_not": found != wanted,
        "less_than": found < wanted,
        "less_than_equal": found <= wanted,
        "greater_than": found > wanted,
        "greater_than_equal": found >= wanted,
    }
    return table.get(operator, False)


def resolve(value: Any, situation: Situation) -> Any:
    """Return what a special value stands for; ids as text, nothing as None."""
    if value in (None, ""):
        return None
    if value == "current_user":
        return str(situation.actor_id)
    if value in ("requester_id", "assignee_id"):
        found = situation.values.get(str(value))
        return None if found is None else str(found)
    return str(value)


def _text(value: Any) -> str | None:
    return None if value in (None, "") else str(value)


def _previous(name: str, situation: Situation) -> str | None:
    return _text((situation.before or {}).get(name))


def _value_holds(name: str, operator: str, value: Any, situation: Situation) -> bool:
    current = _text(situation.values.get(name))
    if operator in ("changed", "not_changed"):
        return (current != _previous(name, situation)) == (operator == "changed")
    if name == "group_id" and value == "current_groups":
        inside = current is not None and int(current) in situation.actor_groups
        return inside == (operator != "is_not")
    wanted = resolve(value, situation)
    turned = operator.startswith("not_") and operator != "not_present"
    if operator.endswith("value"):
        return (current == wanted and current != _previous(name, situation)) != turned
    if operator.endswith("value_previous"):
        previous = _previous(name, situation)
        return (current != previous and previous == wanted) != turned
    if operator in ("includes", "not_includes") and isinstance(value, list):
        chosen = {resolve(item, situation) for item in value}
        return (current in chosen) == (operator == "includes")
    return _resolved_holds(name, operator, current, wanted)


def _resolved_holds(name: str, operator: str, current: str | None, wanted: Any) -> bool:
    """Judge the operators that look at the present value only."""
    if operator in ("is", "is_not"):
        return bool(current == wanted) == (operator == "is")
    ranks = RANKS.get(name)
    if ranks is not None and operator.startswith(("less_than", "greater_than")):
        # Where a field can be empty, empty is less than every value.
        if current is None and not BY_NAME[name].never_empty:
            return operator.startswith("less_than") and wanted in ranks
        return compare(ranks.get(current or ""), operator, ranks.get(wanted or ""))
    if operator in ("present", "not_present"):
        return (current is not None) == (operator == "present")
    return False


def _custom_holds(name: str, operator: str, value: Any, situation: Situation) -> bool:
    current = situation.values.get(name)
    if operator in (
        "changed",
        "not_changed",
        "value",
        "value_previous",
        "not_value",
        "not_value_previous",
    ):
        previous = (situation.before or {}).get(name)
        moved = current != previous
        if operator in ("changed", "not_changed"):
            return moved == (operator == "changed")
        side = previous if "previous" in operator else current
        found = moved and _same(side, value)
        return found != operator.startswith("not_")
    if operator == "within_previous_n_days":
        return _within(current, value, situation.today)
    return _plain_holds(current, operator, value)


def _plain_holds(current: Any, operator: str, value: Any) -> bool:
    empty = current in (None, "", [], False)
    if operator in ("present", "not_present"):
        # Rules written in the product carry a value with these: "false" turns them round.
        return (not empty) == ((operator == "present") != (str(value).lower() == "false"))
    if operator in ("includes", "not_includes"):
        items = current if isinstance(current, list) else [current]
        wanted = value if isinstance(value, list) else [value]
        found = any(_same(item, one) for item in items for one in wanted)
        return found == (operator == "includes")
    if operator.startswith(("less_than", "greater_than")):
        left, right = _number(current), _number(value)
        if left is not None and right is not None:
            return compare(left, operator, right)
        if isinstance(current, str) and isinstance(value, str):
            table = {
                "less_than": current < value,
                "less_than_equal": current <= value,
                "greater_than": current > value,
                "greater_than_equal": current >= value,
            }
            return table.get(operator, False)
        return False
    if operator in ("is", "is_not"):
        return _same(current, value) == (operator == "is")
    return False


def _same(current: Any, wanted: Any) -> bool:
    if isinstance(current, bool) or isinstance(wanted, bool):
        return str(bool(current)).lower() == str(wanted).lower()
    if isinstance(current, list):
        return str(wanted) in [str(item) for item in current]
    return _text(current) == _text(wanted)


def _within(current: Any, value: Any, today: date | None) -> bool:
    days = _number(value)
    if not isinstance(current, str) or days is None or today is None:
        return False
    try:
        found = date.fromisoformat(current[:10])
    except ValueError:
        return False
    return found <= today and (today - found).days <= days


def _hours_hold(name: str, operator: str, value: Any, situation: Situation) -> bool:
    key = name
    if operator.endswith("_business_hours"):
        operator, key = operator.removesuffix("_business_hours"), f"{name}_business"
    found = situation.hours.get(key)
    return found is not None and compare(found, operator, _number(value))


def _number(value: Any) -> float | None:
    try:
        return float(str(value)) if value not in (None, "") else None
    except ValueError:
        return None


def _tags_hold(operator: str, value: Any, situation: Situation) -> bool:
    tags, wanted = set(situation.values.get("tags") or ()), set(condition_tags(value))
    if operator in ("changed", "not_changed"):
        moved = sorted(tags) != sorted((situation.before or {}).get("tags") or ())
        return moved == (operator == "changed")
    return bool(tags & wanted) != operator.startswith(("not_", "is_not"))


def _update_type(operator: str, value: Any, situation: Situation) -> bool:
    found = "Create" if situation.before is None else "Change"
    return bool(found == value) == (operator != "is_not")


def _comment_holds(operator: str, value: Any, situation: Situation) -> bool:
    said, wanted = situation.said, str(value).lower()
    if wanted == "not_relevant":
        found = said is not None
    elif wanted in ("true", "requester_can_see_comment"):
        found = said is not None and said.public
    else:
        found = said is not None and not said.public
    return found == (operator != "is_not")


def _privacy(operator: str, value: Any, situation: Situation) -> bool:
    found = "public" if situation.is_public else "private"
    return bool(found == value) == (operator != "is_not")


def _role(operator: str, value: Any, situation: Situation) -> bool:
    if value == "agent":
        found = situation.actor_is_agent
    elif value == "end_user":
        found = situation.actor_id is not None and not situation.actor_is_agent
    else:
        found = str(situation.actor_id) == str(value)
    return found == (operator != "is_not")


def _via(operator: str, value: Any, situation: Situation) -> bool:
    same = situation.channel == CHANNELS.get(str(value), str(value))
    return same == (operator != "is_not")


def _current_via(operator: str, value: Any, situation: Situation) -> bool:
    same = situation.current_channel == CHANNELS.get(str(value), str(value))
    return same == (operator != "is_not")


def condition_words(value: Any) -> list[str]:
    """Return the words of which a condition asks for one, in small letters, each once.

    So many as one statement can ask for.
    """
    return list(dict.fromkeys(words_of(str(value or "").lower())))[:WORDS]


def condition_tags(value: Any) -> list[str]:
    """Return the tags of which a condition asks for one: so many as one statement can ask for."""
    return split_tags(value)[:WORDS]


def words_hold(text: str, operator: str, value: Any) -> bool:
    """Tell whether a text has one of the words, or the whole string, of a condition."""
    wanted = str(value or "").lower()
    lowered = text.lower()
    if operator in ("includes_string", "not_includes_string"):
        found = bool(wanted) and wanted in lowered
        return found == (operator == "includes_string")
    words = set(words_of(lowered))
    found = any(word in words for word in condition_words(value))
    return found != operator.startswith(("not_", "is_not"))


def _subject_words(operator: str, value: Any, situation: Situation) -> bool:
    return words_hold(str(situation.values.get("subject") or ""), operator, value)


def _description_words(operator: str, value: Any, situation: Situation) -> bool:
    return words_hold(situation.description, operator, value)


def _comment_words(operator: str, value: Any, situation: Situation) -> bool:
    return words_hold(situation.said.body if situation.said else "", operator, value)


def _attachment(operator: str, value: Any, situation: Situation) -> bool:
    found = situation.said is not None and situation.said.has_attachment
    wanted = str(value).lower() in ("present", "true", "attachment_present")
    return (found == wanted) == (operator != "is_not")


def _business(operator: str, value: Any, situation: Situation) -> bool:
    return (situation.in_business_hours == (str(value).lower() == "true")) == (operator != "is_not")


_JUDGES: dict[str, Callable[[str, Any, Situation], bool]] = {
    "current_tags": _tags_hold,
    "update_type": _update_type,
    "comment_is_public": _comment_holds,
    "ticket_is_public": _privacy,
    "role": _role,
    "via_id": _via,
    "current_via_id": _current_via,
    "subject_includes_word": _subject_words,
    "description_includes_word": _description_words,
    "comment_includes_word": _comment_words,
    "attachment": _attachment,
    "in_business_hours": _business,
}
