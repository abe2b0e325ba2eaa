"""Put words to the story: subjects, comments, notes, and the mess that mail makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from random import Random
from zoneinfo import ZoneInfo

from seeds.draw import chance, lognormal
from seeds.kestrel.catalogue import COMPANY, GROUPS, SUPPORT
from seeds.kestrel.customer_words import REPLY_LENGTH, CustomerWords, Thread
from seeds.kestrel.envelope import Envelope
from seeds.kestrel.habits import Habits
from seeds.kestrel.story.facts import PAID
from seeds.kestrel.story.model import Agent, Step, StoryComment, StoryPerson, Ticket
from seeds.kestrel.story.topics import TOPICS
from seeds.kestrel.story.whole import Story
from seeds.text.bank import pick, sections, told_cases
from seeds.text.mail import MOBILE, Quoted
from seeds.text.replies import agent_answer, agent_note
from seeds.text.slots import Slots
from seeds.text.styles import STYLES
from seeds.text.typos import misspell
from seeds.text.writer import TicketTalk, Writer

ANSWER_RATE = 0.0018
LATE = timedelta(hours=30)
DAYS = {0: {"monday"}, 4: {"friday"}}
INTENT_TAGS = {
    "ask": {"asking"},
    "advise": {"advising"},
    "resolve": {"solving"},
    "promise": {"promising"},
}
WARES = {
    **dict.fromkeys(("beam", "motion", "quality"), "hardware"),
    **dict.fromkeys(("login", "files", "connect", "sync", "update", "seats"), "software"),
}
# The firmware that the incident of the mechanics is about.
HOMING_FIRMWARE = "3.0.6"
# Where the date of a ticket's facts is what people write about; elsewhere it is a charge's.
DATED = (*PAID, "shipping", "dealer")
LANGUAGE_NAMES = {
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "nl": "Dutch",
    "it": "Italian",
    "pt": "Portuguese",
}
GROUP_NAMES = {topic.key: GROUPS[topic.group][0] for topic in TOPICS}
CUSTOMER_INTENTS = frozenset(REPLY_LENGTH) | {"first", "ooo"}


class Wording:
    """Writes the words of tickets, from each ticket's facts and its author's habits.

    `tickets` are all of some people's: what is said on one may depend on others of its author.
    """

    def __init__(self, story: Story, tickets: Sequence[Ticket]) -> None:
        self.draws, self.half, self.tickets = story.draws, story.half, tickets
        self.people, self.staff = story.people, story.staff
        self.incidents, self.ample = story.incidents, story.size.wordiness
        self.by_number = {ticket.number: ticket for ticket in story.tickets}
        self._voices: dict[int, tuple[float, float]] = {}
        self.envelope, self.habits = Envelope(story.draws, story.half), Habits(story.draws)
        self.customers = CustomerWords(story, self.envelope)
        self.charges = {c.index: c for payer in story.payers for c in payer.charges}
        self.plans = {s.index: s.plan for payer in story.payers for s in payer.subscriptions}

    def write(self) -> Iterator[int]:
        """Write every ticket's words, and yield the number of each when there are most of them."""
        for ticket in self.tickets:
            self._ticket(ticket)
            yield ticket.number
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
            writer.at = desk.at = writer.slots.now = desk.slots.now = step.at
            writer.tags = desk.tags = tags | self._moment(thread, step)
            self._now(thread, step)
            if said.intent == "problem":
                writer.tags |= {"incident"}
                writer.slots.values["symptom"] = writer.sentence("symptom") or ticket.facts["title"]
                said.text = writer.common("problem_body") or ticket.facts["title"]
            elif step.actor[0] == "agent" and said.intent not in CUSTOMER_INTENTS:
                self._agent(thread, step, said)
            else:
                self.customers.message(thread, step, said, self._last_agent(ticket, step))
            if said.public:
                writer.talk.intent = said.intent
                if said.intent not in ("answer", "still"):
                    writer.talk.kind = ""
                thread.previous.append(self._quoted(ticket, step, thread.person, said.text))

    def _thread(self, ticket: Ticket) -> Thread:
        """Return who writes on a ticket: customer and desk share words, each in their language."""
        rng = self.draws.rng("words", ticket.key)
        person = self.people[ticket.person]
        folder = ticket.language if ticket.language in LANGUAGE_NAMES else "en"
        if folder != "en" and ticket.notes.get("case"):
            ticket.notes["case"] = self._local_case(rng, ticket, folder)
        tags = self._tags(ticket)
        facts = self._facts(ticket, person, tags)
        names, case = person.country.names, ticket.notes.get("case", "")
        slots = Slots(rng, self.half, facts, ticket.created, names=names, language=folder)
        domain, talk = ticket.domain if folder == "en" else "all", TicketTalk()
        writer = Writer(
            rng,
            slots,
            STYLES[person.style],
            domain,
            tags,
            ticket.created,
            talk,
            folder=folder,
            case=case,
        )
        voice = self._voice(person)
        writer.is_customer, writer.ample = True, self.ample
        writer.speaks_for_firm = person.firm is not None and next(voice) < 0.42
        spoken = folder
        if ticket.topic == "duplicate_charge" or tags & {"incident"} or next(voice) < 0.15:
            spoken = "en"
        said = Slots(rng, self.half, facts, ticket.created, names=names, language=spoken, desk=True)
        said.values = slots.values
        domain = ticket.domain if spoken == "en" else "all"
        desk = Writer(
            rng, said, STYLES[0], domain, tags, ticket.created, talk, folder=spoken, case=case
        )
        return Thread(ticket, person, writer, desk)

    def _voice(self, person: StoryPerson) -> Iterator[float]:
        """Return the numbers that decide how a person speaks, the same on each ticket."""
        found = self._voices.get(person.index)
        if found is None:
            rng = self.draws.rng("voice", person.index)
            found = self._voices[person.index] = (rng.random(), rng.random())
        return iter(found)

    def _local_case(self, rng: Random, ticket: Ticket, folder: str) -> str:
        """Return what is wrong, among what people can tell in their language."""
        told = told_cases(folder, ticket.topic)
        known = ticket.notes["case"] in told or not told
        return str(ticket.notes["case"] if known else rng.choice(told))

    def _now(self, thread: Thread, step: Step) -> None:
        """Keep what a message may say of the moment: who has answered, how long it took."""
        values = thread.writer.slots.values
        for key in ("waited", "taker", "togroup"):
            values.pop(key, None)
        agent = self._last_agent(thread.ticket, step)
        if agent:
            values["agent"] = agent.given
        if thread.previous:
            days = (step.at - thread.previous[-1].at).days
            if days > 1 and thread.writer.folder == "en":
                values["waited"] = f"{days} days" if days < 30 else "weeks"
        if "assignee" in step.changes and step.changes["assignee"] != step.actor[1]:
            values["taker"] = self.staff[step.changes["assignee"]].given
        if "group" in step.changes:
            values["togroup"] = GROUPS[step.changes["group"]][0]

    def _tags(self, ticket: Ticket) -> frozenset[str]:
        """Return the tags of a ticket that limit what may be said on it."""
        tags = {ticket.topic, ticket.domain, WARES.get(ticket.domain, "other")}
        if ticket.incident is not None and self.incidents[ticket.incident].domain == ticket.domain:
            tags.add("incident")
        if "key" in ticket.facts:
            tags.add("escalate")
        if "cause" in ticket.notes:
            tags.add(f"cause_{ticket.notes['cause']}")
        charge = self.charges.get(int(ticket.facts.get("charge", -1)))
        if charge is not None and charge.order:
            tags.add("bought")
        elif charge is not None and charge.subscription is not None:
            tags.add(f"per_{self.plans[charge.subscription].interval}")
        return frozenset(tags)

    def _opinion(self, ticket: Ticket, step: Step, writer: Writer) -> str | None:
        """Return what the customer says with the rating; a few bad ones sound good."""
        agent = self._last_agent(ticket, step)
        writer.slots.values["agent"] = agent.given if agent else "support"
        forms = sections("en/common")[f"csat_{step.changes['satisfaction']}"]
        return pick(forms, writer.rng, writer.slots, set())

    def _moment(self, thread: Thread, step: Step) -> set[str]:
        """Return the tags of one message: when it is said, by whom, after what."""
        person, previous, talk = thread.person, thread.previous, thread.writer.talk
        local = step.at
        if step.actor[0] == "person":
            local = step.at.astimezone(ZoneInfo(person.iana))
        found = {"morning" if local.hour < 12 else "afternoon" if local.hour < 18 else "evening"}
        found |= DAYS.get(local.weekday(), set())
        found.add("later" if talk.answers else "first")
        found.add(f"after_{talk.kind or talk.intent or 'nothing'}")
        if previous and step.at - previous[-1].at > LATE:
            found.add("late")
        if previous and len(previous[-1].body) > 700:
            found.add("long")
        if step.said is not None:
            found.add("attached" if step.said.attachments else "bare")
            found |= INTENT_TAGS.get(step.said.intent, set())
        if thread.ticket.notes.get("photos"):
            found.add("photos")
        if "group" in step.changes:
            found |= {"newgroup", f"to_{step.changes['group']}"}
        elif "assignee" in step.changes:
            found.add("samegroup")
        return found | self._author(person)

    def _author(self, person: StoryPerson) -> set[str]:
        """Return the tags of an author."""
        found = {person.firm.segment if person.firm else "hobby"}
        if person.country.language != "en":
            found.add("foreign")
        if self.envelope.dialect(person) in MOBILE:
            found.add("mobile")
        return found

    def _facts(self, ticket: Ticket, person: StoryPerson, tags: frozenset[str]) -> dict[str, str]:
        facts = {key: value for key, value in ticket.facts.items() if value}
        facts["email"] = person.email
        if person.phone:
            facts["phone"] = person.phone
        facts["name"] = person.name
        if ticket.domain not in DATED:
            facts.pop("date", None)
        if "incident" in tags and ticket.domain == "motion":
            facts["firmware"] = HOMING_FIRMWARE
        charge = self.charges.get(int(facts.get("charge", -1)))
        if charge is not None and charge.subscription is not None:
            facts["plan"] = self.plans[charge.subscription].name
        facts["group"] = GROUP_NAMES[ticket.topic]
        facts["languagename"] = LANGUAGE_NAMES.get(ticket.language, "")
        return facts

    def _agent(self, thread: Thread, step: Step, said: StoryComment) -> None:
        ticket, desk = thread.ticket, thread.desk
        rng, folder = desk.rng, desk.folder
        agent = self.staff[step.actor[1]]
        desk.slots.values["agentname"] = agent.given
        if not said.public:
            local, desk.folder = (desk.folder, desk.domain), "en"
            desk.domain = ticket.domain
            said.text = misspell(agent_note(desk, said.intent), 0.003, rng)
            desk.folder, desk.domain = local
            return

        def closing() -> str | None:
            return self.habits.line(
                agent, "agent_close", desk.tags, folder=folder, rng=rng, fill=desk.slots
            )

        target = int(lognormal(rng, 44, 0.6))
        paragraphs = agent_answer(desk, said.intent, target, closing=closing)
        desk.talk.answers += 1
        if ticket.channel == "chat":
            text = " ".join(part for part in paragraphs if part)
            said.text = text[:1].upper() + text[1:]
            return
        greeting = self._greeting(thread, agent)
        text = "\n\n".join([greeting, *paragraphs])
        signed = self.habits.signed(rng, agent, folder)
        said.text = f"{misspell(text, ANSWER_RATE if folder == 'en' else 0.0, rng)}\n\n{signed}"

    def _greeting(self, thread: Thread, agent: Agent) -> str:
        person, desk = thread.person, thread.desk
        rng, name = desk.rng, person.given
        if name and chance(rng, 0.006):
            name = person.family
        fill = {"first": name, "last": person.family}.get
        tags = desk.tags | ({"named"} if person.given and chance(rng, 0.96) else {"nameless"})
        return (
            self.habits.line(agent, "agent_greeting", tags, folder=desk.folder, rng=rng, fill=fill)
            or "Hello,"
        )

    def _last_agent(self, ticket: Ticket, step: Step) -> Agent | None:
        found = None
        for other in ticket.steps:
            if other is step:
                break
            if other.actor[0] == "agent" and other.said is not None and other.said.public:
                found = self.staff[other.actor[1]]
        return found

    def _quoted(self, ticket: Ticket, step: Step, person: StoryPerson, body: str) -> Quoted:
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
