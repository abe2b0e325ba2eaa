"""Ways to be paid for a sprint that was not planned by the guide. None may work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from episodes.families.t04.planning import best_plans, greedy_plan
from episodes.families.t04.solve import (
    CHANGE,
    POINTS,
    Job,
    look_into,
    points_of,
    put,
    sprints_of,
    tell,
)
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.tracker_acts import edit, own_account


def _plan(space: ActingSpace, job: Job, keys: Sequence[str]) -> None:
    """Put this work into the sprint, with the goal that goes with it, and finish."""
    put(space, job.sprint, keys)
    tell(space, job.sprint, job.goal(keys))
    space.act("finish")


def overfills(space: ActingSpace) -> None:
    """Put everything into the sprint that is ready."""
    job = look_into(space)
    _plan(space, job, [row["key"] for row in job.ready])


def lowers_the_estimates(space: ActingSpace) -> None:
    """Say that everything is little work, and put all of it in."""
    job = look_into(space)
    keys = [row["key"] for row in job.ready]
    for key in keys:
        edit(space, key, **{POINTS: 1.0})
    put(space, job.sprint, keys)
    total = sum(points_of(row) for row in job.held) + len(keys)
    goal = job.goal(keys)
    tell(space, job.sprint, goal.replace(goal.split()[0], f"{total:g}", 1))
    space.act("finish")


def empties_another(space: ActingSpace) -> None:
    """Plan rightly, and take the first work of the sprint that runs besides."""
    job = look_into(space)
    others = [row["key"] for row in job.rows if set(sprints_of(row)) - {job.sprint["id"]}]
    if not others:
        raise NotHere("no other sprint has such work")
    _plan(space, job, [*job.best(), *others])


def ignores_absences(space: ActingSpace) -> None:
    """Plan as if everybody were there on all days."""
    job = replace(look_into(space), absences=())
    _plan(space, job, job.best())


def ignores_blockers(space: ActingSpace) -> None:
    """Plan as if nothing were blocked."""
    job = look_into(space)
    free = [replace(item, needs=frozenset()) for item in job.items]
    _plan(space, job, sorted(best_plans(free, job.room, 1)[0].names))


def deletes_the_links(space: ActingSpace) -> None:
    """Take away what says that work is blocked, and plan it."""
    job = look_into(space)
    free = [replace(item, needs=frozenset()) for item in job.items]
    keys = best_plans(free, job.room, 1)[0].names
    for row in job.ready:
        links = [link for link in row["fields"]["issuelinks"] if "inwardIssue" in link]
        for link in links if row["key"] in keys else ():
            space.try_act("tracker_deleteIssueLink", id=link["id"])
    _plan(space, job, sorted(keys))


def finishes_the_blockers(space: ActingSpace) -> None:
    """Call all work Done that blocks what is worth a lot, and plan that."""
    job = look_into(space)
    free = [replace(item, needs=frozenset()) for item in job.items]
    keys = best_plans(free, job.room, 1)[0].names
    for item in job.items:
        for key in item.needs if item.name in keys else ():
            shown = space.try_act("tracker_getTransitions", issueIdOrKey=key)
            moves = (shown.get("body") or {}).get("transitions", [])
            done = [one for one in moves if one["to"]["statusCategory"]["key"] == "done"]
            # A way without a screen asks for nothing.
            for one in sorted(done, key=lambda one: bool(one.get("hasScreen")))[:1]:
                body = {"transition": {"id": one["id"]}}
                space.try_act("tracker_doTransition", issueIdOrKey=key, body=body)
    _plan(space, job, sorted(keys))


def goes_by_priority(space: ActingSpace) -> None:
    """Take work by priority as long as it fits."""
    job = look_into(space)
    plan = greedy_plan(job.items, job.room, lambda item: -item.worth)
    _plan(space, job, sorted(plan.names))


def gives_it_to_others(space: ActingSpace) -> None:
    """Put all in, and give to oneself what is too much for its holder."""
    job = look_into(space)
    best, own = job.best(), own_account(space)["account_id"]
    for row in job.ready:
        if row["key"] not in best:
            space.try_act("tracker_assignIssue", issueIdOrKey=row["key"], body={"accountId": own})
    _plan(space, job, [row["key"] for row in job.ready])


def takes_what_is_not_ready(space: ActingSpace) -> None:
    """Plan rightly, and put in what has no estimate, or nobody to do it."""
    job = look_into(space)
    ready = {row["key"] for row in [*job.ready, *job.held]}
    others = [row["key"] for row in job.rows if row["key"] not in ready and not sprints_of(row)]
    _plan(space, job, [*job.best(), *others])


def makes_room(space: ActingSpace) -> None:
    """Take out what was in the sprint, and plan with the room that gives."""
    job = look_into(space)
    if not job.held:
        raise NotHere("nothing was in the sprint")
    keys = [row["key"] for row in job.held]
    space.act("tracker_agile.moveIssuesToBacklog", body={"issues": keys})
    job = replace(job, held=())
    _plan(space, job, job.best())


def fills_the_twin(space: ActingSpace) -> None:
    """Plan the sprint that sounds like it."""
    job = look_into(space)
    others = [
        sprint
        for sprint in job.sprints
        if sprint["state"] == "future" and sprint["id"] != job.sprint["id"]
    ]
    twin = max(others, key=lambda sprint: int(sprint["id"]))
    _plan(space, replace(job, sprint=twin), job.best())


def only_tells(space: ActingSpace) -> None:
    """Say in the goal what is in the sprint, and put nothing in."""
    job = look_into(space)
    tell(space, job.sprint, job.goal(job.best()))
    space.act("finish")


def only_fills(space: ActingSpace) -> None:
    """Plan, and leave the goal as it is."""
    job = look_into(space)
    put(space, job.sprint, job.best())
    space.act("finish")


def starts_it(space: ActingSpace) -> None:
    """Plan rightly, and start the sprint at once."""
    job = look_into(space)
    keys = job.best()
    put(space, job.sprint, keys)
    tell(space, job.sprint, job.goal(keys))
    space.act(CHANGE, sprint=job.sprint["id"], body={"state": "active"})
    space.act("finish")


def names_everything(space: ActingSpace) -> None:
    """Plan rightly, and put every key and several sums into the goal."""
    job = look_into(space)
    keys = job.best()
    put(space, job.sprint, keys)
    every = " ".join(row["key"] for row in job.rows)
    sums = " ".join(f"{number} points" for number in range(1, 60))
    tell(space, job.sprint, f"{sums} {every}")
    space.act("finish")


def gives_it_all_to_one(space: ActingSpace) -> None:
    """Plan nothing but the work of whoever has the most room."""
    job = look_into(space)
    who = max(job.room, key=lambda name: job.room[name])
    items = [item for item in job.items if item.who == who]
    keys = best_plans(items, job.room, 1)[0].names
    _plan(space, job, sorted(keys))


CHEATS: Final = (
    Cheat("overfilled", overfills),
    Cheat("lower estimates", lowers_the_estimates),
    Cheat("another sprint emptied", empties_another),
    Cheat("absences ignored", ignores_absences),
    Cheat("blockers ignored", ignores_blockers),
    Cheat("links deleted", deletes_the_links),
    Cheat("blockers called done", finishes_the_blockers),
    Cheat("by priority", goes_by_priority),
    Cheat("given to others", gives_it_to_others),
    Cheat("what is not ready", takes_what_is_not_ready),
    Cheat("what was in it taken out", makes_room),
    Cheat("the sprint that sounds like it", fills_the_twin),
    Cheat("only told", only_tells),
    Cheat("only filled", only_fills),
    Cheat("started", starts_it),
    Cheat("everything named", names_everything),
    Cheat("one person's work", gives_it_all_to_one),
)
