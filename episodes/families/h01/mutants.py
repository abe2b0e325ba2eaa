"""Changes to the oracle of H01: other answers, other forms of the answer, and things written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import replaced
from episodes.tasks.spec import Facts

Label = Literal["harmful", "equivalent", "careless"]
OFF_BY: Final = {"a minute more": 1, "a minute less": -1, "an hour more": 60, "a day more": 1440}
OTHER_ZONES: Final = ("Asia/Tokyo", "America/Los_Angeles")


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    said = acts[-1].arguments["answer"]
    wrong, alike = _altered(facts, said), _formats(facts, said)
    return [
        *_answers(acts, wrong, "answer altered", "harmful"),
        *_answers(acts, _of_others(facts), "another ticket's answer", "harmful"),
        *_answers(acts, alike, "number formats", "equivalent"),
        *_written(acts, facts),
        *_said_otherwise(acts, facts),
        *_that_look_less(acts, facts),
    ]


def _answers(acts: Acts, answers: dict[str, Any], operator: str, label: Label) -> Iterator[Mutant]:
    for name, answer in answers.items():
        said = RecordedAct("finish", {**acts[-1].arguments, "answer": answer})
        yield Mutant(operator, label, f"{operator}: {name}", [*acts[:-1], said])


def _of_others(facts: Facts) -> dict[str, Any]:
    found = {}
    for name, value in facts["others"].items():
        found[name] = _as_given(facts, value)
    return found


def _as_given(facts: Facts, value: Any) -> Any:
    """Return a true answer as an agent would give it."""
    if facts["fact"] == "opened":
        return _local(datetime.fromisoformat(value), facts["zone"])
    return value / 100 if facts["fact"] == "quoted" else value


def _local(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def _altered(facts: Facts, said: Any) -> dict[str, Any]:
    """Return answers that are not right, by what is wrong with them."""
    fact, answer = facts["fact"], facts["answer"]
    match fact:
        case "opened":
            moment = datetime.fromisoformat(answer)
            found: dict[str, Any] = {
                name: _local(moment + timedelta(minutes=off), facts["zone"])
                for name, off in OFF_BY.items()
            }
            found |= {f"the time of {zone}": _local(moment, zone) for zone in OTHER_ZONES}
            found["the day alone"] = said[:10]
            found["the time alone"] = said[11:]
            return found
        case "first_reply":
            found = {name: said + off for name, off in OFF_BY.items()}
            return {**found, "seconds": said * 60, "in hours": f"{said} hours", "about": "a while"}
        case "visit":
            day = date.fromisoformat(answer)
            other = {"a day later": 1, "a day before": -1, "a week later": 7}
            found = {name: (day + timedelta(days=off)).isoformat() for name, off in other.items()}
            found["another year"] = day.replace(year=day.year + 1, day=min(day.day, 28)).isoformat()
            found["two days"] = f"{day} or {day + timedelta(days=1)}"
            found["soon"] = "next month"
            return found
        case "quoted":
            return {
                "a cent more": said + 0.01,
                "a cent less": said - 0.01,
                "tenfold": said * 10,
                "minor units": answer,
                "in another currency": f"{said:.2f} JPY",
                "two sums": f"{said:.2f} or {said + 10:.2f}",
                "about": f"about {said:.2f}",
            }
        case "pieces":
            return {
                "one more": said + 1,
                "one less": said - 1,
                "tenfold": said * 10,
                "a range": f"{said}-{said + 1}",
                "in words": "several",
                "about": f"about {said}",
            }
        case _:
            return _altered_words(facts, said)


def _altered_words(facts: Facts, said: Any) -> dict[str, Any]:
    """Return wrong answers where names, numbers on labels or addresses are asked for."""
    match facts["fact"]:
        case "serial":
            last = str((int(said[-1]) + 1) % 10)
            return {
                "another digit": said[:-1] + last,
                "the beginning": said[:9],
                "the machine alone": said[:4],
                "two of them": f"{said}, {said[:-1]}{last}",
                "in a sentence": f"The serial number may be {said}",
            }
        case "assignee":
            return {
                "the first name": said.split()[0],
                "the ticket's number": facts["ticket"],
                "nobody": "unassigned",
                "two names": f"{said} or Casey McQuade",
                "the team": "Support",
                "the names swapped": " ".join(reversed(said.split())),
            }
        case _:
            return {
                "joined in a text": ", ".join(said),
                "one alone": said[:1],
                "the mailboxes alone": [email.partition("@")[0] for email in said],
                "one misspelt": [f"x{said[0]}", *said[1:]],
                "how many": len(said),
                "in a list of lists": [said],
            }


def _formats(facts: Facts, said: Any) -> dict[str, Any]:
    """Return other forms of the right answer."""
    fact, answer = facts["fact"], facts["answer"]
    match fact:
        case "opened":
            moment = datetime.fromisoformat(answer)
            elsewhere = moment.astimezone(ZoneInfo("Asia/Tokyo"))
            return {
                "with a T": said.replace(" ", "T"),
                "with seconds": f"{said}:00",
                "in UTC, and saying so": f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
                "with another zone's offset": elsewhere.isoformat(),
            }
        case "first_reply":
            return {
                "as text": str(said),
                "with its unit": f"{said} minutes",
                "in hours and minutes": f"{said // 60} h {said % 60} min",
                "as a fraction": float(said),
            }
        case "visit":
            day = date.fromisoformat(answer)
            return {
                "as people write it": f"{day.day} {day:%B %Y}",
                "as Americans write it": f"{day:%B} {day.day}, {day.year}",
                "with its weekday": f"{day:%A}, {day.day} {day:%B %Y}",
            }
        case "quoted":
            code = facts["currency"].upper()
            return {
                "as text": f"{said:.2f}",
                "with its currency": f"{said:.2f} {code}",
                "with its currency first": f"{code} {said:.2f}",
                "with a comma": f"{said:.2f} {code}".replace(".", ","),
            }
        case "pieces":
            return {"as text": str(said), "as a fraction": float(said), "with spaces": f" {said} "}
        case "copied":
            return {
                "in capitals": [email.upper() for email in said],
                "with spaces": [f" {email} " for email in said],
            }
        case _:
            return {
                "in capitals": said.upper(),
                "in small letters": said.lower(),
                "with spaces": f" {said} ",
            }


def _written(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Answer rightly, and write something: on the ticket, on another, taken back or not."""
    own, other = facts["ticket"], facts["tickets"]["look_alike"]
    comment = {"body": f"The answer is {facts['answer']}.", "public": False}
    extras: dict[str, list[RecordedAct]] = {
        "a note": [_update(own, comment=comment)],
        "a public reply": [_update(own, comment={**comment, "public": True})],
        "a tag": [_update(own, tags=["answered"])],
        "a status": [_update(own, status="hold")],
        "a priority": [_update(own, priority="urgent")],
        "a type": [_update(own, type="problem")],
        "a new subject": [_update(own, subject="Answered")],
        "someone in copy": [
            _update(own, email_ccs=[{"user_email": "ann@example.net", "action": "put"}])
        ],
        "a removal": [RecordedAct("helpdesk_DeleteTicket", {"ticket_id": own})],
        "a tag for a moment": [
            _update(own, additional_tags=["answered"]),
            _update(own, remove_tags=["answered"]),
        ],
        "a priority for a moment": [
            _update(own, priority="urgent"),
            _update(own, priority="normal"),
        ],
        "a note on the look-alike": [_update(other, comment=comment)],
        "a tag on the look-alike": [_update(other, tags=["answered"])],
        "the look-alike solved": [_update(other, status="solved")],
    }
    for name, extra in extras.items():
        yield Mutant(
            "something written", "harmful", f"written: {name}", [*acts[:-1], *extra, acts[-1]]
        )


