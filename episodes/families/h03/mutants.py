"""Changes to the oracle of H03 that need to know the job: one field wrong, one ticket amiss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.families.h03.guide import LINES, PRIORITIES, Priority
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts

FILE: Final = "helpdesk_TicketsUpdateMany"
MARK: Final = "helpdesk_MarkTicketAsSpamAndSuspendRequester"
UPDATE: Final = "helpdesk_UpdateTicket"
TYPES: Final = ("question", "incident", "problem", "task")
# Of a large batch one ordinary ticket stands for all.
ORDINARY_AT_MOST: Final = 1
# What the common ones do next door to a ticket that has gone, or to one that may be closed.
NEXT_DOOR: Final = frozenset(
    {
        "tag another ticket",
        "note on another ticket",
        "close another ticket",
        "delete the ticket",
        "rename the ticket",
    }
)

Changes = dict[str, Any]


def relabel(mutant: Mutant, facts: Facts) -> Mutant | None:
    """Drop what the common ones write beside the spam; `mutants` writes where it shows."""
    return None if mutant.name in NEXT_DOOR else mutant


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    place = place_of(acts, lambda taken: taken.tool == FILE)
    if place is None:
        raise LookupError("the oracle files nothing")
    batch = Batch(acts, place, facts)
    return [
        *(mutant for entry in batch.chosen for mutant in _of_a_ticket(batch, entry)),
        *_of_the_batch(batch),
        *_of_the_spam(batch),
        *_beside(batch),
        *_that_change_nothing(batch),
        *_that_look_less(acts),
    ]


class Batch:
    """The oracle's one write on many tickets, and ways to change it."""

    def __init__(self, acts: Acts, place: int, facts: Facts) -> None:
        self.acts, self.place, self.facts = acts, place, facts
        self.changes: list[Changes] = [
            dict(one) for one in acts[place].arguments["body"]["tickets"]
        ]

    @property
    def chosen(self) -> list[Mapping[str, Any]]:
        """The tickets that are made wrong one by one: the special ones and some others."""
        entries = self.facts["routings"]
        special = [entry for entry in entries if entry["role"] != "ordinary"]
        return [*special, *(e for e in entries if e["role"] == "ordinary")][
            : len(special) + ORDINARY_AT_MOST
        ]

    def of(self, ticket: int) -> Changes:
        """Return what the oracle changes on a ticket."""
        return next(one for one in self.changes if one["id"] == ticket)

    def filing(self, changes: list[Changes]) -> list[RecordedAct]:
        """Return the acts with other changes of the batch."""
        return replaced(self.acts, self.place, RecordedAct(FILE, {"body": {"tickets": changes}}))

    def with_changes(self, ticket: int, **other: Any) -> list[RecordedAct]:
        """Return the acts with other values on one ticket; None leaves one out."""
        found = []
        for one in self.changes:
            changed = {**one, **other} if one["id"] == ticket else one
            found.append({name: value for name, value in changed.items() if value is not None})
        return self.filing(found)

    def before_the_end(self, *extra: RecordedAct) -> list[RecordedAct]:
        """Return the acts with more of them before `finish`."""
        return [*self.acts[:-1], *extra, self.acts[-1]]


def update(ticket: int, **fields: Any) -> RecordedAct:
    """Return the act that changes one ticket."""
    return RecordedAct(UPDATE, {"ticket_id": ticket, "body": {"ticket": fields}})


def _of_a_ticket(batch: Batch, entry: Mapping[str, Any]) -> Iterator[Mutant]:
    """One field of one ticket is another, or is missing."""
    ticket, facts = entry["ticket"], batch.facts
    given = batch.of(ticket)
    groups = {each["group"] for each in (*facts["routings"], facts["right"])}
    wrong: dict[str, dict[str, Any]] = {
        f"group {group}": {"group_id": group} for group in sorted(groups - {entry["group"]})[:3]
    }
    wrong |= {f"priority {p}": {"priority": p} for p in PRIORITIES if p != entry["priority"]}
    wrong |= {f"type {kind}": {"type": kind} for kind in TYPES if kind != entry["type"]}
    field = facts["machine_field"]
    other = "machine_mr45" if "machine_mr45" not in entry["tags"] else "machine_kt60"
    wrong["another model"] = {"custom_fields": [{"id": field, "value": other}]}
    tags = given["additional_tags"]
    strange = next(line[-1] for line in LINES if line[-1] not in entry["tags"])
    wrong["a tag too many"] = {"additional_tags": [*tags, strange]}
    wrong["another tag"] = {"additional_tags": [*tags[1:], strange]}
    wrong["a tag misspelt"] = {"additional_tags": [*tags[1:], f"{tags[0]}s"]}
    wrong["a tag too few"] = {"additional_tags": tags[1:]}
    wrong["solved as well"] = {"status": "solved"}
    wrong["put off as well"] = {"status": "pending"}
    if "custom_fields" in given:
        wrong["no model"] = {"custom_fields": None}
    if "vip" in entry["tags"]:
        wrong["its own tag lost"] = {"additional_tags": None, "tags": tags}
    # The VIP's has all that can be wrong, the others every second thing.
    places = range(0, len(wrong), 1 if entry["role"] == "vip" else 2)
    for name, changed in (list(wrong.items())[place] for place in places):
        of_one_kind = name.partition(" ")[0] in ("group", "priority", "type")
        yield Mutant(
            "wrong enum" if of_one_kind else "wrong field",
            "harmful",
            f"ticket {ticket}: {name}",
            batch.with_changes(ticket, **changed),
        )


