"""Records that nobody changes while they wait for approval, but administrators."""

from __future__ import annotations

from collections.abc import Iterable

from clones.crm.errors import RecordError
from clones.crm.models import RecordLock
from clones.crm.queries.access.rights import rights_of


def lock(id: str, editors: Iterable[str] = ()) -> None:
    """Lock a record (by its id) to all but administrators and some users (by their ids)."""
    kept = RecordLock.objects.filter(id=id).first()
    if kept is None:
        RecordLock(id=id, editors=list(editors)).save(force_insert=True)
    elif kept.editors != list(editors):
        kept.editors = list(editors)
        kept.save()


def unlock(id: str) -> None:
    """Let a record (by its id) be changed again."""
    RecordLock.objects.filter(id=id).delete()


def check_unlocked(id: str, *, actor: str) -> None:
    """See that a record (by its id) is not locked to a user.

    Raises:
        RecordError: it is.
    """
    kept = RecordLock.objects.filter(id=id).first()
    if kept is None or actor in kept.editors or rights_of(actor).modifies_all_data:
        return
    raise RecordError(
        "ENTITY_IS_LOCKED", "This record is locked. If you need to edit it, contact your admin."
    )
