"""What somebody saw last, record by record."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Max

from clones.core import clock
from clones.crm.models import RecentItem

# Records that are remembered of each user and object.
MOST: Final = 200


def note_view(of: str, record: str, *, user: str) -> None:
    """Remember that a user (by id) saw a record (by id) of an object (by name) at this moment."""
    last = RecentItem.objects.filter(user=user).aggregate(last=Max("place"))["last"] or 0
    id = f"{user}{record}"
    values: dict[str, Any] = {"user": user, "object": of, "record": record}
    values |= {"viewed_at": clock.now(), "place": last + 1}
    RecentItem.objects.update_or_create(id=id, defaults=values)
    seen = RecentItem.objects.filter(user=user, object=of).order_by("-place")
    old = list(seen.values_list("id", flat=True)[MOST : MOST + 100])
    if old:
        RecentItem.objects.filter(id__in=old).delete()