def _of_the_batch(batch: Batch) -> Iterator[Mutant]:
    """A ticket is left out, or all are treated alike."""
    for entry in batch.chosen:
        rest = [one for one in batch.changes if one["id"] != entry["ticket"]]
        if rest:
            yield Mutant(
                "drop write", "harmful", f"ticket {entry['ticket']} left out", batch.filing(rest)
            )
    first = {name: value for name, value in batch.changes[0].items() if name != "id"}
    alike = [{"id": one["id"], **first} for one in batch.changes]
    yield Mutant("wrong enum", "harmful", "all as the first", batch.filing(alike))
    solved = [{**one, "status": "solved"} for one in batch.changes]
    yield Mutant("wrong enum", "harmful", "all solved", batch.filing(solved))
    tagged = [{"id": one["id"], "additional_tags": one["additional_tags"]} for one in batch.changes]
    yield Mutant("drop write", "harmful", "tags only", batch.filing(tagged))
    kept = ("id", "group_id", "status")
    moved = [{name: one[name] for name in kept} for one in batch.changes]
    yield Mutant("drop write", "harmful", "groups only", batch.filing(moved))


def _of_the_spam(batch: Batch) -> Iterator[Mutant]:
    """The spam is treated in another way, or something else as spam."""
    acts, facts = batch.acts, batch.facts
    ticket, sender = facts["spam"]["ticket"], facts["spam"]["requester"]
    place = place_of(acts, lambda taken: taken.tool == MARK)
    if place is None:
        return
    suspend = RecordedAct(
        "helpdesk_UpdateUser", {"user_id": sender, "body": {"user": {"suspended": True}}}
    )
    delete = RecordedAct("helpdesk_DeleteTicket", {"ticket_id": ticket})
    instead: dict[str, tuple[RecordedAct, ...]] = {
        "spam only deleted": (delete,),
        "spam tagged": (update(ticket, additional_tags=["spam"]),),
        "its sender only suspended": (suspend,),
        "spam put off": (update(ticket, status="pending"),),
    }
    for name, others in instead.items():
        yield Mutant("wrong enum", "harmful", name, replaced(acts, place, *others))
    for entry in [*batch.chosen[:2], facts["right"]]:
        other = RecordedAct(MARK, {"ticket_id": entry["ticket"]})
        yield Mutant(
            "wrong target",
            "harmful",
            f"ticket {entry['ticket']} as spam too",
            batch.before_the_end(other),
        )
    restore = RecordedAct("helpdesk_RestoreDeletedTicket", {"ticket_id": ticket})
    yield Mutant("undo after doing", "harmful", "spam restored", batch.before_the_end(restore))


def _beside(batch: Batch) -> Iterator[Mutant]:
    """Everything is done, and something more."""
    facts = batch.facts
    right, note = facts["right"]["ticket"], facts["guide_note"]
    routed = facts["routings"][0]["ticket"]
    public = {"body": "We have received your message.", "public": True}
    internal = {"body": "Routed by the guide.", "public": False}
    extras: dict[str, RecordedAct] = {
        "right ticket raised": update(right, priority=_other_priority(facts["right"])),
        "right ticket tagged": update(right, additional_tags=["checked"]),
        "right ticket made another": update(right, type=_other_type(facts["right"])),
        "right ticket put off": update(right, status="pending"),
        "ticket renamed": update(routed, subject="Handled"),
        "ticket given away": update(routed, requester_id=facts["spam"]["requester"]),
        "reply to a customer": update(routed, comment=public),
        "reply on the right one": update(right, comment=public),
        "internal note": update(routed, comment=internal),
        "guide tagged": update(note, additional_tags=["read"]),
        "guide put off": update(note, status="hold"),
        "ticket deleted": RecordedAct("helpdesk_DeleteTicket", {"ticket_id": routed}),
        "ticket emptied": update(routed, priority=None, tags=[]),
        "ticket to be done by a day": update(right, type="task", due_at="2026-07-01T10:00:00Z"),
    }
    for name, extra in extras.items():
        yield Mutant("extra write next door", "harmful", name, batch.before_the_end(extra))


