"""Which work logs somebody sees: those without restriction, and those of their groups and roles."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from clones.core.digits import is_digits
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Issue, Worklog
from clones.tracker.queries.comments import WITH, seen_condition
from clones.tracker.queries.rights import BROWSE, Rights


def worklogs_of(issue: Issue, rights: Rights) -> QuerySet[Worklog]:
    """Return the work logs of an issue that somebody sees, the first made first."""
    rows = Worklog.objects.filter(seen_condition(rights), issue=issue)
    return rows.select_related(*WITH).order_by("created", "id")


def worklogs_on(issues: Iterable[int], rights: Rights) -> QuerySet[Worklog]:
    """Return the work logs of many issues that somebody sees, by issue, the first made first."""
    rows = Worklog.objects.filter(seen_condition(rights), issue__in=issues)
    return rows.select_related(*WITH).order_by("issue_id", "created", "id")


def visible_worklogs(rights: Rights) -> QuerySet[Worklog]:
    """Return all work logs that somebody sees, on issues that they see, by id."""
    seen = Issue.objects.filter(rights.issues_with(BROWSE, archived=True)).values("id")
    rows = Worklog.objects.filter(seen_condition(rights), issue__in=seen)
    return rows.select_related(*WITH).order_by("id")


def find_worklog(rights: Rights, id: str, issue: Issue) -> Worklog:
    """Return a work log of an issue that somebody sees.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    found: Worklog | None = None
    if is_digits(id):
        found = worklogs_of(issue, rights).filter(id=int(id)).first()
    if found is None:
        raise NotFound(f"Cannot find worklog with id: '{id}'.")
    found.issue = issue
    return found
