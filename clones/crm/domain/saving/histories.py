"""Histories of fields: a row for each change of what an organization tracks.

A change of a reference is told twice, by the names of the records and by their ids. That a long
text changed is told without it.
"""

from __future__ import annotations

from typing import Any, Final

from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.models import SObjectRow, model_of, rows_of
from clones.crm.rules.schema import Field, OrgSchema
from clones.crm.rules.shown_values import kept_value
from clones.crm.rules.tracked_fields import (
    LONGEST,
    history_of,
    kind_in_history,
    name_in_history,
    tracked_fields,
)

CREATED: Final = "created"
_TEXT: Final = "Text"


@step(Stage.FOLLOW_UPS)
def note_changes(change: Change) -> None:
    """Keep that a record was made, or what changed of it."""
    if history_of(change.of) is None:
        return
    if change.is_new:
        note_event(change.row, CREATED, by=change.actor, at=change.now)
        return
    for field in tracked_fields(change.of):
        old, new = change.was(field.name), change.get(field.name)
        if old == new or (field.type == "boolean" and bool(old) == bool(new)):
            continue
        name = name_in_history(field)
        for kind, before, after in _told(change.of.schema, field, old, new):
            values = {"DataType": kind, "OldValue": before, "NewValue": after}
            _keep(change.row, name, values, by=change.actor, at=change.now)


def note_event(row: SObjectRow, name: str, *, by: str, at: Any) -> None:
    """Keep that something was done to a record that is no change of a field, if it has a history.

    `name` is the vendor's for it; `by` is a user's id, `at` the moment.
    """
    if history_of(row.sobject) is not None:
        _keep(row, name, {"DataType": _TEXT}, by=by, at=at)


def _told(schema: OrgSchema, field: Field, old: Any, new: Any) -> list[tuple[str, Any, Any]]:
    """Return the kinds of values by which a change is told, and the values before and after."""
    kind = kind_in_history(field)
    if field.type == "reference":
        before, after = kept_value(_name_of(schema, old)), kept_value(_name_of(schema, new))
        return [(_TEXT, before, after), (kind, kept_value(old), kept_value(new))]
    if field.type in ("textarea", "multipicklist") and field.length > LONGEST:
        return [(kind, None, None)]
    return [(kind, kept_value(old), kept_value(new))]


def _name_of(schema: OrgSchema, id: str | None) -> str | None:
    of = schema.of_id(id) if id else None
    if of is None or of.name_field is None:
        return id
    found = rows_of(of).filter(Id=id).values_list(of.name_field.name, flat=True).first()
    return id if found is None else str(found)


def _keep(row: SObjectRow, name: str, values: dict[str, Any], *, by: str, at: Any) -> None:
    found = history_of(row.sobject)
    if found is None:
        return
    of, via = found
    model = model_of(of)
    own = {"Id": new_id(of.prefix, model), via: row.pk, "CreatedById": by, "CreatedDate": at}
    model(**own, Field=name, **values).save(force_insert=True)
