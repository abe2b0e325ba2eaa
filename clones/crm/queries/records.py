"""Records by their ids."""

from __future__ import annotations

from collections.abc import Iterable

from clones.crm.errors import IsDeleted, NotFound, RecordError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.access.sharing import open_ids
from clones.crm.queries.access.viewing import viewer
from clones.crm.queries.custom_values import read_all_values, read_values
from clones.crm.rules.access.sharing import Level
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import SObject


def find_record(of: SObject, id: str) -> SObjectRow:
    """Return a record of an object that is not in the recycle bin.

    Raises:
        NotFound: there is no such record, or the user at hand does not see it.
        IsDeleted: it lies in the recycle bin.
        RecordError: the text is an id of nothing like it.
    """
    whole = read_id(id)
    if whole is None:
        raise NotFound(f"Provided external ID field does not exist or is not accessible: {id}")
    if whole[:3] != of.prefix:
        raise RecordError("MALFORMED_ID", f"malformed id {id}")
    row: SObjectRow | None = rows_of(of).filter(Id=whole).first()
    if row is None:
        raise NotFound
    if not open_ids(viewer(), of, [whole], Level.READ):
        raise NotFound
    if getattr(row, "IsDeleted", False):
        raise IsDeleted
    row.sobject = of
    read_values(row)
    return row


def find_records(of: SObject, ids: Iterable[str]) -> dict[str, SObjectRow]:
    """Return the records of an object by ids of 18 characters, of those that are seen."""
    rows = rows_of(of).filter(Id__in=set(ids))
    if of.field("IsDeleted") is not None:
        rows = rows.filter(IsDeleted=False)
    found: dict[str, SObjectRow] = {row.pk: row for row in rows}
    seen = open_ids(viewer(), of, found, Level.READ)
    found = {id: row for id, row in found.items() if id in seen}
    for row in found.values():
        row.sobject = of
    read_all_values(of, found)
    return found
