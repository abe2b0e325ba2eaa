"""What is counted of fields: screens, contexts, spaces, and when they were changed last."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from django.db.models import Count, Max

from clones.tracker.models import (
    ChangeItem,
    FieldContext,
    FieldContextProject,
    Project,
    ScreenTabField,
)
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.rules.field_catalogue import CUSTOM


def fields_in(rights: Rights, projects: Collection[int]) -> set[int]:
    """Return the numbers of the fields with a context in one of these spaces, if it is seen."""
    seen = visible_projects(rights).filter(id__in=projects).order_by()
    own = FieldContextProject.objects.filter(project__in=seen.values("id"))
    found = set(own.values_list("context__field_id", flat=True))
    if seen.exists():
        everywhere = FieldContext.objects.filter(all_projects=True)
        found |= set(everywhere.values_list("field_id", flat=True))
    return found


class FieldCounts:
    """What is counted of fields, each thing at once for all fields."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Any]] = {}

    def of(self, what: str) -> dict[str, Any]:
        """Return numbers (or times of last use) by the field's id."""
        counted: dict[str, Callable[[], dict[str, Any]]] = {
            "screensCount": self._screens,
            "contextsCount": self._contexts,
            "projectsCount": self._projects,
            "lastUsed": self._last_used,
        }
        if what not in self._found:
            self._found[what] = counted[what]()
        return self._found[what]

    def _screens(self) -> dict[str, int]:
        rows = ScreenTabField.objects.values_list("field").order_by()
        return dict(rows.annotate(Count("tab__screen", distinct=True)))

    def _contexts(self) -> dict[str, int]:
        rows = FieldContext.objects.values_list("field_id").order_by().annotate(Count("id"))
        return {f"{CUSTOM}{number}": count for number, count in rows}

    def _projects(self) -> dict[str, int]:
        everywhere = FieldContext.objects.filter(all_projects=True)
        every = Project.objects.filter(deleted_at=None).count()
        rows = FieldContextProject.objects.values_list("context__field_id").order_by()
        own = {
            f"{CUSTOM}{number}": count
            for number, count in rows.annotate(Count("project", distinct=True))
        }
        for number in everywhere.values_list("field_id", flat=True):
            own[f"{CUSTOM}{number}"] = every
        return own

    def _last_used(self) -> dict[str, datetime]:
        rows = ChangeItem.objects.values_list("field_id").order_by().annotate(Max("created"))
        return dict(rows)
