"""Flows that start by themselves, as the vendor's metadata have them: read, and seen to be sound.

A flow is a graph: its start leads to an element, and each element to the next by a connector. Which
elements a flow may have depends on when it starts; those that people would see are none of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.crm.rules.criteria import WrongCriteria, logic_holds
from clones.crm.rules.schema import OrgSchema, SObject

BEFORE_SAVE, AFTER_SAVE, SCHEDULED = "RecordBeforeSave", "RecordAfterSave", "Scheduled"
BEFORE_DELETE: Final = "RecordBeforeDelete"
TRIGGERS: Final = (BEFORE_SAVE, AFTER_SAVE, BEFORE_DELETE, SCHEDULED)
RECORD_TRIGGERS: Final = ("Create", "Update", "CreateAndUpdate", "Delete")
MOST_ELEMENTS: Final = 200
_DOING: Final = ("recordCreates", "recordUpdates", "recordLookups", "recordDeletes")
KINDS: Final = (*_DOING, "decisions", "assignments", "loops", "actionCalls", "customErrors")
_NEVER: Final = ("screens", "subflows", "steps", "waits", "apexPluginCalls", "transforms")
_NOT_BEFORE: Final = frozenset({"recordCreates", "recordDeletes", "actionCalls"})
OPERATORS: Final = (
    "EqualTo",
    "NotEqualTo",
    "GreaterThan",
    "GreaterThanOrEqualTo",
    "LessThan",
    "LessThanOrEqualTo",
    "StartsWith",
    "EndsWith",
    "Contains",
    "IsNull",
    "IsChanged",
)
ACTIONS: Final = ("emailSimple", "emailAlert")
OFFSET_UNITS: Final = {"Minutes": "minutes", "Hours": "hours", "Days": "days"}
FREQUENCIES: Final = ("Once", "Daily", "Weekly")
_CONNECTORS: Final = (
    "connector",
    "defaultConnector",
    "faultConnector",
    "nextValueConnector",
    "noMoreValuesConnector",
)
MERGED: Final = re.compile(r"\{!\s*(\$?\w{1,80}(?:\.\w{1,80}){0,11})\s*\}", re.ASCII)


class WrongFlow(ValueError):
    """Raised where metadata are no flow that can be kept; its text says why."""


@dataclass(frozen=True, slots=True)
class FlowElement:
    """A step of a flow: which list of the metadata it stands in, and what it says."""

    kind: str
    name: str
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow that was read: `elements` by their names in small letters."""

    label: str
    trigger: str | None
    start: Mapping[str, Any]
    elements: Mapping[str, FlowElement]
    given: Mapping[str, Any]

    def element(self, name: str) -> FlowElement | None:
        """Return the element of a name; None if there is none."""
        return self.elements.get(name.lower())

    def named(self, kind: str, name: str) -> Mapping[str, Any] | None:
        """Return a variable, constant, formula or text template by its name; None without one."""
        for one in self.given.get(kind) or ():
            if str(one.get("name")).lower() == name.lower():
                found: Mapping[str, Any] = one
                return found
        return None


def read_flow(given: Mapping[str, Any]) -> Flow:
    """Return the flow of some metadata.

    Raises:
        WrongFlow: they are of another form, or have steps that no flow here does.
    """
    for kind in _NEVER:
        if given.get(kind):
            raise WrongFlow(f"Flows with {kind} are not supported")
    elements: dict[str, FlowElement] = {}
    for kind in KINDS:
        for one in _listed(given, kind):
            name = one.get("name")
            if not isinstance(name, str) or not name or name.lower() in elements:
                raise WrongFlow(f"Every element needs a name of its own: {str(name)[:80]}")
            elements[name.lower()] = FlowElement(kind, name, one)
    for kind in ("variables", "constants", "formulas", "textTemplates"):
        _listed(given, kind)
    if len(elements) > MOST_ELEMENTS:
        raise WrongFlow(f"A flow has at most {MOST_ELEMENTS} elements")
    start = given.get("start") or {}
    if not isinstance(start, Mapping):
        raise WrongFlow("The start of a flow must be an object")
    trigger = start.get("triggerType")
    if trigger is not None and trigger not in TRIGGERS:
        raise WrongFlow(f"Trigger type {str(trigger)[:80]} is not supported")
    label = given.get("label")
    return Flow(label if isinstance(label, str) else "", trigger, start, elements, given)


def check_flow(flow: Flow, schema: OrgSchema) -> None:
    """See that a flow leads from step to step, and names objects and fields that are there.

    Raises:
        WrongFlow: it does not.
    """
    _check_start(flow, schema)
    for element in flow.elements.values():
        if flow.trigger == BEFORE_SAVE and element.kind in _NOT_BEFORE:
            raise WrongFlow(f"{element.name}: not supported in a flow that runs before the save")
        for target in _targets(element):
            if flow.element(target) is None:
                raise WrongFlow(f"{element.name} leads to {target[:80]}, which is not there")
        _CHECKS.get(element.kind, _nothing)(flow, element, schema)


def start_targets(flow: Flow) -> Iterator[str]:
    """Yield the elements that the start of a flow leads to, those of its later paths too."""
    for one in (flow.start, *_listed(flow.start, "scheduledPaths")):
        target = target_of(one.get("connector"))
        if target is not None:
            yield target


def target_of(connector: Any) -> str | None:
    """Return the name of the element that a connector leads to; None where it leads nowhere."""
    target = connector.get("targetReference") if isinstance(connector, Mapping) else None
    return target if isinstance(target, str) else None


