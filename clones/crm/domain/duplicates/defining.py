"""Defining matching and duplicate rules, by the vendor's metadata of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.duplicates.comparing import index_rule
from clones.crm.domain.duplicates.rules import ALERT, ALLOW, BLOCK, REPORT, may_be_matched
from clones.crm.domain.rows import add_row
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import DuplicateRuleMetadata, MatchKey, SObjectRow, rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.criteria import WrongCriteria, check_criteria, read_items
from clones.crm.rules.matching import (
    EXACT,
    FIELD_METHODS,
    FUZZY,
    MOST_ITEMS,
    STANDARD_RULES,
    WrongFilter,
    groups_of,
)
from clones.crm.rules.matching.standard_duplicates import STANDARD_DUPLICATE_RULES
from clones.crm.rules.schema import SObject
from clones.crm.rules.schema.custom import is_name

MOST_ACTIVE: Final = 5  # rules of a kind that an object may have switched on
MOST_MATCHING: Final = 3  # matching rules that a duplicate rule compares by
_BLANKS: Final = ("NullNotAllowed", "MatchBlanks")
_LONGEST: Final = 80
_TEXT: Final = 255
_MOST_ORDER: Final = 100
# Types of fields that are compared by the text that they show.
_COMPARED: Final = frozenset(
    {"string", "email", "phone", "url", "picklist", "reference", "double", "int", "currency"}
) | {"percent", "date", "textarea"}


def define_matching_rule(full_name: str, given: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Give an object (`Contact.Same_Phone`) a matching rule, or change the one of that name.

    `given`: `label`, `matchingRuleItems` (`fieldName`, `matchingMethod`, `blankValueBehavior`),
    `booleanFilter`, `description`, `ruleStatus`. A standard rule can be switched on and off alone.

    Raises:
        RecordError: the actor may not, the name will not do, or the metadata are wrong.
        NotFound: there is no such object.
    """
    require_admin(actor)
    of, name = _named(full_name)
    status = given.get("ruleStatus") or "Inactive"
    if status not in ("Active", "Inactive"):
        raise _wrong(f"Invalid rule status: {str(status)[:_LONGEST]}")
    now = clock.now().replace(microsecond=0)
    rows = rows_of("MatchingRule").filter(SobjectType=of.name, DeveloperName=name, IsDeleted=False)
    row: SObjectRow | None = rows.first()
    if status == "Active":
        _check_number("MatchingRule", of, row, RuleStatus="Active")
    if row is not None and name in STANDARD_RULES:
        row.RuleStatus = status
    else:
        items = _items(of, given)
        values = {
            "MasterLabel": _text(given, "label", name),
            "Description": _text(given, "description", None),
            "BooleanFilter": _logic(given, len(items)),
            "MatchEngine": FUZZY if any(one[1] != "Exact" for one in items) else EXACT,
            "RuleStatus": status,
        }
        if row is None:
            fixed = {"SobjectType": of.name, "DeveloperName": name, "Language": "en_US"}
            fixed |= {"SobjectSubtype": "None"}
            row = add_row("MatchingRule", {**fixed, **values}, by=actor, now=now)
        for field, value in values.items():
            setattr(row, field, value)
        rows_of("MatchingRuleItem").filter(MatchingRuleId=row.pk).delete()
        for place, (field, method, blanks) in enumerate(items, 1):
            item = {"MatchingRuleId": row.pk, "SortOrder": place, "Field": field}
            item |= {"MatchingMethod": method, "BlankValueBehavior": blanks}
            add_row("MatchingRuleItem", item, by=actor, now=now)
    _stamp(row, actor)
    MatchKey.objects.filter(rule=name).delete()
    if status == "Active":
        index_rule(of.schema, name)
    return row


