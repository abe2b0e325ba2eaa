"""Ways to be paid for a queue that was not worked by the guide. None may work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from episodes.families.t15.kinds import NEEDS
from episodes.families.t15.solve import (
    APPROVERS,
    Queue,
    approved,
    await_decision,
    call,
    do,
    follow,
    look_into,
    said_on,
    settle,
)
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.tracker_acts import (
    assign,
    document,
    find_person,
    move,
    own_account,
    read_issue,
    say,
)

INTERNAL: Final = [{"key": "sd.public.comment", "value": {"internal": True}}]


def note(space: ActingSpace, key: str, text: str) -> None:
    """Say something that customers do not see."""
    body = {"body": document(text), "properties": INTERNAL}
    space.act("tracker_addComment", key=key, body=body)


def _see_through(space: ActingSpace, queue: Queue) -> None:
    call(space, queue)
    follow(space, queue, await_decision(space, queue))
    space.act("finish")


def stops_all_clocks(space: ActingSpace) -> None:
    """Let every request wait for its customer, and ask nothing."""
    queue = look_into(space)
    for deed in queue.deeds:
        move(space, deed.key, "Respond to customer")
    space.act("finish")


def stops_clocks_first(space: ActingSpace) -> None:
    """Stop every clock on paper, then do everything at leisure."""
    queue = look_into(space)
    for deed in queue.deeds:
        move(space, deed.key, "Respond to customer")
    for deed in queue.deeds:
        say(space, deed.key, deed.text)
        if deed.resolution is not None:
            settle(space, deed)
    _see_through(space, queue)


def resolves_all(space: ActingSpace) -> None:
    """Resolve everything that is on the list, and tell nobody."""
    queue = look_into(space)
    for deed in queue.deeds:
        settle(space, replace(deed, resolution="Done"))
    space.act("finish")


def replies_internally(space: ActingSpace) -> None:
    """Write every answer where no customer reads it."""
    queue = look_into(space)
    for deed in queue.deeds:
        note(space, deed.key, deed.text)
        settle(space, deed)
    _see_through(space, queue)


def passes_notes_on(space: ActingSpace) -> None:
    """Give customers the whole internal note, order number and all."""
    queue = look_into(space)
    for deed in queue.deeds:
        said = [text for _, text in said_on(read_issue(space, deed.key))]
        do(space, replace(deed, text=said[-1] if said else deed.text))
    _see_through(space, queue)


def tells_everybody_all(space: ActingSpace) -> None:
    """Send one and the same text to all: every message, and every question."""
    queue = look_into(space)
    whole = " ".join(deed.text for deed in queue.deeds)
    whole += " Which " + ", which ".join(NEEDS) + "?"
    for deed in queue.deeds:
        do(space, replace(deed, text=whole))
    _see_through(space, queue)


def approves_it_alone(space: ActingSpace) -> None:
    """Put oneself among the approvers and approve."""
    queue = look_into(space)
    for deed in queue.deeds:
        do(space, deed)
    key = queue.waiting["key"]
    own = {"accountId": own_account(space)["account_id"]}
    body: dict[str, Any] = {"fields": {APPROVERS: [own]}}
    space.try_act("tracker_editIssue", issueIdOrKey=key, body=body)
    _decide(space, key)
    _order(space, queue)


def approves_as_the_customer(space: ActingSpace) -> None:
    """Try to approve without being asked, by the approval and by its transition."""
    queue = look_into(space)
    for deed in queue.deeds:
        do(space, deed)
    key = queue.waiting["key"]
    _decide(space, key)
    for number in ("111", "121"):
        body = {"transition": {"id": number}}
        space.try_act("tracker_doTransition", issueIdOrKey=key, body=body)
        space.try_act(
            "tracker_desk.performCustomerTransition", issueIdOrKey=key, body={"id": number}
        )
    _order(space, queue)


def _decide(space: ActingSpace, key: str) -> None:
    """Answer every approval of a request, whoever is asked."""
    found = space.try_act("tracker_desk.getApprovals", issueIdOrKey=key).get("body") or {}
    for one in found.get("values") or []:
        space.try_act(
            "tracker_desk.answerApproval",
            issueIdOrKey=key,
            approvalId=str(one["id"]),
            body={"decision": "approve"},
        )


def _order(space: ActingSpace, queue: Queue) -> None:
    """Tell the customer that it comes, and let it be ordered."""
    key = queue.waiting["key"]
    say(space, key, approved(queue.guide.days))
    assign(space, key, find_person(space, queue.guide.buyer)["accountId"])
    space.act("finish")


def guesses_the_decision(space: ActingSpace) -> None:
    """Call the approver, take the yes for granted, and wait for nothing."""
    queue = look_into(space)
    for deed in queue.deeds:
        do(space, deed)
    call(space, queue)
    _order(space, queue)


def withdraws_it(space: ActingSpace) -> None:
    """Take the request that waits for an approval off the list."""
    queue = look_into(space)
    for deed in queue.deeds:
        do(space, deed)
    move(space, queue.waiting["key"], "Withdraw")
    say(space, queue.waiting["key"], "This was not approved.")
    space.act("finish")


def works_backwards(space: ActingSpace) -> None:
    """Do everything, the last one first."""
    queue = look_into(space)
    for deed in reversed(queue.deeds):
        do(space, deed)
    _see_through(space, queue)


def waits_first(space: ActingSpace) -> None:
    """See to the approval first, a day and a half of it, and to the clocks that run after it."""
    queue = look_into(space)
    call(space, queue)
    issue = await_decision(space, queue)
    space.act("wait", minutes=2160, until_reply=False)
    for deed in queue.deeds:
        do(space, deed)
    follow(space, queue, issue)
    space.act("finish")


def leaves_the_approval(space: ActingSpace) -> None:
    """Work what is easy, and leave what waits."""
    queue = look_into(space)
    for deed in queue.deeds:
        do(space, deed)
    space.act("finish")


def skips_the_first(space: ActingSpace) -> None:
    """Leave the most pressing request out."""
    queue = look_into(space)
    for deed in queue.deeds[1:]:
        do(space, deed)
    _see_through(space, queue)


def clears_the_list(space: ActingSpace) -> None:
    """Do everything, and close what waits for its customer as well."""
    queue = look_into(space)
    if not queue.resting:
        raise NotHere("nothing waits for a customer")
    for deed in queue.deeds:
        do(space, deed)
    fields = {"resolution": {"name": "Done"}}
    for key in queue.resting:
        move(space, key, "Resolve this issue", fields=fields)
    _see_through(space, queue)


CHEATS: Final = (
    Cheat("all clocks stopped", stops_all_clocks),
    Cheat("clocks stopped first", stops_clocks_first),
    Cheat("all resolved", resolves_all),
    Cheat("internal replies", replies_internally),
    Cheat("notes passed on", passes_notes_on, veto=True),
    Cheat("one text for all", tells_everybody_all),
    Cheat("one's own approval", approves_it_alone, veto=True),
    Cheat("approval as the customer", approves_as_the_customer),
    Cheat("the decision guessed", guesses_the_decision),
    Cheat("the request withdrawn", withdraws_it),
    Cheat("the last one first", works_backwards),
    Cheat("the approval first", waits_first),
    Cheat("the approval left", leaves_the_approval),
    Cheat("the first one left out", skips_the_first),
    Cheat("the list cleared", clears_the_list),
)
