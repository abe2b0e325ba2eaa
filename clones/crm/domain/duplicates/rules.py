"""The organization's matching and duplicate rules, as they are at this moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.crm.models import DuplicateRuleMetadata, SObjectRow, rows_of
from clones.crm.rules.criteria import Item, read_items
from clones.crm.rules.matching import (
    STANDARD_RULES,
    MatchItem,
    MatchRule,
    groups_of,
)
from clones.crm.rules.matching.standard_duplicates import STANDARD_DUPLICATE_RULES
from clones.crm.rules.schema import SObject

MATCHED: Final = frozenset({"Account", "Contact", "Lead"})
ALLOW, BLOCK = "Allow", "Block"
ALERT, REPORT = "Alert", "Report"
ACTIVE: Final = "Active"


@dataclass(frozen=True, slots=True)
class Action:
    """What is done with a record that is like others: whether it is kept, who is told."""

    blocks: bool
    alerts: bool
    reports: bool


@dataclass(frozen=True, slots=True)
class MappedRule:
    """A matching rule that a duplicate rule uses, of its own object or of another one.

    `mapping` has the fields of the rule's object by those that they are taken from; None where they
    are the same.
    """

    rule: MatchRule
    mapping: Mapping[str, str] | None = None

    @property
    def sources(self) -> tuple[str, ...]:
        """The fields of a saved record that are compared."""
        if self.mapping is None:
            return self.rule.fields
        return tuple(self.mapping)


@dataclass(frozen=True, slots=True)
class DuplicateRule:
    """A duplicate rule that is active: what it compares, when, and what follows.

    One that `shares` compares with what the user sees alone.
    """

    id: str
    name: str
    object: str
    on_insert: Action
    on_update: Action
    alert: str
    comparisons: tuple[MappedRule, ...]
    items: tuple[Item, ...]
    logic: str | None
    order: int
    shares: bool


def may_be_matched(of: SObject) -> bool:
    """Tell whether there can be matching and duplicate rules for an object."""
    return of.is_custom or of.name in MATCHED


def match_rules(of: SObject | None = None, names: Iterable[str] = ()) -> dict[str, MatchRule]:
    """Return the active matching rules of an object, or those of some names, by their names."""
    rows = rows_of("MatchingRule").filter(RuleStatus=ACTIVE, IsDeleted=False).order_by("Id")
    rows = (
        rows.filter(DeveloperName__in=list(names))
        if of is None
        else rows.filter(SobjectType=of.name)
    )
    found = list(rows)
    own = [row for row in found if row.DeveloperName not in STANDARD_RULES]
    items: dict[str, list[SObjectRow]] = {row.pk: [] for row in own}
    if own:
        for item in (
            rows_of("MatchingRuleItem").filter(MatchingRuleId__in=list(items)).order_by("SortOrder")
        ):
            items[item.MatchingRuleId].append(item)
    return {
        row.DeveloperName: STANDARD_RULES.get(row.DeveloperName)
        or read_match_rule(row, items[row.pk])
        for row in found
    }


def read_match_rule(row: SObjectRow, items: Iterable[SObjectRow]) -> MatchRule:
    """Return a matching rule from its row and those of its items."""
    read = tuple(MatchItem(one.Field, one.MatchingMethod, one.BlankValueBehavior) for one in items)
    return MatchRule(
        row.DeveloperName,
        row.SobjectType,
        row.MatchEngine,
        read,
        groups_of(row.BooleanFilter, len(read)),
    )


def duplicate_rules(of: SObject) -> list[DuplicateRule]:
    """Return the active duplicate rules of an object, in their order."""
    rows = rows_of("DuplicateRule").filter(SobjectType=of.name, IsActive=True, IsDeleted=False)
    definitions = {
        row.pk: dict(STANDARD_DUPLICATE_RULES.get(row.DeveloperName, {})) for row in rows
    }
    if not definitions:
        return []
    for kept in DuplicateRuleMetadata.objects.filter(id__in=list(definitions)):
        definitions[kept.id] = kept.definition
    names = {
        one["matchingRule"]
        for definition in definitions.values()
        for one in definition.get("duplicateRuleMatchRules", ())
    }
    known = match_rules(names=sorted(names))
    found = [_read_rule(row, definitions[row.pk], known) for row in rows]
    return sorted(found, key=lambda one: (one.order, one.id))


def _read_rule(
    row: SObjectRow, definition: Mapping[str, Any], known: Mapping[str, MatchRule]
) -> DuplicateRule:
    given = definition.get("duplicateRuleFilter") or {}
    return DuplicateRule(
        row.pk,
        row.DeveloperName,
        row.SobjectType,
        _action(definition, "Insert"),
        _action(definition, "Update"),
        definition.get("alertText") or "",
        tuple(
            MappedRule(known[one["matchingRule"]], _mapping(one))
            for one in definition.get("duplicateRuleMatchRules", ())
            if one["matchingRule"] in known  # one that sleeps compares nothing
        ),
        read_items(given.get("duplicateRuleFilterItems")),
        given.get("booleanFilter"),
        int(definition.get("sortOrder") or 0),
        definition.get("securityOption") != "BypassSharingRules",
    )


def _action(definition: Mapping[str, Any], when: str) -> Action:
    blocks = definition.get(f"actionOn{when}") == BLOCK
    operations = () if blocks else definition.get(f"operationsOn{when}") or ()
    return Action(blocks, ALERT in operations, REPORT in operations)


def _mapping(given: Mapping[str, Any]) -> dict[str, str] | None:
    mapped = given.get("objectMapping")
    if not mapped:
        return None
    return {one["inputField"]: one["outputField"] for one in mapped["mappingFields"]}
