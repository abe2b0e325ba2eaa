"""Changes to the oracle of H04 that need to know the job: late, wrong facts, wrong desks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import (
    comment_of,
    place_of,
    replaced,
    saying,
    ticket_fields,
    with_fields,
)
from episodes.tasks.spec import Facts

UPDATE: Final = "helpdesk_UpdateTicket"
COMMENTS: Final = "helpdesk_ListTicketComments"
# What the common ones do next door: there may be one of the six, where it is allowed, or a ticket
# that is closed. `mutants` does it where it shows.
NEXT_DOOR: Final = frozenset(
    {"tag another ticket", "note on another ticket", "close another ticket", "delete the ticket"}
)
HALF_AN_HOUR: Final = "slower within slack"

Entry = Mapping[str, Any]


def relabel(mutant: Mutant, facts: Facts) -> Mutant | None:
    """Drop what says nothing here: half an hour is no slack, and open is what a hand-over is."""
    if mutant.name in NEXT_DOOR or mutant.operator == HALF_AN_HOUR:
        return None
    if "status" in mutant.name and mutant.operator in ("drop write", "undo after doing"):
        place = int(mutant.name.rpartition(" ")[2])
        handed = {entry["ticket"] for entry in facts["work"] if entry["way"] == "hand_over"}
        if mutant.acts[place].arguments.get("ticket_id") in handed:
            return None
    return mutant


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    run = Oracle(acts, facts)
    return [
        *_of_answers(run),
        *_of_hand_overs(run),
        *_of_time(run),
        *_beside(run),
        *_that_change_nothing(run),
        *_that_look_less(run),
    ]


class Oracle:
    """The oracle's recorded acts, and where it wrote on each ticket."""

    def __init__(self, acts: Acts, facts: Facts) -> None:
        self.acts, self.facts = acts, facts
        self.answers = [entry for entry in facts["work"] if entry["way"] == "answer"]
        self.handed = [entry for entry in facts["work"] if entry["way"] == "hand_over"]

    def place(self, entry: Entry) -> int:
        """Return where the oracle wrote on a ticket.

        Raises:
            LookupError: it did not.
        """
        found = place_of(
            self.acts,
            lambda taken: taken.tool == UPDATE and taken.arguments["ticket_id"] == entry["ticket"],
        )
        if found is None:
            raise LookupError(f"the oracle does not write on {entry['ticket']}")
        return found

    def text(self, entry: Entry) -> str:
        """Return what the oracle wrote on a ticket."""
        return str(comment_of(self.acts[self.place(entry)])["body"])

    def saying(self, entry: Entry, **comment: Any) -> list[RecordedAct]:
        """Return the acts with another comment on a ticket."""
        place = self.place(entry)
        return replaced(self.acts, place, saying(self.acts[place], **comment))

    def setting(self, entry: Entry, **fields: Any) -> list[RecordedAct]:
        """Return the acts with other fields on a ticket; None leaves one out."""
        place = self.place(entry)
        changed = {**ticket_fields(self.acts[place]), **fields}
        kept = {name: value for name, value in changed.items() if value is not None}
        return replaced(self.acts, place, with_fields(self.acts[place], kept))

    def before(self, entry: Entry, *extra: RecordedAct) -> list[RecordedAct]:
        """Return the acts with more of them before a ticket is written on."""
        place = self.place(entry)
        return replaced(self.acts, place, *extra, self.acts[place])

    def at_the_end(self, *extra: RecordedAct) -> list[RecordedAct]:
        """Return the acts with more of them before `finish`."""
        return [*self.acts[:-1], *extra, self.acts[-1]]


def update(ticket: int, **fields: Any) -> RecordedAct:
    """Return the act that changes one ticket."""
    return RecordedAct(UPDATE, {"ticket_id": ticket, "body": {"ticket": fields}})


def _pause(minutes: float) -> RecordedAct:
    return RecordedAct("wait", {"minutes": minutes, "until_reply": False})


