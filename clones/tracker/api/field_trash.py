"""The trash of custom fields, and their deletion."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F, Q
from django.db.models.functions import Lower
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.fields import trashed_field_body
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain import custom_fields
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import CustomField
from clones.tracker.rules.field_catalogue import custom_number

# All fields stay in the trash for as long, so both times are in one order.
ORDERS: Final[dict[str, Any]] = {
    "name": Lower("name"),
    "trashDate": F("trashed_at"),
    "plannedDeletionDate": F("trashed_at"),
}


class TrashSearch(Query):
    """Filters and order of the custom fields in the trash."""

    id: CommaList[str] | None = None
    text: str | None = Field(None, alias="query")
    order: str | None = Field(None, alias="orderBy")


@operation(
    "getTrashedFieldsPaginated",
    "GET",
    "/rest/api/3/field/search/trashed",
    summary="Search the custom fields in the trash.",
    query=TrashSearch,
    access="admin",
)
def search_trash(call: Call) -> dict[str, Any]:
    """Search fields in the trash by id and name."""
    asked: TrashSearch = call.query
    rows = CustomField.objects.filter(trashed_at__isnull=False).select_related("trashed_by")
    if asked.id is not None:
        rows = rows.filter(id__in=[custom_number(id) or 0 for id in asked.id])
    if asked.text:
        rows = rows.filter(Q(name__icontains=asked.text) | Q(description__icontains=asked.text))
    text = (asked.order or "name").strip().removeprefix("+")
    column = ORDERS.get(text.removeprefix("-"))
    if column is None:
        raise Invalid(f"The value '{asked.order}' is invalid for the parameter 'orderBy'.")
    ordered = rows.order_by(column.desc() if text.startswith("-") else column.asc(), "id")
    reading = show(call)
    return page_bean(
        call, ordered, lambda found: [trashed_field_body(row, reading) for row in found]
    )


@operation(
    "deleteCustomField",
    "DELETE",
    "/rest/api/3/field/{id}",
    summary="Begin to delete a custom field with its values.",
    access="admin",
    status=303,
)
def delete_field(call: Call) -> Reply:
    """Begin to delete a field; the answer leads to the task."""
    field = custom_fields.find_field(call.path["id"], trashed=None)
    return task_reply(call, custom_fields.start_deletion(field, actor=actor(call)))


@operation(
    "restoreCustomField",
    "POST",
    "/rest/api/3/field/{id}/restore",
    summary="Take a custom field out of the trash.",
    access="admin",
)
def restore_field(call: Call) -> dict[str, Any]:
    """Take a field out of the trash."""
    field = custom_fields.find_field(call.path["id"], trashed=None)
    custom_fields.restore_field(field, actor=actor(call))
    return {}


@operation(
    "trashCustomField",
    "POST",
    "/rest/api/3/field/{id}/trash",
    summary="Put a custom field into the trash.",
    access="admin",
)
def trash_field(call: Call) -> dict[str, Any]:
    """Put a field into the trash."""
    field = custom_fields.find_field(call.path["id"], trashed=None)
    custom_fields.trash_field(field, actor=actor(call))
    return {}
