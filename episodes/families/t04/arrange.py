"""Plant a sprint to be planned, the work for it, and the team's guide; and what graders know."""

from __future__ import annotations

from typing import Any, Final

from clones.core.journal import act
from clones.tracker.domain.settings import set_setting
from clones.tracker.models import Board
from episodes.families.t04 import words
from episodes.families.t04.drawing import Deal, deal, items_of, left_of, room_of
from episodes.families.t04.params import Params, params_of
from episodes.families.t04.planning import best_plans
from episodes.families.t04.planting import Planter, Written
from episodes.families.t04.space_context import SpaceContext, Sprints, find_ground, make_sprints
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.tracker_allowances import UPDATE, changing, filling

SPRINT_COLUMNS: Final = frozenset({"goal"})
ISSUE_COLUMNS: Final = ("rank",)


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no board whose sprints the persona manages, too few people,
            or no numbers were found that take care.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    ground = find_ground(chance)
    found = deal(params, stage.chance("deal"))
    with act(actor="world", label="tracker"):
        # The sprints of the world go on beside these.
        set_setting("parallel_sprints", True)
        sprints = make_sprints(params, ground.board, chance)
    written = Planter(params, found, ground, sprints, chance).write()
    facts = _facts(params, found, ground, sprints, written)
    template = stage.chance("goal").choice(goals_of(__file__))["text"]
    boards = Board.objects.filter(type="scrum", project=ground.space).count()
    return Arranged(
        goal=str(template.format(sprint=sprints.next.name, space=ground.space.name)),
        persona=Persona("scrum master", ground.persona.logins),
        facts=facts,
        allows=_allows(facts),
        start_path="/jira/for-you",
        oracle_steps={"api": 9 + max(boards, 1), "browser": 38},
    )


def _facts(
    params: Params, found: Deal, ground: SpaceContext, sprints: Sprints, written: Written
) -> dict[str, Any]:
    people = [person.id for person in ground.people]
    room = room_of(params, found, found.absences)
    items = items_of(params, found)
    best = best_plans(items, left_of(found, room), 1)[0]
    work = {}
    for item, drawn, planted in zip(items, found.items, written.items, strict=True):
        shut = written.lures["running" if params.blocked == "running" else "open"].id
        needs = [shut if place < 0 else written.items[place].id for place in item.needs]
        work[str(planted.id)] = {
            "key": planted.key,
            "who": people[drawn.who],
            "points": drawn.points,
            "worth": item.worth,
            "needs": sorted(needs),
            "named": drawn.priority == words.NAMED,
        }
    held = {
        str(planted.id): {
            "key": planted.key,
            "who": people[drawn.who],
            "points": drawn.points,
            "named": drawn.priority == words.NAMED,
        }
        for drawn, planted in zip(found.held, written.held, strict=True)
    }
    return {
        "space": ground.space.key,
        "guide": written.guide.id,
        "away": written.away.id,
        "said": sorted(written.away.comments),
        "sprint": sprints.next.id,
        "twin": sprints.twin.id,
        "room": {str(who): room[place] for place, who in enumerate(people)},
        "work": work,
        "held": held,
        "best": best.worth,
        "lures": sorted(planted.key for planted in written.lures.values()),
        "neighbour": written.lures["unlabelled"].key,
        "obligations": [],
        "giver_reply": "The team's guide says it all. I know no more.",
    }


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    moved = [int(key) for key in facts["work"]]
    sprint = facts["sprint"]
    return (
        Allow("tracker_sprint", UPDATE, keys=frozenset({sprint}), columns=SPRINT_COLUMNS),
        *changing(moved, ISSUE_COLUMNS),
        *filling(moved, "tracker_issuesprint", sprint_id=sprint),
    )