def _of_answers(run: Oracle) -> Iterator[Mutant]:
    """What an answer tells is another's, is altered, or comes in a way that does not count."""
    for number, entry in enumerate(run.answers, start=1):
        for name, text in _falsified(run.text(entry), entry).items():
            yield Mutant(
                "told fact altered",
                "harmful",
                f"answer {number}: {name}",
                run.saying(entry, body=text),
            )
    first, last = run.answers[0], run.answers[-1]
    quoted = "\n".join(f"> {line}" for line in run.text(first).splitlines())
    hidden = f"Hello,\n\nplease see below.\n\n{quoted}"
    yield Mutant("told fact altered", "harmful", "only quoted", run.saying(first, body=hidden))
    authored = run.saying(last, body=run.text(last), author_id=last["requester"])
    yield Mutant("reply in another's name", "harmful", "as somebody else", authored)
    swapped = replaced(
        run.saying(first, body=run.text(last)),
        run.place(last),
        saying(run.acts[run.place(last)], body=run.text(first)),
    )
    yield Mutant("reply to another party", "harmful", "two answers swapped", swapped)
    for name, status in (("solved", "solved"), ("left open", "open"), ("on hold", "hold")):
        other = run.setting(first, status=status)
        yield Mutant("wrong enum", "harmful", f"an answered one {name}", other)
    given = {
        "group_id": (run.handed[0] if run.handed else {"group": None})["group"],
        "status": "open",
        "comment": {"body": f"Please answer. Serial: {first['serial']}", "public": False},
    }
    yield Mutant("wrong target", "harmful", "handed over for answered", run.setting(first, **given))


def _falsified(text: str, entry: Entry) -> dict[str, str]:
    tells = entry["tells"]
    code, number, unit = tells["code"], tells["number"], tells["unit"]
    right = f"{number} {unit}"
    found = {
        "number one more": text.replace(right, f"{number + 1} {unit}"),
        "number tenfold": text.replace(right, f"{number * 10} {unit}"),
        "unit lost": text.replace(right, f"{number}"),
        "another part": text.replace(code, f"{code[:-1]}{(int(code[-1]) + 1) % 10}"),
        "nothing told": "Hello,\n\nthank you for your message.\n\nBest wishes",
    }
    for place, wrong in enumerate(entry["wrong"]):
        other = f"{wrong['number']} {wrong['unit']}"
        found[f"another's facts {place}"] = text.replace(right, other).replace(code, wrong["code"])
        found[f"another's number {place}"] = text.replace(right, other)
        found[f"another's facts besides {place}"] = f"{text}\n\nOr {wrong['code']}, {other}."
    return found


def _of_hand_overs(run: Oracle) -> Iterator[Mutant]:
    """What is handed over goes to another group, without what it takes, or is answered."""
    groups = {entry["group"] for entry in run.handed} | {run.facts["support"]}
    for number, entry in enumerate(run.handed, start=1):
        text = run.text(entry)
        for other in sorted(groups - {entry["group"]}):
            moved = run.setting(entry, group_id=other)
            yield Mutant("wrong enum", "harmful", f"hand-over {number} to {other}", moved)
        serial = entry["serial"]
        wrong = f"{serial[:-1]}{(int(serial[-1]) + 1) % 10}"
        told = {
            "another serial": text.replace(serial, wrong),
            "no serial": text.replace(serial, "see above"),
        }
        for name, body in told.items():
            others = run.saying(entry, body=body, public=False)
            yield Mutant("told fact altered", "harmful", f"hand-over {number}: {name}", others)
        reply = {"body": f"We look into it. {serial}", "public": True}
        both = run.at_the_end(update(entry["ticket"], comment=reply))
        yield Mutant("public for internal", "harmful", f"hand-over {number} told too", both)
        back = run.at_the_end(update(entry["ticket"], group_id=run.facts["support"]))
        yield Mutant("undo after doing", "harmful", f"hand-over {number} taken back", back)
        solved = run.setting(entry, status="solved", assignee_id=run.facts["agent"])
        yield Mutant("wrong enum", "harmful", f"hand-over {number} solved", solved)
        held = run.setting(entry, status="pending")
        yield Mutant("wrong enum", "harmful", f"hand-over {number} put off", held)
        own = run.setting(entry, assignee_id=run.facts["agent"])
        yield Mutant("wrong enum", "harmful", f"hand-over {number} to oneself", own)


def _of_time(run: Oracle) -> Iterator[Mutant]:
    """Each ticket is written on when its time is over, or a little later than it could be."""
    late = 61.0
    for number, entry in enumerate(run.facts["work"], start=1):
        place = run.place(entry)
        moved = [*run.acts[:place], *run.acts[place + 1 : -1], _pause(late), run.acts[place]]
        yield Mutant(
            "act after the deadline", "harmful", f"ticket {number} late", [*moved, run.acts[-1]]
        )
        minute = run.before(entry, _pause(1.0))
        yield Mutant("slower in time", "equivalent", f"a minute before ticket {number}", minute)
    filler = {"body": "We are looking into it.", "public": True}
    first = run.answers[0]
    place = run.place(first)
    promised = update(first["ticket"], comment=filler)
    rest = [*run.acts[:place], promised, *run.acts[place + 1 : -1]]
    stopped = [*rest, _pause(late), run.acts[place], run.acts[-1]]
    yield Mutant("act after the deadline", "harmful", "a holding reply, then late", stopped)


