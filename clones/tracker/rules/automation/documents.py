"""Rules as JSON, in the vendor's form: read, checked and numbered.

A component is {"id", "component", "type", "schemaVersion", "value", "children", "conditions"}.
Blocks of a condition lie in its `children`; what such a block asks, in its own `conditions`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core.digits import is_digits
from clones.tracker.rules.automation.catalogue import ComponentKind, kind_of
from clones.tracker.rules.automation.catalogue.asking import BLOCK, CONTAINER
from clones.tracker.rules.automation.cron import BadCron, read_cron
from clones.tracker.rules.automation.events import SCHEDULED
from clones.tracker.rules.jql import JqlError, parse

Component = dict[str, Any]
MOST: Final = 65  # components of a rule, as the vendor has it
DEEPEST: Final = 10
TRIGGER_ID: Final = "0"
NO_TRIGGER: Final = "A rule needs a trigger."
NO_ACTION: Final = "A rule needs at least one action."
TOO_MANY: Final = f"A rule cannot have more than {MOST} components."
_ARI: Final = re.compile(r"ari:cloud:jira:[^:]*:project/(\d{1,18})")
_ROOTS: Final = frozenset({"CONDITION", "BRANCH", "ACTION"})
_WHOLE: Final = frozenset({"TRIGGER", "CONDITION_BLOCK", *_ROOTS})


class BadRule(ValueError):
    """Raised when JSON is no rule: `messages` say what is wrong."""

    def __init__(self, *messages: str) -> None:
        super().__init__("; ".join(messages))
        self.messages = messages


def read_trigger(raw: Any) -> Component:
    """Return a trigger in its whole form.

    Raises:
        BadRule: it is none.
    """
    found = _component(raw, {"TRIGGER"}, 0)
    problem = schedule_problem(found["value"]) if found["type"] == SCHEDULED else None
    if problem is not None:
        raise BadRule(problem)
    return found


def read_components(raw: Any) -> list[Component]:
    """Return the components of a rule in their whole form.

    Raises:
        BadRule: one of them is none, or there are too many.
    """
    if not isinstance(raw, list):
        raise BadRule("The components of a rule must be a list.")
    found = [_component(one, _ROOTS, 1) for one in raw]
    if sum(1 for _ in walk(found)) > MOST:
        raise BadRule(TOO_MANY)
    return found


def _component(raw: Any, allowed: frozenset[str] | set[str], depth: int) -> Component:
    if not isinstance(raw, Mapping):
        raise BadRule("A component must be an object.")
    if depth > DEEPEST:
        raise BadRule("Components lie too deep within each other.")
    type_name = raw.get("type")
    kind = kind_of(type_name) if isinstance(type_name, str) else None
    if kind is None:
        raise BadRule(f"Unknown component type: {str(type_name)[:100]}")
    said = raw.get("component", kind.component)
    if said != kind.component or kind.component not in allowed:
        raise BadRule(f"The component {kind.type} cannot stand here.")
    value = raw.get("value")
    if not isinstance(value, type(kind.value)):
        value = _coerced(kind, value)
    return {
        "id": str(raw.get("id") or ""),
        "component": kind.component,
        "type": kind.type,
        "schemaVersion": kind.schema_version,
        "value": copy.deepcopy(value),
        "children": _children(kind, raw, depth),
        "conditions": _conditions(kind, raw, depth),
    }


def _coerced(kind: ComponentKind, value: Any) -> Any:
    """Return a value in the form that its kind has: older exports wrote some otherwise."""
    if value is None:
        return copy.deepcopy(kind.value)
    if isinstance(kind.value, str) and isinstance(value, Mapping):
        found = value.get("jql", value.get("value", value.get("query", "")))
        return str(found.get("value", "")) if isinstance(found, Mapping) else str(found)
    if isinstance(kind.value, bool):
        return bool(value)
    raise BadRule(f"The value of {kind.type} has the wrong form.")


def _children(kind: ComponentKind, raw: Mapping[str, Any], depth: int) -> list[Component]:
    given = raw.get("children") or []
    if kind.type == CONTAINER:
        found = [_component(one, {"CONDITION_BLOCK"}, depth + 1) for one in given]
        if not found:
            raise BadRule("An IF block needs at least one branch.")
        return found
    if kind.component in ("BRANCH", "CONDITION_BLOCK"):
        return [_component(one, _ROOTS, depth + 1) for one in given]
    return []


def _conditions(kind: ComponentKind, raw: Mapping[str, Any], depth: int) -> list[Component]:
    given = raw.get("conditions") or []
    if kind.type not in (BLOCK, "jira.issues.related.condition"):
        return []
    return [_component(one, {"CONDITION"}, depth + 1) for one in given]


def walk(components: Sequence[Component]) -> Iterator[Component]:
    """Return all components, each before what lies within it."""
    for one in components:
        yield one
        yield from walk(one["conditions"])
        yield from walk(one["children"])


def numbered(components: Sequence[Component]) -> None:
    """Give each component an id that no other of its rule has; the trigger's is 0."""
    taken: set[str] = {TRIGGER_ID}
    found = list(walk(components))
    for one in found:
        if not is_digits(one["id"]) or one["id"] in taken:
            one["id"] = ""
        taken.add(one["id"])
    last = max(int(id) for id in taken if id)
    for one in found:
        if not one["id"]:
            last += 1
            one["id"] = str(last)