def define_duplicate_rule(full_name: str, given: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Give an object (`Contact.No_Twins`) a duplicate rule, or change the one of that name.

    `given`: what the vendor's metadata of a duplicate rule have; of one that is there, what is not
    said stays.

    Raises:
        RecordError: the actor may not, the name will not do, or the metadata are wrong.
        NotFound: there is no such object.
    """
    require_admin(actor)
    of, name = _named(full_name)
    rows = rows_of("DuplicateRule").filter(SobjectType=of.name, DeveloperName=name, IsDeleted=False)
    row: SObjectRow | None = rows.first()
    kept = None if row is None else DuplicateRuleMetadata.objects.filter(id=row.pk).first()
    before = dict(kept.definition if kept else STANDARD_DUPLICATE_RULES.get(name, {}))
    definition = _checked(of, {**before, **given})
    is_active = given.get("isActive", row is not None and row.IsActive) is True
    if is_active:
        _check_number("DuplicateRule", of, row, IsActive=True)
    if row is None:
        now = clock.now().replace(microsecond=0)
        fixed = {"SobjectType": of.name, "DeveloperName": name, "Language": "en_US"}
        fixed |= {"SobjectSubtype": "None", "MasterLabel": name}
        row = add_row("DuplicateRule", fixed, by=actor, now=now)
    row.MasterLabel = _text(given, "masterLabel", row.MasterLabel)
    row.IsActive = is_active
    _stamp(row, actor)
    if kept is None:
        kept = DuplicateRuleMetadata(id=row.pk, definition=definition)
        kept.save(force_insert=True)
    else:
        kept.definition = definition
        kept.save()
    return row


def _named(full_name: str) -> tuple[SObject, str]:
    of, _, name = full_name.partition(".")
    target = org_schema().find(of)
    if target is None:
        raise NotFound
    if not may_be_matched(target):
        raise _wrong(f"{target.name} does not support duplicate management")
    if not is_name(name) and name not in STANDARD_RULES and name not in STANDARD_DUPLICATE_RULES:
        raise RecordError("INVALID_FIELD", "The rule name is not valid.", ["FullName"])
    return target, name


def _items(of: SObject, given: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    items = given.get("matchingRuleItems")
    if not isinstance(items, list) or not 1 <= len(items) <= MOST_ITEMS:
        raise _wrong(f"A matching rule has one to {MOST_ITEMS} matching criteria")
    found = []
    for one in items:
        if not isinstance(one, Mapping):
            raise _wrong("A matching criterion must be an object")
        field = of.field(str(one.get("fieldName") or ""))
        method = one.get("matchingMethod") or "Exact"
        blanks = one.get("blankValueBehavior") or _BLANKS[0]
        if field is None or field.type not in _COMPARED or field.formula is not None:
            raise _wrong(f"Invalid field in matching rule: {str(one.get('fieldName'))[:_LONGEST]}")
        if method not in FIELD_METHODS or blanks not in _BLANKS:
            raise _wrong(f"Invalid matching method for {field.name}: {str(method)[:_LONGEST]}")
        if method != "Exact" and not field.is_text:
            raise _wrong(f"Matching method {method} does not fit {field.name}")
        found.append((field.name, method, blanks))
    return found


def _logic(given: Mapping[str, Any], count: int) -> str | None:
    logic = given.get("booleanFilter")
    if logic is not None and (not isinstance(logic, str) or len(logic) > _TEXT):
        raise _wrong("Invalid filter logic")
    try:
        groups_of(logic, count)
    except WrongFilter as error:
        raise _wrong(str(error)) from error
    return logic or None


def _checked(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a duplicate rule, of which nothing is wrong."""
    found: dict[str, Any] = {"sortOrder": given.get("sortOrder") or 1}
    if type(found["sortOrder"]) is not int or not 0 < found["sortOrder"] <= _MOST_ORDER:
        raise _wrong("Invalid sort order")
    for when in ("Insert", "Update"):
        action = given.get(f"actionOn{when}")
        operations = given.get(f"operationsOn{when}") or []
        if action not in (ALLOW, BLOCK):
            raise _wrong(f"Required fields are missing: [actionOn{when}]")
        if not isinstance(operations, list) or not set(map(str, operations)) <= {ALERT, REPORT}:
            raise _wrong(f"Invalid operations on {when.lower()}")
        if action == BLOCK and operations:
            raise _wrong("Operations are for the action Allow only")
        found |= {f"actionOn{when}": action, f"operationsOn{when}": operations}
    found["alertText"] = _text(given, "alertText", None)
    if found["alertText"] is None:
        raise _wrong("Required fields are missing: [alertText]")
    security = given.get("securityOption") or "EnforceSharingRules"
    if security not in ("EnforceSharingRules", "BypassSharingRules"):
        raise _wrong("Invalid security option")
    found["securityOption"] = security
    found["duplicateRuleMatchRules"] = _compared(of, given.get("duplicateRuleMatchRules"))
    found["duplicateRuleFilter"] = _filter(of, given.get("duplicateRuleFilter"))
    return found


def _compared(of: SObject, given: Any) -> list[dict[str, Any]]:
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_MATCHING:
        raise _wrong(f"A duplicate rule has one to {MOST_MATCHING} matching rules")
    found: list[dict[str, Any]] = []
    for one in given:
        if not isinstance(one, Mapping):
            raise _wrong("A matching rule of a duplicate rule must be an object")
        target = of.schema.find(str(one.get("matchRuleSObjectType") or of.name))
        name = str(one.get("matchingRule") or "")[:_LONGEST]
        rows = rows_of("MatchingRule").filter(DeveloperName=name, IsDeleted=False)
        if target is None or not rows.filter(SobjectType=target.name).exists():
            raise _wrong(f"There is no matching rule {name}")
        if any(other["matchingRule"] == name for other in found):
            raise _wrong(f"Select an {target.label.lower()} matching rule only once")
        kept: dict[str, Any] = {"matchRuleSObjectType": target.name, "matchingRule": name}
        if one.get("objectMapping"):
            kept["objectMapping"] = {"mappingFields": _mapped(of, one["objectMapping"])}
        elif target is not of:
            raise _wrong("A matching rule of another object needs an object mapping")
        found.append(kept)
    return found


def _mapped(of: SObject, given: Any) -> list[dict[str, str]]:
    fields = given.get("mappingFields") if isinstance(given, Mapping) else None
    if not isinstance(fields, list):
        raise _wrong("Invalid object mapping")
    found = []
    for one in fields:
        given = one if isinstance(one, Mapping) else {}
        source, to = given.get("inputField"), given.get("outputField")
        if not isinstance(source, str) or not isinstance(to, str):
            raise _wrong("Invalid object mapping")
        if source != "Account.Name" and of.field(source) is None:
            raise _wrong(f"Invalid field in object mapping: {source[:_LONGEST]}")
        found.append({"inputField": source, "outputField": to})
    return found


def _filter(of: SObject, given: Any) -> dict[str, Any] | None:
    if not given:
        return None
    if not isinstance(given, Mapping):
        raise _wrong("Invalid filter")
    logic = given.get("booleanFilter")
    try:
        items = read_items(given.get("duplicateRuleFilterItems"))
        check_criteria(items, logic if isinstance(logic, str) else None, of)
    except WrongCriteria as error:
        raise _wrong(str(error)) from error
    kept = [{"field": one.field, "operation": one.operation, "value": one.value} for one in items]
    return {"booleanFilter": logic, "duplicateRuleFilterItems": kept}


def _check_number(kind: str, of: SObject, own: SObjectRow | None, **active: Any) -> None:
    rows = rows_of(kind).filter(SobjectType=of.name, IsDeleted=False, **active)
    if own is not None:
        rows = rows.exclude(Id=own.pk)
    if rows.count() >= MOST_ACTIVE:
        raise RecordError("LIMIT_EXCEEDED", f"{of.label} has {MOST_ACTIVE} active rules already")


def _text(given: Mapping[str, Any], name: str, otherwise: Any) -> Any:
    found = given.get(name, otherwise)
    if found is not None and (not isinstance(found, str) or len(found) > _TEXT):
        raise _wrong(f"Invalid {name}")
    return found


def _stamp(row: SObjectRow, actor: str) -> None:
    row.LastModifiedDate = row.SystemModstamp = clock.now().replace(microsecond=0)
    row.LastModifiedById = actor
    row.save()


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
