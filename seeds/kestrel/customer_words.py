"""What customers write: subjects, first messages and replies, with their lengths and slips."""

from __future__ import annotations

from dataclasses import dataclass, field

from seeds.draw import chance, lognormal
from seeds.kestrel.envelope import Envelope
from seeds.kestrel.story.model import Agent, Step, StoryComment, StoryPerson, Ticket
from seeds.kestrel.story.whole import Story
from seeds.text.bank import pick, sections
from seeds.text.compose import first_words, reply_words
from seeds.text.compose import subject as subject_words
from seeds.text.mail import Quoted, forwarded
from seeds.text.styles import STYLES
from seeds.text.typos import misspell
from seeds.text.writer import Writer

FIRST_LENGTH = {
    "email": (142, 1.05),
    "web": (98, 1.05),
    "chat": (31, 0.75),
    "social": (26, 0.5),
    "voice": (40, 0.6),
    "api": (30, 0.4),
    "closed_ticket": (45, 0.9),
}
REPLY_LENGTH = {
    "answer": (80, 1.0),
    "still": (70, 1.0),
    "reopen": (44, 0.85),
    "chase": (31, 0.85),
    "worked": (9, 0.6),
    "thanks": (5, 0.6),
}
TYPO_RATE = 0.0085
AGENT_RATE = 0.0012


@dataclass(slots=True)
class Thread:
    """One ticket on its way to words: its author, who writes for them and for the desk."""

    ticket: Ticket
    person: StoryPerson
    writer: Writer
    desk: Writer
    previous: list[Quoted] = field(default_factory=list)


class CustomerWords:
    """Writes what customers say, and what agents take down for them."""

    def __init__(self, story: Story, envelope: Envelope) -> None:
        self.draws, self.people, self.staff = story.draws, story.people, story.staff
        self.by_number = {ticket.number: ticket for ticket in story.tickets}
        self.envelope = envelope
        self.rates: dict[int, float] = {}

    def subject(self, ticket: Ticket, writer: Writer) -> str:
        """Return a ticket's subject."""
        rng = writer.rng
        if ticket.notes.get("test"):
            return pick(sections("en/common")["test"], rng, writer.slots, set()) or "test"
        if "follows" in ticket.notes:
            before = self.by_number.get(ticket.notes["follows"])
            if before and before.subject:
                return (
                    before.subject if before.subject.startswith("Re:") else f"Re: {before.subject}"
                )
        if "problem" in ticket.notes:
            return ticket.facts["title"]
        text = subject_words(writer)
        if ticket.channel == "chat":
            return f"Conversation with {self.people[ticket.person].given or 'customer'}"
        if ticket.channel == "voice":
            return rng.choice(
                (
                    f"Call from {ticket.facts.get('name') or self.people[ticket.person].name}",
                    f"Phone: {text}",
                    text,
                )
            )
        if ticket.notes.get("forwarded"):
            text = rng.choice(("Fwd: ", "FW: ", "WG: ")) + text
        return misspell(text, self._rate(ticket.person) * 0.6, rng)

    def message(self, thread: Thread, step: Step, said: StoryComment, agent: Agent | None) -> None:
        """Write what a customer says; `agent` is who answered last."""
        ticket, writer = thread.ticket, thread.writer
        rng = writer.rng
        if said.intent == "first":
            body = self._first(thread)
        elif said.intent == "ooo":
            body = writer.common("ooo") or "I am out of the office."
        else:
            median, sigma = REPLY_LENGTH[said.intent]
            sigma *= writer.ample
            target = int(lognormal(rng, median * writer.style.length**0.5, sigma))
            body = reply_words(writer, said.intent, max(target, 2))
        by_agent = step.actor[0] == "agent"
        rate = AGENT_RATE if by_agent else self._rate(ticket.person)
        if writer.folder != "en":
            rate *= 0.3
        body = misspell(body, rate, rng)
        said.words = len(body.split())
        if said.intent == "ooo" or ticket.notes.get("test"):
            said.text = body
        elif by_agent:
            said.text = self._taken(thread, self.staff[step.actor[1]], body)
        else:
            said.text = self.envelope.customer(
                step,
                body,
                ticket=ticket,
                person=thread.person,
                writer=writer,
                previous=thread.previous,
                agent=agent,
            )

    def _first(self, thread: Thread) -> str:
        ticket, writer = thread.ticket, thread.writer
        rng, style = writer.rng, writer.style
        if ticket.notes.get("test"):
            return writer.common("test_body") or "test"
        if ticket.channel == "api":
            symptom = writer.sentence("symptom") or "no description"
            detail = writer.sentence("detail") or ""
            writer.slots.values |= {"symptom": symptom, "detail": detail}
            return writer.common("api_body") or symptom
        median, sigma = FIRST_LENGTH.get(ticket.channel, (60, 0.9))
        ample = writer.ample
        median *= ample**0.6
        target = min(
            int(lognormal(rng, median * style.length**0.7, sigma * ample)), int(430 * ample)
        )
        second = ticket.notes.get("second") if writer.folder == "en" and target > 30 else None
        body = first_words(writer, max(target, 4), second)
        amount = ticket.facts.get("amount", "")
        if ticket.topic == "duplicate_charge" and writer.folder == "en" and amount not in body:
            named = pick(sections("en/billing")["named"], rng, writer.slots, writer.talk.used)
            body = f"{body} {named}" if named else body
        return body

    def _taken(self, thread: Thread, agent: Agent, body: str) -> str:
        """Return a first message that an agent entered: taken by phone, or forwarded."""
        ticket, person, writer = thread.ticket, thread.person, thread.writer
        if ticket.notes.get("forwarded"):
            quoted = Quoted(
                sender=person.name,
                address=person.email,
                recipient=agent.email,
                at=ticket.created,
                subject=ticket.subject.partition(": ")[2],
                body=f"{body}\n\n{person.given}",
            )
            return f"{writer.common('forward') or 'FYI'}\n\n{forwarded(quoted)}"
        opening = writer.common("phone_open") or f"Call from {person.name}."
        closing = writer.common("phone_close") if chance(writer.rng, 0.5) else None
        return "\n".join(part for part in (opening, body, closing) if part)

    def _rate(self, person: int) -> float:
        rate = self.rates.get(person)
        if rate is None:
            rng = self.draws.rng("typos", person)
            style = STYLES[self.people[person].style]
            rate = self.rates[person] = min(
                rng.gammavariate(0.75, TYPO_RATE / 0.75) * style.typos, 0.06
            )
        return rate
