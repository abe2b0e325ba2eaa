"""Conditions of rules: whether a run goes on for the issue at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from clones.core.strict_json import read_json
from clones.tracker.domain.automation.branching import related
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.automation.operations import field_named
from clones.tracker.domain.automation.people import people_named
from clones.tracker.models import Attachment, GroupMember, Issue, RoleActor, User
from clones.tracker.queries import searching
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.rule_values import values_of
from clones.tracker.rules.automation.catalogue.asking import COMPARISONS, OPERATORS
from clones.tracker.rules.automation.comparing import ComparedValue, compare, holds
from clones.tracker.rules.automation.documents import Component

Verdict = tuple[bool, str]
_WORDS: Final = {**dict(COMPARISONS), **dict(OPERATORS)}


def check(run: Run, component: Component) -> Verdict:
    """Tell whether a condition holds, and what the log says of it.

    Raises:
        TrackerError, JqlError, SmartValueError: it cannot be asked.
    """
    act = _CHECKS.get(component["type"])
    if act is None:
        raise ActFailed(f"The condition {component['type']} is unknown.")
    return act(run, component)


def _of_issues(run: Run, *, met: bool) -> Verdict:
    words = "passed the condition" if met else "did not match the condition"
    return met, f"The following work items {words}: {run.key}"


def _fields(run: Run, component: Component) -> Verdict:
    value = component["value"]
    chosen = value.get("selectedField") or {}
    field = str(chosen.get("value") or value.get("selectedFieldType") or "")
    issue = run.row()
    if chosen.get("type") == "NAME":
        field = field_named(field)
    held = [
        ComparedValue(one.text, one.id, one.number, one.moment) for one in _values(field, issue)
    ]
    comparison = str(value.get("comparison", ""))
    met = holds(comparison, held, _wanted(run, value, comparison))
    return _of_issues(run, met=met)


def _values(field: str, issue: Issue) -> Sequence[Any]:
    """Return a field's values, those that the workflow's rules do not know among them."""
    columns: dict[str, Any] = {
        "status": issue.status,
        "issuetype": issue.issue_type,
        "project": issue.project,
    }
    if field in columns:
        row = columns[field]
        return [ComparedValue(row.name, str(row.id))]
    if field == "statusCategory":
        return [ComparedValue(issue.status.category, issue.status.category)]
    return values_of(field, [issue]).get(issue.id, ())


def _wanted(run: Run, value: dict[str, Any], comparison: str) -> list[str]:
    """Return what a field is compared with: ids, or names with smart values in them."""
    given = value.get("compareValue") or value.get("compareFieldValue")
    if isinstance(given, str):
        given = {"type": "NAME", "value": given}
    if not isinstance(given, dict) or comparison in ("EMPTY", "NOT_EMPTY"):
        return []
    several = given.get("values")
    if isinstance(several, list):
        return [run.render(one) for one in several]
    text = given.get("value")
    if isinstance(text, list):
        return [run.render(one) for one in text]
    if given.get("multiValue") and isinstance(text, str) and text.startswith("["):
        try:
            return [run.render(one) for one in read_json(text)]
        except ValueError:
            pass
    if comparison in _ONE_TEXT and given.get("type") != "ID":
        said = run.render(text)
        return [said] if said else []
    return run.texts(text)


_ONE_TEXT: Final = frozenset(
    {"EQUALS", "NOT_EQUALS", "CONTAINS", "NOT_CONTAINS", "GREATER_THAN", "LESS_THAN"}
)


def _jql(run: Run, component: Component) -> Verdict:
    if run.issue is None:
        raise ActFailed("There is no work item at hand.")
    query = run.render(component["value"])
    return _of_issues(run, met=searching.matches(run.issue, query, run.actor))


def _compare(run: Run, component: Component) -> Verdict:
    value = component["value"]
    first, second = run.render(value.get("first")), run.render(value.get("second"))
    operator = str(value.get("operator", "EQUALS"))
    met = compare(operator, first, second)
    if met:
        return met, "The provided values match."
    words = _WORDS.get(operator, operator)
    return met, (
        f"The provided values don't match. First value: {first[:200]} Condition: {words} "
        f"Second value: {second[:200]}"
    )


def _users(run: Run, component: Component) -> Verdict:
    value = component["value"]
    asked = [one for one in value.get("conditions") or () if isinstance(one, dict)]
    answers = [_user(run, one) for one in asked]
    met = all(answers) if value.get("operator") == "AND" else any(answers)
    if run.issue is not None:
        return _of_issues(run, met=met)
    return met, "The user condition matched." if met else "The user condition did not match."


def _user(run: Run, asked: dict[str, Any]) -> bool:
    """Tell whether who stands somewhere meets one line of a user condition."""
    user = _who(run, asked.get("field"))
    check = str(asked.get("check", "USER_IS"))
    if check in ("EMPTY", "IS_EMPTY", "NOT_EMPTY"):
        return (user is None) == (check != "NOT_EMPTY")
    criteria = [one for one in asked.get("criteria") or () if isinstance(one, dict)]
    if check in ("USER_IS", "USER_IS_NOT"):
        named = {one.id for line in criteria for one in people_named(run, line)}
        return (user is not None and user.id in named) == (check == "USER_IS")
    if check in ("IS_CUSTOMER", "IS_NOT_CUSTOMER"):
        customer = user is not None and user.account_type == "customer"
        return customer == (check == "IS_CUSTOMER")
    wanted = [run.render(one.get("value")) for one in criteria]
    inside = user is not None and _belongs(user, check, wanted, run)
    return inside != check.startswith("NOT_")


def _who(run: Run, field: Any) -> User | None:
    name = field.get("value") if isinstance(field, dict) else field
    if name in (None, "", "initiator", "userWhoTriggeredEvent"):
        return run.initiator
    if name == "actor":
        return run.actor.user
    issue = run.row()
    if name in ("assignee", "reporter", "creator"):
        return getattr(issue, str(name))  # type: ignore[no-any-return]
    found = values_of(str(name), [issue]).get(issue.id, ())
    return User.objects.filter(account_id=found[0].id).first() if found else None


def _belongs(user: User, check: str, wanted: Sequence[str], run: Run) -> bool:
    if check.endswith("GROUP"):
        rows = GroupMember.objects.filter(user=user).select_related("group")
        return any({one.group.uuid, one.group.name} & set(wanted) for one in rows)
    if run.project is None:
        return False
    held = Rights(user).role_ids(run.project)
    names = set(
        RoleActor.objects.filter(project=run.project, role__in=held).values_list(
            "role__name", flat=True
        )
    )
    return bool({str(role) for role in held} & set(wanted) or names & set(wanted))


def _related(run: Run, component: Component) -> Verdict:
    value = component["value"]
    found = related(run, value)
    operator = str(value.get("operator", "exist"))
    query = run.render(value.get("compareJql"))
    matching = [
        issue
        for issue in found
        if (not query.strip() or searching.matches(issue, query, run.actor))
        and _meets(run, issue, component["conditions"])
    ]
    met = {
        "exist": bool(found),
        "notexist": not found,
        "allmatch": len(matching) == len(found),
        "somematch": bool(matching),
        "nonematch": not matching,
    }.get(operator)
    if met is None:
        raise ActFailed(f"There is no condition {operator[:40]} on related work items.")
    return _of_issues(run, met=met)


def _meets(run: Run, issue: Issue, conditions: Sequence[Component]) -> bool:
    inside = run.at(issue) if conditions else run
    return all(check(inside, one)[0] for one in conditions)


def _attachments(run: Run, component: Component) -> Verdict:
    has = Attachment.objects.filter(issue=run.row()).exists()
    return _of_issues(run, met=has == bool(component["value"]))


_CHECKS: Final[dict[str, Callable[[Run, Component], Verdict]]] = {
    "jira.issue.condition": _fields,
    "jira.jql.condition": _jql,
    "jira.comparator.condition": _compare,
    "jira.user.condition": _users,
    "jira.issues.related.condition": _related,
    "jira.issue.hasAttachments": _attachments,
}
