"""Notification schemes: who is told of what in the spaces that use them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from clones.core.digits import is_digits
from clones.core.resources import Resource, ResourceField
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only, checked_description
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.holders import checked_holder
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import Notification, NotificationScheme
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.notification_events import EVENTS, RECIPIENTS

CATEGORY: Final = "notifications"
GONE: Final = "Notification scheme with ID {id} not found."
NAME: Final = ResourceField("name", limit=255, required=True)
MOST: Final = 1000
# What recipients with a parameter are kept like.
_AS: Final = {
    "User": "user",
    "Group": "group",
    "ProjectRole": "projectRole",
    "UserCustomField": "userCustomField",
    "GroupCustomField": "groupCustomField",
}
Told = tuple[str, str, str | None]  # the event's number, the kind of recipients, who


def create_notification_scheme(
    name: str, description: str | None, told: Sequence[Told], *, actor: Rights
) -> NotificationScheme:
    """Make a notification scheme.

    Args:
        name: up to 255 characters, no other scheme's in any case.
        description: up to 4,000.
        told: the event's number, the kind of recipients, and who they are.
        actor: who makes it.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: something breaks these rules, or there is no such event, kind or recipient.
    """
    admins_only(actor)
    made = NotificationScheme(id=next_id(NotificationScheme))
    made.name = _name(made, name)
    made.description = checked_description(description)
    rows = _checked(told)
    made.save(force_insert=True)
    _write(made, rows)
    _record("Notification scheme created", made, actor)
    return made


def update_notification_scheme(
    scheme: NotificationScheme, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change a scheme's name or description.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: as for a new one.
    """
    admins_only(actor)
    if name is not None:
        scheme.name = _name(scheme, name)
    if description is not None:
        scheme.description = checked_description(description)
    scheme.save()
    _record("Notification scheme updated", scheme, actor)


def add_notifications(scheme: NotificationScheme, told: Sequence[Told], *, actor: Rights) -> None:
    """Add recipients to a scheme.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is no such event, kind or recipient; or it is there already.
    """
    admins_only(actor)
    rows = _checked(told)
    have = set(scheme.notifications.values_list("event", "type", "parameter"))
    if any(row in have for row in rows):
        raise Invalid("The notification already exists in the notification scheme.")
    _write(scheme, rows)
    _record("Notification scheme updated", scheme, actor)


def remove_notification(notification: Notification, *, actor: Rights) -> None:
    """Take recipients from their scheme.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    _record("Notification scheme updated", notification.scheme, actor)
    notification.delete()


def delete_notification_scheme(scheme: NotificationScheme, *, actor: Rights) -> None:
    """Remove a scheme that no space uses.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is in use, or the default one.
    """
    admins_only(actor)
    if scheme.is_default:
        raise Invalid("The default notification scheme cannot be deleted.")
    if scheme.projects.exists():
        raise Invalid("The notification scheme is associated with projects.")
    _record("Notification scheme deleted", scheme, actor)
    scheme.delete()


Row = tuple[int, str, str | None]


def _checked(told: Sequence[Told]) -> list[Row]:
    if len(told) > MOST:
        raise Invalid(f"You can add up to {MOST} notifications per request.")
    found: list[Row] = []
    for event, kind, parameter in told:
        if not (is_digits(event) and int(event) in EVENTS):
            raise Invalid(f"Event type with ID {event} not found.")
        if kind not in RECIPIENTS or kind == "EmailAddress":
            raise Invalid(f"{kind} is not a valid notification type.")
        who = checked_holder(_AS[kind], parameter)[1] if RECIPIENTS[kind] else None
        row = (int(event), kind, who)
        if row not in found:
            found.append(row)
    return found


def _write(scheme: NotificationScheme, rows: Sequence[Row]) -> None:
    keys = next_ids(Notification, len(rows))
    Notification.objects.bulk_create(
        [
            Notification(id=key, scheme=scheme, event=event, type=kind, parameter=who)
            for key, (event, kind, who) in zip(keys, rows, strict=True)
        ]
    )


def _name(scheme: NotificationScheme, name: str) -> str:
    wanted = name.strip()
    if not wanted:
        raise Invalid("The name of the notification scheme must not be empty.")
    if NAME.is_too_long(wanted):
        raise Invalid(f"The length of the name must not exceed {NAME.limit} characters.")
    if NotificationScheme.objects.filter(name__iexact=wanted).exclude(id=scheme.id).exists():
        raise Invalid(f"A notification scheme with the name '{wanted}' already exists.")
    return wanted


def _record(summary: str, scheme: NotificationScheme, actor: Rights) -> None:
    about = ("SCHEME", str(scheme.id), scheme.name)
    audit.record(summary, CATEGORY, actor=actor, object=about)


NOTIFICATION_SCHEME: Final = Resource(
    NotificationScheme,
    "notification scheme",
    (NAME, ResourceField("description", "text")),
    order=("-is_default", "name", "id"),
    create=partial(create_notification_scheme, told=()),
    update=update_notification_scheme,
    delete=delete_notification_scheme,
)
