"""What lies behind a relationship of a record: its parent, or the records that refer to it."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.crm.api.views.queries import answer_query
from clones.crm.api.views.rows import members, shown_row, wanted_fields
from clones.crm.domain.saving import delete_record, update_record
from clones.crm.errors import CrmError, NotFound
from clones.crm.queries.records import find_record
from clones.crm.rules.schema import SObject


def show_related(call: Call, of: SObject, id: str, name: str) -> dict[str, Any]:
    """Return a record's parent, or its children as a query has them.

    Raises:
        NotFound: there is no such record or relationship, or it leads nowhere.
    """
    child = of.schema.child(of, name)
    if child is None:
        parent, key = _parent(of, id, name)
        fields = wanted_fields(parent, call.query.fields)
        return shown_row(call, find_record(parent, key), fields)
    row = find_record(of, id)
    wanted = ", ".join(one.name for one in wanted_fields(child.child, call.query.fields))
    where = f"{child.field.name} = '{row.pk}'"
    return answer_query(call, f"SELECT {wanted} FROM {child.child.name} WHERE {where}")  # noqa: S608 - names of the schema and an id


def change_related(call: Call, of: SObject, id: str, name: str) -> Reply:
    """Change a record's parent.

    Raises:
        NotFound: there is no such record or relationship, or it leads nowhere.
        CrmError: it leads to children.
    """
    _refuse_children(of, name)
    parent, key = _parent(of, id, name)
    update_record(parent, key, members(call.body), actor=call.actor.subject)
    return Reply(None, 204)


def remove_related(call: Call, of: SObject, id: str, name: str) -> Reply:
    """Delete a record's parent.

    Raises:
        NotFound: there is no such record or relationship, or it leads nowhere.
        CrmError: it leads to children.
    """
    _refuse_children(of, name)
    parent, key = _parent(of, id, name)
    delete_record(parent, key, actor=call.actor.subject)
    return Reply(None, 204)


def _parent(of: SObject, id: str, name: str) -> tuple[SObject, str]:
    """Return the object and the id of what a record refers to by a relationship.

    Raises:
        NotFound: there is no such record or relationship, or it leads nowhere.
    """
    field = of.reference(name)
    if field is None:
        raise NotFound
    key = getattr(find_record(of, id), field.name)
    found = of.schema.of_id(key) if key else None
    if found is None:
        raise NotFound
    return found, key


def _refuse_children(of: SObject, name: str) -> None:
    if of.reference(name) is None and of.schema.child(of, name) is not None:
        raise CrmError(
            "HTTP Method not allowed. Allowed are GET,HEAD", code="METHOD_NOT_ALLOWED", status=405
        )
