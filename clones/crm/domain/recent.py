"""What somebody saw last, record by record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Max

from clones.core import clock
from clones.crm.models import RecentItem

# Records that are remembered of each user and object.
MOST: Final = 200


def note_view(of: str, record: str, *, user: str) -> None:
    """Remember that a user (by id) saw a record (by id) of an object (by name) at this moment."""
    note_views(of, [record], user=user)


def note_views(of: str, records: Sequence[str], *, user: str) -> None:
    """Remember that a user (by id) saw records (by id) of an object, the first of them last."""
    rows = RecentItem.objects.filter(user=user)
    last = rows.aggregate(last=Max("place"))["last"] or 0
    now = clock.now()
    wanted = list(dict.fromkeys(records))[:MOST]
    kept = {row.record: row for row in rows.filter(object=of, record__in=wanted)}
    for place, record in enumerate(reversed(wanted), last + 1):
        row = kept.get(record)
        is_new = row is None
        if row is None:
            row = RecentItem(id=f"{user}{record}", user=user, object=of, record=record)
        row.viewed_at, row.place = now, place
        row.save(force_insert=is_new)
    seen = rows.filter(object=of).order_by("-place")
    old = list(seen.values_list("id", flat=True)[MOST : 2 * MOST])
    if old:
        RecentItem.objects.filter(id__in=old).delete()
