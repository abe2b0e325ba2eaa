"""Rules of workflows: what their conditions, validators and post functions mean. Pure."""

from clones.tracker.rules.workflow.actions import (
    Assign,
    CallWebhook,
    Copy,
    Effect,
    SetField,
    effects,
)
from clones.tracker.rules.workflow.conditions import hides_from_people, holds
from clones.tracker.rules.workflow.facts import Facts, FactValue, Passage
from clones.tracker.rules.workflow.rule import Rule, Tree, rule_of, rules_in, tree_of
from clones.tracker.rules.workflow.validators import failure

__all__ = [
    "Assign",
    "CallWebhook",
    "Copy",
    "Effect",
    "FactValue",
    "Facts",
    "Passage",
    "Rule",
    "SetField",
    "Tree",
    "effects",
    "failure",
    "hides_from_people",
    "holds",
    "rule_of",
    "rules_in",
    "tree_of",
]
