"""Archiving issues: they are kept, can be looked at, and are in no search."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from clones.core import clock
from clones.tracker.models import Issue
from clones.tracker.queries.rights import Rights


def archive_issues(issues: Iterable[Issue], *, actor: Rights) -> int:
    """Archive issues and their sub-tasks; return how many were not archived before."""
    rows = _families(issues).filter(archived_at=None)
    return rows.update(archived_at=clock.now(), archived_by=actor.user)


def unarchive_issues(issues: Iterable[Issue], *, actor: Rights) -> int:
    """Take issues and their sub-tasks out of the archive; return how many were in it."""
    rows = _families(issues).filter(archived_at__isnull=False)
    return rows.update(archived_at=None, archived_by=None)


def _families(issues: Iterable[Issue]) -> QuerySet[Issue]:
    ids = sorted({issue.id for issue in issues})
    parts = Q(parent__in=ids, issue_type__hierarchy_level__lt=0)
    return Issue.objects.filter(Q(id__in=ids) | Q(id__in=Issue.objects.filter(parts).values("id")))
