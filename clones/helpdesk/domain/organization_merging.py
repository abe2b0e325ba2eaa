"""Merging an organization into another, as a job: its people, tickets and domains move over.

The merge's record is the job itself.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from clones.core import clock, ids
from clones.helpdesk.domain import audits, bulk, organizations
from clones.helpdesk.domain.audit_logs import log_merge
from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import (
    JobStatus,
    Organization,
    OrganizationMembership,
    Ticket,
    User,
)

KIND = "merge_organizations"


def start_merge(
    loser: Organization, winner: Organization, *, actor: User, client: str | None
) -> JobStatus:
    """Queue the merge of an organization into another.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: they are one.
    """
    _check(loser, winner, actor)
    return bulk.start_job(
        KIND,
        [{"id": loser.id, "winner": winner.id}],
        actor=actor,
        client=client,
        key=ids.next_ulid(JobStatus),
    )


def merges() -> QuerySet[JobStatus]:
    """Return the merges of organizations."""
    return JobStatus.objects.filter(work__kind=KIND)


def merges_of(key: int) -> QuerySet[JobStatus]:
    """Return the merges that an organization, which may be gone, won or lost."""
    return merges().filter(Q(work__items__0__id=key) | Q(work__items__0__winner=key))


def merge_organizations(
    loser: Organization, winner: Organization, *, actor: User, via: Via
) -> Organization:
    """Move an organization's people, tickets and domains to another, and delete it.

    Everything else of it is lost. Tickets record the change; no rules run.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: they are one.
    """
    _check(loser, winner, actor)
    now = clock.now()
    _move_people(loser, winner)
    for ticket in Ticket.objects.filter(organization=loser).order_by("id"):
        before = snapshot(ticket)
        ticket.organization = winner
        ticket.updated_at = now
        ticket.save()
        recorder = audits.open_audit(ticket, author=actor, via=via.as_json(), client=via.client)
        recorder.add(audits.change_events(before, snapshot(ticket)))
    winner.domain_names = list(dict.fromkeys([*winner.domain_names, *loser.domain_names]))
    winner.updated_at = now
    winner.save(update_fields=["domain_names", "updated_at"])
    log_merge(loser, winner, actor=actor)
    organizations.delete_organization(loser, actor=actor)
    return winner


def _check(loser: Organization, winner: Organization, actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins merge organizations")
    if loser.id == winner.id:
        raise RecordInvalid.of("winner_id", "Winner: is the organization itself", "InvalidValue")


def _move_people(loser: Organization, winner: Organization) -> None:
    """Give each place in the loser to the winner, or drop it where there is one already."""
    now = clock.now()
    places = OrganizationMembership.objects
    there = {place.user_id: place for place in places.filter(organization=winner)}
    for place in places.filter(organization=loser).order_by("id"):
        kept = there.get(place.user_id)
        if kept is None:
            place.organization, place.updated_at = winner, now
            place.save(update_fields=["organization", "updated_at"])
            continue
        default = place.default
        place.delete()
        if default:
            kept.default, kept.updated_at = True, now
            kept.save(update_fields=["default", "updated_at"])
    User.objects.filter(organization=loser).update(organization=winner, updated_at=now)


def _organization(key: int) -> Organization:
    found = Organization.objects.filter(id=key).first()
    if found is None:
        raise RecordNotFound("organization", key)
    return found


@bulk.does(KIND, "Organization Merge")
def _work(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    winner = merge_organizations(
        _organization(item["id"]),
        _organization(item["winner"]),
        actor=job.requested_by,
        via=bulk.via_of(job),
    )
    return bulk.updated(index, winner.id)
