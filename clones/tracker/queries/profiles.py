"""What a person's profile shows of what they did, as far as the one who looks may see it."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Max

from clones.core.lookups import key_list
from clones.tracker.models import ChangeGroup, Comment, Issue, Project, User
from clones.tracker.queries.comments import seen_condition
from clones.tracker.queries.rights import Rights, visible_issues, visible_projects

RECENT = 300  # acts that are looked through
FAMILY = ("project", "issue_type", "status")


def worked_on(user: User, rights: Rights, most: int) -> list[Issue]:
    """Return issues that somebody made, changed or spoke on lately, the latest first."""
    acts: list[tuple[datetime, int]] = []
    changes = ChangeGroup.objects.filter(author=user).order_by("-created", "-id")
    acts += changes.values_list("created", "issue_id")[:RECENT]
    said = Comment.objects.filter(seen_condition(rights), author=user)
    acts += said.order_by("-created", "-id").values_list("created", "issue_id")[:RECENT]
    made = Issue.objects.filter(creator=user).order_by("-created", "-id")
    acts += made.values_list("created", "id")[:RECENT]
    order = list(dict.fromkeys(issue for _, issue in sorted(acts, reverse=True)))
    rows = visible_issues(rights).filter(id__in_csv=key_list(order)).select_related(*FAMILY)
    found = {issue.id: issue for issue in rows}
    return [found[id] for id in order if id in found][:most]


def places_of(user: User, rights: Rights, most: int) -> list[Project]:
    """Return the spaces that somebody leads or has issues in, the latest first."""
    mine = visible_issues(rights).filter(assignee=user).order_by()
    rows = mine.values_list("project_id").annotate(last=Max("updated"), count=Count("id"))
    order = [project for project, _, _ in sorted(rows, key=lambda row: row[1], reverse=True)]
    seen = {project.id: project for project in visible_projects(rights).filter(archived_at=None)}
    led = [project.id for project in seen.values() if project.lead_id == user.id]
    return [seen[id] for id in dict.fromkeys([*order, *led]) if id in seen][:most]
