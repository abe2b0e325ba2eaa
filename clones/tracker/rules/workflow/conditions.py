"""Conditions: where one does not hold, the transition is not there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, Final

from clones.core.strict_json import read_json
from clones.tracker.rules.workflow.facts import Facts, FactValue
from clones.tracker.rules.workflow.rule import Rule, Tree, rules_in

Test = Callable[[Rule, Facts], bool]


def holds(tree: Tree | None, facts: Facts) -> bool:
    """Tell whether conditions hold; no conditions do, and so does a rule of an unknown kind."""
    if tree is None:
        return True
    each = [*(_rule_holds(rule, facts) for rule in tree.rules)]
    each += [holds(group, facts) for group in tree.groups]
    if not each:
        return True
    return any(each) if tree.operation == "ANY" else all(each)


def hides_from_people(tree: Tree | None) -> bool:
    """Tell whether a transition is kept from people, and left to rules and to the API."""
    return any(rule.key == "system:restrict-from-all-users" for rule in rules_in(tree))


def _rule_holds(rule: Rule, facts: Facts) -> bool:
    test = _TESTS.get(rule.key)
    return True if test is None else test(rule, facts)


def _restricts(rule: Rule, facts: Facts) -> bool:
    """Any of the criteria suffices; somebody who is denied by name stays denied."""
    denied = rule.listed("denyUserCustomFields")
    if any(_is_in(facts, field) for field in denied):
        return False
    allowed = [
        *(_is_account(account, facts) for account in rule.listed("accountIds")),
        *(role in facts.roles for role in rule.listed("roleIds")),
        *(group in facts.groups for group in rule.listed("groupIds")),
        *(facts.may(permission) for permission in rule.listed("permissionKeys")),
        *(_is_member(facts, field) for field in rule.listed("groupCustomFields")),
        *(_is_in(facts, field) for field in rule.listed("allowUserCustomFields")),
    ]
    return any(allowed) if allowed else True


def _is_account(account: str, facts: Facts) -> bool:
    if facts.account is None:
        return False
    match account:
        case "allow-assignee":
            return facts.assignee == facts.account
        case "allow-reporter":
            return facts.reporter == facts.account
    return account == facts.account


def _is_in(facts: Facts, field: str) -> bool:
    return facts.account is not None and any(
        value.id == facts.account for value in facts.values(field)
    )


def _is_member(facts: Facts, field: str) -> bool:
    return any(value.id in facts.groups for value in facts.values(field))


def _left_to_rules(rule: Rule, facts: Facts) -> bool:
    return facts.remote and rule.text("restrictMode") != "usersAndAPI"


def _field_compares(rule: Rule, facts: Facts) -> bool:
    comparator, kind = rule.text("comparator") or "=", rule.text("comparisonType") or "STRING"
    values = facts.values(rule.text("fieldId"))
    wanted = list(map(_reader(kind), _listed_values(rule.text("fieldValue"))))
    held = [_part(value, kind) for value in values]
    held = [item for item in held if item is not None]
    if comparator == "!=":
        return not any(item in wanted for item in held)
    if comparator == "=":
        return any(item in wanted for item in held)
    return any(
        compare(mine, comparator, other) for mine in held for other in wanted if other is not None
    )


def _listed_values(text: str) -> Sequence[str]:
    """Return the values that a rule names: a JSON list, or one bare value."""
    try:
        found = read_json(text)
    except ValueError:
        return [text]
    return [str(item) for item in found] if isinstance(found, list) else [str(found)]


def _reader(kind: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            match kind:
                case "NUMBER":
                    return float(text)
                case "DATE":
                    return datetime.fromisoformat(text).timestamp()
                case "DATE_WITHOUT_TIME":
                    return datetime.fromisoformat(text).date()
        except ValueError:
            return None
        return text.strip().lower() if kind == "STRING" else text

    return read


def _part(value: FactValue, kind: str) -> Any:
    """Return what of a value is compared, None if it has no such thing."""
    match kind:
        case "NUMBER":
            return value.number
        case "DATE":
            return value.moment.timestamp() if isinstance(value.moment, datetime) else None
        case "DATE_WITHOUT_TIME":
            return value.moment.date() if isinstance(value.moment, datetime) else value.moment
        case "OPTIONID":
            return value.id
    return value.text.strip().lower()


def compare(mine: Any, comparator: str, other: Any) -> bool:
    """Tell whether `mine` stands to `other` as a comparator says; things of other kinds do not."""
    if type(mine) is not type(other):
        return False
    match comparator:
        case ">":
            return bool(mine > other)
        case ">=":
            return bool(mine >= other)
        case "<":
            return bool(mine < other)
        case "<=":
            return bool(mine <= other)
        case "!=":
            return bool(mine != other)
    return bool(mine == other)


def was_in(rule: Rule, facts: Facts) -> bool:
    """Tell whether an issue was in one of a rule's statuses before."""
    passages = [
        passage
        for passage in facts.passages
        if passage.source != passage.target or not rule.is_true("ignoreLoopTransitions")
    ]
    before = [passage.source for passage in passages]
    if rule.is_true("mostRecentStatusOnly"):
        before = before[-1:]
    if rule.is_true("includeCurrentStatus"):
        before.append(facts.status)
    return any(status in before for status in rule.listed("previousStatusIds"))


def _previous_status(rule: Rule, facts: Facts) -> bool:
    return was_in(rule, facts) != rule.is_true("not")


def _children_are_in(rule: Rule, facts: Facts) -> bool:
    allowed = rule.listed("statusIds")
    return all(status in allowed for status in facts.child_statuses)


def _is_another(rule: Rule, facts: Facts) -> bool:
    """They must not have done the step before: it was from one status to another."""
    source, target = rule.text("fromStatusId"), rule.text("toStatusId")
    return not any(
        passage.account == facts.account
        and (not source or passage.source == source)
        and (not target or passage.target == target)
        for passage in facts.passages
    )


def _nothing_pends(rule: Rule, facts: Facts) -> bool:
    return facts.approval != "pending"


def _is_approved(rule: Rule, facts: Facts) -> bool:
    return facts.approval == "approved"


def _is_declined(rule: Rule, facts: Facts) -> bool:
    return facts.approval == "declined"


def as_day(value: FactValue) -> date | None:
    """Return the day of a value."""
    return value.moment.date() if isinstance(value.moment, datetime) else value.moment


_TESTS: Final[dict[str, Test]] = {
    "system:restrict-issue-transition": _restricts,
    "system:restrict-from-all-users": _left_to_rules,
    "system:check-field-value": _field_compares,
    "system:previous-status-condition": _previous_status,
    "system:parent-or-child-blocking-condition": _children_are_in,
    "system:separation-of-duties": _is_another,
    "system:block-in-progress-approval": _nothing_pends,
    "system:jsd-approvals-block-until-approved": _is_approved,
    "system:jsd-approvals-block-until-rejected": _is_declined,
}
