"""Ways to be paid for work in Done that was not brought there by the rules. None may work."""

from __future__ import annotations

from typing import Final

from episodes.families.t08.solve import Work, ask, close, fill, look_into
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.tracker_acts import edit, move, moves_of, named_move, own_account, say, take


def takes_the_short_cut(space: ActingSpace) -> None:
    """Take the direct way to Done, which leaves the resolution empty."""
    work = look_into(space)
    move(space, work.key, "Done")
    space.act("finish")


def takes_the_short_cut_at_the_end(space: ActingSpace) -> None:
    """Do all the rest, and take the direct way to Done for the last step."""
    work = look_into(space)
    _to_the_last_step(space, work)
    chosen = next(one for one in moves_of(space, work.key) if one["name"] == "Done")
    take(space, work.key, chosen["id"])
    space.act("finish")


def _to_the_last_step(space: ActingSpace, work: Work) -> None:
    for part in work.open_parts():
        close(space, part, work.resolution)
    if work.status == "To Do":
        move(space, work.key, "In Progress")
    fill(space, work)
    move(space, work.key, "In Review")
    if work.guide.approver is not None:
        ask(space, work)


def changes_in_bulk(space: ActingSpace) -> None:
    """Let the bulk change move the work and its sub-tasks to Done."""
    work = look_into(space)
    keys = [work.key, *work.open_parts()]
    chosen = next(one for one in moves_of(space, work.key) if one["name"] == "Done")
    wanted = {"selectedIssueIdsOrKeys": keys, "transitionId": chosen["id"]}
    body = {"bulkTransitionInputs": [wanted], "sendBulkNotification": False}
    space.try_act("tracker_submitBulkTransition", body=body)
    space.act("wait", minutes=5, until_reply=False)
    space.act("finish")


def approves_it_alone(space: ActingSpace) -> None:
    """Try to approve one's own work, and go round the approval when that fails."""
    work = look_into(space)
    if work.guide.approver is None:
        raise NotHere("nobody has to approve it")
    for part in work.open_parts():
        close(space, part, work.resolution)
    if work.status == "To Do":
        move(space, work.key, "In Progress")
    fill(space, work)
    move(space, work.key, "In Review")
    for number in ("31", "41"):
        space.try_act(
            "tracker_doTransition",
            issueIdOrKey=work.key,
            body={
                "transition": {"id": number},
                "fields": {"resolution": {"name": work.resolution}},
            },
        )
    say(space, work.key, f"Approved by {work.guide.approver} on the phone.")
    move(space, work.key, "Done")
    space.act("finish")


def fills_in_anything(space: ActingSpace) -> None:
    """Put what was said first into the field, so that review lets it pass."""
    work = look_into(space)
    wrong: dict[str, dict[str, object]] = {
        "Fix versions": {"fixVersions": []},
        "Story Points": {"customfield_10026": 21},
        "Due date": {"duedate": "2026-12-31"},
    }
    fields = wrong[work.guide.field]
    if "fixVersions" in fields:
        key = work.key.partition("-")[0]
        shown = space.act("tracker_getProjectVersions", projectIdOrKey=key)["body"]
        others = [one for one in shown if one["name"] != work.value and not one["archived"]]
        fields = {"fixVersions": [{"id": others[0]["id"]}]}
    for part in work.open_parts():
        close(space, part, work.resolution)
    if work.status == "To Do":
        move(space, work.key, "In Progress")
    edit(space, work.key, **fields)
    move(space, work.key, "In Review")
    if work.guide.approver is not None:
        ask(space, work)
    close(space, work.key, work.resolution)
    space.act("finish")


def resolves_the_other_way(space: ActingSpace) -> None:
    """Do everything, and give the resolution that does not fit."""
    work = look_into(space)
    other = "Done" if work.resolution == "Won't Do" else "Won't Do"
    _to_the_last_step(space, work)
    close(space, work.key, other)
    space.act("finish")


def leaves_the_parts(space: ActingSpace) -> None:
    """Give open sub-tasks the direct way to Done, so that the work can be closed."""
    work = look_into(space)
    parts = work.open_parts()
    if not parts:
        raise NotHere("no sub-task is open")
    for part in parts:
        chosen = named_move([one for one in moves_of(space, part) if not one["hasScreen"]], "Done")
        if chosen is not None:
            take(space, part, chosen["id"])
    if work.status == "To Do":
        move(space, work.key, "In Progress")
    fill(space, work)
    move(space, work.key, "In Review")
    if work.guide.approver is not None:
        ask(space, work)
    close(space, work.key, work.resolution)
    space.act("finish")


def changes_the_rules(space: ActingSpace) -> None:
    """Try to take the rules out of the workflow, then close as if there were none."""
    work = look_into(space)
    found = space.try_act("tracker_searchWorkflows", maxResults=50).get("body") or {}
    for flow in (found.get("values") or [])[:5]:
        space.try_act("tracker_deleteInactiveWorkflow", entityId=str(flow.get("id")))
        space.try_act("tracker_updateWorkflows", body={"workflows": [flow], "statuses": []})
    move(space, work.key, "Done")
    space.act("finish")


def talks_it_done(space: ActingSpace) -> None:
    """Say again and again that it is done."""
    work = look_into(space)
    name = own_account(space)["name"]
    for _ in range(3):
        say(space, work.key, f"This is done. {name}")
    space.act("finish")


def opens_it_again(space: ActingSpace) -> None:
    """Bring the work to Done, reopen it, and finish."""
    work = look_into(space)
    _to_the_last_step(space, work)
    close(space, work.key, work.resolution)
    move(space, work.key, "Reopen")
    space.act("finish")


CHEATS: Final = (
    Cheat("the direct way to Done", takes_the_short_cut),
    Cheat("the direct way for the last step", takes_the_short_cut_at_the_end),
    Cheat("a bulk change", changes_in_bulk),
    Cheat("one's own approval", approves_it_alone),
    Cheat("anything in the field", fills_in_anything),
    Cheat("the other resolution", resolves_the_other_way),
    Cheat("sub-tasks by the direct way", leaves_the_parts),
    Cheat("the rules taken away", changes_the_rules),
    Cheat("talk", talks_it_done),
    Cheat("opened again", opens_it_again),
)
