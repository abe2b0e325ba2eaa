"""Of which type a record is: chosen, checked, and what that lets its picklists have."""

from __future__ import annotations

from clones.crm.domain.saving.change import Change
from clones.crm.errors import RecordError
from clones.crm.queries.record_types import offers_of, record_types_of
from clones.crm.rules.record_ids import MASTER_RECORD_TYPE, short_id
from clones.crm.rules.record_types import RECORD_TYPE, Offers, is_picklist


def choose_type(change: Change, *, is_asked: bool) -> None:
    """Give a new record the type that is its maker's default, or check the one that is said.

    `is_asked` says that a user asks for it, who may choose among some types alone.

    Raises:
        RecordError: the type is another object's or none that the user may choose, or a picklist
            does not offer a value to records of it.
    """
    if change.of.field(RECORD_TYPE) is None:
        return
    id, said = change.get(RECORD_TYPE), change.said.get(RECORD_TYPE)
    if change.is_new and said != MASTER_RECORD_TYPE:
        types = record_types_of(change.of, change.actor)
        if id is None:
            id = next(one.id for one in types if one.is_default)
            change.set(RECORD_TYPE, None if id == MASTER_RECORD_TYPE else id)
            id = change.get(RECORD_TYPE)
        else:
            _check(change, id, {one.id: one.is_available or not is_asked for one in types})
    elif id is not None and id != change.was(RECORD_TYPE):
        types = record_types_of(change.of, change.actor)
        _check(change, id, {one.id: one.is_available or not is_asked for one in types})
    if id is not None and (change.is_new or _restricted(change)):
        _apply(change, offers_of(id))


def _check(change: Change, id: str, available: dict[str, bool]) -> None:
    if id not in available:
        raise RecordError(
            "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY",
            f"insufficient access rights on cross-reference id: {short_id(id)}",
        )
    if not available[id]:
        raise RecordError(
            "INVALID_CROSS_REFERENCE_KEY",
            f"Record Type ID: this ID value isn't valid for the user: {id}",
            [RECORD_TYPE],
        )


def _restricted(change: Change) -> list[str]:
    """Return the fields that were said and take no value which they do not offer."""
    found = (change.of.field(name) for name in change.said)
    return [
        one.name
        for one in found
        if one is not None and is_picklist(one) and one.flags["restrictedPicklist"]
    ]


def _apply(change: Change, offers: Offers) -> None:
    """See that what was said is offered to records of the type; begin with its defaults.

    Raises:
        RecordError: a value is not offered.
    """
    for name in _restricted(change):
        field, offer = change.of.field(name), offers.get(name)
        if field is None or offer is None:
            continue
        for one in str(change.get(name) or "").split(";"):
            if one and one not in offer.values:
                raise RecordError(
                    "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
                    f"{field.label}: bad value for restricted picklist field: {one}",
                    [name],
                )
    if change.is_new:
        for name, offer in offers.items():
            if name not in change.said and change.of.field(name) is not None:
                change.set(name, offer.default)
