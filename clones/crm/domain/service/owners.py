"""Who may own what: users and queues by their names, and that a queue takes an object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import rows_of
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import SObject

QUEUE: Final = "Queue"
_USER, _GROUP = "005", "00G"


def takes(queue: str, of: str) -> bool:
    """Tell whether a group is a queue for records of an object."""
    if not rows_of("Group").filter(Id=queue, Type=QUEUE).exists():
        return False
    return bool(rows_of("QueueSobject").filter(QueueId=queue, SobjectType=of).exists())


@step(Stage.REQUIRED)
def check_owner(change: Change) -> None:
    """See that a record goes to an active user, or to a queue for its object.

    Raises:
        RecordError: the user is not active, or the group is no such queue.
    """
    if change.of.field("OwnerId") is None or change.of.name == "Group":
        return
    owner = change.get("OwnerId")
    if owner is None or owner == change.was("OwnerId"):
        return
    if owner.startswith(_USER) and owner != change.actor:
        _check_active(change.of, owner)
    if not owner.startswith(_GROUP):
        return
    if not takes(owner, change.of.name):
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            "Queue not associated with this SObject type",
            ["OwnerId"],
        )


def _check_active(of: SObject, owner: str) -> None:
    if rows_of("User").filter(Id=owner, IsActive=False).exists():
        raise RecordError(
            "INACTIVE_OWNER_OR_USER",
            f"operation performed with inactive user [{owner[:15]}] as owner of {of.name.lower()}",
        )


def owner_named(of: SObject, name: str, kind: str) -> str:
    """Return the id of whom a rule gives records to: a queue or an active user.

    `name` is an id, the developer name of a queue, or the user name of a user; `kind` is `Queue` or
    `User`, in any case.

    Raises:
        RecordError: there is no such user, or no such queue for the object.
    """
    id = read_id(name)
    if kind.lower() == QUEUE.lower():
        by = {"Id": id} if id else {"DeveloperName": name}
        found = rows_of("Group").filter(Type=QUEUE, **by).values_list("Id", flat=True).first()
        if found is not None and takes(found, of.name):
            return str(found)
    else:
        by = {"Id": id} if id else {"Username": name.lower()}
        found = rows_of("User").filter(IsActive=True, **by).values_list("Id", flat=True).first()
        if found is not None:
            return str(found)
    raise RecordError(
        "INVALID_CROSS_REFERENCE_KEY",
        f"In field: assignedTo - no {kind} named {name[:80]} found",
        ["Metadata"],
    )


def addresses_of(owner: str) -> list[str]:
    """Return where an owner reads mail: a user's address; a queue's own, else its members'.

    The members of a queue are written to beside its own address where it says so.
    """
    if owner.startswith(_USER):
        return _mails_of([owner])
    queue = rows_of("Group").filter(Id=owner).first()
    if queue is None:
        return []
    found = [queue.Email] if queue.Email else []
    if not found or queue.DoesSendEmailToMembers:
        found += [one for one in _mails_of(members_of(owner)) if one not in found]
    return found


def members_of(group: str) -> list[str]:
    """Return the ids of the users in a group, those of groups in it among them."""
    seen, waiting, found = {group}, [group], dict[str, None]()
    while waiting:
        rows = rows_of("GroupMember").filter(GroupId__in=waiting).order_by("Id")
        waiting = []
        for id in rows.values_list("UserOrGroupId", flat=True):
            if id.startswith(_USER):
                found[id] = None
            elif id not in seen:
                seen.add(id)
                waiting.append(id)
    return list(found)


def _mails_of(users: Iterable[str]) -> list[str]:
    rows = rows_of("User").filter(Id__in=list(users), IsActive=True).exclude(Email=None)
    return list(dict.fromkeys(rows.order_by("Id").values_list("Email", flat=True)))
