"""Writing who wants to hear of an organization's tickets."""

from __future__ import annotations

from clones.core import clock, ids
from clones.helpdesk.domain import people
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.models import Organization, OrganizationSubscription, User


def create_subscription(
    *, actor: User, user_id: int, organization_id: int
) -> OrganizationSubscription:
    """Subscribe a user to an organization.

    Raises:
        AccessDenied: an end user names somebody else, or no shared organization of theirs.
        RecordInvalid: there is no such user or organization, or they are subscribed already.
    """
    user = User.objects.filter(id=user_id, active=True).first()
    organization = Organization.objects.filter(id=organization_id).first()
    if not actor.is_agent:
        shared = organization is not None and organization.shared_tickets
        if user_id != actor.id or not shared or not people.is_member(user_id, organization_id):
            raise AccessDenied("end users subscribe to shared organizations of theirs")
    if user is None:
        raise RecordInvalid.of("user", "User: is invalid", "InvalidValue")
    if organization is None:
        raise RecordInvalid.of("organization", "Organization: is invalid", "InvalidValue")
    if OrganizationSubscription.objects.filter(user=user, organization=organization).exists():
        raise RecordInvalid.of("user_id", "User: has already been taken", "DuplicateValue")
    return OrganizationSubscription.objects.create(
        id=ids.next_stamp(OrganizationSubscription),
        user=user,
        organization=organization,
        created_at=clock.now(),
    )


def delete_subscription(subscription: OrganizationSubscription, *, actor: User) -> None:
    """End a subscription.

    Raises:
        AccessDenied: it is another's, and the actor does not work at the desk.
    """
    if not actor.is_agent and subscription.user_id != actor.id:
        raise AccessDenied("end users end their own subscriptions")
    subscription.delete()
