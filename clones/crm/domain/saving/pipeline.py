"""Saving a record, stage by stage, in the vendor's order.

1. The old values are read and the new ones laid over them: types, forms, lengths, restricted
   picklists (`values`), then what references lead to (`references`).
2. The stages before the row is written: `stages.BEFORE_WRITING`.
3. The row is written, and the values of custom fields beside it.
4. The stages after it: `stages.AFTER_WRITING`. A stage that sets values of the record has them
   written when it is over, before the next one begins.

What is done in a stage is registered there by its own module: `clones.crm.domain.saving.stages`
says how. A save that leads to others (`create_record`, `update_record` within a step) runs them
whole before it goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.core import clock
from clones.crm.domain.access.checking import (
    check_may_create,
    check_may_delete,
    check_may_update,
)
from clones.crm.domain.approvals.locks import check_unlocked
from clones.crm.domain.calculated_fields import default_value
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.recycling import check_can_go, throw_away
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.parents import with_parents
from clones.crm.domain.saving.reaching import check_create, check_delete, check_update
from clones.crm.domain.saving.record_types import choose_type
from clones.crm.domain.saving.references import check_references
from clones.crm.domain.saving.stages import (
    AFTER_WRITING,
    BEFORE_WRITING,
    NOT_AGAIN,
    Stage,
    steps_of,
    tell_deleting,
)
from clones.crm.domain.saving.values import stored_value
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow, model_of
from clones.crm.queries.access.viewing import Viewer, system_mode
from clones.crm.queries.custom_values import keep_values
from clones.crm.queries.records import find_record
from clones.crm.rules.schema import SObject
from clones.crm.rules.summaries import read_summary

_UNTOUCHED = frozenset({"attributes"})


def create_record(of: SObject, said: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Make a record of an object from what a body says, and return it as it is kept.

    Raises:
        RecordError: a field is unknown, not writable, wrong or missing.
        UnreadableBody: a value is of another type than its field.
    """
    check_may_create(of)
    if any(name.lower() == "id" for name in said):
        raise RecordError(
            "INVALID_FIELD_FOR_INSERT_UPDATE", "cannot specify Id in an insert call", ["Id"]
        )
    given = _read(of, said, flag="createable")
    with system_mode() as asking:
        return _create(of.whole, given, actor, asking)


def _create(of: SObject, given: Mapping[str, Any], actor: str, asking: Viewer | None) -> SObjectRow:
    now = clock.now().replace(microsecond=0)
    model = model_of(of)
    row = model()
    row.sobject = of
    if of.is_custom:
        row.Object = of.name
    row.Id = new_id(of.prefix, model)
    for field in of.stored:
        if field.slot is not None or (field.name != "Id" and field.default is not None):
            setattr(row, field.name, field.default)
    change = Change(of, row, None, given, actor, now)
    for field in of.fields:
        if field.summary is not None:
            change.set(field.name, read_summary(field.summary).nothing)
        elif field.slot is not None and field.flags["defaultValueFormula"] is not None:
            change.set(field.name, default_value(of, field, change.looker))
    _lay_over(change, given)
    choose_type(change, is_asked=asking is not None)
    check_create(asking, change)
    _stamp(change, of)
    _carry_out(change)
    return row


