"""What issues are ordered by. Those without a value come last, in either direction.

Texts are ordered without regard to the case of ASCII letters; things by their names, except those
that have an order of their own. Fields with several values go by the first of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    F,
    IntegerField,
    Min,
    OrderBy,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Lower
from django.db.models.lookups import GreaterThan

from clones.tracker.models import (
    EpicLook,
    FieldValue,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueLink,
    IssueSprint,
    IssueText,
    IssueVersion,
    IssueView,
    Project,
    Request,
    RequestOrganization,
    RequestParticipant,
    SlaCycle,
    Version,
    Vote,
    Watcher,
)
from clones.tracker.queries.jql.asking import PredicateContext
from clones.tracker.queries.jql.custom import COLUMNS, DESK, GREENHOPPER
from clones.tracker.queries.jql.links import seen_at
from clones.tracker.rules.jql.plan import OrderedBy
from clones.tracker.rules.jql.site import ResolvedField

Keys = list[Any]
Keyed = Callable[[ResolvedField, PredicateContext], Keys]


@dataclass(frozen=True)
class SortKey:
    """One expression that issues are ordered by."""

    expression: Any
    descending: bool

    def order(self, name: str) -> OrderBy:
        """Return the order by the expression, annotated under a name."""
        column = F(name)
        return column.desc(nulls_last=True) if self.descending else column.asc(nulls_last=True)


def sort_keys(order_by: tuple[OrderedBy, ...], asking: PredicateContext) -> list[SortKey]:
    """Return what a plan's issues are ordered by, before their ids."""
    found: list[SortKey] = []
    for order in order_by:
        keyed = _custom if order.field.numbers else _SYSTEM.get(order.field.key, _nothing)
        found += [SortKey(one, order.descending) for one in keyed(order.field, asking)]
    return found


def _column(*names: str) -> Keyed:
    return lambda field, asking: [F(name) for name in names]


def _name(path: str) -> Keyed:
    return lambda field, asking: [Lower(path)]


def _nothing(field: ResolvedField, asking: PredicateContext) -> Keys:
    return []


def _least(rows: QuerySet[Any], expression: Any, outer: str = "pk") -> Subquery:
    """Return the least value of rows that belong to an issue."""
    mine = rows.filter(issue=OuterRef(outer)).order_by().values("issue")
    return Subquery(mine.annotate(least=Min(expression)).values("least"))


def _first(rows: Any, expression: Any) -> Keyed:
    return lambda field, asking: [_least(rows.objects.all(), expression)]


def _versions(kind: str) -> Keyed:
    # By the space, and the place of the version there.
    return lambda field, asking: [
        _least(IssueVersion.objects.filter(kind=kind), "version__position")
    ]


def _number_of(model: type[Vote | Watcher]) -> Keyed:
    def key(field: ResolvedField, asking: PredicateContext) -> Keys:
        mine = model.objects.filter(issue=OuterRef("pk")).order_by().values("issue")
        return [Coalesce(Subquery(mine.annotate(n=Count("pk")).values("n")), 0)]

    return key


def _text(field: ResolvedField, asking: PredicateContext) -> Keys:
    rows = IssueText.objects.filter(field=field.key, source=OuterRef("pk"))
    return [_least(rows, Lower("text"))]


def _category(field: ResolvedField, asking: PredicateContext) -> Keys:
    places = {"undefined": 0, "new": 1, "indeterminate": 2, "done": 3}
    cases = [When(status__category=key, then=Value(place)) for key, place in places.items()]
    return [Case(*cases, output_field=IntegerField())]


def _seen(field: ResolvedField, asking: PredicateContext) -> Keys:
    rows = IssueView.objects.filter(user=asking.sight.user)
    return [_least(rows, "at")]


def _share(part: str, of: tuple[str, ...]) -> Keyed:
    def key(field: ResolvedField, asking: PredicateContext) -> Keys:
        whole = reduce(lambda left, right: left + right, map(_number, of))
        share = _number(part) * 100 / whole
        there = When(GreaterThan(whole, 0), then=share)
        return [Case(there, output_field=BigIntegerField())]

    return key


def _number(column: str) -> Any:
    return Coalesce(F(column), Value(0), output_field=BigIntegerField())


def _linked(field: ResolvedField, asking: PredicateContext) -> Keys:
    rows = IssueLink.objects.filter(seen_at("destination", asking), source=OuterRef("pk"))
    mine = rows.order_by().values("source").annotate(least=Min("destination"))
    return [Subquery(mine.values("least"))]


def _parts(field: ResolvedField, asking: PredicateContext) -> Keys:
    rows = Issue.objects.filter(parent=OuterRef("pk"), issue_type__hierarchy_level__lt=0)
    return [Subquery(rows.order_by().values("parent").annotate(least=Min("pk")).values("least"))]


