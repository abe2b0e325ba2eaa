"""Who takes part in a request, and who wants to be told of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.organizations import people_of
from clones.tracker.models import (
    Issue,
    RequestParticipant,
    RequestSubscription,
    ServiceDesk,
    User,
)
from clones.tracker.queries.desks import is_customer
from clones.tracker.queries.requests import works_on
from clones.tracker.queries.rights import Rights

NOT_ALLOWED: Final = "You do not have permission to manage participants on this request."
NO_ACCESS: Final = "The user '{name}' does not have access to this service desk."


def may_manage_participants(issue: Issue, rights: Rights) -> bool:
    """Tell whether somebody may say who takes part: an agent, or whoever asked."""
    asked = rights.user is not None and issue.reporter_id == rights.user.id
    return asked or works_on(rights, issue)


def add_participants(issue: Issue, accounts: Collection[str], *, actor: Rights) -> Sequence[User]:
    """Let people take part in a request; return those who were named.

    Raises:
        Forbidden: the actor may not say so.
        Invalid: nobody is named, or somebody may not ask this desk.
        NotFound: an account is unknown.
    """
    if not may_manage_participants(issue, actor):
        raise Forbidden(NOT_ALLOWED, i18n_key="sd.request.participants.error.permission")
    users = people_of(accounts)
    check_participants(issue.project.desk, users)
    join_request(issue, users, actor=actor)
    return users


def check_participants(desk: ServiceDesk, users: Sequence[User]) -> None:
    """Hold people to having access to a desk.

    Raises:
        Invalid: somebody is not active, or may neither ask nor see the desk.
    """
    for user in users:
        staff = user.account_type != "customer"
        if not user.active or not (staff or is_customer(user, desk)):
            raise Invalid(
                NO_ACCESS.format(name=user.display_name),
                i18n_key="sd.request.participants.error.no.access",
            )


def join_request(issue: Issue, users: Sequence[User], *, actor: Rights) -> None:
    """Write who takes part in a request, besides its reporter; twice is once."""
    rows = RequestParticipant.objects.filter(issue=issue, user__in=users)
    already = {*rows.values_list("user_id", flat=True), issue.reporter_id}
    missing = [user for user in users if user.id not in already]
    keys = next_ids(RequestParticipant, len(missing))
    RequestParticipant.objects.bulk_create(
        [
            RequestParticipant(id=key, issue=issue, user=user)
            for key, user in zip(keys, missing, strict=True)
        ]
    )
    if missing:
        details = {"users": [user.account_id for user in missing]}
        publish(Event("request_participants_added", actor, issue=issue, details=details))


def remove_participants(issue: Issue, accounts: Collection[str], *, actor: Rights) -> None:
    """Take people off a request; who takes no part stays out.

    Raises:
        Forbidden: the actor may not say so.
        Invalid: nobody is named.
        NotFound: an account is unknown.
    """
    if not may_manage_participants(issue, actor):
        raise Forbidden(NOT_ALLOWED, i18n_key="sd.request.participants.error.permission")
    users = people_of(accounts)
    RequestParticipant.objects.filter(issue=issue, user__in=users).delete()


def is_subscribed(issue: Issue, user: User) -> bool:
    """Tell whether somebody is told of a request: those who take part are, unless they said no."""
    said = RequestSubscription.objects.filter(issue=issue, user=user)
    found = said.values_list("subscribed", flat=True).first()
    if found is not None:
        return found
    if issue.reporter_id == user.id:
        return True
    return RequestParticipant.objects.filter(issue=issue, user=user).exists()


def subscribe_user(issue: Issue, *, actor: Rights, subscribed: bool) -> None:
    """Write whether the actor wants to be told of a request."""
    user = actor.user
    if user is None:
        return
    row = RequestSubscription.objects.filter(issue=issue, user=user).first()
    if row is None:
        key = next_id(RequestSubscription)
        RequestSubscription.objects.create(id=key, issue=issue, user=user, subscribed=subscribed)
    elif row.subscribed != subscribed:
        row.subscribed = subscribed
        row.save(update_fields=["subscribed"])
