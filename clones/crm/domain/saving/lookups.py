"""Fields by whose values records are found, and the records that have a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.core.words import any_case, is_folded_by_engines
from clones.crm.domain.saving.values import stored_value
from clones.crm.errors import CrmError, NotFound, RecordError
from clones.crm.queries.access.sharing import seen_rows
from clones.crm.queries.custom_values import rows_with
from clones.crm.rules.record_ids import read_id
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


def finds_records(field: Field | None) -> bool:
    """Tell whether records can be found by a field."""
    return field is not None and (field.externalId or field.idLookup)


def key_field(of: SObject, name: str) -> Field:
    """Return the field of a name by which records of an object can be found.

    Raises:
        NotFound: there is none of that name, or it is no external id.
    """
    field = of.field(name)
    if field is None or not finds_records(field):
        raise NotFound(f"Provided external ID field does not exist or is not accessible: {name}")
    return field


def ids_with(of: SObject, field: Field, value: Any) -> list[str]:
    """Return the ids of the records that have a value and are seen, none in the recycle bin."""
    sought = _sought(field, value)
    if sought is None:
        return []
    if not field.is_text or field.caseSensitive or field.type == "id":
        rows = rows_with(of, field, sought)
    elif is_folded_by_engines(sought):
        rows = rows_with(of, field, sought, test="iexact")
    else:
        rows = rows_with(of, field, f"^{any_case(sought)}$", test="regex")
    if of.field("IsDeleted") is not None:
        rows = rows.filter(IsDeleted=False)
    return list(seen_rows(of, rows).order_by("Id").values_list("Id", flat=True)[:MOST_NAMED])


def _sought(field: Field, value: Any) -> Any:
    """Return what a column has that holds a value, None if none can."""
    if field.type == "id":
        return read_id(value) if isinstance(value, str) else None
    try:
        return stored_value(field, value)
    except CrmError:
        return None
