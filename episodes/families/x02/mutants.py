"""Changes to the oracle of X02 that need to know the job: facts, filing, links, words, status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.certify.tracker_mutants import fields_of, with_body
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import (
    comment_of,
    place_of,
    replaced,
    reply_place,
    saying,
    ticket_fields,
    with_fields,
)
from episodes.tasks.spec import Facts
from episodes.tasks.tracker_acts import document, text_of

CREATE: Final = "tracker_createIssue"
SAY: Final = "tracker_addComment"
POINT: Final = "tracker_createOrUpdateRemoteIssueLink"
UPDATE: Final = "helpdesk_UpdateTicket"
PRIORITIES: Final = ("Highest", "High", "Low", "Lowest")
OTHERS: Final[Mapping[str, str]] = {
    "code": "BQX0001",
    "version": "0.0.9",
    "serial": "MR45-1901-0001",
    "system": "Windows 7 SP1",
    "file": "nothing-01.svg",
}


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    return [
        *_of_the_facts(acts, facts),
        *_of_a_new_bug(acts, facts),
        *_of_a_joined_bug(acts, facts),
        *_of_the_links(acts, facts),
        *_of_the_answer(acts, facts),
        *_of_the_status(acts, facts),
        *_other_ways(acts, facts),
        *_that_look_less(acts),
    ]


def _place(acts: Acts, tool: str) -> int:
    found = place_of(acts, lambda taken: taken.tool == tool)
    if found is None:
        raise LookupError(f"the oracle does not use {tool}")
    return found


def _telling(acts: Acts) -> int:
    """Return the place of the act that tells engineering of the fault."""
    found = place_of(acts, lambda taken: taken.tool in (CREATE, SAY))
    if found is None:
        raise LookupError("the oracle tells engineering nothing")
    return found


def _told(taken: RecordedAct) -> str:
    """Return what an act tells in a bug."""
    if taken.tool == SAY:
        return text_of(taken.arguments["body"]["body"])
    return text_of(fields_of(taken)["description"])


def _telling_else(taken: RecordedAct, text: str) -> RecordedAct:
    """Return the act with other words in the bug."""
    body = document(text)
    if taken.tool == SAY:
        return with_body(taken, body=body)
    return with_body(taken, fields={**fields_of(taken), "description": body})


def _with_summary(taken: RecordedAct, old: str, new: str) -> RecordedAct:
    """Return the act with a text replaced at the head of the bug as well, if it has one."""
    if taken.tool == SAY:
        return taken
    fields = fields_of(taken)
    return with_body(taken, fields={**fields, "summary": fields["summary"].replace(old, new)})


def _of_the_facts(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Leave out or change each fact that the note asks for; keep what was taken back."""
    place = _telling(acts)
    lines = _told(acts[place]).split("\n")
    for fact, value in facts["told"].items():
        left = "\n\n".join(line for line in lines if value not in line)
        fewer = _telling_else(acts[place], left)
        yield Mutant(
            "told fact altered", "harmful", f"without the {fact}", replaced(acts, place, fewer)
        )
        text = "\n\n".join(lines).replace(value, OTHERS[fact])
        other = _with_summary(_telling_else(acts[place], text), value, OTHERS[fact])
        yield Mutant(
            "told fact altered", "harmful", f"another {fact}", replaced(acts, place, other)
        )
    several = [*lines, f"Or version {', '.join(facts['other_versions'])}."]
    every = _telling_else(acts[place], "\n\n".join(several))
    yield Mutant("told fact altered", "harmful", "every version", replaced(acts, place, every))
    if facts["taken_back"] is not None:
        more = [*lines, f"Also seen with {facts['taken_back']}."]
        both = _telling_else(acts[place], "\n\n".join(more))
        yield Mutant(
            "told fact altered", "harmful", "what was taken back", replaced(acts, place, both)
        )