def _beside(run: Oracle) -> Iterator[Mutant]:
    """Everything is done, and something more."""
    facts = run.facts
    ticket, priority = run.answers[0]["ticket"], run.answers[0]["priority"]
    reply = {"body": "We have not forgotten you.", "public": True}
    note = {"body": "Seen.", "public": False}
    extras = {
        **{
            f"priority {other}": update(ticket, priority=other)
            for other in ("urgent", "low")
            if other != priority
        },
        "made a task": update(ticket, type="task"),
        "tagged": update(ticket, additional_tags=["answered"]),
        "rules changed": update(facts["guide"], comment=note),
        **{
            f"{name} {does}": update(number, comment=comment)
            for name, number in facts["beside"].items()
            for does, comment in (("answered", reply), ("noted", note))
        },
        "breached taken": update(facts["beside"]["breached"], assignee_id=facts["agent"]),
        "later handed over": update(facts["beside"]["later"], status="open"),
    }
    for name, extra in extras.items():
        yield Mutant("extra write next door", "harmful", name, run.at_the_end(extra))


def _that_change_nothing(run: Oracle) -> Iterator[Mutant]:
    """The same is done in other ways."""
    for number, entry in enumerate(run.answers, start=1):
        for place, text in enumerate(_reworded(entry["tells"])):
            yield Mutant(
                "reworded text",
                "equivalent",
                f"answer {number} reworded {place}",
                run.saying(entry, body=text),
            )
    first = run.answers[0]
    markup = "".join(f"<p>{line}</p>" for line in run.text(first).split("\n\n"))
    place = run.place(first)
    fields = {**ticket_fields(run.acts[place]), "comment": {"public": True, "html_body": markup}}
    marked = replaced(run.acts, place, with_fields(run.acts[place], fields))
    yield Mutant("reworded text", "equivalent", "answer in html", marked)
    applied = RecordedAct(
        "helpdesk_ShowTicketAfterChanges",
        {"ticket_id": first["ticket"], "macro_id": first["macro"]},
    )
    yield Mutant("macro for hand", "equivalent", "macro looked at", run.before(first, applied))
    note = update(first["ticket"], comment={"body": "Looked up in the macros.", "public": False})
    yield Mutant("extra internal note", "equivalent", "a note besides", run.before(first, note))
    own = run.setting(first, assignee_id=run.facts["agent"])
    yield Mutant("allowed column", "equivalent", "an answered one taken", own)
    for number, entry in enumerate(run.handed, start=1):
        new = run.setting(entry, status=None)
        yield Mutant("allowed column", "equivalent", f"hand-over {number} left as new", new)
        body = f"Hi all, could you take this one? The machine is {entry['serial']}. Thanks"
        told = run.saying(entry, body=body, public=False)
        yield Mutant("reworded text", "equivalent", f"hand-over {number} reworded", told)
        fields = ticket_fields(run.acts[run.place(entry)])
        ticket = entry["ticket"]
        parts = [
            update(ticket, comment=fields["comment"]),
            update(ticket, group_id=fields["group_id"]),
        ]
        split = replaced(run.acts, run.place(entry), *parts)
        yield Mutant("two writes for one", "equivalent", f"hand-over {number} in two", split)


def _reworded(tells: Mapping[str, Any]) -> list[str]:
    code, number, unit = tells["code"], tells["number"], tells["unit"]
    return [
        f"Hi,\n\nit is {code} that you need, and {number}{'' if unit == '°C' else ' '}{unit}.",
        f"Good afternoon,\n\n{number} {unit} is right. The part has the number {code.lower()}.",
    ]


def _that_look_less(run: Oracle) -> Iterator[Mutant]:
    """Leave out what only looking and care are read from, or go in another order."""
    acts = run.acts
    for name, tool, label in (
        ("the rules", "helpdesk_ListSearchResults", "careless"),
        ("the macros", "helpdesk_ListMacros", "equivalent"),
        ("the groups", "helpdesk_ListGroups", "equivalent"),
        ("a conversation", COMMENTS, "careless"),
    ):
        place = place_of(acts, lambda taken, tool=tool: taken.tool == tool)  # type: ignore[misc]
        if place is not None:
            less = replaced(acts, place)
            yield Mutant("drop a read", label, f"{name} not read", less)  # type: ignore[arg-type]
    one, two = run.facts["work"][:2]
    first, second = run.place(one), run.place(two)
    # Both were read by then: what differs is who comes first.
    reads = acts[first + 1 : second]
    turned = [*acts[:first], *reads, acts[second], acts[first], *acts[second + 1 :]]
    yield Mutant("another order", "careless", "the second before the first", turned)
