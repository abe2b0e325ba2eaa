"""Erasing a deleted user: what is known of them goes for good, what they said stays.

Wherever the system shows a name of theirs stands the vendor's placeholder (support.zendesk.com,
article 4408845703194). Texts of mails and comments stay as they were written, and so do audit logs,
unless an account asks for more (article 4418433154074); this one does not.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from clones.core import clock
from clones.core.models import Account
from clones.helpdesk.domain.errors import AccessDenied, RecordNotFound
from clones.helpdesk.models import (
    GroupMembership,
    Identity,
    OrganizationMembership,
    SatisfactionRating,
    SideConversation,
    SideConversationEvent,
    SuspendedTicket,
    User,
)

# The vendor gives this name to whom nothing more is known of.
ERASED = "Permanently Deleted User"


def is_erased(user: User) -> bool:
    """Tell whether a user was erased."""
    return not user.active and user.name == ERASED and user.email is None


def erase_user(user: User, *, actor: User) -> User:
    """Remove everything personal from a deleted user; of ratings only the comments go.

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
    SatisfactionRating.objects.filter(requester=user).update(comment=None)
    _forget_in_mail(user)
    _forget_in_threads(user)
    return user


def _forget_in_mail(user: User) -> None:
    """Take the name off the mail of theirs that is held back; its texts and addresses stay."""
    for held in SuspendedTicket.objects.filter(author=user).order_by("id"):
        held.author_name = ERASED
        source = held.via.get("source", {})
        if source.get("from", {}).get("name"):
            sender = {**source["from"], "name": ERASED}
            held.via = {**held.via, "source": {**source, "from": sender}}
        held.save(update_fields=["author_name", "via"])


def _forget_in_threads(user: User) -> None:
    """Take name and address off the side conversations that they took part in."""
    # How a key ends depends on the engine, which keeps keys in its own order.
    parts = [f'"user_id": {user.id}{end}' for end in ",}"] + [f'"support_agent_id": "{user.id}"']
    named = reduce(or_, (Q(participants__icontains=part) for part in parts))
    for thread in SideConversation.objects.filter(named).order_by("id"):
        thread.participants = [_without_name(item, user) for item in thread.participants]
        thread.save(update_fields=["participants"])
        for event in SideConversationEvent.objects.filter(side_conversation=thread).order_by("id"):
            event.actor = _without_name(event.actor, user)
            if event.message is not None:
                sender = _without_name(event.message.get("from"), user)
                readers = [_without_name(item, user) for item in event.message.get("to") or []]
                event.message = {**event.message, "from": sender, "to": readers}
            event.save(update_fields=["actor", "message"])


def _without_name(person: Any, user: User) -> Any:
    """Return a participant, without name and address if it is this user.

    An agent of a group is called by both names.
    """
    if not isinstance(person, dict):
        return person
    if person.get("support_agent_id") == str(user.id):
        return {**person, "name": f"{person['name'].partition('/')[0]}/{ERASED}"}
    if person.get("user_id") != user.id:
        return person
    return {**person, "name": ERASED, "email": None}