def _of_a_new_bug(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """File a new bug wrongly, or twice."""
    place = _telling(acts)
    taken = acts[place]
    if taken.tool != CREATE:
        return
    fields = fields_of(taken)
    wrong = next(key for key in facts["components"] if key != facts["component"])
    kinds: dict[str, dict[str, Any]] = {
        "another type": {"issuetype": {"name": "Task"}},
        "another component": {"components": [{"id": str(wrong)}]},
        "two components": {"components": [{"id": str(facts["component"])}, {"id": str(wrong)}]},
        "a summary without the code": {"summary": "A customer has a fault"},
    }
    for name in PRIORITIES:
        if name != facts["priority"]:
            kinds[f"priority {name}"] = {"priority": {"name": name}}
    for name, changes in kinds.items():
        other = with_body(taken, fields={**fields, **changes})
        yield Mutant("wrong enum", "harmful", name, replaced(acts, place, other))
    yield Mutant("write twice", "harmful", "raised twice", replaced(acts, place, taken, taken))
    undone = _edit(_bug_key(acts), priority={"name": "Medium"})
    yield Mutant(
        "undo after doing", "harmful", "its priority taken back", [*acts[:-1], undone, acts[-1]]
    )


def _bug_key(acts: Acts) -> str:
    return str(acts[_place(acts, POINT)].arguments["key"])


def _of_a_joined_bug(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Raise one besides, or change the fields that are engineering's."""
    key = facts["joined_key"]
    if key is None:
        return
    extras = {
        "raised besides": RecordedAct(
            CREATE,
            {
                "body": {
                    "fields": {
                        "project": {"key": facts["space"]},
                        "issuetype": {"name": "Bug"},
                        "summary": f"{facts['code']}: once more",
                        "description": document("As reported."),
                    }
                }
            },
        ),
        "its priority changed": _edit(key, priority={"name": "Highest"}),
        "its labels changed": _edit(key, labels=["customer"]),
        "assigned to nobody": RecordedAct(
            "tracker_assignIssue", {"issueIdOrKey": key, "body": {"accountId": None}}
        ),
        "linked with the namesake": RecordedAct(
            "tracker_linkIssues",
            {
                "body": {
                    "type": {"name": "Duplicate"},
                    "inwardIssue": {"key": key},
                    "outwardIssue": {"key": facts["neighbour"]},
                }
            },
        ),
    }
    for name, extra in extras.items():
        yield Mutant("extra write next door", "harmful", name, [*acts[:-1], extra, acts[-1]])


def _edit(key: str, **fields: Any) -> RecordedAct:
    return RecordedAct("tracker_editIssue", {"issueIdOrKey": key, "body": {"fields": fields}})


def _of_the_links(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Link to another ticket, from another bug, or name another bug in the note."""
    place = _place(acts, POINT)
    taken, number = acts[place], str(facts["ticket"])
    target = taken.arguments["body"]["object"]
    for name, url in (
        ("link to the ticket before", target["url"].replace(number, str(int(number) - 1))),
        ("link to a longer number", f"{target['url']}1"),
        ("link to the list of tickets", target["url"].rpartition("/")[0]),
        ("link to another clone", target["url"].replace("//helpdesk.", "//tracker.")),
        ("link to another host", f"https://example.com/agent/tickets/{number}"),
        (
            "link that only mentions it",
            f"{target['url'].rpartition('/')[0]}?after=/tickets/{number}",
        ),
    ):
        other = with_body(taken, object={**target, "url": url})
        yield Mutant("wrong target", "harmful", name, replaced(acts, place, other))
    note = place_of(acts, lambda one: comment_of(one).get("public") is False)
    if note is None:
        raise LookupError("the oracle leaves no note")
    for name, text in (
        ("the note names the namesake", f"With engineering as {facts['neighbour']}."),
        ("the note names nothing", "With engineering."),
        ("the note names a longer key", f"With engineering as {_bug_key(acts)}1."),
    ):
        other = saying(acts[note], body=text, public=False)
        yield Mutant("wrong target", "harmful", name, replaced(acts, note, other))


def _of_the_answer(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Tell the customer something else."""
    place, days = reply_place(acts), facts["days"]
    body = comment_of(acts[place])["body"]
    said = f"{days} working days"
    texts = {
        "a day more": body.replace(said, f"{days + 1} working days"),
        "ten times the days": body.replace(said, f"{days}0 working days"),
        "no number of days": body.replace(said, "some working days"),
        "calendar weeks": body.replace(said, f"{days} weeks"),
        "two numbers of days": f"{body} At the latest {days + 2} working days.",
        "nothing but thanks": "Hello,\n\nthank you, we have passed it on.",
    }
    if facts["version"] is not None:
        texts["no version"] = body.replace(facts["version"], "to come")
    for name in facts["unplanned"][:2]:
        texts[f"version {name} promised"] = f"{body} The fix will be in {name}."
    for name, text in texts.items():
        other = saying(acts[place], body=text)
        yield Mutant("told fact altered", "harmful", name, replaced(acts, place, other))


def _of_the_status(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Leave the ticket in another status."""
    place = reply_place(acts)
    fields = ticket_fields(acts[place])
    for status in ("open", "pending"):
        other = with_fields(acts[place], {**fields, "status": status})
        yield Mutant("wrong enum", "harmful", f"left {status}", replaced(acts, place, other))
    solved = {**fields, "status": "solved", "assignee_id": facts["desk_agent"]}
    yield Mutant(
        "wrong enum",
        "harmful",
        "left solved",
        replaced(acts, place, with_fields(acts[place], solved)),
    )


def _other_ways(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Do the same otherwise."""
    place, reply = _telling(acts), reply_place(acts)
    lines = _told(acts[place]).split("\n")
    turned = _telling_else(acts[place], "\n\n".join(reversed(lines)))
    yield Mutant("reworded", "equivalent", "facts in turn", replaced(acts, place, turned))
    one = _telling_else(acts[place], " / ".join(lines))
    yield Mutant("reworded", "equivalent", "facts on one line", replaced(acts, place, one))
    point = _place(acts, POINT)
    named = with_body(
        acts[point],
        globalId=f"ticket={facts['ticket']}",
        relationship="reported in",
        application={"name": "Helpdesk"},
    )
    yield Mutant("another way", "equivalent", "a link with a name", replaced(acts, point, named))
    target = acts[point].arguments["body"]["object"]
    longer = with_body(acts[point], object={**target, "url": f"{target['url']}?from=bug"})
    yield Mutant("another way", "equivalent", "a longer address", replaced(acts, point, longer))
    fields = ticket_fields(acts[reply])
    held = with_fields(acts[reply], {"status": "hold"})
    rest = {name: value for name, value in fields.items() if name != "status"}
    yield Mutant(
        "swap commuting steps",
        "equivalent",
        "held before the answer",
        replaced(acts, reply, held, with_fields(acts[reply], rest)),
    )
    body = comment_of(acts[reply])["body"]
    for name, text in (
        ("business days", body.replace("working days", "business days")),
        ("in other words", f"Hi! {_promise(facts)}"),
    ):
        other = saying(acts[reply], body=text)
        yield Mutant("reworded", "equivalent", name, replaced(acts, reply, other))
    note = RecordedAct(
        UPDATE,
        {
            "ticket_id": facts["ticket"],
            "body": {"ticket": {"comment": {"body": "Called as well.", "public": False}}},
        },
    )
    yield Mutant("extra internal note", "equivalent", "one note more", [*acts[:-1], note, acts[-1]])
    taken = RecordedAct(
        UPDATE,
        {
            "ticket_id": facts["ticket"],
            "body": {"ticket": {"assignee_id": facts["desk_agent"], "type": "problem"}},
        },
    )
    yield Mutant(
        "allowed column", "equivalent", "taken by the agent", [*acts[:-1], taken, acts[-1]]
    )
    if acts[place].tool == CREATE:
        new = fields_of(acts[place])
        by_id = {**new, "components": [{"id": str(facts["component"])}]}
        other = with_body(acts[place], fields=by_id)
        yield Mutant("another way", "equivalent", "component by id", replaced(acts, place, other))


def _promise(facts: Facts) -> str:
    planned = f" The fix comes with {facts['version']}." if facts["version"] is not None else ""
    return f"We write to you within {facts['days']} working days at the latest.{planned}"


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """Leave out what only care and looking are read from."""
    mails = [
        place for place, taken in enumerate(acts) if taken.tool == "helpdesk_ListTicketComments"
    ]
    for place, name in zip(mails, ("the mails", "the note"), strict=True):
        yield Mutant("drop a read", "careless", f"{name} not read", replaced(acts, place))
    place = _place(acts, "tracker_searchAndReconsileIssuesUsingJql")
    yield Mutant("drop a read", "careless", "nothing looked up", replaced(acts, place))
