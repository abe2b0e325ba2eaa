"""What is wrong with a workflow before it is written: found in it alone, without any rows.

Codes and sentences that live sites are known to give are theirs (`NON_UNIQUE_STATUS_NAME`,
`NO_INBOUND_TRANSITIONS_TO_STATUS`, `STATUS_REFERENCE_NOT_UUID`); the others are named like them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, Literal

from clones.core.digits import is_digits
from clones.core.patterns import is_pattern
from clones.tracker.rules.workflow.catalogue import FIELD_RULES, KINDS, TRIGGERS, Family, Parameter
from clones.tracker.rules.workflow.drafts import (
    StatusDraft,
    StatusPlacement,
    TransitionDraft,
    WorkflowDraft,
    approval_of,
)
from clones.tracker.rules.workflow.rule import Rule, rules_in

Level = Literal["ERROR", "WARNING"]
NAME_LIMIT: Final = 255
TRANSITION_NAME_LIMIT: Final = 60
STATUS_NAME_LIMIT: Final = 255
ABOUT_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong: `kind` is the sort of element that `where` points to."""

    code: str
    message: str
    kind: str
    where: Mapping[str, Any] = field(default_factory=dict)
    level: Level = "ERROR"


def check_statuses(statuses: Sequence[StatusDraft]) -> Iterator[Problem]:
    """Yield what is wrong with the statuses that are named or to be made."""
    references = Counter(status.reference for status in statuses)
    names = Counter(status.name.strip().lower() for status in statuses)
    for status in statuses:
        where = {"statusReference": status.reference}
        if references[status.reference] > 1:
            yield Problem(
                "NON_UNIQUE_STATUS_REFERENCE",
                "Every status reference must be unique.",
                "STATUS",
                where,
            )
        if not status.name.strip():
            yield Problem("STATUS_NAME_EMPTY", "Enter a status name.", "STATUS", where)
        elif len(status.name) > STATUS_NAME_LIMIT:
            yield Problem(
                "STATUS_NAME_TOO_LONG",
                f"Status names can't be longer than {STATUS_NAME_LIMIT} characters.",
                "STATUS",
                where,
            )
        elif names[status.name.strip().lower()] > 1:
            yield Problem(
                "NON_UNIQUE_STATUS_NAME", "You must use a unique status name.", "STATUS", where
            )


def check_workflow(
    draft: WorkflowDraft, statuses: Sequence[StatusDraft], *, scope: str, new: bool
) -> Iterator[Problem]:
    """Yield what is wrong with a workflow whose scope is GLOBAL or PROJECT."""
    if new:
        yield from _check_name(draft.name)
    if len(draft.description) > ABOUT_LIMIT:
        yield Problem(
            "WORKFLOW_DESCRIPTION_TOO_LONG",
            f"Descriptions can't be longer than {ABOUT_LIMIT} characters.",
            "WORKFLOW",
        )
    known = {status.reference for status in statuses}
    places = Counter(place.reference for place in draft.places)
    if not places:
        yield Problem("NO_STATUSES", "A workflow must have at least one status.", "WORKFLOW")
    for reference, count in places.items():
        where = {"statusReference": reference}
        if reference not in known:
            yield Problem(
                "STATUS_REFERENCE_NOT_FOUND",
                f"The status reference {reference} is not among the statuses.",
                "STATUS_LAYOUT",
                where,
            )
        if count > 1:
            yield Problem(
                "DUPLICATE_STATUS",
                f"The status reference {reference} is in the workflow more than once.",
                "STATUS_LAYOUT",
                where,
            )
    for place in draft.places:
        yield from _check_approval(place, {item.id for item in draft.transitions})
    yield from _check_transitions(draft, set(places))
    for transition in draft.transitions:
        yield from _check_rules(transition, scope)
    if draft.transitions:
        yield from _check_reached(draft)


