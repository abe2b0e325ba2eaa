"""Erasing a deleted user: what is known of them goes for good, what they said stays."""

from __future__ import annotations

from clones.core import clock
from clones.core.models import Account
from clones.helpdesk.domain.errors import AccessDenied, RecordNotFound
from clones.helpdesk.models import GroupMembership, Identity, OrganizationMembership, User

# The vendor gives this name to whom nothing more is known of.
ERASED = "Permanently Deleted User"


def is_erased(user: User) -> bool:
    """Tell whether a user was erased."""
    return not user.active and user.name == ERASED and user.email is None


def erase_user(user: User, *, actor: User) -> User:
    """Remove everything personal from a deleted user.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: the user is not deleted, or is erased already.
    """
    if actor.role != "admin":
        raise AccessDenied("only admins erase users")
    if user.active or is_erased(user):
        raise RecordNotFound("deleted user", user.id)
    user.name = ERASED
    for name in ("email", "phone", "alias", "signature", "details", "notes", "external_id"):
        setattr(user, name, None)
    user.tags, user.user_fields = [], {}
    user.organization = user.default_group = None
    user.updated_at = clock.now()
    user.save()
    Identity.objects.filter(user=user).delete()
    OrganizationMembership.objects.filter(user=user).delete()
    GroupMembership.objects.filter(user=user).delete()
    Account.objects.filter(clone="helpdesk", subject=str(user.id)).delete()
    return user
