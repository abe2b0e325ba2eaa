"""Matching rules: whether two records are about the same thing. Pure.

rule = MatchRule("Same_Person", "Contact", FUZZY, items, groups_of("1 AND (2 OR 3)", 3))
keys = rule.keys(values)            # records without a key in common are never compared
likeness = rule.likeness(values, others)   # in percent; None where they do not match
"""

from clones.crm.rules.matching.methods import FIELD_METHODS, METHODS
from clones.crm.rules.matching.rule import (
    EXACT,
    FUZZY,
    MOST_ITEMS,
    MatchItem,
    MatchRule,
    WrongFilter,
    groups_of,
)
from clones.crm.rules.matching.standard import STANDARD_RULES

__all__ = [
    "EXACT",
    "FIELD_METHODS",
    "FUZZY",
    "METHODS",
    "MOST_ITEMS",
    "STANDARD_RULES",
    "MatchItem",
    "MatchRule",
    "WrongFilter",
    "groups_of",
]
