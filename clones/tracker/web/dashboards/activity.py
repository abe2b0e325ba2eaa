"""What happened lately on issues that somebody sees: made, changed, spoken of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from clones.tracker.models import ChangeGroup, Comment, Issue, Project, User
from clones.tracker.queries.comments import passes
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.web.parts.times import when

MORE: Final = 2  # comments are read beyond what is shown: some are not for everybody


@dataclass(frozen=True, slots=True)
class StreamEntry:
    """Something that happened: who did what to which issue, and when."""

    actor: User | None
    done: str
    issue: Issue
    at: datetime
    when: str
    details: str = ""


def activity(rights: Rights, most: int, space: Project | None = None) -> list[StreamEntry]:
    """Return what happened lately, in a space or everywhere, the latest first."""
    seen = visible_issues(rights)
    if space is not None:
        seen = seen.filter(project=space)
    ids = seen.order_by().values("id")
    zone = rights.zone
    found: list[tuple[datetime, int, int, StreamEntry]] = []
    for issue in seen.select_related("creator").order_by("-created", "-id")[:most]:
        entry = StreamEntry(
            issue.creator, "created", issue, issue.created, when(issue.created, zone)
        )
        found.append((issue.created, 0, issue.id, entry))
    groups = ChangeGroup.objects.filter(issue__in=ids).select_related("author", "issue")
    for group in groups.prefetch_related("items").order_by("-created", "-id")[:most]:
        said, details = _changed(group)
        entry = StreamEntry(
            group.author, said, group.issue, group.created, when(group.created, zone), details
        )
        found.append((group.created, 1, group.id, entry))
    comments = Comment.objects.filter(issue__in=ids).select_related("author", "issue")
    for row in comments.order_by("-created", "-id")[: most * MORE]:
        if passes(rights, row.visibility, row.issue.project_id):
            entry = StreamEntry(
                row.author, "commented on", row.issue, row.created, when(row.created, zone)
            )
            found.append((row.created, 2, row.id, entry))
    found.sort(key=lambda one: one[:3], reverse=True)
    return [entry for *_, entry in found[:most]]


def _changed(group: ChangeGroup) -> tuple[str, str]:
    items = sorted(group.items.all(), key=lambda item: item.position)
    for item in items:
        if item.field_id == "status":
            return "changed the status of", f"{item.old_string} → {item.new_string}"
    fields = ", ".join(dict.fromkeys(item.field for item in items))
    return "updated", fields