def update_record(of: SObject, id: str, said: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Change some fields of a record, and return it as it is kept.

    Raises:
        NotFound: there is no such record.
        IsDeleted: it lies in the recycle bin.
        RecordError: a field is unknown, not writable, wrong or missing.
        UnreadableBody: a value is of another type than its field.
    """
    if any(name.lower() == "id" for name in said):
        raise RecordError(
            "INVALID_FIELD", "The Id field should not be specified in the sobject data."
        )
    check_may_update(of)
    given = _read(of, said, flag="updateable")
    with system_mode() as asking:
        return _update(of.whole, id, given, actor, asking)


def _update(
    of: SObject, id: str, given: Mapping[str, Any], actor: str, asking: Viewer | None
) -> SObjectRow:
    row = find_record(of, id)
    before = {field.name: getattr(row, field.name) for field in of.stored}
    change = Change(of, row, before, given, actor, clock.now().replace(microsecond=0))
    check_update(asking, change)
    check_unlocked(row.pk, actor=actor)
    _lay_over(change, given)
    choose_type(change, is_asked=asking is not None)
    _stamp(change, of)
    _carry_out(change)
    return row


def write_values(
    of: SObject, id: str, values: Mapping[str, Any], *, actor: str, is_quiet: bool = False
) -> SObjectRow:
    """Give a record values that their columns take, whoever may write the fields, and save it.

    A quiet save leaves out what one that a workflow rule leads to leaves out.

    Raises:
        NotFound: there is no such record.
        IsDeleted: it lies in the recycle bin.
        RecordError: a stage refuses it.
    """
    row = find_record(of, id)
    before = {field.name: getattr(row, field.name) for field in of.stored}
    now = clock.now().replace(microsecond=0)
    change = Change(of, row, before, dict(values), actor, now, is_quiet=is_quiet)
    _lay_over(change, values)
    _stamp(change, of)
    _carry_out(change)
    return row


def write_again(change: Change, values: Mapping[str, Any]) -> None:
    """Give a record further values while it is being saved: a save of its own within that one.

    Raises:
        RecordError: a stage refuses it.
    """
    before = {field.name: getattr(change.row, field.name) for field in change.of.stored}
    inner = Change(
        change.of, change.row, before, dict(values), change.actor, change.now, is_quiet=True
    )
    _lay_over(inner, values)
    _carry_out(inner)


def delete_record(of: SObject, id: str, *, actor: str) -> None:
    """Put a record into the recycle bin, and with it what goes with it.

    Raises:
        NotFound: there is no such record.
        IsDeleted: it lies in the recycle bin already.
        RecordError: the object keeps its records, or others refer to it and hold it, or a
            flow refuses it.
    """
    check_may_delete(of)
    with system_mode() as asking:
        row = find_record(of.whole, id)
        check_delete(asking, row)
        check_unlocked(row.pk, actor=actor)
        check_can_go(row)
        tell_deleting(row, actor=actor)
        throw_away(row, actor=actor, now=clock.now().replace(microsecond=0))


def _read(of: SObject, said: Mapping[str, Any], *, flag: str) -> dict[str, Any]:
    """Return the values of a body by the fields' own names, each as its column keeps it.

    Raises:
        RecordError: a field is unknown or cannot be written, or a value breaks its form.
        UnreadableBody: a value is of another type than its field.
    """
    found, closed = {}, []
    for name, value in with_parents(of, said).items():
        if name in _UNTOUCHED:
            continue
        field = of.field(name)
        if field is None:
            raise RecordError(
                "INVALID_FIELD", f"No such column '{name}' on sobject of type {of.name}"
            )
        if not field.flags[flag]:
            closed.append(field.name)
        else:
            found[field.name] = stored_value(field, value)
    if closed:
        raise RecordError(
            "INVALID_FIELD_FOR_INSERT_UPDATE",
            f"Unable to create/update fields: {', '.join(closed)}. Please check the security"
            " settings of this field and verify that it is read/write for your profile or"
            " permission set.",
            closed,
        )
    return found


def _lay_over(change: Change, given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        change.set(name, value)
    check_references(change)


def _carry_out(change: Change) -> None:
    """Go through the stages before a record is written, write it, and go through those after."""
    for stage in BEFORE_WRITING:
        _go_through(stage, change)
    _write(change, is_new=change.is_new)
    for stage in AFTER_WRITING:
        _go_through(stage, change)
        if change.is_touched:
            _write(change, is_new=False)


def _go_through(stage: Stage, change: Change) -> None:
    if change.is_quiet and stage in NOT_AGAIN:
        return
    for run in steps_of(stage):
        run(change)


def _write(change: Change, *, is_new: bool) -> None:
    change.row.save(force_insert=is_new)
    keep_values(change.row, is_new=is_new)
    change.is_touched = False


def _stamp(change: Change, of: SObject) -> None:
    """Say who saved the record and when."""
    stamps = {"LastModifiedDate": change.now, "LastModifiedById": change.actor}
    stamps["SystemModstamp"] = change.now
    if change.is_new:
        stamps |= {"CreatedDate": change.now, "CreatedById": change.actor}
        if of.field("OwnerId") is not None and change.get("OwnerId") is None:
            stamps["OwnerId"] = change.actor
    for name, value in stamps.items():
        if of.field(name) is not None:
            change.set(name, value)
