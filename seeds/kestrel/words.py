"""Put words to the story: subjects, comments, notes, and the mess that mail makes of them."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from zoneinfo import ZoneInfo

from seeds.draw import Draws, chance, lognormal
from seeds.kestrel.catalogue import COMPANY, GROUPS, SUPPORT
from seeds.kestrel.envelope import Envelope, signed
from seeds.kestrel.story.model import Agent, Incident, Person, Step, Ticket
from seeds.kestrel.story.topics import TOPICS
from seeds.ledger import Ledger
from seeds.pools import Half
from seeds.text.bank import fitting, pick, sections
from seeds.text.compose import Writer, first_words, reply_words, subject
from seeds.text.mail import MOBILE, Quoted, forwarded
from seeds.text.replies import agent_answer, agent_note
from seeds.text.slots import Slots
from seeds.text.styles import STYLES, Style
from seeds.text.typos import misspell

FIRST_LENGTH = {"email": (128, 0.95), "web": (84, 0.95), "chat": (26, 0.7), "social": (26, 0.5), "voice": (40, 0.6), "api": (30, 0.4), "closed_ticket": (45, 0.9)}
REPLY_LENGTH = {"answer": (62, 0.95), "still": (52, 0.9), "reopen": (40, 0.8), "chase": (24, 0.8), "worked": (9, 0.6), "thanks": (5, 0.6)}
TYPO_RATE = 0.0085
TRANSLATED = ("de", "fr", "es", "nl", "it", "pt")
LATE = timedelta(hours=30)
INTENT_TAGS = {"ask": {"asking"}, "advise": {"advising"}, "resolve": {"solving"}, "promise": {"asking"}}
CUSTOMER_INTENTS = frozenset(REPLY_LENGTH) | {"first", "ooo"}


class Wording:
    """Writes the words of every ticket, from each ticket's facts and its author's habits."""

    def __init__(
        self, draws: Draws, half: Half, tickets: list[Ticket], people: list[Person], staff: list[Agent],
        incidents: list[Incident], ledger: Ledger,
    ) -> None:
        self.draws, self.half, self.tickets = draws, half, tickets
        self.people, self.staff, self.incidents, self.ledger = people, staff, incidents, ledger
        self.by_number = {ticket.number: ticket for ticket in tickets}
        self.rates: dict[int, float] = {}
        self.envelope = Envelope(draws, half)

    def write(self) -> None:
        """Write every ticket's words."""
        for ticket in self.tickets:
            self._ticket(ticket)
        for ticket in self.tickets:
            self._merges(ticket)

    def _ticket(self, ticket: Ticket) -> None:
        rng = self.draws.rng("words", ticket.key)
        person = self.people[ticket.person]
        style = STYLES[person.style]
        tags = {ticket.topic, ticket.domain}
        if ticket.incident is not None and self.incidents[ticket.incident].domain == ticket.domain:
            tags.add("incident")
        if "key" in ticket.facts:
            tags.add("escalate")
        tags.add("hardware" if ticket.domain in ("beam", "motion", "quality") else "software" if ticket.domain in ("login", "files", "connect", "sync", "update", "seats") else "other")
        if "cause" in ticket.notes:
            tags.add(f"cause_{ticket.notes['cause']}")
        facts = self._facts(ticket, person)
        folder = ticket.language if ticket.language in TRANSLATED else "en"
        slots = Slots(rng, self.half, facts, ticket.created, person.country.names, folder)
        domain = ticket.domain if folder == "en" else "all"
        case = ticket.notes.get("case", "")
        writer = Writer(rng, slots, style, domain, frozenset(tags), ticket.created, folder=folder, case=case)
        writer.speaks_for_firm = person.firm is not None and chance(self.draws.rng("voice", person.index), 0.42)
        spoken = Slots(rng, self.half, facts, ticket.created, person.country.names)
        spoken.values = slots.values
        desk = Writer(rng, spoken, STYLES[0], ticket.domain, frozenset(tags), ticket.created, writer.used, case=case)
        ticket.subject = self._subject(rng, ticket, writer)
        previous: list[Quoted] = []
        for step in ticket.steps:
            said = step.said
            if said is None or said.intent in ("merged", "merge_target"):
                continue
            writer.at = desk.at = step.at
            writer.tags = desk.tags = frozenset(tags | self._moment(ticket, step, person, previous))
            if said.intent == "problem":
                writer.tags = frozenset({*writer.tags, "incident"})
                slots.values["symptom"] = writer.sentence("symptom") or ticket.facts["title"]
                said.text = writer.common("problem_body") or ticket.facts["title"]
            elif step.actor[0] == "agent" and said.intent not in CUSTOMER_INTENTS:
                self._agent(ticket, step, desk, writer, person)
            else:
                self._customer(ticket, step, writer, person, style, previous)
            if said.public:
                previous.append(self._quoted(ticket, step, person))

    def _moment(self, ticket: Ticket, step: Step, person: Person, previous: list[Quoted]) -> set[str]:
        """Return the tags of one message: when it is said, by whom, after what."""
        local = step.at.astimezone(ZoneInfo(person.iana)) if step.actor[0] == "person" else step.at
        found = {"morning" if local.hour < 12 else "afternoon" if local.hour < 18 else "evening"}
        if local.weekday() in (0, 4):
            found.add("monday" if local.weekday() == 0 else "friday")
        if len(previous) > 1:
            found.add("later")
        if previous and step.at - previous[-1].at > LATE:
            found.add("late")
        if previous and len(previous[-1].body) > 500:
            found.add("long")
        if step.said is not None:
            found.add("attached" if step.said.attachments else "bare")
            found |= INTENT_TAGS.get(step.said.intent, set())
        if ticket.notes.get("photos"):
            found.add("photos")
        found.add(person.firm.segment if person.firm else "hobby")
        if person.country.language != "en":
            found.add("foreign")
        if self.envelope.dialect(person) in MOBILE:
            found.add("mobile")
        return found

    def _facts(self, ticket: Ticket, person: Person) -> dict[str, str]:
        facts = {key: value for key, value in ticket.facts.items() if value}
        facts["email"] = person.email
        if person.phone:
            facts["phone"] = person.phone
        facts["name"] = person.name
        facts["group"] = GROUPS[next(topic.group for topic in TOPICS if topic.key == ticket.topic)][0]
        facts["languagename"] = {"de": "German", "fr": "French", "es": "Spanish", "nl": "Dutch", "it": "Italian", "pt": "Portuguese"}.get(ticket.language, "")
        return facts

    def _subject(self, rng: Random, ticket: Ticket, writer: Writer) -> str:
        if ticket.notes.get("test"):
            return pick(sections("en/common")["test"], rng, writer.slots, set()) or "test"
        if "follows" in ticket.notes:
            before = self.by_number.get(ticket.notes["follows"])
            if before and before.subject:
                return before.subject if before.subject.startswith("Re:") else f"Re: {before.subject}"
        if "problem" in ticket.notes:
            return ticket.facts["title"]
        text = subject(writer)
        if ticket.channel == "chat":
            return f"Conversation with {self.people[ticket.person].given or 'customer'}"
        if ticket.channel == "voice":
            return rng.choice((f"Call from {ticket.facts.get('name') or self.people[ticket.person].name}", f"Phone: {text}", text))
        if ticket.notes.get("forwarded"):
            text = rng.choice(("Fwd: ", "FW: ", "WG: ")) + text
        return misspell(text, self._rate(ticket.person) * 0.6, rng)

    def _rate(self, person: int) -> float:
        rate = self.rates.get(person)
        if rate is None:
            rng = self.draws.rng("typos", person)
            style = STYLES[self.people[person].style]
            rate = self.rates[person] = min(rng.gammavariate(0.75, TYPO_RATE / 0.75) * style.typos, 0.06)
        return rate

    def _customer(
        self, ticket: Ticket, step: Step, writer: Writer, person: Person, style: Style, previous: list[Quoted]
    ) -> None:
        assert step.said is not None
        rng, said = writer.rng, step.said
        if said.intent == "first":
            body = self._first(rng, ticket, writer, style)
        elif said.intent == "ooo":
            body = writer.common("ooo") or "I am out of the office."
        else:
            median, sigma = REPLY_LENGTH[said.intent]
            target = int(lognormal(rng, median * style.length**0.5, sigma))
            body = reply_words(writer, said.intent, max(target, 2))
        by_agent = step.actor[0] == "agent"
        rate = 0.0012 if by_agent else self._rate(ticket.person) if writer.folder == "en" else self._rate(ticket.person) * 0.3
        body = misspell(body, rate, rng)
        said.words = len(body.split())
        if said.intent == "ooo" or ticket.notes.get("test"):
            said.text = body
            return
        if by_agent:
            said.text = self._taken(rng, ticket, step, body, person, writer)
            return
        agent = self._last_agent(ticket, step)
        said.text = self.envelope.customer(rng, ticket, step, body, person, style, previous, agent, writer)

    def _first(self, rng: Random, ticket: Ticket, writer: Writer, style: Style) -> str:
        if ticket.notes.get("test"):
            return writer.common("test_body") or "test"
        if ticket.channel == "api":
            symptom = writer.sentence("symptom") or "no description"
            detail = writer.sentence("detail") or ""
            writer.slots.values |= {"symptom": symptom, "detail": detail}
            return writer.common("api_body") or symptom
        median, sigma = FIRST_LENGTH.get(ticket.channel, (60, 0.9))
        target = min(int(lognormal(rng, median * style.length**0.7, sigma)), 430)
        second = ticket.notes.get("second") if writer.folder == "en" and target > 30 else None
        return first_words(writer, max(target, 4), second)

    def _taken(self, rng: Random, ticket: Ticket, step: Step, body: str, person: Person, writer: Writer) -> str:
        """Return a first message that an agent entered: taken by phone, or forwarded."""
        if ticket.notes.get("forwarded"):
            quoted = Quoted(person.name, person.email, self.staff[step.actor[1]].email, ticket.created, ticket.subject.partition(": ")[2], f"{body}\n\n{person.given}")
            return f"{writer.common('forward') or 'FYI'}\n\n{forwarded(quoted)}"
        opening = writer.common("phone_open") or f"Call from {person.name}."
        closing = writer.common("phone_close") if chance(rng, 0.5) else None
        return "\n".join(part for part in (opening, body, closing) if part)

    def _agent(self, ticket: Ticket, step: Step, desk: Writer, writer: Writer, person: Person) -> None:
        assert step.said is not None
        said, rng = step.said, desk.rng
        agent = self.staff[step.actor[1]]
        desk.slots.values["agentname"] = agent.given
        if not said.public:
            said.text = misspell(agent_note(desk, said.intent), 0.003, rng)
            return
        target = int(lognormal(rng, 44, 0.6))
        foreign = writer.folder != "en" and chance(rng, 0.55)
        if foreign:
            paragraphs = [writer.sentence("agent") or "", writer.sentence("agent") or ""]
        else:
            paragraphs = agent_answer(desk, said.intent, target)
        if ticket.channel == "chat":
            said.text = " ".join(part for part in paragraphs if part)
            return
        greeting = self._greeting(rng, person, desk, writer.folder if foreign else "en")
        text = "\n\n".join([greeting, *[part for part in paragraphs if part]])
        said.text = f"{misspell(text, 0.0005, rng)}\n\n{signed(rng, agent)}"

    def _greeting(self, rng: Random, person: Person, desk: Writer, folder: str) -> str:
        if not person.given or chance(rng, 0.06):
            return "Hello,"
        if folder != "en":
            forms = sections(f"{folder}/all")["agent_greeting"]
            return pick(forms, rng, lambda slot: person.given if slot == "first" else person.family, set()) or ""
        name = person.given
        if chance(rng, 0.006):
            name = person.family
        return (pick(fitting("en/common", "agent_greeting", desk.tags), rng, lambda slot: name if slot == "first" else person.family, set())) or f"Hi {name},"

    def _last_agent(self, ticket: Ticket, step: Step) -> Agent | None:
        found = None
        for other in ticket.steps:
            if other is step:
                break
            if other.actor[0] == "agent" and other.said is not None and other.said.public:
                found = self.staff[other.actor[1]]
        return found

    def _quoted(self, ticket: Ticket, step: Step, person: Person) -> Quoted:
        assert step.said is not None
        if step.actor[0] == "agent":
            agent = self.staff[step.actor[1]]
            return Quoted(f"{agent.given} ({COMPANY})", SUPPORT, person.email, step.at, f"[{COMPANY}] Re: {ticket.subject}", step.said.text)
        return Quoted(person.name or person.email, person.email, SUPPORT, step.at, ticket.subject, step.said.text)

    def _merges(self, ticket: Ticket) -> None:
        for step in ticket.steps:
            said = step.said
            if said is None or said.intent not in ("merged", "merge_target"):
                continue
            if said.intent == "merged":
                target = self.by_number[ticket.notes["merged_into"]]
                said.text = f'This request was closed and merged into request #{target.number} "{target.subject}".'
            else:
                source = self.by_number[int(said.text)]
                first = source.steps[0].said
                quoted = first.text if first else ""
                said.text = f'Request #{source.number} "{source.subject}" was closed and merged into this request. Last comment in request #{source.number}:\n\n{quoted}'


def put_words(
    draws: Draws, half: Half, tickets: list[Ticket], people: list[Person], staff: list[Agent],
    incidents: list[Incident], ledger: Ledger,
) -> None:
    """Write the subject and every comment of every ticket."""
    Wording(draws, half, tickets, people, staff, incidents, ledger).write()


