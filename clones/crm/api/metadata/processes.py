"""Components that a domain defines by their metadata: how they are written and shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from clones.crm.api.soap.xml import Element
from clones.crm.domain.approvals.defining import define_process
from clones.crm.domain.duplicates.defining import define_duplicate_rule, define_matching_rule
from clones.crm.domain.record_types import (
    PROFILE_NAMES,
    define_business_process,
    define_permission_set,
    define_profile,
    define_record_type,
)
from clones.crm.models import ApprovalProcess, DuplicateRuleMetadata, SObjectRow, rows_of
from clones.crm.queries.record_type_metadata import (
    business_process_metadata,
    permission_set_metadata,
    profile_metadata,
    record_type_metadata,
)
from clones.crm.rules.matching import STANDARD_RULES
from clones.crm.rules.matching.standard_duplicates import STANDARD_DUPLICATE_RULES

# Members that are lists however many there are, that say yes or no, and that are numbers.
_LISTS: Final = frozenset(
    {
        "action",
        "allowedSubmitters",
        "approvalStep",
        "approver",
        "criteriaItems",
        "duplicateRuleFilterItems",
        "duplicateRuleMatchRules",
        "mappingFields",
        "matchingRuleItems",
        "operationsOnInsert",
        "operationsOnUpdate",
        "picklistValues",
        "recordTypeVisibilities",
        "values",
    }
)
_FLAGS: Final = frozenset(
    {
        "active",
        "allowDelegate",
        "allowRecall",
        "default",
        "finalApprovalRecordLock",
        "finalRejectionRecordLock",
        "isActive",
        "useApproverFieldOfRecordOwner",
        "visible",
    }
)
_NUMBERS: Final = frozenset({"processOrder", "sortOrder"})
_DIGITS: Final = frozenset("0123456789")
_LONGEST_NUMBER: Final = 6
DEFINERS: Final[Mapping[str, Callable[..., Any]]] = {
    "MatchingRule": define_matching_rule,
    "DuplicateRule": define_duplicate_rule,
    "ApprovalProcess": define_process,
    "BusinessProcess": define_business_process,
    "RecordType": define_record_type,
    "PermissionSet": define_permission_set,
    "Profile": define_profile,
}


def shown_rules(kind: str) -> Iterator[tuple[SObjectRow, str, dict[str, Any]]]:
    """Yield each component of a kind: its row, its whole name, and what metadata say of it."""
    if kind == "MatchingRule":
        yield from _matching_rules()
    elif kind == "DuplicateRule":
        yield from _duplicate_rules()
    elif kind == "RecordType":
        yield from record_type_metadata()
    elif kind == "BusinessProcess":
        yield from business_process_metadata()
    elif kind == "Profile":
        yield from profile_metadata({own: name for name, own in PROFILE_NAMES.items()})
    elif kind == "PermissionSet":
        yield from permission_set_metadata()
    else:
        yield from _approval_processes()


def said_by(given: Element) -> dict[str, Any]:
    """Return what an element says of a component, as JSON would say it; nil members say nothing."""
    return {name: value for name, value in _members(given).items() if name != "fullName"}


def _members(given: Element) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in given.children:
        if one.is_nil:
            continue
        value = _members(one) if one.children else _plain(one.name, one.text.strip())
        if one.name in _LISTS:
            found.setdefault(one.name, []).append(value)
        else:
            found[one.name] = value
    return found


def _plain(name: str, text: str) -> Any:
    if name in _FLAGS:
        return text in ("true", "1")
    if name in _NUMBERS and text and len(text) <= _LONGEST_NUMBER and set(text) <= _DIGITS:
        return int(text)
    return text


def _matching_rules() -> Iterator[tuple[SObjectRow, str, dict[str, Any]]]:
    items: dict[str, list[dict[str, Any]]] = {}
    for one in rows_of("MatchingRuleItem").order_by("MatchingRuleId", "SortOrder"):
        items.setdefault(one.MatchingRuleId, []).append(
            {
                "blankValueBehavior": one.BlankValueBehavior,
                "fieldName": one.Field,
                "matchingMethod": one.MatchingMethod,
            }
        )
    rows = rows_of("MatchingRule").filter(IsDeleted=False)
    for row in rows.order_by("SobjectType", "DeveloperName"):
        body: dict[str, Any] = {"fullName": row.DeveloperName}
        if row.BooleanFilter:
            body["booleanFilter"] = row.BooleanFilter
        if row.Description:
            body["description"] = row.Description
        body["label"] = row.MasterLabel
        if row.DeveloperName not in STANDARD_RULES:
            body["matchingRuleItems"] = items.get(row.pk, [])
        yield row, _name(row), {**body, "ruleStatus": row.RuleStatus}


def _duplicate_rules() -> Iterator[tuple[SObjectRow, str, dict[str, Any]]]:
    kept = dict(DuplicateRuleMetadata.objects.values_list("id", "definition"))
    rows = rows_of("DuplicateRule").filter(IsDeleted=False)
    for row in rows.order_by("SobjectType", "DeveloperName"):
        own = kept.get(row.pk) or dict(STANDARD_DUPLICATE_RULES.get(row.DeveloperName, {}))
        body = {**own, "isActive": row.IsActive, "masterLabel": row.MasterLabel}
        yield row, _name(row), {"fullName": row.DeveloperName, **dict(sorted(body.items()))}


def _approval_processes() -> Iterator[tuple[SObjectRow, str, dict[str, Any]]]:
    rows = {row.pk: row for row in rows_of("ProcessDefinition").filter(Type="Approval")}
    for one in ApprovalProcess.objects.order_by("object", "name"):
        body = {"fullName": one.name, **dict(sorted(one.definition.items()))}
        yield rows[one.id], f"{one.object}.{one.name}", {**body, "active": one.is_active}


def _name(row: SObjectRow) -> str:
    return f"{row.SobjectType}.{row.DeveloperName}"
