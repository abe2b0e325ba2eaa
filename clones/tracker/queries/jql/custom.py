"""Custom fields: values in rows of their own, and those that are kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from django.db.models import Q, QuerySet

from clones.tracker.models import (
    EpicLook,
    FieldValue,
    IssueSprint,
    IssueType,
    Request,
    RequestOrganization,
    RequestParticipant,
    Version,
)
from clones.tracker.queries.jql.asking import (
    LOOKUPS,
    FieldPredicates,
    PredicateContext,
    Unasked,
    issues_of,
    within,
)
from clones.tracker.queries.jql.columns import RankColumn
from clones.tracker.queries.jql.relations import Parent, Rows, TextSearch, same_text, versions
from clones.tracker.queries.jql.service import Approvals, SlaClock
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.queries.jql.words import reads
from clones.tracker.rules.jql.dates import Days, Stretch
from clones.tracker.rules.jql.plan import Amount, Like, OneOf, Ref, Test
from clones.tracker.rules.jql.site import ResolvedField

GREENHOPPER: Final = "com.pyxis.greenhopper.jira:"
DESK: Final = "com.atlassian.servicedesk:"
# The columns that values of a kind are kept in.
COLUMNS: Final = {
    "option": "option",
    "cascade": "option",
    "team": "option",
    "user": "user",
    "group": "group",
    "project": "other",
    "version": "other",
    "label": "text",
    "string": "text",
    "number": "number",
    "date": "day",
    "datetime": "moment",
    "text": "text",
}


class Values:
    """Values of fields in rows of their own; several fields of one kind may be asked at once."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers

    def _rows(self) -> QuerySet[FieldValue]:
        return FieldValue.objects.filter(field__in=self.numbers)

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a value."""
        return issues_of(self._rows())

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that a value meets a test."""
        if isinstance(test, Like) and field.type.kind == "text":
            names = tuple(f"customfield_{number}" for number in self.numbers)
            return TextSearch(names).meets(field, test, asking)
        return issues_of(self._rows().filter(self._condition(field, test, asking)))

    def _condition(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        kind = field.type.kind
        column = COLUMNS[kind]
        match test:
            case Stretch() | Days():
                return within(column, test)
            case Amount(operator, value):
                return Q(**{f"{column}__{LOOKUPS[operator]}": float(value)})
            case OneOf(items) if kind in {"label", "string"}:
                return same_text(column, items)
            case OneOf(items) if kind in {"date", "datetime"}:
                return NOTHING
            case OneOf(items) if kind == "cascade":
                found = asking.among("option", "option", items)
                # What is chosen below one of a function's answers is among these already.
                return found | asking.among("option__parent", "option", _refs(items))
            case OneOf(items) if kind != "version":
                return asking.among(column, kind, items)
        if kind != "version":
            raise Unasked(field, test)
        meeting = Version.objects.filter(versions(test, asking, field))
        return Q(other__in=meeting.values("pk"))


def _refs(items: tuple[object, ...]) -> list[Ref]:
    return [item for item in items if isinstance(item, Ref)]


class EpicName:
    """What an epic is called on boards."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a name."""
        return Q(pk__in=EpicLook.objects.exclude(name="").values("pk"))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the name has what is looked for."""
        if not isinstance(test, Like):
            raise Unasked(field, test)
        return Q(pk__in=EpicLook.objects.filter(reads("name", test.query)).values("pk"))


class EpicColour:
    """The colour of an epic on boards."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a colour."""
        return Q(pk__in=EpicLook.objects.values("pk"))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the colour is one of some."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        return Q(pk__in=EpicLook.objects.filter(same_text("color", test.items)).values("pk"))


@dataclass(frozen=True)
class OfEpic:
    """The epic of an issue, as the old field had it: the parent of what is no sub-task."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is one."""
        return Parent().present(field, asking) & self._is_child()

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it is one of some."""
        return Parent().meets(field, test, asking) & self._is_child()

    def _is_child(self) -> Q:
        return Q(issue_type__in=IssueType.objects.filter(hierarchy_level=0).values("pk"))


REQUEST_TYPE: Final = Rows(Request, "request_type", "request type", Q(request_type__isnull=False))
_ELSEWHERE: Final[dict[str, Callable[[int], FieldPredicates]]] = {
    GREENHOPPER + "gh-sprint": lambda number: Rows(IssueSprint, "sprint", "sprint"),
    GREENHOPPER + "gh-lexo-rank": lambda number: RankColumn(),
    GREENHOPPER + "gh-epic-link": lambda number: OfEpic(),
    GREENHOPPER + "gh-epic-label": lambda number: EpicName(),
    GREENHOPPER + "jsw-issue-color": lambda number: EpicColour(),
    DESK + "sd-sla-field": SlaClock,
    DESK + "vp-origin": lambda number: REQUEST_TYPE,
    DESK + "sd-customer-organizations": lambda number: Rows(
        RequestOrganization, "organization", "organization"
    ),
    DESK + "sd-request-participants": lambda number: Rows(RequestParticipant, "user", "user"),
    "com.atlassian.servicedesk.approvals-plugin:sd-approvals": lambda number: Approvals(),
}


class Custom:
    """Custom fields, wherever their values are: an issue has a value if any of them has."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that one of the fields has a value."""
        return reduce(or_, (one.present(field, asking) for one in parts_of(field, asking)))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that a value of one of the fields meets a test."""
        return reduce(or_, (one.meets(field, test, asking) for one in parts_of(field, asking)))


def parts_of(field: ResolvedField, asking: PredicateContext) -> list[FieldPredicates]:
    """Return how the custom fields that a name stands for are looked for."""
    elsewhere = [
        _ELSEWHERE[type](number)
        for number in field.numbers
        if (type := asking.types.get(number, "")) in _ELSEWHERE
    ]
    own = tuple(
        number for number in field.numbers if asking.types.get(number, "") not in _ELSEWHERE
    )
    return [*elsewhere, *([Values(own)] if own else [])]
