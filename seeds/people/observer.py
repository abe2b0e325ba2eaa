"""What people notice of the journal: words to them, their ticket's moves, money on its way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from clones.core import clock
from clones.core.journal import JournalRow, journal
from clones.helpdesk.models import Comment
from clones.helpdesk.queries.hot import COMMENT_WITH_AUTHOR, TICKET
from seeds.people import machine, predicates
from seeds.people.events import FactCame, Message, StatusChanged, SurveyOffered
from seeds.people.life import tell
from seeds.people.models import Person, PersonState
from seeds.people.persona import Knowledge
from seeds.people.queries import ANYBODY, IN_THREAD, LOOKING_ON
from seeds.people.state import ThreadState
from seeds.people.store import knowledge_of, new_state, persona_of
from seeds.people.understanding import own_words, plain, read

WORLD = "world"
Notice = Callable[[list[JournalRow]], None]


def observe(rows: Sequence[JournalRow]) -> None:
    """Tell the people concerned what the rows mean to them."""
    if not ANYBODY.all():
        return
    for name, notice in WATCHED.items():
        found = [row for row in rows if row.table.name == name and not _is_planted(row)]
        if found:
            notice(found)


def _is_planted(row: JournalRow) -> bool:
    """Tell whether a row belongs to the world as it was arranged: nobody is told of it now."""
    found = journal().act(row.act) if row.act is not None else None
    return found is None or found.actor == WORLD


def thread_of(ticket: int) -> str:
    """Return the name of a ticket as a thread."""
    return f"helpdesk.ticket:{ticket}"


def digest_of(text: str) -> str:
    """Return a name for what a text says, whatever its spacing and case."""
    return hashlib.blake2b(" ".join(plain(text).split()).encode(), digest_size=8).hexdigest()


def _hear_comments(rows: Iterable[JournalRow]) -> None:
    """Tell those in a ticket what was said there by others."""
    for row in rows:
        if row.operation != "insert":
            continue
        comment = COMMENT_WITH_AUTHOR.first(row.key)
        if comment is None:
            continue
        concerned = _in_thread(comment.ticket_id, but=comment.author_id)
        message = _message(comment)
        for state in concerned:
            tell(state, message, cause=row.act)
        if not comment.public and comment.author.is_agent:
            _hear_notes(comment, message, concerned, row.act)


def _message(comment: Comment) -> Message:
    reading = read(comment.body, audience="customer" if comment.public else "desk")
    said = own_words(comment.body)
    return Message(comment.created_at, reading, digest_of(comment.body), comment.public, said)


def _hear_notes(
    comment: Comment, message: Message, concerned: list[PersonState], cause: int | None
) -> None:
    """Show a note to approvers who have nothing to do with the ticket yet: it may be for them."""
    known = {state.person_id for state in concerned}
    approvers = Person.objects.filter(kind="approver").exclude(id__in=known).order_by("id")
    for person in approvers.exclude(helpdesk_user=comment.author_id):
        fresh = ThreadState(wrote_at=message.at)
        charges = message.reading.facts.ids("charge")
        facts = knowledge_of(PersonState(knowledge={}), charges)
        _, acts, _ = machine.transition(persona_of(person), fresh, message, facts)
        if acts:
            row = new_state(person, thread_of(comment.ticket_id), fresh, Knowledge())
            tell(row, message, cause=cause)


def _see_tickets(rows: list[JournalRow]) -> None:
    """Tell those in a ticket that somebody else moved it, or asks for a rating."""
    touched: dict[Any, list[JournalRow]] = {}
    for row in rows:
        if row.operation == "update":
            touched.setdefault(row.key, []).append(row)
    for key, updates in touched.items():
        ticket = TICKET.first(key)
        first, last = updates[0].before, updates[-1]
        if ticket is None or first is None:
            continue
        columns = last.table.columns
        before = dict(zip(columns, first, strict=True))
        for state in _in_thread(ticket.id, but=_writer(last)):
            now = clock.now()
            if before["status"] != ticket.status:
                tell(state, StatusChanged(now, _as_seen(ticket.status)), cause=last.act)
            offered = ticket.satisfaction_score == "offered"
            if offered and before["satisfaction_score"] != "offered":
                tell(state, SurveyOffered(now), cause=last.act)
    _see_facts(rows)


def _as_seen(status: str) -> str:
    return status if status in ("solved", "closed") else "open"


def _writer(row: JournalRow) -> int | None:
    """Return the helpdesk user behind a row that a person wrote."""
    found = journal().act(row.act) if row.act is not None else None
    while found is not None:
        kind, _, name = found.actor.partition(":")
        if kind == "person":
            return Person.objects.filter(id=name).values_list("helpdesk_user", flat=True).first()
        found = journal().act(found.cause) if found.cause is not None else None
    return None


def _see_facts(rows: Iterable[JournalRow]) -> None:
    """Let those who look at money or at a record notice what came true."""
    written = list(rows)
    tables = {row.table.name for row in written}
    for state in LOOKING_ON.all():
        for check in persona_of(state.person).checks:
            looks_there = predicates.tables_of(check.name) & tables
            if looks_there and predicates.holds(check.name, check.parameters):
                tell(state, FactCame(clock.now(), check.name), cause=written[-1].act)


def _in_thread(ticket: int, *, but: int | None) -> list[PersonState]:
    return [
        state
        for state in IN_THREAD.all(thread_of(ticket))
        if but is None or state.person.helpdesk_user != but
    ]


# In this order: what was said is heard before the ticket's move that came with it.
WATCHED: dict[str, Notice] = {
    "helpdesk_comment": _hear_comments,
    "helpdesk_ticket": _see_tickets,
    "billing_refund": _see_facts,
    "helpdesk_user": _see_facts,
}