def _check_approval(place: StatusPlacement, transitions: set[str]) -> Iterator[Problem]:
    """Yield what is wrong with the approval that a status waits for."""
    approval = approval_of(place.properties)
    if approval is None:
        return
    kind, value = approval.get("conditionType"), str(approval.get("conditionValue", ""))
    most = {"number": 20, "numberPerPrincipal": 20, "percent": 100}.get(str(kind), 0)
    texts = []
    if not (is_digits(value) and 0 < int(value) <= most):
        texts.append(f"The approval condition {value} of the type {kind} is not valid.")
    ends = ("transitionApproved", "transitionRejected")
    lost = [name for name in ends if str(approval.get(name)) not in transitions]
    texts += [f"The transition of {name} is not in the workflow." for name in lost]
    where = {"statusReference": place.reference}
    for text in texts:
        yield Problem("INVALID_APPROVAL_CONFIGURATION", text, "STATUS_PROPERTY", where)


def _check_name(name: str) -> Iterator[Problem]:
    if not name.strip():
        yield Problem("WORKFLOW_NAME_EMPTY", "Enter a workflow name.", "WORKFLOW")
    elif len(name) > NAME_LIMIT:
        yield Problem(
            "WORKFLOW_NAME_TOO_LONG",
            f"Workflow names can't be longer than {NAME_LIMIT} characters.",
            "WORKFLOW",
        )
    elif name != name.strip():
        yield Problem(
            "WORKFLOW_NAME_HAS_SPACE",
            "Workflow names can't begin or end with a space.",
            "WORKFLOW",
        )


def _check_transitions(draft: WorkflowDraft, places: set[str]) -> Iterator[Problem]:
    initial = [item for item in draft.transitions if item.type == "INITIAL"]
    if len(initial) != 1:
        yield Problem(
            "INITIAL_TRANSITION_COUNT",
            "A workflow must have exactly one initial transition.",
            "WORKFLOW",
        )
    ids = Counter(item.id for item in draft.transitions)
    for item in draft.transitions:
        for code, message in _faults(item, places, ids[item.id]):
            yield Problem(code, message, "TRANSITION", {"transitionId": item.id})
    yield from _check_names(draft)


def _faults(item: TransitionDraft, places: set[str], count: int) -> Iterator[tuple[str, str]]:
    """Yield codes and sentences of what is wrong with a transition by itself."""
    if not (is_digits(item.id) and 0 < len(item.id) <= 9):
        yield "INVALID_TRANSITION_ID", "Every transition must have a numeric id."
    elif count > 1:
        yield "NON_UNIQUE_TRANSITION_ID", f"The transition id {item.id} is used more than once."
    if not item.name.strip():
        yield "TRANSITION_NAME_EMPTY", "Enter a transition name."
    elif len(item.name) > TRANSITION_NAME_LIMIT:
        limit = TRANSITION_NAME_LIMIT
        yield "TRANSITION_NAME_TOO_LONG", f"Names can't be longer than {limit} characters."
    if item.type not in {"INITIAL", "GLOBAL", "DIRECTED"}:
        yield "INVALID_TRANSITION_TYPE", f"{item.type} is not a type of transitions."
    if item.type == "DIRECTED" and not item.links:
        yield "NO_FROM_STATUS", "A directed transition must lead from a status."
    if item.type != "DIRECTED" and item.links:
        yield "UNEXPECTED_FROM_STATUS", "Only directed transitions lead from statuses."
    if item.type == "INITIAL" and not item.to:
        yield "NO_TO_STATUS", "The initial transition must lead to a status."
    if item.type == "INITIAL" and item.conditions is not None:
        yield "INITIAL_TRANSITION_CONDITIONS", "The initial transition can't have conditions."
    ends = [*([item.to] if item.to else []), *(link.reference for link in item.links)]
    for reference in dict.fromkeys(ends):
        if reference not in places:
            yield "STATUS_NOT_IN_WORKFLOW", f"The status {reference} is not in the workflow."


