"""Put words to the story: subjects, comments, notes, and the mess that mail makes of them."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from zoneinfo import ZoneInfo

from seeds.draw import chance, lognormal
from seeds.kestrel.catalogue import COMPANY, GROUPS, SUPPORT
from seeds.kestrel.customer_words import REPLY_LENGTH, CustomerWords, Thread
from seeds.kestrel.envelope import Envelope, signed
from seeds.kestrel.story.model import Agent, Person, Said, Step, Ticket
from seeds.kestrel.story.topics import TOPICS
from seeds.kestrel.story.whole import Story
from seeds.text.bank import fitting, pick, sections
from seeds.text.compose import Writer
from seeds.text.mail import MOBILE, Quoted
from seeds.text.replies import agent_answer, agent_note
from seeds.text.slots import Slots
from seeds.text.styles import STYLES
from seeds.text.typos import misspell

TRANSLATED = ("de", "fr", "es", "nl", "it", "pt")
LATE = timedelta(hours=30)
DAYS = {0: {"monday"}, 4: {"friday"}}
INTENT_TAGS = {
    "ask": {"asking"},
    "advise": {"advising"},
    "resolve": {"solving"},
    "promise": {"asking"},
}
WARES = {
    **dict.fromkeys(("beam", "motion", "quality"), "hardware"),
    **dict.fromkeys(("login", "files", "connect", "sync", "update", "seats"), "software"),
}
CUSTOMER_INTENTS = frozenset(REPLY_LENGTH) | {"first", "ooo"}


class Wording:
    """Writes the words of every ticket, from each ticket's facts and its author's habits."""

    def __init__(self, story: Story) -> None:
        self.draws, self.half, self.tickets = story.draws, story.half, story.tickets
        self.people, self.staff = story.people, story.staff
        self.incidents = story.incidents
        self.by_number = {ticket.number: ticket for ticket in story.tickets}
        self.envelope = Envelope(story.draws, story.half)
        self.customers = CustomerWords(story, self.envelope)

    def write(self) -> None:
        """Write every ticket's words."""
        for ticket in self.tickets:
            self._ticket(ticket)
        for ticket in self.tickets:
            self._merges(ticket)

    def _ticket(self, ticket: Ticket) -> None:
        thread = self._thread(ticket)
        writer, desk = thread.writer, thread.desk
        tags = self._tags(ticket)
        ticket.subject = self.customers.subject(ticket, writer)
        for step in ticket.steps:
            said = step.said
            if step.changes.get("satisfaction_comment"):
                step.changes["satisfaction_comment"] = self._opinion(ticket, step, writer)
            if said is None or said.intent in ("merged", "merge_target"):
                continue
            writer.at = desk.at = step.at
            writer.tags = desk.tags = tags | self._moment(thread, step)
            if said.intent == "problem":
                writer.tags |= {"incident"}
                writer.slots.values["symptom"] = writer.sentence("symptom") or ticket.facts["title"]
                said.text = writer.common("problem_body") or ticket.facts["title"]
            elif step.actor[0] == "agent" and said.intent not in CUSTOMER_INTENTS:
                self._agent(thread, step, said)
            else:
                self.customers.message(thread, step, said, self._last_agent(ticket, step))
            if said.public:
                thread.previous.append(self._quoted(ticket, step, thread.person, said.text))

    def _thread(self, ticket: Ticket) -> Thread:
        """Return who writes on a ticket: customer and desk share words, each in their language."""
        rng = self.draws.rng("words", ticket.key)
        person = self.people[ticket.person]
        facts, tags = self._facts(ticket, person), self._tags(ticket)
        folder = ticket.language if ticket.language in TRANSLATED else "en"
        names, case = person.country.names, ticket.notes.get("case", "")
        slots = Slots(rng, self.half, facts, ticket.created, names=names, language=folder)
        writer = Writer(
            rng,
            slots,
            STYLES[person.style],
            ticket.domain if folder == "en" else "all",
            tags,
            at=ticket.created,
            folder=folder,
            case=case,
        )
        voice = self.draws.rng("voice", person.index)
        writer.is_customer = True
        writer.speaks_for_firm = person.firm is not None and chance(voice, 0.42)
        spoken = Slots(rng, self.half, facts, ticket.created, names=names)
        spoken.values = slots.values
        desk = Writer(rng, spoken, STYLES[0], ticket.domain, tags, at=ticket.created, case=case)
        desk.used = writer.used
        return Thread(ticket, person, writer, desk)

    def _tags(self, ticket: Ticket) -> frozenset[str]:
        """Return the tags of a ticket that limit what may be said on it."""
        tags = {ticket.topic, ticket.domain, WARES.get(ticket.domain, "other")}
        if ticket.incident is not None and self.incidents[ticket.incident].domain == ticket.domain:
            tags.add("incident")
        if "key" in ticket.facts:
            tags.add("escalate")
        if "cause" in ticket.notes:
            tags.add(f"cause_{ticket.notes['cause']}")
        return frozenset(tags)

    def _opinion(self, ticket: Ticket, step: Step, writer: Writer) -> str | None:
        """Return what the customer says with the rating; a few bad ones sound good."""
        agent = self._last_agent(ticket, step)
        writer.slots.values["agent"] = agent.given if agent else "support"
        forms = sections("en/common")[f"csat_{step.changes['satisfaction']}"]
        return pick(forms, writer.rng, writer.slots, set())

    def _moment(self, thread: Thread, step: Step) -> set[str]:
        """Return the tags of one message: when it is said, by whom, after what."""
        person, previous = thread.person, thread.previous
        local = step.at
        if step.actor[0] == "person":
            local = step.at.astimezone(ZoneInfo(person.iana))
        found = {"morning" if local.hour < 12 else "afternoon" if local.hour < 18 else "evening"}
        found |= DAYS.get(local.weekday(), set())
        if len(previous) > 1:
            found.add("later")
        if previous and step.at - previous[-1].at > LATE:
            found.add("late")
        if previous and len(previous[-1].body) > 500:
            found.add("long")
        if step.said is not None:
            found.add("attached" if step.said.attachments else "bare")
            found |= INTENT_TAGS.get(step.said.intent, set())
        if thread.ticket.notes.get("photos"):
            found.add("photos")
        return found | self._author(person)

    def _author(self, person: Person) -> set[str]:
        """Return the tags of an author."""
        found = {person.firm.segment if person.firm else "hobby"}
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
        facts["group"] = GROUPS[next(topic.group for topic in TOPICS if topic.key == ticket.topic)][
            0
        ]
        facts["languagename"] = {
            "de": "German",
            "fr": "French",
            "es": "Spanish",
            "nl": "Dutch",
            "it": "Italian",
            "pt": "Portuguese",
        }.get(ticket.language, "")
        return facts

    def _agent(self, thread: Thread, step: Step, said: Said) -> None:
        ticket, desk, writer, person = thread.ticket, thread.desk, thread.writer, thread.person
        rng = desk.rng
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
            return (
                pick(
                    forms,
                    rng,
                    lambda slot: person.given if slot == "first" else person.family,
                    set(),
                )
                or ""
            )
        name = person.given
        if chance(rng, 0.006):
            name = person.family
        return (
            pick(
                fitting("en/common", "agent_greeting", desk.tags),
                rng,
                lambda slot: name if slot == "first" else person.family,
                set(),
            )
        ) or f"Hi {name},"

    def _last_agent(self, ticket: Ticket, step: Step) -> Agent | None:
        found = None
        for other in ticket.steps:
            if other is step:
                break
            if other.actor[0] == "agent" and other.said is not None and other.said.public:
                found = self.staff[other.actor[1]]
        return found

    def _quoted(self, ticket: Ticket, step: Step, person: Person, body: str) -> Quoted:
        if step.actor[0] == "agent":
            agent = self.staff[step.actor[1]]
            return Quoted(
                f"{agent.given} ({COMPANY})",
                SUPPORT,
                person.email,
                step.at,
                f"[{COMPANY}] Re: {ticket.subject}",
                body,
            )
        return Quoted(
            person.name or person.email,
            person.email,
            SUPPORT,
            step.at,
            ticket.subject,
            body,
        )

    def _merges(self, ticket: Ticket) -> None:
        for step in ticket.steps:
            said = step.said
            if said is not None and said.intent == "merged":
                target = self.by_number[ticket.notes["merged_into"]]
                shown = f'request #{target.number} "{target.subject}"'
                said.text = f"This request was closed and merged into {shown}."
            elif said is not None and said.intent == "merge_target":
                source = self.by_number[int(said.text)]
                first = source.steps[0].said
                said.text = (
                    f'Request #{source.number} "{source.subject}" was closed and merged into this'
                    f" request. Last comment in request #{source.number}:"
                    f"\n\n{first.text if first else ''}"
                )