def conditions_hold(given: Any, logic: Any, holds: Callable[[Mapping[str, Any]], bool]) -> bool:
    """Tell whether conditions hold: all or one of them, or as a logic over their numbers says."""
    found = [holds(one) for one in given or ()]
    text = str(logic or "and").lower()
    if text == "and":
        return all(found)
    return any(found) if text == "or" else logic_holds(str(logic), found)


def _listed(given: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = given.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise WrongFlow(f"{name} must be a list of objects")
    return found


def _check_start(flow: Flow, schema: OrgSchema) -> None:
    start = flow.start
    for target in start_targets(flow):
        if flow.element(target) is None:
            raise WrongFlow(f"The start leads to {target[:80]}, which is not there")
    of = None if start.get("object") is None else schema.find(str(start["object"]))
    if flow.trigger is None:
        return
    if flow.trigger == SCHEDULED:
        _check_schedule(start.get("schedule"))
        if start.get("object") is None:
            return
    elif start.get("recordTriggerType") not in RECORD_TRIGGERS:
        kind = str(start.get("recordTriggerType"))[:80]
        raise WrongFlow(f"Record trigger type {kind} is not supported")
    elif (flow.trigger == BEFORE_DELETE) != (start["recordTriggerType"] == "Delete"):
        raise WrongFlow("Flows before a deletion are triggered by Delete, and no others are")
    if of is None:
        raise WrongFlow(f"Object {str(start.get('object'))[:80]} is not there")
    _check_filters(start, of)
    for path in _listed(start, "scheduledPaths"):
        _check_path(path, of)


def _check_schedule(given: Any) -> None:
    if not isinstance(given, Mapping) or given.get("frequency") not in FREQUENCIES:
        raise WrongFlow("A scheduled flow needs a schedule: Once, Daily or Weekly")
    if not all(isinstance(given.get(name), str) for name in ("startDate", "startTime")):
        raise WrongFlow("A schedule needs startDate and startTime")


def _check_path(path: Mapping[str, Any], of: SObject) -> None:
    if path.get("pathType") == "AsyncAfterCommit":
        return
    number, unit = path.get("offsetNumber"), path.get("offsetUnit")
    if type(number) is not int or abs(number) > 10_000 or unit not in tuple(OFFSET_UNITS):
        raise WrongFlow("A scheduled path needs offsetNumber and offsetUnit")
    if path.get("timeSource") == "RecordField":
        field = of.field(str(path.get("recordField")))
        if field is None or field.type not in ("date", "datetime"):
            raise WrongFlow(f"{str(path.get('recordField'))[:80]} is no field of days or moments")


def _check_filters(given: Mapping[str, Any], of: SObject) -> None:
    filters = _listed(given, "filters")
    for one in filters:
        if of.field(str(one.get("field"))) is None or one.get("operator") not in OPERATORS:
            raise WrongFlow(f"Wrong filter on {of.name}: {str(one.get('field'))[:80]}")
    _check_logic(given.get("filterLogic"), len(filters))


def _check_logic(logic: Any, count: int) -> None:
    try:
        conditions_hold([{}] * count, logic, lambda _: False)
    except WrongCriteria as error:
        raise WrongFlow(str(error)) from error


def _targets(element: FlowElement) -> Iterator[str]:
    found = [element.given.get(name) for name in _CONNECTORS]
    if element.kind == "decisions":
        found += [one.get("connector") for one in _listed(element.given, "rules")]
    for one in found:
        target = target_of(one)
        if target is not None:
            yield target


def _nothing(flow: Flow, element: FlowElement, schema: OrgSchema) -> None:
    """See to nothing."""


def _check_records(flow: Flow, element: FlowElement, schema: OrgSchema) -> None:
    given = element.given
    name = given.get("object")
    if name is None and given.get("inputReference") is not None:
        if given["inputReference"] != "$Record":
            return
        name = flow.start.get("object")
    of = None if name is None else schema.find(str(name))
    if of is None:
        raise WrongFlow(f"{element.name}: object {str(name)[:80]} is not there")
    _check_filters(given, of)
    for one in _listed(given, "inputAssignments"):
        if of.field(str(one.get("field"))) is None:
            raise WrongFlow(f"{element.name}: {of.name} has no {str(one.get('field'))[:80]}")


def _check_decision(flow: Flow, element: FlowElement, schema: OrgSchema) -> None:
    for rule in _listed(element.given, "rules"):
        conditions = _listed(rule, "conditions")
        if any(one.get("operator") not in OPERATORS for one in conditions):
            raise WrongFlow(f"{element.name}: unknown operator")
        _check_logic(rule.get("conditionLogic"), len(conditions))


def _check_action(flow: Flow, element: FlowElement, schema: OrgSchema) -> None:
    kind = element.given.get("actionType")
    if kind not in ACTIONS:
        raise WrongFlow(f"Actions of type {str(kind)[:80]} are not supported")
    _listed(element.given, "inputParameters")


def _check_refusal(flow: Flow, element: FlowElement, schema: OrgSchema) -> None:
    _listed(element.given, "customErrorMessages")


def _check_assignment(flow: Flow, element: FlowElement, schema: OrgSchema) -> None:
    for one in _listed(element.given, "assignmentItems"):
        if one.get("operator") not in ("Assign", "Add", "Subtract"):
            raise WrongFlow(f"{element.name}: unknown operator {str(one.get('operator'))[:80]}")
        if not isinstance(one.get("assignToReference"), str):
            raise WrongFlow(f"{element.name}: nothing to assign to")


_CHECKS: Final[dict[str, Callable[[Flow, FlowElement, OrgSchema], None]]] = {
    **dict.fromkeys(_DOING, _check_records),
    "decisions": _check_decision,
    "actionCalls": _check_action,
    "assignments": _check_assignment,
    "customErrors": _check_refusal,
}
