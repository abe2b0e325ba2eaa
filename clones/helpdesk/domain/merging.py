"""Merging tickets: the sources are closed, and one target goes on for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clones.core import clock, ids
from clones.helpdesk import queries
from clones.helpdesk.domain import bulk, tickets
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.roles import is_denied
from clones.helpdesk.domain.values import NewComment, RuleSource, Via
from clones.helpdesk.models import Attachment, Audit, Comment, JobStatus, Ticket, User

KIND = "merge_tickets"
TAG = "closed_by_merge"
# Where a customer reads along elsewhere, what is said about a merge stays among agents.
SOCIAL = frozenset({"twitter", "facebook", "any_channel"})


@dataclass(frozen=True, slots=True)
class MergeComment:
    """What is said about a merge on one of its sides."""

    text: str | None = None
    public: bool = False


@dataclass(frozen=True, slots=True)
class _Merge(RuleSource):
    """What changes a ticket in a merge: the tickets on the other side."""

    others: tuple[int, ...] = ()
    channel: str = "api"

    def via(self) -> dict[str, Any]:
        """Return the `via` of what a merge changes."""
        other: dict[str, Any] = {"ticket_id": self.id, "subject": self.title}
        if len(self.others) > 1:
            other = {"ticket_ids": list(self.others)}
        return {"channel": self.channel, "source": {"from": other, "to": {}, "rel": "merge"}}


def merge_tickets(
    target: Ticket,
    sources: Sequence[Ticket],
    *,
    actor: User,
    on_target: MergeComment,
    on_sources: MergeComment,
    via: Via,
) -> Audit:
    """Close the sources in favour of the target and return the target's audit.

    The target gets the sources' requesters and CCs as CCs and, with its comment, their files.
    Comments are private where any of the tickets is.

    Raises:
        AccessDenied: the actor does not work at the desk, or may not merge by role.
        RecordInvalid: the target is solved, a source closed, or both the same.
    """
    if not may_merge(actor):
        raise AccessDenied("only agents merge tickets, unless their role takes it away")
    check_merge(target, sources)
    private = not may_be_public(target, sources)
    for source in sources:
        tickets.update_ticket(
            source,
            actor=actor,
            changes={"status": "closed", "additional_tags": [TAG]},
            comment=_comment(on_sources, private=private),
            via=via,
            rule=_Merge("merge", target.id, target.subject, channel=via.channel),
        )
    audit = tickets.update_ticket(
        target,
        actor=actor,
        changes={"email_ccs": [{"user_id": key} for key in _people(target, sources)]},
        comment=_comment(on_target, private=private),
        via=via,
        rule=_Merge(
            "merge",
            sources[0].id,
            sources[0].subject,
            others=tuple(source.id for source in sources),
            channel=via.channel,
        ),
    )
    _carry_files(audit, sources)
    return audit


def may_merge(actor: User) -> bool:
    """Tell whether somebody merges tickets: agents do, unless their role takes it away."""
    return actor.is_agent and not is_denied(actor, "ticket_merge")


def check_merge(target: Ticket, sources: Sequence[Ticket]) -> None:
    """Refuse what cannot be merged.

    Raises:
        RecordInvalid: the target is solved, a source closed, or both the same.
    """
    if not sources:
        raise RecordInvalid.of("ids", "Ids: cannot be blank", "BlankValue")
    if target.status in ("solved", "closed"):
        raise RecordInvalid.of("base", f"Target: ticket {target.id} is {target.status}")
    for source in sources:
        if source.id == target.id:
            raise RecordInvalid.of("base", f"Source: ticket {source.id} is the target")
        if source.status == "closed":
            raise RecordInvalid.of("base", f"Source: ticket {source.id} is closed")


def may_be_public(target: Ticket, sources: Sequence[Ticket]) -> bool:
    """Tell whether what is said about a merge may be public: not where a ticket is private."""
    return not any(_is_private(ticket) for ticket in (target, *sources))


def _is_private(ticket: Ticket) -> bool:
    return not ticket.is_public or ticket.via.get("channel") in SOCIAL


def _comment(said: MergeComment, *, private: bool) -> NewComment | None:
    if not (said.text or "").strip():
        return None
    return NewComment(said.text, public=said.public and not private)


def _people(target: Ticket, sources: Sequence[Ticket]) -> list[int]:
    """Return who is copied on the target from now on."""
    found = [key for item in sources for key in (item.requester_id, *item.email_cc_ids)]
    return [key for key in dict.fromkeys(found) if key != target.requester_id]


def _carry_files(audit: Audit, sources: Sequence[Ticket]) -> None:
    """Copy the sources' files onto the target's comment."""
    said = Comment.objects.filter(audit_id=audit.pk).order_by("id").first() if audit.pk else None
    if said is None:
        return
    given = Attachment.objects.filter(
        comment__ticket__in=[source.id for source in sources], deleted=False
    )
    found = list(given.exclude(comment=said).order_by("id"))
    copies = [
        Attachment(
            id=number,
            comment=said,
            blob_id=file.blob_id,
            file_name=file.file_name,
            content_type=file.content_type,
            size=file.size,
            inline=file.inline,
            created_at=clock.now(),
        )
        for file, number in zip(found, ids.next_stamps(Attachment, len(found)), strict=True)
    ]
    Attachment.objects.bulk_create(copies)


@bulk.does(KIND, "Ticket Merge")
def _work(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    actor = job.requested_by
    audit = merge_tickets(
        queries.ticket(actor, item["id"], whole=True),
        [queries.ticket(actor, key, whole=True) for key in item["sources"]],
        actor=actor,
        on_target=MergeComment(**item["on_target"]),
        on_sources=MergeComment(**item["on_sources"]),
        via=bulk.via_of(job),
    )
    return bulk.updated(index, audit.ticket_id)
