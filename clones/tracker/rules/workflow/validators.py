"""Validators: where one fails, the transition is refused in its own words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Final

from clones.core.digits import is_digits
from clones.core.patterns import is_found
from clones.tracker.rules.workflow.conditions import as_day, compare, was_in
from clones.tracker.rules.workflow.facts import Facts
from clones.tracker.rules.workflow.rule import Rule

Check = Callable[[Rule, Facts], str | None]


def failure(rule: Rule, facts: Facts) -> str | None:
    """Return why a validator refuses a transition, None if it lets it pass."""
    check = _CHECKS.get(rule.key)
    return None if check is None else check(rule, facts)


def _has_permission(rule: Rule, facts: Facts) -> str | None:
    permission = rule.text("permissionKey")
    if not permission or facts.may(permission):
        return None
    return f"User does not have the required permission {permission}."


def _parent_is_in(rule: Rule, facts: Facts) -> str | None:
    allowed = rule.listed("statusIds")
    if facts.parent_status is None or facts.parent_status in allowed:
        return None
    names = ", ".join(facts.name_of_status(status) for status in allowed)
    return f"The parent issue must be in one of these statuses: {names}."


def _was_before(rule: Rule, facts: Facts) -> str | None:
    if was_in(rule, facts):
        return None
    names = ", ".join(facts.name_of_status(status) for status in rule.listed("previousStatusIds"))
    return f"The issue has not been in the status {names} before."


def _forms_are_attached(rule: Rule, facts: Facts) -> str | None:
    """Refuse: forms are no part of this site, so that none is ever attached."""
    del rule, facts
    return "A form must be attached before this transition."


def _field_is_valid(rule: Rule, facts: Facts) -> str | None:
    check = _FIELD_CHECKS.get(rule.text("ruleType"))
    return None if check is None else check(rule, facts)


def _is_filled(rule: Rule, facts: Facts) -> str | None:
    for field in rule.listed("fieldsRequired"):
        if rule.is_true("ignoreContext") and not facts.has_field(field):
            continue
        if not facts.values(field):
            own = rule.text("errorMessage")
            return own or f"Field {facts.name_of(field)} is required."
    return None


def _is_changed(rule: Rule, facts: Facts) -> str | None:
    field = rule.text("fieldKey")
    if facts.groups.intersection(rule.listed("groupsExemptFromValidation")) or facts.changed(field):
        return None
    own = rule.text("errorMessage")
    return own or f"Field {facts.name_of(field)} has not been modified."


def _has_one(rule: Rule, facts: Facts) -> str | None:
    field = rule.text("fieldKey")
    if rule.is_true("excludeSubtasks") and facts.is_subtask:
        return None
    if len(facts.values(field)) == 1:
        return None
    return f"{facts.name_of(field)} must have a single value."


def _matches(rule: Rule, facts: Facts) -> str | None:
    field = rule.text("fieldKey")
    texts = [value.text for value in facts.values(field)] or [""]
    if all(is_found(rule.text("regexp"), text, "java", otherwise=False) for text in texts):
        return None
    return f"{facts.name_of(field)} does not match the required pattern."


def _dates_compare(rule: Rule, facts: Facts) -> str | None:
    first, second = rule.text("date1FieldKey"), rule.text("date2FieldKey")
    comparator = rule.text("conditionSelected") or "="
    one = _date_of(first, facts, timed=rule.is_true("includeTime"))
    other = _date_of(second, facts, timed=rule.is_true("includeTime"))
    if one is None or other is None or compare(one, comparator, other):
        return None
    return f"{facts.name_of(first)} must be {comparator} {facts.name_of(second)}."


def _dates_are_near(rule: Rule, facts: Facts) -> str | None:
    first, second = rule.text("date1FieldKey"), rule.text("date2FieldKey")
    one, other = (_date_of(field, facts, timed=False) for field in (first, second))
    days = rule.text("numberOfDays")
    if one is None or other is None or not is_digits(days):
        return None
    if timedelta() <= one - other <= timedelta(days=int(days)):
        return None
    name = facts.name_of(second)
    return f"{facts.name_of(first)} must be within {days} days of {name}."


def _date_of(field: str, facts: Facts, *, timed: bool) -> datetime | None:
    """Return a field's date; times of day are cut off unless they count."""
    for value in facts.values(field):
        moment: datetime | date | None = value.moment if timed else as_day(value)
        if isinstance(moment, datetime):
            return moment.replace(tzinfo=None)
        if moment is not None:
            return datetime.combine(moment, datetime.min.time())
    return None


_FIELD_CHECKS: Final[dict[str, Check]] = {
    "fieldRequired": _is_filled,
    "fieldChanged": _is_changed,
    "fieldHasSingleValue": _has_one,
    "fieldMatchesRegularExpression": _matches,
    "dateFieldComparison": _dates_compare,
    "windowDateComparison": _dates_are_near,
}
_CHECKS: Final[dict[str, Check]] = {
    "system:check-permission-validator": _has_permission,
    "system:parent-or-child-blocking-validator": _parent_is_in,
    "system:previous-status-validator": _was_before,
    "system:validate-field-value": _field_is_valid,
    "system:proforma-forms-attached": _forms_are_attached,
}