def _check_names(draft: WorkflowDraft) -> Iterator[Problem]:
    """Yield transitions that people could not tell apart where they are offered together."""
    seen: dict[tuple[str, str], str] = {}
    for item in draft.transitions:
        if item.type == "INITIAL":
            continue
        sources = [link.reference for link in item.links] if item.type == "DIRECTED" else [""]
        for source in sources:
            name = item.name.strip().lower()
            if (source, name) in seen:
                yield Problem(
                    "NON_UNIQUE_TRANSITION_NAME",
                    f"The transition name {item.name} is used more than once from a status.",
                    "TRANSITION",
                    {"transitionId": item.id},
                )
                break
            seen[source, name] = item.id


def _check_reached(draft: WorkflowDraft) -> Iterator[Problem]:
    reached = {item.to for item in draft.transitions}
    for place in draft.places:
        if place.reference not in reached:
            yield Problem(
                "NO_INBOUND_TRANSITIONS_TO_STATUS",
                "No transitions lead to this status.",
                "STATUS",
                {"statusReference": place.reference},
                "WARNING",
            )


def _check_rules(item: TransitionDraft, scope: str) -> Iterator[Problem]:
    conditions: tuple[Rule, ...] = tuple(rules_in(item.conditions))
    screens = () if item.screen is None else (item.screen,)
    families: tuple[tuple[Family, Sequence[Rule]], ...] = (
        ("Condition", conditions),
        ("Validator", item.validators),
        ("Function", item.actions),
        ("Screen", screens),
    )
    for family, rules in families:
        for rule in rules:
            for code, message in _rule_faults(rule, family, scope, item.type):
                where = {"transitionId": item.id, **({"ruleId": rule.id} if rule.id else {})}
                yield Problem(code, message, "RULE", where)
    for trigger in item.triggers:
        if trigger.key != TRIGGERS:
            where = {"transitionId": item.id}
            yield Problem(
                "UNKNOWN_RULE", f"The rule key {trigger.key} is not known.", "TRIGGER", where
            )


def _rule_faults(
    rule: Rule, family: Family, scope: str, transition: str
) -> Iterator[tuple[str, str]]:
    kind = KINDS.get(rule.key)
    if kind is None:
        yield "UNKNOWN_RULE", f"The rule key {rule.key} is not known."
        return
    if kind.family != family:
        yield "RULE_MISPLACED", f"The rule {rule.key} can't be used here."
        return
    if scope not in kind.scopes:
        yield "RULE_NOT_AVAILABLE", f"The rule {rule.key} can't be used in this kind of project."
    if transition == "INITIAL" and family in {"Validator", "Function"} and not kind.initial:
        yield (
            "RULE_NOT_AVAILABLE_FOR_INITIAL_TRANSITION",
            f"The rule {rule.key} can't be used in an initial transition.",
        )
    parameters = kind.parameters
    if rule.key == "system:validate-field-value":
        parameters = {**parameters, **FIELD_RULES.get(rule.text("ruleType"), {})}
    yield from chain.from_iterable(
        _parameter_faults(rule, name, wanted) for name, wanted in parameters.items()
    )
    if rule.key == "system:change-assignee" and rule.text("type") == "to-selected-user":
        yield from _parameter_faults(rule, "accountId", Parameter(required=True))
    pattern = rule.text("regexp")
    if pattern and not is_pattern(pattern, "java"):
        yield "INVALID_RULE_PARAMETER", f"The regular expression {pattern} can't be used."


def _parameter_faults(rule: Rule, name: str, wanted: Parameter) -> Iterator[tuple[str, str]]:
    value = rule.text(name)
    if wanted.required and not value.strip():
        message = f"The parameter {name} of the rule {rule.key} is required."
        yield "MISSING_RULE_PARAMETER", message
    elif value and wanted.values and value not in wanted.values:
        message = f"The value {value} of the parameter {name} of the rule {rule.key} is not valid."
        yield "INVALID_RULE_PARAMETER", message