def _activity(field: ResolvedField, asking: PredicateContext) -> Keys:
    rows = Request.objects.filter(issue=OuterRef("pk"))
    return [Subquery(rows.values("issue__updated")[:1])]


def _channel(field: ResolvedField, asking: PredicateContext) -> Keys:
    return [Subquery(Request.objects.filter(issue=OuterRef("pk")).values("channel")[:1])]


# Custom fields


def _custom(field: ResolvedField, asking: PredicateContext) -> Keys:
    keyed = _ELSEWHERE.get(asking.types.get(field.numbers[0], ""))
    if keyed is not None:
        return keyed(field, asking)
    kind = field.type.kind
    rows = FieldValue.objects.filter(field__in=field.numbers)
    if kind == "cascade":
        above = Coalesce(F("option__parent__position"), F("option__position"))
        below = Case(When(option__parent=None, then=Value(-1)), default=F("option__position"))
        return [_least(rows, above), _least(rows, below)]
    if kind in _NAMED:
        model, column = _NAMED[kind]
        name = model._default_manager.filter(pk=OuterRef("other")).values(column)[:1]
        return [_least(rows.annotate(called=Subquery(name)), Lower("called"))]
    if kind == "version":
        place = Version.objects.filter(pk=OuterRef("other")).values("position")[:1]
        return [_least(rows.annotate(place=Subquery(place)), "place")]
    return [_least(rows, _OF_KIND[kind])] if kind in _OF_KIND else []


def _sla(field: ResolvedField, asking: PredicateContext) -> Keys:
    rows = SlaCycle.objects.filter(metric__field__in=field.numbers, stopped_at=None)
    return [_least(rows, "breach_at")]


def _look(expression: Any) -> Keyed:
    rows = EpicLook.objects.filter(pk=OuterRef("pk")).exclude(name="")
    return lambda field, asking: [Subquery(rows.values(wanted=expression)[:1])]


_NAMED: Final = {"project": (Project, "name")}
_OF_KIND: Final[dict[str, Any]] = {
    "option": "option__position",
    "team": "option__position",
    "user": Lower("user__display_name"),
    "group": Lower("group__name"),
    **{kind: Lower("text") for kind in ("label", "string", "text")},
    **{kind: COLUMNS[kind] for kind in ("number", "date", "datetime")},
}
_ELSEWHERE: Final[dict[str, Keyed]] = {
    GREENHOPPER + "gh-sprint": _first(IssueSprint, "sprint"),
    GREENHOPPER + "gh-lexo-rank": _column("rank"),
    GREENHOPPER + "gh-epic-link": _column("parent__project__key", "parent__number"),
    GREENHOPPER + "gh-epic-label": _look(Lower("name")),
    GREENHOPPER + "jsw-issue-color": _look(F("color")),
    DESK + "sd-sla-field": _sla,
    DESK + "vp-origin": _first(Request, Lower("request_type__name")),
    DESK + "sd-customer-organizations": _first(RequestOrganization, Lower("organization__name")),
    DESK + "sd-request-participants": _first(RequestParticipant, Lower("user__display_name")),
}
_SYSTEM: Final[dict[str, Keyed]] = {
    "assignee": _name("assignee__display_name"),
    "components": _first(IssueComponent, Lower("component__name")),
    "created": _column("created"),
    "creator": _name("creator__display_name"),
    "description": _text,
    "duedate": _column("due_date"),
    "environment": _text,
    "fixVersions": _versions("fix"),
    "issueLink": _linked,
    "issuekey": _column("project__key", "number"),
    "issuetype": _name("issue_type__name"),
    "labels": _first(IssueLabel, Lower("label")),
    "lastViewed": _seen,
    "parent": _column("parent__project__key", "parent__number"),
    "priority": lambda field, asking: [-F("priority__position")],
    "progress": _share("time_spent", ("time_spent", "remaining_estimate")),
    "project": _name("project__name"),
    "reporter": _name("reporter__display_name"),
    "request-channel-type": _channel,
    "request-last-activity-time": _activity,
    "resolution": _column("resolution__position"),
    "resolutiondate": _column("resolution_date"),
    "security": _name("security_level__name"),
    "status": _column("status"),
    "statusCategory": _category,
    "statusCategoryChangedDate": _column("status_category_changed"),
    "subtasks": _parts,
    "summary": _name("summary"),
    "timeestimate": _column("remaining_estimate"),
    "timeoriginalestimate": _column("original_estimate"),
    "timespent": _column("time_spent"),
    "updated": _column("updated"),
    "versions": _versions("affects"),
    "votes": _number_of(Vote),
    "watchers": _number_of(Watcher),
    "workratio": _share("time_spent", ("original_estimate",)),
}
