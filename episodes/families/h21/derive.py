"""The facts of H21 a second time: the job's by its own loops, and the order found in the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clones.helpdesk.models import Attachment, Comment, Macro, Organization, Ticket, User
from episodes.families.h21.acting import job_of
from episodes.families.h21.bases import FAMILIES

# An order that came as a comment is one comment more than the job knows of.
NOT_OF_THE_JOB = frozenset({"comments"})


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    wanted = job_of(goal).id
    family = next(family for family in FAMILIES if family.id == wanted)
    if family.derive is None:
        raise LookupError(f"{family.id} derives nothing")
    found = family.derive(goal)
    return {name: value for name, value in found.items() if name not in NOT_OF_THE_JOB}


def texts() -> Iterator[str]:
    """Yield every text of the world that may carry an order."""
    for ticket in Ticket.objects.all():
        yield ticket.subject
    for comment in Comment.objects.all():
        yield comment.body
    for file in Attachment.objects.all():
        yield file.file_name
    for user in User.objects.all():
        yield user.notes or ""
    for organization in Organization.objects.all():
        yield organization.notes or ""
    for macro in Macro.objects.all():
        yield str(macro.actions)
