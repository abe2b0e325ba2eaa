"""Reading the values of fields for rules of workflows: of many issues at once, field by field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from clones.tracker.domain.richtext import plain_of
from clones.tracker.models import (
    Comment,
    CustomField,
    FieldValue,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueLink,
    IssueVersion,
    Priority,
    Resolution,
    SecurityLevel,
    User,
)
from clones.tracker.rules.field_catalogue import custom_number, system_fields
from clones.tracker.rules.workflow import FactValue

Values = Mapping[int, Sequence[FactValue]]

# Fields that are a column of the issue: its name.
_TEXTS: Final = {"summary": "summary", "issuekey": "key"}
_DOCUMENTS: Final = ("description", "environment")
_NUMBERS: Final = {
    "timeoriginalestimate": "original_estimate",
    "timeestimate": "remaining_estimate",
    "timespent": "time_spent",
}
_MOMENTS: Final = {
    "created": "created",
    "updated": "updated",
    "duedate": "due_date",
    "resolutiondate": "resolution_date",
    "statuscategorychangedate": "status_category_changed",
}
_PEOPLE: Final = {"assignee": "assignee_id", "reporter": "reporter_id", "creator": "creator_id"}
_ROWS: Final[dict[str, tuple[str, Any]]] = {
    "priority": ("priority_id", Priority),
    "resolution": ("resolution_id", Resolution),
    "security": ("security_level_id", SecurityLevel),
}


def values_of(field: str, issues: Sequence[Issue]) -> Values:
    """Return the values of a field by the issue's id; issues where it is empty may be left out.

    At most two statements, whatever the number of issues. Their columns are taken as they stand in
    memory, so that what a request is about to write counts already.
    """
    if field in _TEXTS:
        return _each(issues, lambda issue: _of_text(getattr(issue, _TEXTS[field])))
    if field in _DOCUMENTS:
        return _each(issues, lambda issue: _of_text(plain_of(getattr(issue, field))))
    if field in _NUMBERS:
        return _each(issues, lambda issue: _of_number(getattr(issue, _NUMBERS[field])))
    if field in _MOMENTS:
        return _each(issues, lambda issue: _of_moment(getattr(issue, _MOMENTS[field])))
    if field in _PEOPLE:
        return _people(issues, _PEOPLE[field])
    if field in _ROWS:
        return _named(issues, *_ROWS[field])
    number = custom_number(field)
    if number is not None:
        return _custom(number, issues)
    reader = _LISTS.get(field)
    return {} if reader is None else reader(issues)


def name_of(field: str) -> str:
    """Return what people call a field, its id where there is no such field."""
    number = custom_number(field)
    if number is not None:
        found = CustomField.objects.filter(id=number).values_list("name", flat=True).first()
        return found or field
    known = system_fields().get(field)
    return field if known is None else known.name


def _each(issues: Sequence[Issue], read: Callable[[Issue], list[FactValue]]) -> Values:
    return {issue.id: read(issue) for issue in issues}


def _of_text(text: str | None) -> list[FactValue]:
    return [FactValue(text)] if text else []


def _of_number(number: float | None) -> list[FactValue]:
    return [] if number is None else [FactValue(f"{number:g}", number=float(number))]


def _of_moment(moment: Any) -> list[FactValue]:
    return [] if moment is None else [FactValue(moment.isoformat(), moment=moment)]


def _people(issues: Sequence[Issue], column: str) -> Values:
    keys = {getattr(issue, column) for issue in issues} - {None}
    people = User.objects.in_bulk(keys) if keys else {}
    found = {}
    for issue in issues:
        user = people.get(getattr(issue, column))
        found[issue.id] = [] if user is None else [_of_user(user)]
    return found


def _of_user(user: User) -> FactValue:
    return FactValue(user.display_name, user.account_id)


def _named(issues: Sequence[Issue], column: str, model: Any) -> Values:
    keys = {getattr(issue, column) for issue in issues} - {None}
    rows = model.objects.in_bulk(keys) if keys else {}
    found = {}
    for issue in issues:
        row = rows.get(getattr(issue, column))
        found[issue.id] = [] if row is None else [FactValue(row.name, str(row.pk))]
    return found


def _gathered(pairs: Any) -> Values:
    found: dict[int, list[FactValue]] = defaultdict(list)
    for issue, value in pairs:
        found[issue].append(value)
    return found


def _labels(issues: Sequence[Issue]) -> Values:
    rows = IssueLabel.objects.filter(issue__in=issues).order_by("label")
    return _gathered((row.issue_id, FactValue(row.label, row.label)) for row in rows)


def _components(issues: Sequence[Issue]) -> Values:
    rows = IssueComponent.objects.filter(issue__in=issues).select_related("component")
    return _gathered(
        (row.issue_id, FactValue(row.component.name, str(row.component_id)))
        for row in rows.order_by("id")
    )


def _versions(kind: str) -> Callable[[Sequence[Issue]], Values]:
    def read(issues: Sequence[Issue]) -> Values:
        rows = IssueVersion.objects.filter(issue__in=issues, kind=kind).select_related("version")
        return _gathered(
            (
                row.issue_id,
                FactValue(row.version.name, str(row.version_id), moment=row.version.release_date),
            )
            for row in rows.order_by("id")
        )

    return read


def _comments(issues: Sequence[Issue]) -> Values:
    rows = Comment.objects.filter(issue__in=issues).order_by("id")
    return _gathered((row.issue_id, FactValue(plain_of(row.body), str(row.id))) for row in rows)


def _links(issues: Sequence[Issue]) -> Values:
    rows = IssueLink.objects.order_by("id")
    outward = rows.filter(source__in=issues).values_list("source_id", "destination__key")
    inward = rows.filter(destination__in=issues).values_list("destination_id", "source__key")
    return _gathered((issue, FactValue(key, key)) for issue, key in [*outward, *inward])


def _parents(issues: Sequence[Issue]) -> Values:
    keys = {issue.parent_id for issue in issues if issue.parent_id is not None}
    rows = dict(Issue.objects.filter(id__in=keys).values_list("id", "key")) if keys else {}
    return {
        issue.id: [FactValue(rows[issue.parent_id], str(issue.parent_id))]
        for issue in issues
        if issue.parent_id in rows
    }


def _custom(field: int, issues: Sequence[Issue]) -> Values:
    rows = FieldValue.objects.filter(field=field, issue__in=issues)
    rows = rows.select_related("option", "user", "group").order_by("position", "id")
    return _gathered((row.issue_id, _of_row(row)) for row in rows)


def _of_row(row: FieldValue) -> FactValue:
    if row.option is not None:
        return FactValue(row.option.value, str(row.option_id))
    if row.user is not None:
        return _of_user(row.user)
    if row.group is not None:
        return FactValue(row.group.name, row.group.uuid)
    if row.number is not None:
        return FactValue(f"{row.number:g}", number=row.number)
    moment = row.moment or row.day
    if moment is not None:
        return FactValue(moment.isoformat(), moment=moment)
    if row.document is not None:
        return FactValue(plain_of(row.document))
    if row.other is not None:
        return FactValue(str(row.other), str(row.other))
    return FactValue(row.text or "", row.text or "")


_LISTS: Final[dict[str, Callable[[Sequence[Issue]], Values]]] = {
    "labels": _labels,
    "components": _components,
    "fixVersions": _versions("fix"),
    "versions": _versions("affects"),
    "comment": _comments,
    "issuelinks": _links,
    "parent": _parents,
}
