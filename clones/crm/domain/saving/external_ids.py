"""Records by a value that is theirs alone: an external id, or a field that the vendor looks up by.

An upsert changes the record that has the value, and makes one where none has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.crm.domain.saving.lookups import SeveralMatch, ids_with
from clones.crm.domain.saving.pipeline import create_record, update_record
from clones.crm.errors import NotFound
from clones.crm.models import SObjectRow
from clones.crm.rules.schema import Field, SObject


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
