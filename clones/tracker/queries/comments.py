"""Which comments somebody sees: those without restriction, and those of their groups and roles.

A restriction is kept as {"type": "group", "identifier": the group's uuid} or {"type": "role",
"identifier": the role's id}, both texts; work logs have the same. Area-wide reads use
`seen_condition`, which names the column of the space, so that no list of issues is needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from clones.core.digits import is_digits
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Comment, Group, Issue, ProjectRole
from clones.tracker.queries.rights import BROWSE, Rights

WITH = ("author", "update_author")


def seen_condition(rights: Rights, project: str = "issue__project_id") -> Q:
    """Return the condition of the comments, or work logs, whose restriction lets somebody in.

    `project` is the lookup that leads to the id of the space.
    """
    found = Q(visibility__isnull=True)
    if rights.group_uuids:
        found |= Q(visibility__type="group", visibility__identifier__in=sorted(rights.group_uuids))
    spaces: dict[int, list[int]] = defaultdict(list)
    for space, roles in rights.roles_by_project.items():
        for role in roles:
            spaces[role].append(space)
    for role, ids in sorted(spaces.items()):
        found |= Q(
            visibility__type="role",
            visibility__identifier=str(role),
            **{f"{project}__in": sorted(ids)},
        )
    return found


def passes(rights: Rights, visibility: Mapping[str, Any] | None, project: int) -> bool:
    """Tell whether a restriction lets somebody in."""
    if visibility is None:
        return True
    if visibility["type"] == "group":
        return visibility["identifier"] in rights.group_uuids
    return visibility["identifier"] in {str(role) for role in rights.role_ids(project)}


def comments_of(issue: Issue, rights: Rights) -> QuerySet[Comment]:
    """Return the comments of an issue that somebody sees, the oldest first."""
    rows = Comment.objects.filter(seen_condition(rights), issue=issue)
    return rows.select_related(*WITH).order_by("created", "id")


def comments_on(issues: Iterable[int], rights: Rights) -> QuerySet[Comment]:
    """Return the comments of many issues that somebody sees, by issue, the oldest first."""
    rows = Comment.objects.filter(seen_condition(rights), issue__in=issues)
    return rows.select_related(*WITH).order_by("issue_id", "created", "id")


def comments_among(ids: Iterable[int], rights: Rights) -> QuerySet[Comment]:
    """Return the comments of these ids that somebody sees, on issues that they see."""
    seen = Issue.objects.filter(rights.issues_with(BROWSE, archived=True)).values("id")
    rows = Comment.objects.filter(seen_condition(rights), issue__in=seen, id__in=list(ids))
    return rows.select_related(*WITH, "issue", "issue__project").order_by("id")


def find_comment(rights: Rights, id: str, issue: Issue | None = None) -> Comment:
    """Return a comment that somebody sees, of an issue or of any that they see.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    found: Comment | None = None
    if is_digits(id):
        if issue is not None:
            found = comments_of(issue, rights).filter(id=int(id)).first()
        else:
            found = comments_among([int(id)], rights).first()
    if found is None:
        raise NotFound(f"Can not find a comment for the id: {id}.")
    if issue is not None:
        found.issue = issue
    return found


def names_of(restrictions: Iterable[Mapping[str, Any] | None]) -> dict[tuple[str, str], str]:
    """Return the names of the groups and roles of restrictions, by type and identifier."""
    wanted: dict[str, set[str]] = {"group": set(), "role": set()}
    for restriction in restrictions:
        if restriction is not None:
            wanted[restriction["type"]].add(restriction["identifier"])
    found: dict[tuple[str, str], str] = {}
    if wanted["group"]:
        groups = Group.objects.filter(uuid__in=wanted["group"]).values_list("uuid", "name")
        found |= {("group", uuid): name for uuid, name in groups}
    if wanted["role"]:
        roles = ProjectRole.objects.filter(id__in=[int(id) for id in wanted["role"]])
        found |= {("role", str(id)): name for id, name in roles.values_list("id", "name")}
    return found
