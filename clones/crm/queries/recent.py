"""What somebody saw last."""

from __future__ import annotations

from clones.crm.models import RecentItem


def seen_records(user: str, *, of: str | None = None, most: int = 200) -> list[str]:
    """Return the ids of records that a user (by id) saw, the last one first."""
    rows = RecentItem.objects.filter(user=user)
    if of is not None:
        rows = rows.filter(object=of)
    return list(rows.order_by("-place").values_list("record", flat=True)[:most])
