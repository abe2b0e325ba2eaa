"""Ways to be paid for a sprint that was not closed by the rule. None may work."""

from __future__ import annotations

from typing import Final

from episodes.families.t05.solve import (
    CHANGE,
    PUT,
    carry,
    complete,
    look_into,
    sprints_of,
    start,
)
from episodes.tasks.acting import ActingSpace, Cheat
from episodes.tasks.tracker_acts import move


def calls_it_all_done(space: ActingSpace) -> None:
    """Take all unfinished work to Done, so that nothing has to be carried over."""
    job = look_into(space)
    for key in [*job.carried, *job.returned]:
        move(space, key, "Done")
    complete(space, job.old)
    start(space, job.new, job.rule.weeks)
    space.act("finish")


def carries_everything(space: ActingSpace) -> None:
    """Carry all unfinished work over, whatever the rule says."""
    job = look_into(space)
    carry(space, job.new, [*job.carried, *job.returned])
    complete(space, job.old)
    start(space, job.new, job.rule.weeks)
    space.act("finish")


def carries_nothing(space: ActingSpace) -> None:
    """Complete and start, and let all of it fall back to the backlog."""
    job = look_into(space)
    complete(space, job.old)
    start(space, job.new, job.rule.weeks)
    space.act("finish")


def completes_another(space: ActingSpace) -> None:
    """Do it all, and complete every other sprint that runs besides."""
    job = look_into(space)
    carry(space, job.new, job.carried)
    complete(space, job.old)
    for sprint in sprints_of(space):
        if sprint["state"] == "active":
            space.try_act(CHANGE, sprint=sprint["id"], body={"state": "closed"})
    start(space, job.new, job.rule.weeks)
    space.act("finish")


def only_moves(space: ActingSpace) -> None:
    """Carry over what the rule says, and complete nothing."""
    job = look_into(space)
    carry(space, job.new, job.carried)
    space.act("finish")


def deletes_the_old_one(space: ActingSpace) -> None:
    """Carry over what the rule says, and delete the old sprint in place of completing it."""
    job = look_into(space)
    carry(space, job.new, job.carried)
    space.try_act("tracker_agile.deleteSprint", sprint=job.old["id"])
    start(space, job.new, job.rule.weeks)
    space.act("finish")


def fills_it_up(space: ActingSpace) -> None:
    """Do it all, and take the work of the sprint beside along."""
    job = look_into(space)
    carry(space, job.new, job.carried)
    complete(space, job.old)
    start(space, job.new, job.rule.weeks)
    for sprint in sprints_of(space):
        if sprint["id"] != job.new["id"] and sprint["state"] == "active":
            shown = space.try_act("tracker_agile.getIssuesForSprint", sprint=sprint["id"])
            keys = [row["key"] for row in (shown.get("body") or {}).get("issues", [])][:3]
            space.try_act(PUT, sprint=job.new["id"], body={"issues": keys})
    space.act("finish")


CHEATS: Final = (
    Cheat("everything to Done", calls_it_all_done),
    Cheat("everything carried over", carries_everything),
    Cheat("nothing carried over", carries_nothing),
    Cheat("every sprint completed", completes_another),
    Cheat("moved only", only_moves),
    Cheat("the old sprint deleted", deletes_the_old_one),
    Cheat("the other sprint's work taken", fills_it_up),
)
