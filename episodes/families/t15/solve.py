"""How a careful agent works a queue: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from episodes.families.t15.reading import (
    GUIDE,
    Guide,
    again_from,
    deputy_of,
    guide_of,
    message_of,
    need_of,
    space_of,
)
from episodes.families.t15.solve_browser import in_browser
from episodes.families.t15.words import QUESTIONS, REMINDER
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import (
    assign,
    edit,
    find_person,
    move,
    read_issue,
    say,
    search,
    text_of,
)
from episodes.tasks.tracker_looking import LOOKS
from sandlot.service import Space

ROUNDS: Final = 6
MINE: Final = "assignee = currentUser() AND resolution = Unresolved"
APPROVERS: Final = "customfield_10003"
CUSTOMER: Final = "Waiting for customer"
APPROVAL: Final = "Waiting for approval"
Issue = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    """What becomes of a request: what its customer is told, and where it goes.

    `resolution` None: it waits for its customer.
    """

    key: str
    text: str
    resolution: str | None


@dataclass(frozen=True, slots=True)
class Queue:
    """What is on the list: the guide, what its requests need, in order, and what waits.

    `waiting` is the request that waits for an approval, `deputy` who stands in for its approver.
    """

    guide: Guide
    deeds: list[Deed]
    waiting: Issue
    deputy: str | None
    resting: list[str]


def by_api(space: ActingSpace) -> None:
    """Read the guide and the list; answer in its order; see the approval through; finish."""
    space = RetryingSpace(space, LOOKS)
    queue = look_into(space)
    for deed in queue.deeds:
        do(space, deed)
    call(space, queue)
    follow(space, queue, await_decision(space, queue))
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> Queue:
    """Find the desk that is meant, read its guide and every request on the list.

    Raises:
        LookupError: there is no guide, or nothing waits for an approval.
    """
    rows = search(space, MINE, "project")
    name = space_of(space.goal, [row["fields"]["project"]["name"] for row in rows])
    project = next(
        row["fields"]["project"]["key"] for row in rows if row["fields"]["project"]["name"] == name
    )
    guide, notes, today = read_guide(space, project)
    order = f'ORDER BY "{guide.promise}" ASC'
    rows = search(space, f"project = {project} AND {MINE} {order}", "summary", "status")
    deeds: list[Deed] = []
    resting: list[str] = []
    waiting: Issue | None = None
    for row in rows:
        status = row["fields"]["status"]["name"]
        if status == CUSTOMER:
            resting.append(row["key"])
            continue
        issue = read_issue(space, row["key"])
        if status == APPROVAL:
            waiting = issue
        else:
            deeds.append(deed_of(issue))
    if waiting is None:
        raise LookupError("nothing waits for an approval")
    approver = waiting["fields"][APPROVERS][0]["displayName"]
    own = [text for author, text in notes if author == approver]
    return Queue(guide, deeds, waiting, deputy_of(own, today), resting)


def read_guide(space: ActingSpace, project: str) -> tuple[Guide, list[tuple[str, str]], date]:
    """Return the desk's guide, what was said below it and by whom, and what day it is.

    Raises:
        LookupError: there is none.
    """
    where = f'project = {project} AND resolution = Unresolved AND summary ~ "queue"'
    rows = search(space, f"{where} ORDER BY created DESC", "summary", most=20)
    guides = [row for row in rows if GUIDE.match(row["fields"]["summary"])]
    if not guides:
        raise LookupError("the desk has no guide to its queue")
    shown = space.act("tracker_getIssue", issueIdOrKey=guides[0]["key"])
    fields = shown["body"]["fields"]
    today = datetime.fromisoformat(shown["now"]).date()
    return guide_of(text_of(fields["description"])), said_on(shown["body"]), today


def said_on(issue: Issue) -> list[tuple[str, str]]:
    """Return what was said on an issue, by whom, oldest first."""
    rows = sorted(issue["fields"]["comment"]["comments"], key=lambda one: one["created"])
    return [(row["author"]["displayName"], text_of(row["body"])) for row in rows]


def deed_of(issue: Issue) -> Deed:
    """Return what becomes of a request: told if it is done, else asked for what is missing."""
    message = message_of(text for _, text in said_on(issue))
    if message is not None:
        return Deed(issue["key"], f"Hello, it is done: {message}.", "Done")
    need = need_of(text_of(issue["fields"]["description"]))
    return Deed(issue["key"], QUESTIONS[need], None)


def do(space: ActingSpace, deed: Deed) -> None:
    """Answer the customer, and put the request where it belongs."""
    say(space, deed.key, deed.text)
    settle(space, deed)


def settle(space: ActingSpace, deed: Deed) -> None:
    """Put a request where it belongs."""
    if deed.resolution is None:
        move(space, deed.key, "Respond to customer")
        return
    move(space, deed.key, "Resolve this issue", fields={"resolution": {"name": deed.resolution}})


def call(space: ActingSpace, queue: Queue) -> None:
    """Call the approval to mind, or put whoever stands in among the approvers."""
    key = queue.waiting["key"]
    if queue.deputy is None:
        say(space, key, REMINDER)
        return
    person = find_person(space, queue.deputy)
    edit(space, key, **{APPROVERS: [{"accountId": person["accountId"]}]})


def await_decision(space: ActingSpace, queue: Queue) -> Issue:
    """Wait until it is decided, and return the request as it stands then.

    Raises:
        LookupError: nobody decides.
    """
    for _ in range(ROUNDS):
        space.act("wait", minutes=1440)
        issue = read_issue(space, queue.waiting["key"])
        if issue["fields"]["status"]["name"] != APPROVAL:
            return issue
    raise LookupError("nobody decides on the approval")


def follow(space: ActingSpace, queue: Queue, issue: Issue) -> None:
    """Tell the customer what was decided, and pass on what was approved."""
    key = issue["key"]
    if issue["fields"]["resolution"] is not None:
        day = again_from([text for _, text in said_on(issue)])
        say(space, key, declined(day))
        return
    say(space, key, approved(queue.guide.days))
    assign(space, key, find_person(space, queue.guide.buyer)["accountId"])


def approved(days: int) -> str:
    """Return what is said of something that was approved."""
    return f"Hello, this was approved. It comes within {days} working days."


def declined(day: str) -> str:
    """Return what is said of something that was declined."""
    return f"Hello, this was declined for now. You can ask again from {day}."


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
