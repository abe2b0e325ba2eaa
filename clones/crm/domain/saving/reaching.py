"""Whether the user at hand may do to one record what is asked.

A record that a user does not see is not there. One that is seen is changed by those to whom it is
open so far, and deleted or given to others by its owner and whoever stands above.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from clones.crm.domain.access.checking import no_access
from clones.crm.domain.saving.change import Change
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import SObjectRow
from clones.crm.queries.access.rights import rights_of
from clones.crm.queries.access.sharing import open_ids, shared_with
from clones.crm.queries.access.viewing import Viewer
from clones.crm.rules.access.objects import FOLLOWING, MANAGED_OF_USERS, READ
from clones.crm.rules.access.sharing import READ_THROUGH, TRANSFER, TRANSFERS, Level, sharing_of

_SHORT_ID: Final = 15
_USER: Final = "005"


def check_reach(asking: Viewer | None, row: SObjectRow, level: Level) -> None:
    """See that a record is open so far to a user.

    Raises:
        NotFound: the user does not see it.
        RecordError: the user sees it, and no more.
    """
    of, id = row.sobject, str(row.pk)
    if open_ids(asking, of, [id], level):
        return
    if level is Level.READ or not open_ids(asking, of, [id], Level.READ):
        raise NotFound
    raise no_access()


def check_create(asking: Viewer | None, change: Change) -> None:
    """See that a user may make a record as it is said: what it refers to is seen, and open.

    Raises:
        RecordError: something that it refers to is not.
    """
    if change.said.get("OwnerId") is not None:
        _check_owner(change, change.said["OwnerId"])
    if asking is None or asking.rights.modifies_all_data:
        return
    _check_references(asking, change)
    of = change.of
    how = sharing_of(of)
    if how.is_owned:
        return
    for name in how.parents:
        id = change.get(name)
        parent = None if id is None else of.schema.of_id(id)
        if parent is not None and not open_ids(asking, parent, [id], how.written_at):
            raise _no_access_to(id)


def check_update(asking: Viewer | None, change: Change) -> None:
    """See that a user sees a record and may change it as it is said.

    Raises:
        NotFound: the user does not see it.
        RecordError: the user sees it and may not change it so, or give it to whom it is given.
    """
    owner = change.said.get("OwnerId")
    is_given = owner is not None and owner != change.was("OwnerId")
    if owner is not None and is_given:
        _check_owner(change, owner)
    if asking is None or asking.rights.modifies_all_data:
        return
    if change.of.name == "User" and not _may_change_user(asking, change):
        raise no_access()
    check_reach(asking, change.row, Level.EDIT)
    if is_given and not _may_give(asking, change):
        raise no_access()
    _check_references(asking, change)


def check_delete(asking: Viewer | None, row: SObjectRow) -> None:
    """See that a user sees a record and may delete it.

    Raises:
        NotFound: the user does not see it.
        RecordError: the user sees it, and may not delete it.
    """
    check_reach(asking, row, Level.ALL)


def check_conversion(asking: Viewer | None, lead: SObjectRow, others: Iterable[str]) -> None:
    """See that a user may convert a lead into records, some of which (by id) are there already.

    Raises:
        NotFound: the user does not see the lead.
        RecordError: the user may not.
    """
    if asking is None:
        return
    of = lead.sobject
    rights = asking.rights
    if "ConvertLeads" not in rights.system or "Edit" not in rights.grants(of):
        raise no_access()
    for name in ("Account", "Contact"):
        if "Create" not in rights.grants(of.schema.objects[name]):
            raise no_access()
    check_reach(asking, lead, Level.EDIT)
    for id in others:
        target = of.schema.of_id(id)
        if target is not None and not open_ids(asking, target, [id], Level.EDIT):
            raise _no_access_to(id)


def _may_change_user(asking: Viewer, change: Change) -> bool:
    """Tell whether somebody may change a user so: some things of oneself everybody may."""
    if "ManageUsers" in asking.rights.system:
        return True
    return change.row.pk == asking.user and not MANAGED_OF_USERS & change.said.keys()


def _may_give(asking: Viewer, change: Change) -> bool:
    """Tell whether a user who may change a record may give it to somebody else, too."""
    if asking.rights.system & TRANSFERS.get(change.of.name, frozenset()):
        return True
    if shared_with(asking).model(change.of) == TRANSFER:
        return True
    return bool(open_ids(asking, change.of, [change.row.pk], Level.ALL))


def _check_owner(change: Change, id: str) -> None:
    """See that whoever gets a record may read what it is.

    Raises:
        RecordError: the new owner may not.
    """
    if id == change.actor or not id.startswith(_USER) or change.of.name in FOLLOWING:
        return
    if READ not in rights_of(id).grants(change.of):
        raise RecordError(
            "TRANSFER_REQUIRES_READ", "The new owner must have read permission", ["OwnerId"]
        )


def _check_references(asking: Viewer, change: Change) -> None:
    """See that the user sees what is newly referred to.

    Raises:
        RecordError: the user does not.
    """
    for name in change.said:
        field = change.of.field(name)
        if field is None or field.type != "reference" or field.name == "OwnerId":
            continue
        id = change.said[name]
        target = None if id is None or id == change.was(field.name) else change.of.schema.of_id(id)
        if target is None or target.name in READ_THROUGH:
            continue
        if not open_ids(asking, target, [id], Level.READ):
            raise _no_access_to(id)


def _no_access_to(id: str) -> RecordError:
    return RecordError(
        "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY",
        f"insufficient access rights on cross-reference id: {id[:_SHORT_ID]}",
    )
