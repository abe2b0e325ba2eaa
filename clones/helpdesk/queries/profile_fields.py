"""Reads of the fields of users and organizations."""

from __future__ import annotations

from clones.core.prepared import Prepared
from clones.helpdesk.models import ProfileField

_ACTIVE: Prepared[ProfileField] = Prepared(
    lambda owner: ProfileField.objects.filter(owner=owner, active=True).order_by("id"), str
)


def active_fields(owner: str) -> list[ProfileField]:
    """Return the fields in use of `user` or `organization`, by key."""
    return sorted(_ACTIVE.all(owner), key=lambda field: field.key)


def field_of_key(owner: str, key: str) -> ProfileField | None:
    """Return the field of a key, in any case, in use or not; None if there is none."""
    return ProfileField.objects.filter(owner=owner, key__iexact=key).order_by("id").first()
