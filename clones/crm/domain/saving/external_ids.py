"""Records by a value that is theirs alone: an external id, or a field that the vendor looks up by.

An upsert changes the record that has the value, and makes one where none has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.crm.domain.saving.pipeline import create_record, update_record
from clones.crm.domain.saving.values import stored_value
from clones.crm.errors import CrmError, NotFound, RecordError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.rules.schema import Field, SObject

# As many records of one value as an answer names.
MOST_NAMED: Final = 200


class SeveralMatch(RecordError):
    """A value that should be one record's is that of several: their `ids`."""

    def __init__(self, field: Field, ids: Sequence[str]) -> None:
        super().__init__(
            "DUPLICATE_EXTERNAL_ID",
            f"{field.name}: more than one record found for external id field: [{', '.join(ids)}]",
            [field.name],
        )
        self.ids = list(ids)


def key_field(of: SObject, name: str) -> Field:
    """Return the field of a name by which records of an object can be found.

    Raises:
        NotFound: there is none of that name, or it is no external id.
    """
    field = of.field(name)
    if field is None or not (field.externalId or field.idLookup):
        raise NotFound(f"Provided external ID field does not exist or is not accessible: {name}")
    return field


def ids_with(of: SObject, field: Field, value: Any) -> list[str]:
    """Return the ids of the records that have a value, none that lie in the recycle bin."""
    try:
        sought = stored_value(field, value)
    except CrmError:
        return []  # no record can have it
    if sought is None:
        return []
    exact = not field.is_text or field.caseSensitive or field.type == "id"
    rows = rows_of(of).filter(**{field.name if exact else f"{field.name}__iexact": sought})
    if of.field("IsDeleted") is not None:
        rows = rows.filter(IsDeleted=False)
    return list(rows.order_by("Id").values_list("Id", flat=True)[:MOST_NAMED])


def upsert_record(
    of: SObject,
    field: Field,
    value: Any,
    said: Mapping[str, Any],
    *,
    actor: str,
    only_update: bool = False,
) -> tuple[SObjectRow, bool]:
    """Change the record that has a value, or make one that has it, and tell whether it was made.

    A record is always made where the field is the id and nothing is said of it.

    Raises:
        SeveralMatch: several records have the value.
        NotFound: there is no such record, and none is to be made.
        RecordError: a field is unknown, not writable, wrong or missing.
        UnreadableBody: a value is of another type than its field.
    """
    if field.type == "id":
        if value is None or value == "":
            return create_record(of, said, actor=actor), True
        return update_record(of, str(value), said, actor=actor), False
    found = ids_with(of, field, value)
    if len(found) > 1:
        raise SeveralMatch(field, found)
    if found:
        return update_record(of, found[0], said, actor=actor), False
    if only_update:
        raise NotFound
    return create_record(of, {**said, field.name: value}, actor=actor), True
