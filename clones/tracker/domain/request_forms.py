"""The forms of request types: their fields, and what customers read for statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.request_types import require_manager
from clones.tracker.domain.scheme_parts import set_positions
from clones.tracker.models import RequestType, RequestTypeField, RequestTypeStatus
from clones.tracker.queries.request_forms import addable_fields
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.slas import statuses_of
from clones.tracker.rules.ordering import stepped

SUMMARY: Final = "summary"


def add_form_field(row: RequestType, field: str, *, actor: Rights) -> RequestTypeField:
    """Add a field at the end of a form, under its own name.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the field cannot stand in the form, or does already.
    """
    require_manager(actor, row.desk)
    found = addable_fields(row).get(field)
    if found is None:
        raise Invalid(fields={"field": "This field cannot be added to the request form."})
    last = row.fields.order_by("-position").values_list("position", flat=True).first()
    return RequestTypeField.objects.create(
        id=next_id(RequestTypeField),
        request_type=row,
        field=field,
        display_name=found,
        position=0 if last is None else last + 1,
    )


def change_form_field(
    field: RequestTypeField, *, actor: Rights, name: str, help_text: str = "", required: bool
) -> RequestTypeField:
    """Change what a field of a form is called, says, and whether it must be filled in.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty or too long, or the summary would not be required.
    """
    require_manager(actor, field.request_type.desk)
    called = name.strip()
    if not called or len(called) > 255:
        raise Invalid(fields={"name": "The field name must have between 1 and 255 characters."})
    if field.field == SUMMARY and not required:
        raise Invalid(fields={"required": "The summary is always required."})
    field.display_name, field.help_text, field.required = called, help_text.strip(), required
    field.save()
    return field


def move_form_field(field: RequestTypeField, *, actor: Rights, down: bool) -> None:
    """Let a field change places with the next one of its form; at an end it stays.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, field.request_type.desk)
    rows = list(field.request_type.fields.order_by("position", "id"))
    set_positions(rows, stepped([row.id for row in rows], field.id, down=down))


def remove_form_field(field: RequestTypeField, *, actor: Rights) -> None:
    """Take a field off a form; what requests hold in it stays.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: it is the summary.
    """
    require_manager(actor, field.request_type.desk)
    if field.field == SUMMARY:
        raise Invalid("The summary cannot be removed from a request form.")
    field.delete()


def name_portal_statuses(row: RequestType, names: Mapping[int, str], *, actor: Rights) -> None:
    """Say what customers read for statuses, by their ids; the own name, or none, is the usual.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: a name is too long.
    """
    require_manager(actor, row.desk)
    kept = {one.status_id: one for one in RequestTypeStatus.objects.filter(request_type=row)}
    for status in statuses_of(row.desk.project):
        if status.id not in names:
            continue
        told = names[status.id].strip()
        if len(told) > 255:
            raise Invalid("A status name must not have more than 255 characters.")
        found = kept.get(status.id)
        if told in ("", status.name):
            if found is not None:
                found.delete()
        elif found is None:
            key = next_id(RequestTypeStatus)
            RequestTypeStatus.objects.create(id=key, request_type=row, status=status, name=told)
        elif found.name != told:
            found.name = told
            found.save(update_fields=["name"])
