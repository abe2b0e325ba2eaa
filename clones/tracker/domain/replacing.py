"""Giving issues another value of a field for one that goes: an entry in the history of each.

Webhooks and rules hear of each; nobody gets mail, as of other acts of administration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.models import Issue
from clones.tracker.queries.rights import Rights

Row = TypeVar("Row", bound=Model)


def replace_value(
    issues: QuerySet[Issue],
    field: str,
    column: str,
    successor: Callable[[Issue], Any],
    *,
    actor: Rights,
) -> int:
    """Give issues another value of a field, and return how many there were.

    Args:
        issues: those whose value goes; their space is loaded with them.
        field: the vendor's name of the field, which is its id, too.
        column: the issue's column, a key to a row that has a name.
        successor: tells an issue's new row, None for none.
        actor: in whose name it is done.
    """
    done = 0
    for issue in issues.select_related("project", column).order_by("id"):
        old, new = getattr(issue, column), successor(issue)
        changes = Changes(issue, actor)
        changes.note(field, field, *_parts(old), *_parts(new))
        setattr(issue, column, new)
        group = changes.save()
        issue.save(update_fields=[f"{column}_id", "updated"])
        if group is not None:
            publish(Event("issue_updated", actor, issue=issue, changes=group, notify=False))
        done += 1
    return done


def _parts(row: Any) -> tuple[str | None, str | None]:
    return (None, None) if row is None else (str(row.pk), row.name)