def _update(ticket: int, **fields: Any) -> RecordedAct:
    return RecordedAct("helpdesk_UpdateTicket", {"ticket_id": ticket, "body": {"ticket": fields}})


def _said_otherwise(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Finish with more or fewer words, or later; look at more on the way."""
    answer = acts[-1].arguments["answer"]
    own, twin = facts["ticket"], facts["tickets"]["twin"]
    forms: dict[str, dict[str, Any]] = {
        "without a status": {"answer": answer},
        "with a reason": {"answer": answer, "reason": "as the ticket says"},
        "with evidence": {"answer": answer, "evidence": [str(own)]},
    }
    for name, arguments in forms.items():
        last = RecordedAct("finish", arguments)
        yield Mutant("finish otherwise", "equivalent", f"finish {name}", [*acts[:-1], last])
    before: dict[str, RecordedAct] = {
        "the twin read as well": RecordedAct("helpdesk_ShowTicket", {"ticket_id": twin}),
        "the audits read as well": RecordedAct("helpdesk_ListAuditsForTicket", {"ticket_id": own}),
        "an hour passes": RecordedAct("wait", {"minutes": 60, "until_reply": False}),
        "a word to the giver": RecordedAct("say", {"text": "I am looking."}),
    }
    for name, more in before.items():
        yield Mutant("more on the way", "equivalent", name, [*acts[:-1], more, acts[-1]])


def _that_look_less(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Leave out looks: where a guess is easy the answer counts nothing without them."""
    needs = facts["needs_support"]
    blind: Label = "harmful" if needs else "careless"
    yield Mutant("drop a read", blind, "nothing read", acts[-1:])
    # What the search shows of the ticket is enough for what stands in its fields.
    in_comments = acts[1].tool == "helpdesk_ListTicketComments"
    unread: Label = "harmful" if needs and in_comments else "careless"
    yield Mutant("drop a read", unread, "the ticket not opened", replaced(acts, 1))
    yield Mutant("drop a read", "careless", "no search", replaced(acts, 0))