def problems(trigger: Component | None, components: Sequence[Component]) -> dict[str, str]:
    """Return what keeps a rule from being turned on, by a component's id; "" of the whole."""
    found: dict[str, str] = {}
    if trigger is None:
        found[""] = NO_TRIGGER
    for one in [*([trigger] if trigger else []), *walk(components)]:
        text = component_problem(one)
        if text is not None:
            found[one["id"]] = text
    if not any(one["component"] == "ACTION" for one in walk(components)):
        found.setdefault("", NO_ACTION)
    return found


def component_problem(component: Component) -> str | None:
    """Return what is missing or wrong in a component, None if nothing is."""
    kind = kind_of(component["type"])
    if kind is None:
        return "The component is unknown."
    for one in kind.inputs:
        held = value_at(component["value"], one.path)
        if one.required and _is_blank(held):
            return f"{one.label} is required."
        if one.kind == "jql" and isinstance(held, str) and held.strip() and "{{" not in held:
            text = jql_problem(held)
            if text is not None:
                return text
    if component["type"] == SCHEDULED:
        return schedule_problem(component["value"])
    return None


def jql_problem(text: str) -> str | None:
    """Return what is wrong with the form of a query, None if nothing is."""
    try:
        parse(text)
    except JqlError as error:
        return error.texts[0]
    return None


def schedule_problem(value: Any) -> str | None:
    """Return what is wrong with a schedule, None if nothing is."""
    schedule = value.get("schedule") if isinstance(value, Mapping) else None
    if not isinstance(schedule, Mapping):
        return "The schedule is missing."
    zone = schedule.get("timeZone")
    if zone:
        try:
            ZoneInfo(str(zone))
        except (KeyError, ValueError, OSError):
            return f"There is no time zone {str(zone)[:60]}."
    if schedule.get("method") == "CRON":
        try:
            read_cron(str(schedule.get("cronExpression") or ""))
        except BadCron as error:
            return f"The cron expression is not valid: {error}"
        return None
    seconds = rate_seconds(schedule)
    return None if seconds >= 60 else "The fixed rate must be at least one minute."


def rate_seconds(schedule: Mapping[str, Any]) -> int:
    """Return the seconds between two runs of a schedule with a fixed rate, 0 if it has none."""
    try:
        rate, unit = int(schedule.get("rate") or 0), int(schedule.get("rateInterval") or 0)
    except (TypeError, ValueError):
        return 0
    # The vendor's own form has the whole interval in one number, and a rate of 0.
    return max(rate, 1) * unit if 0 <= rate <= 100_000 and 0 <= unit <= 31_536_000 else 0


def _is_blank(value: Any) -> bool:
    if isinstance(value, Mapping) and "value" in value:
        return _is_blank(value.get("value"))
    return value is None or value in ("", [], {})


def value_at(value: Any, path: str) -> Any:
    """Return what lies at a path in a component's value; "" leads to the value itself."""
    found = value
    for name in filter(None, path.split("/")):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def spaces_of(aris: Any) -> list[int] | None:
    """Return the ids of the spaces of a scope; an empty list is the whole site, None is wrong."""
    if not isinstance(aris, list):
        return None
    found: list[int] = []
    for one in aris:
        text = str(one)
        match = _ARI.fullmatch(text)
        if match is not None:
            found.append(int(match[1]))
        elif ":site/" not in text and "project/" in text:
            return None
    return found
