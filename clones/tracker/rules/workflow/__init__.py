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
from clones.tracker.rules.workflow.facts import Facts, Passage, Value
from clones.tracker.rules.workflow.rule import Rule, Tree, rule_of, rules_in, tree_of
from clones.tracker.rules.workflow.validators import failure

__all__ = [
    "Assign",
    "CallWebhook",
    "Copy",
    "Effect",
    "Facts",
    "Passage",
    "Rule",
    "SetField",
    "Tree",
    "Value",
    "effects",
    "failure",
    "hides_from_people",
    "holds",
    "rule_of",
    "rules_in",
    "tree_of",
]
