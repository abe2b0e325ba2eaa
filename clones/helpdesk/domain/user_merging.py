"""Merging an end user's second profile into the first."""

from __future__ import annotations

from django.db.models import Q

from clones.core import clock
from clones.core.models import Account
from clones.helpdesk.domain import audits
from clones.helpdesk.domain.audit_logs import log_merge
from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.domain.deliveries import tell_of_user
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import Identity, SatisfactionRating, Ticket, User
from clones.helpdesk.queries import copied_to

TICKETS = 10_000
REACHABLE = ("email", "twitter")


def merge_users(loser: User, winner: User, *, actor: User, via: Via) -> User:
    """Make one end user's tickets, ratings and addresses another's, and deactivate the first.

    The rest of the first profile is lost. Tickets record the change; no rules run.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordInvalid: they are one, not both active end users, cannot be reached, or have
            too many tickets.
    """
    if not actor.is_agent:
        raise AccessDenied("only agents merge users")
    if loser.id == winner.id:
        raise RecordInvalid.of("base", "Users: cannot be merged with themselves")
    for user in (loser, winner):
        _check(user)
    _move_tickets(loser, winner, actor, via)
    SatisfactionRating.objects.filter(requester=loser).update(requester=winner)
    _move_identities(loser, winner)
    now = clock.now()
    loser.email = None
    loser.active = False
    loser.updated_at = winner.updated_at = now
    loser.save(update_fields=["email", "active", "updated_at"])
    winner.save(update_fields=["email", "verified", "updated_at"])
    Account.objects.filter(clone="helpdesk", subject=str(loser.id)).update(active=False)
    tell_of_user("deleted", loser)
    log_merge(loser, winner, actor=actor)
    return winner


def _check(user: User) -> None:
    if user.is_agent or not user.active:
        raise RecordInvalid.of("base", f"User: {user.id} is not an active end user")
    known = Identity.objects.filter(user=user, type__in=REACHABLE).exists()
    if not user.verified and not known:
        raise RecordInvalid.of("base", f"User: {user.id} is unverified and has no address")
    if Ticket.objects.filter(requester=user).count() > TICKETS:
        raise RecordInvalid.of("base", f"User: {user.id} has more than {TICKETS} tickets")


def _move_tickets(loser: User, winner: User, actor: User, via: Via) -> None:
    """Put the winner in the loser's place on each ticket, as requester and among the CCs."""
    for ticket in Ticket.objects.filter(Q(requester=loser) | copied_to(loser)).order_by("id"):
        before = snapshot(ticket)
        people = (list(ticket.email_cc_ids), list(ticket.follower_ids))
        if ticket.requester_id == loser.id:
            ticket.requester = winner
        copied = [winner.id if key == loser.id else key for key in ticket.email_cc_ids]
        ticket.email_cc_ids = [key for key in dict.fromkeys(copied) if key != ticket.requester_id]
        ticket.updated_at = clock.now()
        ticket.save()
        recorder = audits.open_audit(ticket, author=actor, via=via.as_json(), client=via.client)
        changed = audits.change_events(before, snapshot(ticket))
        recorder.add(changed + audits.people_events(people, ticket))


def _move_identities(loser: User, winner: User) -> None:
    moved = Identity.objects.filter(user=loser)
    moved.update(user=winner, primary=False, updated_at=clock.now())
    if winner.email is not None:
        return
    first = Identity.objects.filter(user=winner, type="email").order_by("id").first()
    if first is not None:
        first.primary = True
        first.save(update_fields=["primary"])
        winner.email, winner.verified = first.value, winner.verified or first.verified
