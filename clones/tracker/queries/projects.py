"""Finding spaces, their components and versions, and counting what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db.models import (
    CharField,
    Count,
    F,
    IntegerField,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Cast, Coalesce

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import (
    Component,
    FormerProjectKey,
    Issue,
    IssueComponent,
    IssueView,
    Project,
    Version,
)
from clones.tracker.queries.people import having_property
from clones.tracker.queries.rights import BROWSE, Rights, find_project, visible_projects

_PROPERTY: Final = re.compile(r"\[(?P<key>[^\]]+)\](?P<path>[^=]*)=(?P<value>.*)")
ORDERS: Final = {
    "category": ("category__name",),
    "key": ("key",),
    "name": ("name",),
    "owner": ("lead__display_name",),
    "issueCount": ("issue_count",),
    "lastIssueUpdatedTime": ("last_update",),
    "archivedDate": ("archived_at",),
    "deletedDate": ("deleted_at",),
}


def ordered(rows: QuerySet[Any], text: str | None, names: Mapping[str, tuple[str, ...]]) -> Any:
    """Return rows in the order that a client names: `name`, `-name`, `+name`; empty values last.

    Raises:
        Invalid: there is no such order.
    """
    if not text:
        return rows
    name = text.lstrip("+-").strip()
    if name not in names:
        raise Invalid(f"The orderBy field '{name}' is not valid.")
    down = text.startswith("-")
    parts = [
        F(column).desc(nulls_last=True) if down else F(column).asc(nulls_last=True)
        for column in names[name]
    ]
    return rows.order_by(*parts, "id")


def seen_projects(reader: Rights, statuses: Iterable[str] = ("live",)) -> QuerySet[Project]:
    """Return the spaces that somebody sees: admins see all; by key.

    Args:
        reader: who looks.
        statuses: live, archived, deleted; only admins see what was deleted.

    Raises:
        Invalid: a status is none of these.
    """
    wanted = Q(pk__in=[])
    for status in statuses:
        if status == "live":
            wanted |= Q(archived_at=None, deleted_at=None)
        elif status == "archived":
            wanted |= Q(archived_at__isnull=False, deleted_at=None)
        elif status == "deleted":
            wanted |= Q(deleted_at__isnull=False)
        else:
            raise Invalid(f"The project status '{status}' is not valid.")
    rows = Project.objects.filter(wanted)
    if not reader.is_admin:
        run = Q(id__in=sorted(reader.projects_with("ADMINISTER_PROJECTS")))
        seen = Q(id__in=visible_projects(reader).order_by().values("id"))
        rows = rows.filter(run | seen)
    return rows.order_by("key", "id")


def shown(rows: QuerySet[Project]) -> QuerySet[Project]:
    """Return spaces with what presenters read of them."""
    return rows.select_related("lead", "category", "archived_by", "deleted_by").prefetch_related(
        Prefetch("former_keys", FormerProjectKey.objects.order_by("id"))
    )


def with_insight(rows: QuerySet[Project]) -> QuerySet[Project]:
    """Return spaces with `issue_count` and `last_update` of their issues."""
    mine = Issue.objects.filter(project=OuterRef("pk")).order_by().values("project")
    count = mine.annotate(count=Count("id")).values("count")
    last = mine.annotate(last=Max("updated")).values("last")
    return rows.annotate(
        issue_count=Coalesce(Subquery(count, output_field=IntegerField()), 0),
        last_update=Subquery(last),
    )


def recent_projects(reader: Rights, count: int) -> QuerySet[Project]:
    """Return the spaces whose issues somebody looked at last, the latest first."""
    views = IssueView.objects.filter(user=reader.user, issue__project=OuterRef("pk"))
    at = views.order_by("-at").values("at")[:1]
    rows = visible_projects(reader).filter(archived_at=None).annotate(viewed=Subquery(at))
    return rows.filter(viewed__isnull=False).order_by("-viewed", "-id")[:count]


def find_component(reader: Rights, text: str) -> Component:
    """Return the component of an id, of a space that the reader sees.

    Raises:
        NotFound: there is none, or they do not see its space.
    """
    found: Component | None = None
    if is_digits(text):
        rows = Component.objects.select_related("project__lead", "lead")
        found = rows.filter(id=int(text)).first()
    if found is None or not _sees(reader, found.project):
        raise NotFound(f"The component with id {text} does not exist.")
    return found


def find_version(reader: Rights, text: str | int) -> Version:
    """Return the version of an id, of a space that the reader sees.

    Raises:
        NotFound: there is none, or they do not see its space.
    """
    digits = str(text)
    found: Version | None = None
    if is_digits(digits):
        rows = Version.objects.select_related("project", "driver")
        found = rows.filter(id=int(digits)).first()
    if found is None or not _sees(reader, found.project):
        raise NotFound(f"Could not find version for id '{digits}'")
    return found


def with_property(query: str) -> Q:
    """Return the spaces that a query for properties finds: `[key].path.to=value`.

    Raises:
        Invalid: it is no such query.
    """
    found = _PROPERTY.fullmatch(query.strip())
    if found is None:
        raise Invalid(f"The property query '{query}' is not valid.")
    path = [part for part in found["path"].split(".") if part]
    entity = Cast(OuterRef("pk"), CharField())
    return having_property("project", entity, found["key"], path, found["value"])


def find_put_away(reader: Rights, text: str) -> Project:
    """Return a space that may be brought back: also, to its lead, a team-managed one in the trash.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    name = "id" if is_digits(text) else "key"
    rows = Project.objects.filter(deleted_at__isnull=False, style="next-gen", lead=reader.user)
    own = rows.filter(**{name: text}).first() if reader.user is not None else None
    return own or find_project(reader, text, deleted=True)


def _sees(reader: Rights, project: Project) -> bool:
    if project.deleted_at is not None:
        return False
    if reader.is_admin or reader.may(BROWSE, project):
        return True
    return visible_projects(reader).filter(id=project.id).exists()


def components_of(project: Project) -> QuerySet[Component]:
    """Return a space's components with the counts of their issues, by name."""
    links = IssueComponent.objects.filter(component=OuterRef("pk")).order_by()
    count = links.values("component").annotate(count=Count("id")).values("count")
    rows = Component.objects.filter(project=project)
    rows = rows.annotate(issue_count=Coalesce(Subquery(count, output_field=IntegerField()), 0))
    return rows.select_related("lead", "project__lead").order_by("name", "id")


def versions_of(project: Project) -> QuerySet[Version]:
    """Return a space's versions in their order."""
    rows = Version.objects.filter(project=project).select_related("driver", "project")
    return rows.order_by("position", "id")


def statuses_of_versions(versions: Iterable[int], reader: Rights) -> dict[int, dict[str, int]]:
    """Return how many issues of each category of statuses versions are to have, by version."""
    found: dict[int, dict[str, int]] = {version: {} for version in versions}
    rows = (
        Issue.objects.filter(
            reader.issues_with(BROWSE),
            version_links__version__in=found,
            version_links__kind="fix",
        )
        .order_by()
        .values_list("version_links__version", "status__category")
        .annotate(count=Count("id"))
    )
    for version, category, count in rows:
        found[version][category] = found[version].get(category, 0) + count
    return found
