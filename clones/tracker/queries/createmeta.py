"""Where somebody can make issues, and of which types."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from clones.core.digits import is_digits
from clones.tracker.models import IssueType, Project
from clones.tracker.queries.kinds import types_of_projects
from clones.tracker.queries.rights import Rights


def creates_somewhere(rights: Rights) -> bool:
    """Tell whether there is a space in which somebody can make issues."""
    return bool(_able(rights))


def _able(rights: Rights) -> set[int]:
    return rights.projects_with("CREATE_ISSUES") & rights.projects_with("BROWSE_PROJECTS")


def creatable_projects(rights: Rights, *, ids: Sequence[str], keys: Sequence[str]) -> list[Project]:
    """Return the spaces in which somebody can make issues, by name; of those named, if any are."""
    rows = Project.objects.filter(id__in=sorted(_able(rights))).select_related("category")
    if ids or keys:
        numbers = [int(id) for id in ids if is_digits(id)]
        named = Q(id__in=numbers) | Q(key__in=keys) | Q(former_keys__key__in=keys)
        rows = rows.filter(named).distinct()
    return list(rows.order_by("name", "id"))


def creatable_types(
    projects: Sequence[Project], ids: Sequence[str], names: Sequence[str]
) -> dict[int, list[IssueType]]:
    """Return the types that spaces offer, by the space's id; of those named, if any are."""
    found = types_of_projects(projects)
    if not ids and not names:
        return found
    wanted = set(names)
    return {
        project: [kind for kind in kinds if str(kind.id) in ids or kind.name in wanted]
        for project, kinds in found.items()
    }
