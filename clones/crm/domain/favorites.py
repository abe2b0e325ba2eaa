"""Pages that users keep at hand."""

from __future__ import annotations

from typing import Final

from clones.core import clock
from clones.crm.domain.new_ids import new_id
from clones.crm.errors import RecordError
from clones.crm.models import Favorite

MOST: Final = 200
TYPES: Final = ("ListView", "ObjectHome", "Record", "Tab", "MruList")


def add_favorite(
    name: str, target: str, target_type: str, of: str | None, *, user: str
) -> Favorite:
    """Keep a page at hand for a user (by id), behind those that are there.

    Raises:
        RecordError: there are too many, or a name or kind will not do.
    """
    if target_type not in TYPES:
        raise RecordError("INVALID_INPUT", f"Invalid target type: {target_type}", ["targetType"])
    count = Favorite.objects.filter(user=user).count()
    if count >= MOST:
        raise RecordError("LIMIT_EXCEEDED", "You have reached the limit of 200 favorites.")
    made = Favorite(
        id=new_id("0MV", Favorite),
        user=user,
        name=checked_name(name),
        target=target[:255],
        target_type=target_type,
        object=of,
        sort_order=count + 1,
        access_count=1,
        last_access_at=clock.now().replace(microsecond=0),
    )
    made.save(force_insert=True)
    return made


def checked_name(name: str) -> str:
    """Return a name of a favorite.

    Raises:
        RecordError: it is empty or too long.
    """
    if not name.strip() or len(name) > 100 or "\0" in name:
        raise RecordError("INVALID_INPUT", "Specify a valid name for the favorite.", ["name"])
    return name


def note_use(favorite: Favorite) -> None:
    """Count a use of a favorite, at this moment."""
    favorite.access_count += 1
    favorite.last_access_at = clock.now().replace(microsecond=0)
    favorite.save()
