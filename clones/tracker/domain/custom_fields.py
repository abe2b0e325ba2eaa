"""Custom fields of the site: made, changed, put into the trash, taken out of it, deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from clones.core import clock, jobs
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.scheme_parts import checked_text, note_act
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import (
    CustomField,
    FieldConfigurationItem,
    FieldContext,
    FieldValue,
    IssueText,
    PermissionGrant,
    RequestTypeField,
    ScreenTabField,
    SecurityMember,
    Task,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_catalogue import custom_number, custom_types

CATEGORY: Final = "fields"
GONE: Final = "The custom field was not found."
NAME_LIMIT: Final = 255
DESCRIPTION_LIMIT: Final = 40_000
IN_TRASH: Final = timedelta(days=60)
DELETION: Final = "delete_field"
PURGE: Final = "tracker.field_purge"
BAD_SEARCHER: Final = "searcherKey is invalid for the field type."
LOCKED: Final = "The custom field is locked."


def create_field(
    name: str | None,
    kind: str | None,
    *,
    actor: Rights,
    description: str | None = None,
    searcher: str | None = None,
) -> CustomField:
    """Make a field that all spaces and types have; it stands on no screen yet.

    Args:
        name: need not be the only one.
        kind: the whole key of one of the types that admins can make fields of.
        actor: an admin.
        description: what it is for.
        searcher: the whole key of the way in which it is searched; None: it is not.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule.
    """
    admins_only(actor)
    kinds = custom_types()
    if kind is None or kind not in kinds or not kinds[kind].is_made:
        raise Invalid(fields={"type": f"The custom field type '{kind}' was not found."})
    _check_searcher(searcher, kind)
    field = CustomField.objects.create(
        id=next_id(CustomField),
        name=_name(name),
        description=checked_text(description, limit=DESCRIPTION_LIMIT),
        type=kind,
        searcher=searcher,
        created=clock.now(),
    )
    FieldContext.objects.create(
        id=next_id(FieldContext),
        field=field,
        name=f"Default Configuration Scheme for {field.name}"[:255],
        description="Made with the field.",
    )
    note_act("Custom field created", CATEGORY, field, actor=actor, kind="CUSTOM_FIELD")
    return field


def update_field(field: CustomField, changes: dict[str, Any], *, actor: Rights) -> None:
    """Change a field's name, description or searcher: whichever of the keys is there.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, or the field is the site's own.
    """
    admins_only(actor)
    _check_unlocked(field)
    if "name" in changes:
        field.name = _name(changes["name"])
    if changes.get("description") is not None:
        field.description = checked_text(changes["description"], limit=DESCRIPTION_LIMIT)
    if "searcher" in changes:
        _check_searcher(changes["searcher"], field.type)
        field.searcher = changes["searcher"]
    field.save()
    note_act("Custom field updated", CATEGORY, field, actor=actor, kind="CUSTOM_FIELD")


def trash_field(field: CustomField, *, actor: Rights) -> None:
    """Put a field into the trash: it is gone from everywhere, and for good after sixty days.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the site's own, in the trash already, or schemes need it.
    """
    admins_only(actor)
    _check_unlocked(field)
    if field.trashed_at is not None:
        raise Invalid("The custom field is already in the trash.")
    _check_unused(field)
    field.trashed_at, field.trashed_by = clock.now(), actor.user
    field.save(update_fields=["trashed_at", "trashed_by_id"])
    jobs.enqueue(
        PURGE, due=field.trashed_at + IN_TRASH, payload={"field": field.id}, key=_purge_key(field)
    )
    note_act("Custom field moved to trash", CATEGORY, field, actor=actor, kind="CUSTOM_FIELD")


def restore_field(field: CustomField, *, actor: Rights) -> None:
    """Take a field out of the trash, with all its values.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is not in the trash.
    """
    admins_only(actor)
    if field.trashed_at is None:
        raise Invalid("The custom field is not in the trash.")
    field.trashed_at, field.trashed_by = None, None
    field.save(update_fields=["trashed_at", "trashed_by_id"])
    jobs.cancel(_purge_key(field))
    note_act("Custom field restored", CATEGORY, field, actor=actor, kind="CUSTOM_FIELD")


def start_deletion(field: CustomField, *, actor: Rights) -> Task:
    """Begin to delete a field, from the trash or not.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the site's own, or schemes need it.
        Conflict: it is being deleted already.
    """
    admins_only(actor)
    _check_unlocked(field)
    _check_unused(field)
    running = Task.objects.filter(kind=DELETION, status__in=["ENQUEUED", "RUNNING"])
    if any(task.payload.get("field") == field.id for task in running):
        raise Conflict("A task to delete the custom field is already running.")
    note_act("Custom field deleted", CATEGORY, field, actor=actor, kind="CUSTOM_FIELD")
    return start_task(DELETION, {"field": field.id}, actor=actor, description="Delete custom field")


def find_field(id: str, *, trashed: bool | None = False) -> CustomField:
    """Return the custom field with an id (`customfield_10016`), in the trash if `trashed`.

    None: wherever it is.

    Raises:
        NotFound: there is none.
    """
    number = custom_number(id)
    rows = CustomField.objects.filter(id=number or 0)
    if trashed is not None:
        rows = rows.filter(trashed_at__isnull=not trashed)
    found = rows.first()
    if found is None:
        raise NotFound(GONE)
    return found


@carries_out(DELETION)
def _carry_out(task: Task, actor: Rights) -> dict[str, Any]:
    field = CustomField.objects.filter(id=task.payload["field"]).first()
    if field is None:
        raise NotFound(GONE)
    _delete(field)
    return {"fieldId": field.key}


@jobs.handles(PURGE)
def _purge(payload: dict[str, Any]) -> None:
    field = CustomField.objects.filter(id=payload["field"], trashed_at__isnull=False).first()
    if field is not None:
        _delete(field)


def _delete(field: CustomField) -> None:
    """Delete a field with all that names it: values, texts, places on screens and forms."""
    key = field.key
    jobs.cancel(_purge_key(field))
    IssueText.objects.filter(field=key).delete()
    FieldValue.objects.filter(field=field).delete()
    ScreenTabField.objects.filter(field=key).delete()
    FieldConfigurationItem.objects.filter(field=key).delete()
    RequestTypeField.objects.filter(field=key).delete()
    CustomField.objects.filter(id=field.id).delete()


def _purge_key(field: CustomField) -> str:
    return f"{PURGE}:{field.id}"


def _name(name: str | None) -> str:
    text = (name or "").strip()
    if not text:
        raise Invalid(fields={"name": "The name of the custom field has to be provided."})
    if len(text) > NAME_LIMIT:
        raise Invalid(fields={"name": f"The name must not exceed {NAME_LIMIT} characters."})
    return text


def _check_searcher(searcher: str | None, kind: str) -> None:
    known = custom_types().get(kind)
    if searcher is not None and (known is None or searcher not in known.searchers):
        raise Invalid(BAD_SEARCHER)


def _check_unlocked(field: CustomField) -> None:
    if field.is_locked:
        raise Invalid(LOCKED)


def _check_unused(field: CustomField) -> None:
    """Refuse to let a field go that says who may do something.

    Raises:
        Invalid: a permission scheme or a security level names it.
    """
    for model, word in ((PermissionGrant, "a permission"), (SecurityMember, "an issue security")):
        if model._default_manager.filter(parameter=field.key).exists():
            raise Invalid(f"The custom field is used in {word} scheme.")
