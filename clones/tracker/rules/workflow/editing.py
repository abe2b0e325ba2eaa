"""Editing a workflow step by step: each step makes another draft of the whole of it.

    drafted = put_transition(drafted, transition)
    drafted = put_rule(drafted, "11", "Validator", None, Rule(key, parameters))

`stored` and `drafted_of` write and read a draft as JSON, in which it is kept until it is published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.rules.workflow.drafts import (
    StatusDraft,
    StatusPlacement,
    TransitionDraft,
    TransitionSource,
    WorkflowDraft,
)
from clones.tracker.rules.workflow.rule import Rule, Tree, rule_of, rules_in, tree_of

STEP: Final = 10  # numbers of transitions go up by it, as on live sites
FAMILIES: Final = ("Condition", "Validator", "Function")


@dataclass(frozen=True, slots=True)
class Drafted:
    """A workflow as it shall be, with the statuses that it names."""

    workflow: WorkflowDraft
    statuses: tuple[StatusDraft, ...]

    def status(self, reference: str) -> StatusDraft | None:
        """Return the status of a reference."""
        return next((one for one in self.statuses if one.reference == reference), None)

    def transition(self, id: str) -> TransitionDraft | None:
        """Return the transition of an id."""
        return next((one for one in self.workflow.transitions if one.id == id), None)

    @property
    def next_id(self) -> str:
        """The id of the next transition that is added."""
        used = [int(one.id) for one in self.workflow.transitions if is_digits(one.id)]
        return str(max(used, default=1) + STEP)


def add_status(drafted: Drafted, status: StatusDraft, *, from_any: str = "") -> Drafted:
    """Add a status at the end; `from_any` names a transition that leads to it from everywhere."""
    flow = drafted.workflow
    places = (*flow.places, StatusPlacement(status.reference))
    transitions = flow.transitions
    if from_any:
        made = TransitionDraft(drafted.next_id, from_any, "GLOBAL", status.reference)
        transitions = (*transitions, made)
    changed = replace(flow, places=places, transitions=transitions)
    statuses = drafted.statuses
    if drafted.status(status.reference) is None:
        statuses = (*statuses, status)
    return Drafted(changed, statuses)


def remove_status(drafted: Drafted, reference: str) -> Drafted:
    """Take a status out with the transitions that lead to it, or from it alone."""
    flow = drafted.workflow
    kept = []
    for item in flow.transitions:
        if item.to == reference and item.type != "INITIAL":
            continue
        links = tuple(link for link in item.links if link.reference != reference)
        if item.links and not links:
            continue
        kept.append(replace(item, links=links))
    places = tuple(place for place in flow.places if place.reference != reference)
    statuses = tuple(one for one in drafted.statuses if one.reference != reference)
    return Drafted(replace(flow, places=places, transitions=tuple(kept)), statuses)


def put_transition(drafted: Drafted, item: TransitionDraft) -> Drafted:
    """Put a transition in the place of the one that has its id, or at the end."""
    rows = drafted.workflow.transitions
    if drafted.transition(item.id) is None:
        return _with(drafted, (*rows, item))
    return _with(drafted, tuple(item if one.id == item.id else one for one in rows))


def remove_transition(drafted: Drafted, id: str) -> Drafted:
    """Take a transition out."""
    rows = drafted.workflow.transitions
    return _with(drafted, tuple(one for one in rows if one.id != id))


def _with(drafted: Drafted, transitions: tuple[TransitionDraft, ...]) -> Drafted:
    return replace(drafted, workflow=replace(drafted.workflow, transitions=transitions))


def rules_of(item: TransitionDraft, family: str) -> tuple[Rule, ...]:
    """Return the rules of a family that a transition has: conditions from the top of the tree."""
    if family == "Condition":
        return tuple(rules_in(item.conditions))
    return item.validators if family == "Validator" else item.actions


def put_rule(drafted: Drafted, id: str, family: str, at: int | None, rule: Rule | None) -> Drafted:
    """Put a rule in the place of one, at the end (`at` None), or with None take that one out."""
    item = drafted.transition(id)
    if item is None:
        return drafted
    if family == "Condition":
        return put_transition(drafted, replace(item, conditions=_grown(item, at, rule)))
    rows = list(rules_of(item, family))
    if at is None:
        rows += [] if rule is None else [rule]
    else:
        rows[at : at + 1] = [] if rule is None else [rule]
    if family == "Validator":
        return put_transition(drafted, replace(item, validators=tuple(rows)))
    return put_transition(drafted, replace(item, actions=tuple(rows)))


def _grown(item: TransitionDraft, at: int | None, rule: Rule | None) -> Tree | None:
    tree = item.conditions or Tree("ALL")
    if at is None:
        return tree if rule is None else replace(tree, rules=(*tree.rules, rule))
    found, _ = _changed(tree, at, rule)
    return found if any(rules_in(found)) else None


def _changed(tree: Tree, at: int, rule: Rule | None) -> tuple[Tree, int]:
    """Return a tree whose rule at a place is another or gone, and how many rules it had."""
    number = len(tree.rules)
    rows = list(tree.rules)
    if at < number:
        rows[at : at + 1] = [] if rule is None else [rule]
        return replace(tree, rules=tuple(rows)), number
    groups = []
    for group in tree.groups:
        inner = len(tuple(rules_in(group)))
        found = _changed(group, at - number, rule)[0] if number <= at < number + inner else group
        number += inner
        if any(rules_in(found)):
            groups.append(found)
    return replace(tree, groups=tuple(groups)), number


def set_operation(drafted: Drafted, id: str, operation: str) -> Drafted:
    """Let all conditions of a transition be needed, or any of them."""
    item = drafted.transition(id)
    if item is None or item.conditions is None:
        return drafted
    tree = replace(item.conditions, operation=operation)
    return put_transition(drafted, replace(item, conditions=tree))


def stored(drafted: Drafted) -> dict[str, Any]:
    """Return a draft as JSON keeps it."""
    flow = drafted.workflow
    return {
        "statuses": [asdict(one) for one in drafted.statuses],
        "workflow": {
            "id": flow.id,
            "version": list(flow.version),
            "name": flow.name,
            "description": flow.description,
            "start": flow.start and dict(flow.start),
            "loop": flow.loop and dict(flow.loop),
            "places": [
                {
                    "reference": one.reference,
                    "layout": one.layout and dict(one.layout),
                    "properties": dict(one.properties),
                }
                for one in flow.places
            ],
            "transitions": [_stored_transition(one) for one in flow.transitions],
        },
    }


def _stored_transition(item: TransitionDraft) -> dict[str, Any]:
    return {
        "id": item.id,
        "name": item.name,
        "type": item.type,
        "to": item.to,
        "description": item.description,
        "links": [asdict(link) for link in item.links],
        "conditions": None if item.conditions is None else item.conditions.stored(),
        "validators": [rule.stored() for rule in item.validators],
        "actions": [rule.stored() for rule in item.actions],
        "triggers": [rule.stored() for rule in item.triggers],
        "screen": None if item.screen is None else item.screen.stored(),
        "event": item.event,
        "properties": dict(item.properties),
    }


def drafted_of(kept: Mapping[str, Any]) -> Drafted:
    """Read a draft that JSON kept."""
    flow = kept["workflow"]
    uuid, number = flow["version"]
    return Drafted(
        WorkflowDraft(
            name=flow["name"],
            places=tuple(StatusPlacement(**one) for one in flow["places"]),
            transitions=tuple(_transition(one) for one in flow["transitions"]),
            description=flow["description"],
            start=flow["start"],
            loop=flow["loop"],
            id=flow["id"],
            version=(uuid, number),
        ),
        tuple(StatusDraft(**one) for one in kept["statuses"]),
    )


def _rules(rows: Sequence[Mapping[str, Any]]) -> tuple[Rule, ...]:
    return tuple(rule_of(one) for one in rows)


def _transition(kept: Mapping[str, Any]) -> TransitionDraft:
    return TransitionDraft(
        id=kept["id"],
        name=kept["name"],
        type=kept["type"],
        to=kept["to"],
        description=kept["description"],
        links=tuple(TransitionSource(**one) for one in kept["links"]),
        conditions=tree_of(kept["conditions"]),
        validators=_rules(kept["validators"]),
        actions=_rules(kept["actions"]),
        triggers=_rules(kept["triggers"]),
        screen=None if kept["screen"] is None else rule_of(kept["screen"]),
        event=kept["event"],
        properties=kept["properties"],
    )
