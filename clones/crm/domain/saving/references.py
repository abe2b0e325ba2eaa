"""What the references of a record lead to: records that are there, of the right object."""

from __future__ import annotations

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.values import wrong_id
from clones.crm.errors import RecordError
from clones.crm.models import rows_of
from clones.crm.rules.record_ids import MASTER_RECORD_TYPE
from clones.crm.rules.schema import Field, OrgSchema


def check_references(change: Change) -> None:
    """See that each reference that was said leads to a record.

    Raises:
        RecordError: it is an id of another object, of no record, or the record's own.
    """
    for name in change.said:
        field = change.of.field(name)
        if field is None or field.type != "reference":
            continue
        id = change.get(field.name)
        if id is None or id == change.was(field.name):
            continue
        if field.name == "RecordTypeId" and id == MASTER_RECORD_TYPE:
            change.set(field.name, None)
            continue
        _check(change.of.schema, field, id, own=change.get("Id"))


def _check(schema: OrgSchema, field: Field, id: str, *, own: str) -> None:
    target = schema.of_id(id)
    if target is None or target.name not in field.reference_to:
        raise wrong_id(field, id)
    if id == own:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            f"{field.label}: a record cannot refer to itself: {id}",
            [field.name],
        )
    rows = rows_of(target).filter(Id=id)
    if target.field("IsDeleted") is not None:
        rows = rows.filter(IsDeleted=False)
    if not rows.exists():
        raise RecordError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", [field.name])
