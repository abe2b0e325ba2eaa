"""For whom a picker is that fills in a field: who sees the spaces in which the field is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clones.tracker.models import (
    FieldContext,
    FieldContextProject,
    FieldContextType,
    IssueType,
    Project,
)
from clones.tracker.rules.field_catalogue import custom_number

# What stands for all types of a kind.
STANDARD, SUBTASKS = -1, -2


def spaces_of_picker(
    field: str, projects: Sequence[int], types: Sequence[int]
) -> list[Project] | None:
    """Return the spaces that a picker is narrowed to; None where its field is not asked there.

    Args:
        field: the field's id, `customfield_10001`.
        projects: ids of spaces; they must be among those that the field is enabled for.
        types: ids of types, -1 for all standard ones, -2 for all of sub-tasks; likewise.
    """
    contexts = list(FieldContext.objects.filter(field=custom_number(field) or 0))
    if not contexts:
        return None
    if not any(one.all_projects for one in contexts):
        rows = FieldContextProject.objects.filter(context__in=contexts)
        if not set(projects) <= set(rows.values_list("project_id", flat=True)):
            return None
    if not any(one.all_issue_types for one in contexts):
        of_types = FieldContextType.objects.filter(context__in=contexts)
        if not _named(types) <= set(of_types.values_list("issue_type_id", flat=True)):
            return None
    found = list(Project.objects.filter(id__in=projects, deleted_at=None).order_by("id"))
    return found if len(found) == len(set(projects)) else None


def _named(types: Collection[int]) -> set[int]:
    found = {id for id in types if id not in (STANDARD, SUBTASKS)}
    if STANDARD in types:
        rows = IssueType.objects.filter(hierarchy_level__gte=0)
        found |= set(rows.values_list("id", flat=True))
    if SUBTASKS in types:
        rows = IssueType.objects.filter(hierarchy_level__lt=0)
        found |= set(rows.values_list("id", flat=True))
    return found
