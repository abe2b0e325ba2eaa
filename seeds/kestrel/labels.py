"""What the desk adds to tickets besides words: categories, fields, tags, types, links, files.

Everything that is filled in wrongly, twice or not at all is noted in the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from seeds.draw import Draws, Weighted, chance, zipf
from seeds.kestrel.catalogue import MACHINES
from seeds.kestrel.story.model import Attachment, Step, StoryComment, Ticket
from seeds.kestrel.story.topics import GENERAL, TOPICS
from seeds.kestrel.story.whole import Story
from seeds.pools import pool

FOLDER = Path(__file__).parent
TYPES = Weighted({"question": 0.50, "problem": 0.235, "incident": 0.175, "task": 0.06, "": 0.03})
CAUSE_FIELDS = {
    "gateway_retry": "res_duplicate_charge",
    "two_cards": "res_two_cards",
    "upgrade_proration": "res_proration",
    "two_subscriptions": "res_two_subscriptions",
    "already_refunded": "res_already_refunded",
    "currency_pair": "res_currency",
}
DONE = {
    "refund": ("res_refunded", "res_answered"),
    "beam": ("res_replaced", "res_fixed"),
    "motion": ("res_replaced", "res_fixed"),
    "shipping": ("res_replaced", "res_answered"),
    "update": ("res_known_bug", "res_fixed"),
    "files": ("res_fixed", "res_known_bug"),
}
MACHINE_VALUES = {machine.name: f"machine_{machine.code.lower()}" for machine in MACHINES}
LABELLED = 0.58
FILES = ("Screenshot", "Screenshot", "Screenshot", "image", "photo", "log", "drawing", "scan")


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple((FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1])


class Labels:
    """Labels tickets as the desk's people do: unevenly."""

    def __init__(self, story: Story) -> None:
        self.draws, self.half, self.ledger = story.draws, story.half, story.ledger
        self.people, self.staff, self.habit = story.people, story.staff, story.size.habit
        self.colleagues: dict[int, list[int]] = {}
        for person in story.people:
            if person.firm and not person.shared:
                self.colleagues.setdefault(person.firm.index, []).append(person.index)

    def put(self, ticket: Ticket) -> None:
        """Label one ticket."""
        rng = self.draws.rng("labels", ticket.key)
        if ticket.steps[0].actor[0] == "person" and ticket.channel in ("web", "api"):
            ticket.steps[0].changes["fields"] = self._known(rng, ticket, 0.55)
        for step in ticket.steps:
            if step.changes.pop("category", None):
                self._categorise(rng, ticket, step)
        self._resolution(rng, ticket)
        self._tags(rng, ticket)
        self._files(rng, ticket)
        self._auto_reply(rng, ticket)
        self._copies(rng, ticket)
        self._note(ticket)

    def _categorise(self, rng: Random, ticket: Ticket, step: Step) -> None:
        fields: dict[str, Any] = dict(step.changes.get("fields", {}))
        fields["category"] = self._category(rng, ticket)
        fields |= self._known(rng, ticket, 0.3)
        step.changes["fields"] = fields
        kind = TYPES.draw(rng)
        if ticket.incident is not None and chance(rng, 0.8):
            kind = "incident"
        if kind and "type" not in step.changes:
            step.changes["type"] = kind
        if "key" in ticket.facts and chance(rng, 0.4):
            key = ticket.facts["key"]
            shown = key
            if chance(rng, 0.2):
                shown = rng.choice((key.lower().replace("-", ""), key.lower(), f"see {key}"))
            fields["key"] = shown

    def _category(self, rng: Random, ticket: Ticket) -> str:
        point = rng.random()
        if point < LABELLED:
            return ticket.topic
        wrong = GENERAL[0]
        if point > 0.95:
            wrong = zipf(rng, TOPICS, 0.9).key
        if wrong != ticket.topic:
            self.ledger.add(
                "wrong_category", "helpdesk_ticket", ticket.number, "category", ticket.topic, wrong
            )
        return wrong

    def _known(self, rng: Random, ticket: Ticket, odds: float) -> dict[str, Any]:
        """Return what of the facts gets into fields."""
        facts = ticket.facts
        found: dict[str, Any] = {}
        if chance(rng, odds):
            name = facts["machine"]
            if chance(rng, 0.03):
                name = rng.choice([machine.name for machine in MACHINES if machine.name != name])
                self.ledger.add(
                    "wrong_product",
                    "helpdesk_ticket",
                    ticket.number,
                    "machine",
                    facts["machine"],
                    name,
                )
            found["machine"] = MACHINE_VALUES[name]
            if "serial" in facts and chance(rng, 0.5):
                found["serial"] = self._copied(rng, ticket, "serial")
        if ticket.domain in ("shipping", "refund", "dealer") and chance(rng, odds):
            found["order"] = self._copied(rng, ticket, "order")
        if ticket.domain in ("update", "files", "sync", "login") and chance(rng, odds * 0.6):
            found["version"] = facts["version"]
        if "dealer" in facts and chance(rng, 0.015):
            found["dealer"] = facts["dealer"]
        return found

    def _copied(self, rng: Random, ticket: Ticket, name: str) -> str:
        value = ticket.facts[name]
        if not chance(rng, 0.03):
            return value
        spot = rng.randrange(len(value) - 4, len(value) - 1)
        wrong = value[:spot] + value[spot + 1] + value[spot] + value[spot + 2 :]
        if wrong == value:
            wrong = value[:-1] + str((int(value[-1]) + 1) % 10)
        self.ledger.add(f"wrong_{name}", "helpdesk_ticket", ticket.number, name, value, wrong)
        return wrong

    def _resolution(self, rng: Random, ticket: Ticket) -> None:
        solved = [step for step in ticket.steps if step.changes.get("status") == "solved"]
        if not solved or not chance(rng, 0.55):
            return
        value = CAUSE_FIELDS.get(ticket.notes.get("cause", "")) or rng.choice(
            DONE.get(ticket.domain, ("res_answered", "res_fixed", "res_other"))
        )
        if solved[-1].said is None or solved[-1].said.intent == "silence":
            value = "res_no_reply"
        solved[-1].changes.setdefault("fields", {})["resolution"] = value

    def _tags(self, rng: Random, ticket: Ticket) -> None:
        first = ticket.steps[0].changes
        person = self.people[ticket.person]
        tags = []
        if person.vip:
            tags.append("vip")
        if person.firm and person.firm.dealer:
            tags.append("dealer")
        if person.firm and person.firm.segment == "school":
            tags.append("education")
        if tags:
            first["add_tags"] = tags
        for step in ticket.steps[1:]:
            if step.actor[0] == "agent" and "merged_into" not in ticket.notes and chance(rng, 0.16):
                step.changes.setdefault("add_tags", []).append(self._tag(rng, ticket))

    def _tag(self, rng: Random, ticket: Ticket) -> str:
        point = rng.random()
        if point < 0.72:
            return zipf(rng, _lines("tags"), 0.9)
        if point < 0.80:
            forms = zipf(rng, _lines("tag_variants"), 0.6).split("|")
            tag = rng.choice(forms[1:])
            self.ledger.add(
                "near_duplicate_tag", "helpdesk_ticket", ticket.number, "tags", forms[0], tag
            )
            return tag
        name = self._one(rng, pool(self.half, "given_en")).lower()
        name = name.replace(" ", "_").replace("'", "")
        return rng.choice(
            (
                f"ask_{name}",
                f"{name}_has_it",
                f"call_{name}",
                f"batch_{self._number(rng, 100, 999)}",
                f"show_{self._one(rng, pool(self.half, 'city_en')).lower().replace(' ', '_')}",
                f"q{rng.randint(1, 4)}_{name}",
                f"lot_{self._number(rng, 10, 99)}{rng.choice('abcdef')}",
                f"todo_{name}",
                f"{ticket.domain}_{self._number(rng, 2, 60)}",
            )
        )

    def _one(self, rng: Random, names: Sequence[str]) -> str:
        """Return one of the names, of a desk with habits mostly the same few."""
        return zipf(rng, names, self.habit) if self.habit else rng.choice(names)

    def _number(self, rng: Random, first: int, last: int) -> int:
        numbers = range(first, last + 1)
        return zipf(rng, numbers, self.habit) if self.habit else rng.choice(numbers)

    def _files(self, rng: Random, ticket: Ticket) -> None:
        for step in ticket.steps:
            if step.said is None or step.actor[0] != "person" or ticket.channel in ("api", "voice"):
                continue
            first = step is ticket.steps[0]
            if chance(rng, 0.14 if first else 0.07):
                for _ in range(1 + (chance(rng, 0.25)) + (chance(rng, 0.08))):
                    step.said.attachments.append(self._file(rng, step))
                ticket.notes["photos"] = True
            elif step.channel == "email" and self.people[ticket.person].firm and chance(rng, 0.055):
                step.said.attachments.append(Attachment("image001.png", "image/png", 0, True))
                self.ledger.add(
                    "signature_image",
                    "helpdesk_ticket",
                    ticket.number,
                    "attachments",
                    None,
                    "image001.png",
                )

    def _file(self, rng: Random, step: Step) -> Attachment:
        kind = rng.choice(FILES)
        day = step.at - timedelta(minutes=rng.randrange(3, 600))
        if kind == "Screenshot":
            return Attachment(
                rng.choice(
                    (
                        f"Screenshot {day:%Y-%m-%d %H%M%S}.png",
                        f"Screenshot_{day:%Y%m%d-%H%M%S}.png",
                        "Capture.PNG",
                        f"Screenshot ({rng.randint(2, 300)}).png",
                    )
                ),
                "image/png",
                0,
            )
        if kind in ("image", "photo"):
            return Attachment(
                rng.choice(
                    (
                        f"IMG_{rng.randint(1000, 9999)}.png",
                        f"image{rng.randint(0, 9)}.png",
                        f"photo {rng.randint(1, 6)}.png",
                        f"{day:%Y%m%d_%H%M%S}.png",
                    )
                ),
                "image/png",
                0,
            )
        if kind == "log":
            return Attachment(
                rng.choice(("kestrel.log", "sync.log", "report.txt", "machine_log.txt")),
                "text/plain",
                0,
            )
        if kind == "drawing":
            return Attachment(
                rng.choice(("part.dxf", "test.svg", "drawing1.dxf", "logo.svg")),
                "application/octet-stream",
                0,
            )
        return Attachment(
            rng.choice(("statement.txt", "delivery note.txt", "packing list.txt")), "text/plain", 0
        )

    def _auto_reply(self, rng: Random, ticket: Ticket) -> None:
        """Let an absence notice answer the desk, which takes a waiting ticket back to open."""
        for position, step in enumerate(ticket.steps[:-1]):
            public = step.said is not None and step.said.public and step.actor[0] == "agent"
            if (
                not public
                or position == 0
                or step.changes.get("status") == "solved"
                or not chance(rng, 0.045)
            ):
                continue
            at = step.at + timedelta(seconds=rng.randrange(20, 200))
            if at >= ticket.steps[position + 1].at:
                continue
            ticket.steps.insert(
                position + 1,
                Step(
                    at, ("person", ticket.person), "email", StoryComment("ooo"), {"status": "open"}
                ),
            )
            self.ledger.add(
                "auto_reply", "helpdesk_ticket", ticket.number, "comments", None, "absence notice"
            )
            return

    def _copies(self, rng: Random, ticket: Ticket) -> None:
        person = self.people[ticket.person]
        others = (
            [key for key in self.colleagues.get(person.firm.index, []) if key != person.index]
            if person.firm
            else []
        )
        if others and ticket.channel == "email" and chance(rng, 0.2):
            ticket.notes["copies"] = [rng.choice(others)]

    def _note(self, ticket: Ticket) -> None:
        """Note in the ledger what is odd about the ticket as a whole."""
        notes, number = ticket.notes, ticket.number
        kinds = {
            "test": "test_ticket",
            "second": "two_problems",
            "merged_into": "merged",
            "forwarded": "forwarded_mail",
            "repeats": "repeated_ticket",
            "follows": "follow_up",
        }
        for key, kind in kinds.items():
            if notes.get(key):
                self.ledger.add(kind, "helpdesk_ticket", number, key, None, notes[key])
        if notes.get("reopened") == "thanks":
            self.ledger.add("thanks_reopen", "helpdesk_ticket", number, "status", "solved", "open")
        if ticket.language != "en":
            self.ledger.add(
                "foreign_language", "helpdesk_ticket", number, "language", "en", ticket.language
            )
        status, owner = "new", None
        for step in ticket.steps:
            status = step.changes.get("status", status)
            owner = step.changes.get("assignee", owner)
        if status not in ("solved", "closed") and owner is not None and self.staff[owner].left_at:
            self.ledger.add(
                "stale_assignee",
                "helpdesk_ticket",
                number,
                "assignee_id",
                None,
                self.staff[owner].email,
            )


def link_incidents(
    draws: Draws, tickets: list[Ticket], problems: dict[int, tuple[Ticket, Any]]
) -> None:
    """Link most reports of an incident to its problem ticket; the rest stay loose.

    A report that was still open when the problem was solved is linked afterwards: solving a
    problem solves what is linked to it.
    """
    for ticket in tickets:
        if ticket.incident is None or ticket.incident not in problems or "problem" in ticket.notes:
            continue
        problem, solved = problems[ticket.incident]
        rng = draws.rng("link", ticket.key)
        if not chance(rng, 0.72):
            continue
        mine = [
            step
            for step in ticket.steps[1:]
            if step.actor[0] == "agent" and step.at > problem.created
        ]
        ended = [
            step.at for step in ticket.steps if step.changes.get("status") in ("solved", "closed")
        ]
        if solved is not None and not (ended and ended[0] <= solved):
            mine = [step for step in mine if step.at > solved]
        if solved is None and not ended:
            mine = mine[:1]
        if mine and "merged_into" not in ticket.notes:
            mine[0].changes |= {"type": "incident", "problem": problem.number}
            for step in mine[1:]:
                step.changes.pop("type", None)
