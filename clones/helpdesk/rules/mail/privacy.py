"""Whether what comes by mail becomes a public comment, a private one, or is held back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["public", "private", "unknown_user_update", "other_user_update"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A mail that answers a ticket, by what its author is to the ticket.

    `edits` says that they may change the ticket; `names_requester` that it was sent to the
    requester too, `names_others` that it was sent to anybody else but the desk.
    """

    is_agent: bool
    is_known: bool
    is_requester: bool
    is_assignee: bool
    is_follower: bool
    is_cc: bool
    edits: bool
    by_encoded_id: bool
    names_requester: bool
    names_others: bool


def verdict_of(answer: Answer) -> Verdict:
    """Return what becomes of a mail, or the cause for which it is held back."""
    if not answer.edits:
        if not answer.by_encoded_id:
            return "other_user_update" if answer.is_known else "unknown_user_update"
        works_on_it = answer.is_agent and (answer.is_assignee or answer.is_follower)
        if not (works_on_it or answer.is_cc or answer.is_requester):
            return "private"
    if answer.is_requester or answer.is_assignee or answer.names_requester:
        return "public"
    if answer.is_agent:
        return "private" if answer.is_follower or answer.is_cc else "public"
    return "private" if answer.is_cc and answer.names_others else "public"
