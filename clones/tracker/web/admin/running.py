"""What long tasks are at: things that are being deleted or moved while their page is looked at."""

from __future__ import annotations

from clones.tracker.models import Task

GOING = ("ENQUEUED", "RUNNING")


def busy_with(kind: str, name: str) -> set[int]:
    """Return the ids of the things that tasks of a kind are at; `name` is their payload's key."""
    rows = Task.objects.filter(kind=kind, status__in=GOING).order_by("id")
    found: set[int] = set()
    for payload in rows.values_list("payload", flat=True):
        value = payload.get(name)
        if value is not None:
            found |= set(value) if isinstance(value, list) else {value}
    return found
