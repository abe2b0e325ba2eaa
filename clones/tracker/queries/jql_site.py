"""A viewer's site in the database, as queries are read against it.

`expect` fetches what a query names, at the cost of one statement or two for each kind of things,
however many it names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from clones.core.digits import is_digits
from clones.core.prepared import Prepared
from clones.tracker.models import (
    Component,
    FieldOption,
    FormerIssueKey,
    FormerProjectKey,
    Group,
    IssueLinkType,
    IssueType,
    Organization,
    Priority,
    ProjectCategory,
    ProjectRole,
    RequestType,
    Resolution,
    SecurityLevel,
    Sprint,
    Status,
    User,
    Version,
)
from clones.tracker.models import CustomField as StoredField
from clones.tracker.queries.jql.visibility import VisibilityScope
from clones.tracker.rules.jql import ResolvedField, SiteField, Viewer
from clones.tracker.rules.permission_catalogue import PERMISSIONS

Named = tuple[str, tuple[str, ...]]  # an id, and the names by which it is known
# The same on every site: ids and names.
CATEGORIES: Final[list[Named]] = [
    ("1", ("No Category", "undefined")),
    ("2", ("To Do", "new")),
    ("3", ("Done", "done")),
    ("4", ("In Progress", "indeterminate")),
]
LEVELS: Final[list[Named]] = [
    ("-1", ("Sub-task", "Subtask")),
    ("0", ("Base", "Story")),
    ("1", ("Epic",)),
]
PROJECT_TYPES: Final[list[Named]] = [
    ("software", ("Software",)),
    ("service_desk", ("Service management", "Service desk")),
    ("business", ("Business",)),
]
# What is not in the trash: number, name, type, the space it is of if it is one's own.
_FIELDS: Final[Prepared[tuple[int, str, str, int | None]]] = Prepared(
    lambda: (
        StoredField.objects.filter(trashed_at__isnull=True)
        .order_by("id")
        .values_list("id", "name", "type", "project_id")
    )
)


class DatabaseSite:
    """What a viewer sees, for the rules of queries (`clones.tracker.rules.jql.site.SiteView`)."""

    def __init__(self, sight: VisibilityScope) -> None:
        self.sight = sight
        self._ids: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._known: dict[str, set[str]] = defaultdict(set)
        self._fetched: dict[str, set[str]] = defaultdict(set)
        # The field that each option is of.
        self._options: dict[str, int] = {}

    @property
    def viewer(self) -> Viewer:
        """Who asks."""
        return self.sight.viewer

    @cached_property
    def _fields(self) -> list[SiteField]:
        rows = _FIELDS.all()
        owned = {space for *_, space in rows if space is not None}
        seen = set[int | None]([None])
        if owned:
            seen.update(self.sight.projects.filter(pk__in=owned).values_list("pk", flat=True))
        return [SiteField(id, name, type) for id, name, type, space in rows if space in seen]

    def custom_fields(self) -> Sequence[SiteField]:
        """Return the custom fields that the viewer can see, by number."""
        return self._fields

    def expect(self, wanted: Mapping[str, frozenset[str]]) -> None:
        """Fetch what is called so, or has such an id, by kind."""
        for kind, texts in wanted.items():
            new = {text.lower() for text in texts} - self._fetched[kind]
            if not new:
                continue
            self._fetched[kind] |= new
            for id, names in _FETCHED[kind](self, new):
                self._known[kind].add(id)
                for name in dict.fromkeys(name.lower() for name in names):
                    if id not in self._ids[kind][name]:
                        self._ids[kind][name].append(id)

    def named(self, kind: str, text: str, field: ResolvedField | None) -> Sequence[str]:
        """Return the ids of what is called so."""
        if kind not in self._ids:
            return []
        return [id for id in self._ids[kind].get(text.lower(), []) if self._fits(kind, id, field)]

    def identified(self, kind: str, id: str, field: ResolvedField | None) -> bool:
        """Tell whether there is something with this id."""
        return id in self._known.get(kind, ()) and self._fits(kind, id, field)

    def _fits(self, kind: str, id: str, field: ResolvedField | None) -> bool:
        if kind != "option" or field is None or not field.numbers:
            return True
        return self._options.get(id) in field.numbers

    def options(self, texts: Collection[str]) -> Iterable[Named]:
        """Yield the options of fields that are called so or have such ids."""
        rows = _lowered(FieldOption.objects.all(), "value").filter(called(texts, "value"))
        found = rows.order_by("id").values_list("id", "value", "context__field")
        for id, value, number in found:
            self._options[str(id)] = number
            yield str(id), (value,)


Fetch = Callable[[DatabaseSite, Collection[str]], Iterable[Named]]


def whole_numbers(texts: Iterable[str]) -> list[int]:
    """Return those of some texts that may be keys of rows."""
    return [int(text) for text in texts if is_digits(text)]


def called(texts: Collection[str], *columns: str) -> Q:
    """Return the condition that a column is one of some texts, given in lower case; or the key."""
    found = Q(pk__in=whole_numbers(texts))
    plain = [text for text in texts if text.isascii()]
    for column in columns:
        # The engines' own lower case knows ASCII alone.
        found |= Q(**{f"{column}_in_lower__in": plain})
        for text in texts:
            if not text.isascii():
                found |= Q(**{f"{column}__iexact": text})
    return found


def _lowered(rows: QuerySet[Any], *columns: str) -> QuerySet[Any]:
    """Return rows with some columns in lower case beside them, for `called`."""
    found: QuerySet[Any] = rows.annotate(**{f"{name}_in_lower": Lower(name) for name in columns})
    return found


def _rows(rows: QuerySet[Any], column: str = "name") -> Iterable[Named]:
    for id, name in rows.order_by("id").values_list("id", column):
        yield str(id), (name,)


def _small(model: Any, column: str = "name") -> Fetch:
    """Return what fetches all rows of a small table."""
    return lambda site, texts: _rows(model.objects.all(), column)


def _of_spaces(model: Any) -> Fetch:
    """Return what fetches rows that belong to spaces, by name."""

    def fetch(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
        rows = _lowered(model.objects.all(), "name").filter(called(texts, "name"))
        return _rows(rows.filter(project__in=site.sight.projects.values("pk")))

    return fetch


def _own_too(model: Any) -> Fetch:
    """Return what fetches all rows but those of single spaces that are not seen."""

    def fetch(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
        seen = Q(project=None) | Q(project__in=site.sight.projects.values("pk"))
        return _rows(model.objects.filter(seen))

    return fetch


def _projects(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    former: dict[int, list[str]] = defaultdict(list)
    for project, key in FormerProjectKey.objects.values_list("project_id", "key"):
        former[project].append(key)
    for id, key, name in site.sight.projects.order_by("id").values_list("id", "key", "name"):
        yield str(id), (key, name, *former[id])


def _issues(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    keys = [text.upper() for text in texts]
    moved = FormerIssueKey.objects.filter(key__in=keys)
    former: dict[int, list[str]] = defaultdict(list)
    for issue, key in moved.values_list("issue_id", "key"):
        former[issue].append(key)
    asked = Q(key__in=keys) | Q(pk__in=whole_numbers(texts)) | Q(pk__in=sorted(former))
    for id, key in site.sight.issues.filter(asked).order_by("id").values_list("id", "key"):
        yield str(id), (key, *former[id])


def _users(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    rows = _lowered(User.objects.all(), "display_name", "email", "account_id")
    found = rows.filter(called(texts, "display_name", "email", "account_id")).order_by("id")
    for account, name, email in found.values_list("account_id", "display_name", "email"):
        yield account, tuple(filter(None, (account, name, email)))


def _groups(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    rows = _lowered(Group.objects.all(), "name", "uuid").filter(called(texts, "name", "uuid"))
    for uuid, name in rows.order_by("id").values_list("uuid", "name"):
        yield uuid, (name,)


def _filters(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    return _rows(_lowered(site.sight.filters, "name").filter(called(texts, "name")))


def _organizations(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    return _rows(_lowered(Organization.objects.all(), "name").filter(called(texts, "name")))


def _sprints(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    seen = Q(board__project=None) | Q(board__project__in=site.sight.projects.values("pk"))
    return _rows(_lowered(Sprint.objects.filter(seen), "name").filter(called(texts, "name")))


def _request_types(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    rows = RequestType.objects.filter(desk__project__in=site.sight.projects.values("pk"))
    found = rows.order_by("id").values_list("id", "name", "desk__project__key")
    for id, name, key in found:
        yield str(id), (name, f"{name} ({key})")


def _link_types(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    """Yield types of links, and each of their ends: `10003>`, of which the outward words are."""
    rows = IssueLinkType.objects.order_by("id")
    for id, name, inward, outward in rows.values_list("id", "name", "inward", "outward"):
        # The words of an end go before a name that is the same.
        yield str(id), () if name.lower() in {inward.lower(), outward.lower()} else (name,)
        if inward.lower() == outward.lower():
            yield str(id), (inward,)
        else:
            yield f"{id}>", (outward,)
            yield f"{id}<", (inward,)


def _levels_of_security(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    schemes = site.sight.projects.filter(security_scheme__isnull=False).values("security_scheme")
    return _rows(SecurityLevel.objects.filter(scheme__in=schemes))


def _options(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    return site.options(texts)


def _permissions(site: DatabaseSite, texts: Collection[str]) -> Iterable[Named]:
    for permission in PERMISSIONS.values():
        if permission.kind == "PROJECT":
            yield permission.key, (permission.key, permission.name)


_FETCHED: Final[dict[str, Fetch]] = {
    "category": _small(ProjectCategory),
    "component": _of_spaces(Component),
    "filter": _filters,
    "group": _groups,
    "issue": _issues,
    "issue type": _own_too(IssueType),
    "level": lambda site, texts: LEVELS,
    "link type": _link_types,
    "option": _options,
    "organization": _organizations,
    "permission": _permissions,
    "priority": _small(Priority),
    "project": _projects,
    "project type": lambda site, texts: PROJECT_TYPES,
    "request type": _request_types,
    "resolution": _small(Resolution),
    "role": _small(ProjectRole),
    "security level": _levels_of_security,
    "sprint": _sprints,
    "status": _own_too(Status),
    "status category": lambda site, texts: CATEGORIES,
    "team": _options,
    "user": _users,
    "version": _of_spaces(Version),
}
