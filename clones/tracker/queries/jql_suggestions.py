"""Values that are offered while a query is typed: those of a field that have the text in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from clones.tracker.models import (
    Component,
    FieldOption,
    FieldValue,
    Group,
    IssueLabel,
    IssueLinkType,
    IssueType,
    Organization,
    Priority,
    ProjectCategory,
    RequestType,
    Resolution,
    SecurityLevel,
    Sprint,
    Status,
    User,
    Version,
)
from clones.tracker.queries.jql.asking import keys
from clones.tracker.queries.jql_site import CATEGORIES, LEVELS, PROJECT_TYPES, DatabaseSite
from clones.tracker.rules.jql.reference import MOST_SUGGESTIONS
from clones.tracker.rules.jql.site import ResolvedField
from clones.tracker.rules.jql.words import encoded

Offered = Iterable[tuple[str, str]]  # what to write in the query, and what it is called


def offered(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    """Return values of a field, and their names, that have a text in them, in order."""
    offer = _OFFERS.get(field.type.kind)
    return () if offer is None else offer(field, typed, site)


def people(typed: str) -> Offered:
    """Return people by name or address: queries name them by their account ids."""
    rows = User.objects.filter(active=True).exclude(account_type="app")
    if typed:
        rows = rows.filter(Q(display_name__icontains=typed) | Q(email__icontains=typed))
    for user in rows.order_by(Lower("display_name"), "id")[:MOST_SUGGESTIONS]:
        named = typed.lower() in user.display_name.lower()
        yield user.account_id, user.display_name if named else f"{user.display_name} - {user.email}"


def _names(rows: QuerySet[Any], typed: str, column: str = "name") -> Offered:
    if typed:
        rows = rows.filter(**{f"{column}__icontains": typed})
    # Things of one name are offered once.
    found = rows.order_by(Lower(column)).values_list(column, flat=True).distinct()
    for name in found[:MOST_SUGGESTIONS]:
        yield encoded(name), name


Offer = Callable[[ResolvedField, str, DatabaseSite], Offered]


def _all(model: Any) -> Offer:
    return lambda field, typed, site: _names(model.objects.all(), typed)


def _placed(model: Any) -> Offer:
    def offer(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
        rows = model.objects.order_by("position", "id").values_list("name", flat=True)
        return [(encoded(name), name) for name in rows]

    return offer


def _of_spaces(model: Any) -> Offer:
    def offer(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
        return _names(model.objects.filter(project__in=keys(site.sight.projects)), typed)

    return offer


def _own_too(model: Any) -> Offer:
    def offer(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
        seen = Q(project=None) | Q(project__in=keys(site.sight.projects))
        return _names(model.objects.filter(seen), typed)

    return offer


def _projects(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    rows = site.sight.projects
    if typed:
        rows = rows.filter(Q(name__icontains=typed) | Q(key__icontains=typed))
    for key, name in rows.order_by(Lower("name"), "id").values_list("key", "name")[
        :MOST_SUGGESTIONS
    ]:
        yield key, f"{name} ({key})"


def _resolutions(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    yield "Unresolved", "Unresolved"
    yield from _placed(Resolution)(field, typed, site)


def _labels(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    seen = keys(site.sight.issues)
    if field.numbers:
        rows: QuerySet[Any] = FieldValue.objects.filter(field__in=field.numbers, issue__in=seen)
        return _names(rows, typed, "text")
    return _names(IssueLabel.objects.filter(issue__in=seen), typed, "label")


def _texts(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    return _labels(field, typed, site) if field.numbers else ()


def _options(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    rows = FieldOption.objects.filter(context__field__in=field.numbers, disabled=False)
    return _names(rows, typed, "value")


def _issues(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    rows = site.sight.issues
    if typed:
        rows = rows.filter(Q(key__istartswith=typed) | Q(summary__icontains=typed))
    found = rows.order_by("-id").values_list("key", "summary")[:MOST_SUGGESTIONS]
    return [(key, f"{key} - {summary}") for key, summary in found]


def _filters(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    return _names(site.sight.filters, typed)


def _sprints(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    seen = Q(board__project=None) | Q(board__project__in=keys(site.sight.projects))
    return _names(Sprint.objects.filter(seen), typed)


def _request_types(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    return _names(RequestType.objects.filter(desk__project__in=keys(site.sight.projects)), typed)


def _security(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    schemes = site.sight.projects.filter(security_scheme__isnull=False).values("security_scheme")
    return _names(SecurityLevel.objects.filter(scheme__in=schemes), typed)


def _link_types(field: ResolvedField, typed: str, site: DatabaseSite) -> Offered:
    rows = IssueLinkType.objects.order_by("id").values_list("inward", "outward")
    found = sorted({words for pair in rows for words in pair}, key=str.lower)
    return [(encoded(words), words) for words in found]


_OFFERS: Final[dict[str, Offer]] = {
    "cascade": _options,
    "category": _all(ProjectCategory),
    "component": _of_spaces(Component),
    "filter": _filters,
    "group": _all(Group),
    "issue": _issues,
    "issue type": _own_too(IssueType),
    "label": _labels,
    "level": lambda field, typed, site: [(encoded(names[0]), names[0]) for _, names in LEVELS],
    "link type": _link_types,
    "option": _options,
    "organization": _all(Organization),
    "priority": _placed(Priority),
    "project": _projects,
    "project type": lambda field, typed, site: [(id, names[0]) for id, names in PROJECT_TYPES],
    "request type": _request_types,
    "resolution": _resolutions,
    "security level": _security,
    "sprint": _sprints,
    "status": _own_too(Status),
    "status category": lambda field, typed, site: [
        (encoded(names[0]), names[0]) for _, names in CATEGORIES
    ],
    "string": _texts,
    "team": _options,
    "user": lambda field, typed, site: people(typed),
    "version": _of_spaces(Version),
}