def _other_priority(entry: Mapping[str, Any]) -> str:
    return next(p for p in PRIORITIES if p != entry["priority"])


def _other_type(entry: Mapping[str, Any]) -> str:
    return next(kind for kind in TYPES if kind != entry["type"])


def _that_change_nothing(batch: Batch) -> Iterator[Mutant]:
    """The same is done in other ways."""
    acts, facts = batch.acts, batch.facts
    singles = [
        update(one["id"], **{name: value for name, value in one.items() if name != "id"})
        for one in batch.changes
    ]
    ways: dict[str, list[RecordedAct]] = {
        "one by one": replaced(acts, batch.place, *singles),
        "the last one first": batch.filing(batch.changes[::-1]),
        "left as new": batch.filing([_without(one, "status") for one in batch.changes]),
        "in two jobs": replaced(
            acts,
            batch.place,
            RecordedAct(
                FILE, {"body": {"tickets": [_without(one, "priority") for one in batch.changes]}}
            ),
            RecordedAct(
                FILE,
                {
                    "body": {
                        "tickets": [
                            {"id": one["id"], "priority": one["priority"]} for one in batch.changes
                        ]
                    }
                },
            ),
        ),
        "all tags given": batch.filing([_all_tags(one, facts) for one in batch.changes]),
        "the job twice": replaced(acts, batch.place, acts[batch.place], acts[batch.place]),
        "the right one written again": batch.before_the_end(_as_it_is(facts)),
        "numbers as texts": batch.filing(
            [{**one, "group_id": str(one["group_id"])} for one in batch.changes]
        ),
    }
    yield from (
        Mutant("single for bulk", "equivalent", name, others) for name, others in ways.items()
    )
    wrong_first = [{**one, "priority": _next(one["priority"])} for one in batch.changes]
    mended = [RecordedAct(FILE, {"body": {"tickets": wrong_first}}), acts[batch.place]]
    yield Mutant(
        "swap commuting steps", "equivalent", "mended at once", replaced(acts, batch.place, *mended)
    )
    yield from _spam_in_other_ways(batch)


def _spam_in_other_ways(batch: Batch) -> Iterator[Mutant]:
    acts, ticket = batch.acts, batch.facts["spam"]["ticket"]
    place = place_of(acts, lambda taken: taken.tool == MARK)
    if place is None:
        return
    many = RecordedAct("helpdesk_MarkManyTicketsAsSpam", {"ids": str(ticket)})
    yield Mutant("bulk for single", "equivalent", "spam by a job", replaced(acts, place, many))
    last = [taken for taken in acts if taken.tool != MARK]
    yield Mutant(
        "swap commuting steps",
        "equivalent",
        "spam last",
        [*last[:-1], acts[place], last[-1]],
    )


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """Leave out what only looking and care are read from."""
    for name, tool in (
        ("the guide", "helpdesk_ListMacros"),
        ("the tickets", "helpdesk_ListSearchResults"),
    ):
        place = place_of(acts, lambda taken, tool=tool: taken.tool == tool)  # type: ignore[misc]
        if place is not None:
            yield Mutant("drop a read", "careless", f"{name} not read", replaced(acts, place))
    for name, tool in (
        ("the groups", "helpdesk_ListGroups"),
        ("the job", "helpdesk_ShowJobStatus"),
    ):
        place = place_of(acts, lambda taken, tool=tool: taken.tool == tool)  # type: ignore[misc]
        if place is not None:
            yield Mutant("drop a read", "equivalent", f"{name} not read", replaced(acts, place))


def _without(one: Changes, name: str) -> Changes:
    return {key: value for key, value in one.items() if key != name}


def _all_tags(one: Changes, facts: Facts) -> Changes:
    """Return changes that name every tag that the ticket is to have."""
    tags = next(e["tags"] for e in facts["routings"] if e["ticket"] == one["id"])
    return {**_without(one, "additional_tags"), "tags": tags}


def _as_it_is(facts: Facts) -> RecordedAct:
    entry = facts["right"]
    return update(
        entry["ticket"],
        group_id=entry["group"],
        priority=entry["priority"],
        type=entry["type"],
        tags=entry["tags"],
    )


def _next(priority: Priority) -> str:
    return PRIORITIES[(PRIORITIES.index(priority) + 1) % len(PRIORITIES)]
