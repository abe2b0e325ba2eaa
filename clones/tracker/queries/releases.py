"""What pages tell of versions: how far they are, and the issues that they are to have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q, QuerySet

from clones.tracker.models import Issue, IssueVersion, Project, Version
from clones.tracker.queries.projects import statuses_of_versions, versions_of
from clones.tracker.queries.rights import Rights, visible_issues

STATUSES: Final[Mapping[str, Q]] = {
    "unreleased": Q(released=False, archived=False),
    "released": Q(released=True, archived=False),
    "archived": Q(archived=True),
}
FAMILY: Final = ("project", "issue_type", "status", "priority", "assignee", "resolution")


@dataclass(frozen=True, slots=True)
class Progress:
    """How many issues of a version are to do, in progress and done."""

    to_do: int = 0
    in_progress: int = 0
    done: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.to_do + self.in_progress + self.done

    @property
    def percent(self) -> int:
        """How much of a hundred is done; nothing where there is nothing to do."""
        return self.done * 100 // self.total if self.total else 0

    @property
    def stretches(self) -> list[tuple[str, float, float]]:
        """The three as parts of a bar that is 100 long: category, where it begins, its length."""
        found, at = [], 0.0
        parts = (("done", self.done), ("indeterminate", self.in_progress), ("new", self.to_do))
        for category, count in parts:
            if count:
                length = 100 * count / self.total
                found.append((category, round(at, 2), round(length, 2)))
                at += length
        return found


def progress_of(versions: Iterable[Version], rights: Rights) -> dict[int, Progress]:
    """Return how far versions are, by the issues that somebody sees, by version."""
    counts = statuses_of_versions([version.id for version in versions], rights)
    return {
        id: Progress(
            found.get("new", 0) + found.get("undefined", 0),
            found.get("indeterminate", 0),
            found.get("done", 0),
        )
        for id, found in counts.items()
    }


def versions_shown(project: Project, statuses: Sequence[str], text: str) -> QuerySet[Version]:
    """Return the versions of a space that have one of some statuses, in their order.

    Args:
        project: the space.
        statuses: of unreleased, released, archived.
        text: what stands in their names or descriptions, "" for all.
    """
    among = Q(pk__in=[])
    for status in statuses:
        among |= STATUSES[status]
    rows = versions_of(project).filter(among)
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(description__icontains=text))
    return rows


def issues_of_version(version: Version, rights: Rights) -> QuerySet[Issue]:
    """Return the issues that a version is to have and that somebody sees, by rank."""
    rows = visible_issues(rights).filter(version_links__version=version, version_links__kind="fix")
    return rows.select_related(*FAMILY).order_by("rank", "id")


def unresolved_count(version: Version) -> int:
    """Return how many issues that a version is to have are not resolved, whoever sees them."""
    links = IssueVersion.objects.filter(version=version, kind="fix", issue__resolution=None)
    return links.count()


def uses_of(version: Version) -> dict[str, int]:
    """Return how many issues have a version, as fix version and as affected version."""
    rows = IssueVersion.objects.filter(version=version).order_by().values_list("kind")
    return {"fix": 0, "affects": 0} | dict(rows.annotate(count=Count("id")))
