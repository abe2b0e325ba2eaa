"""What counts as done: a shared filter that finds what it should, now, later and of new work."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from clones.core import clock
from clones.tracker.models import Filter, Share, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import read_search
from clones.tracker.rules.jql import JqlError
from episodes.checks import Check, Phase, Verdict, same_text, verdict
from episodes.families.t02.drawing import Drawer
from episodes.families.t02.entering import enter
from episodes.families.t02.planting import land_of
from episodes.families.t02.reading import Row, belongs, rows_for, skill
from episodes.rewards import Charge, Evidence
from episodes.tasks.configuration import own_record, removed_records
from episodes.tasks.spec import Facts, Scene, Stage

TABLE: Final = "tracker_filter"
ROUNDS: Final = 3
PROBES: Final = 40
LATER: Final = timedelta(days=7)

Pairs = dict[int, tuple[bool, bool]]


def own_filter(scene: Scene) -> tuple[Filter | None, Evidence]:
    """Return the filter that the agent made and left, the first if there are more."""
    key, evidence = own_record(scene, TABLE)
    return (Filter.objects.filter(id=key).first() if key is not None else None), evidence


def request_read(scene: Scene) -> Verdict:
    """Whether a response showed the request."""
    key = str(scene.facts["request"])
    seen = [each for each in scene.seen if each.table == "tracker_issue" and each.key == key]
    return verdict(bool(seen), Evidence(sightings=tuple(each.sighting for each in seen[:1])))


def is_there(scene: Scene) -> Verdict:
    """Whether there is a new filter."""
    saved, evidence = own_filter(scene)
    return verdict(saved is not None, evidence)


def is_named(scene: Scene) -> Verdict:
    """Whether it has the name that was asked for."""
    saved, evidence = own_filter(scene)
    return verdict(saved is not None and same_text(saved.name, scene.facts["name"]), evidence)


def is_shared(scene: Scene) -> Verdict:
    """Whether those may look at it who should, and nobody else; and nobody else may change it."""
    saved, evidence = own_filter(scene)
    if saved is None:
        return Verdict(0.0, evidence)
    shares = list(Share.objects.filter(filter=saved).order_by("id"))
    wanted = (scene.facts["share"], scene.facts["share_key"])
    found = [
        (share.type, share.group_id if share.type == "group" else share.project_id)
        for share in shares
        if not share.edit
    ]
    return verdict(found == [wanted] and not any(share.edit for share in shares), evidence)


def finds_today(scene: Scene) -> Verdict:
    """How well it tells today's work items apart."""
    _, evidence = own_filter(scene)
    return Verdict(scene.shown_by_probes["today"], evidence)


def finds_new_ones(scene: Scene) -> Verdict:
    """How well it tells work items apart that were made afterwards."""
    _, evidence = own_filter(scene)
    return Verdict(scene.shown_by_probes["new"], evidence)


def finds_later(scene: Scene) -> Verdict:
    """How well it tells all of them apart a week later."""
    _, evidence = own_filter(scene)
    return Verdict(scene.shown_by_probes["later"], evidence)


def probe(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    """Run the new filter over today's work items, over three times forty new ones, in a week.

    Who looks is who asked for it. Return the skill on each (of the three times the worst), and the
    keys of the work items that it got wrong.
    """
    known = set(facts["filters"])
    made = [saved for saved in Filter.objects.order_by("id") if saved.id not in known]
    if not made:
        return {"today": 0.0, "new": 0.0, "later": 0.0, "wrong": [], "inside": 0}
    asker, now = User.objects.get(id=facts["asker"]), clock.now()
    rounds = _entered(facts, stage, now, Rights(asker).zone)
    entered = {key for keys in rounds for key in keys}
    rows = rows_for(Rights(asker))
    found, later = (_pairs(facts, made[0].jql, asker, rows, at) for at in (now, now + LATER))
    wrong = {key for pairs in (found, later) for key, (one, two) in pairs.items() if one != two}
    new = [[found[key] for key in keys if key in found] for keys in rounds]
    return {
        "today": skill(pair for key, pair in found.items() if key not in entered),
        "new": min(skill(pairs) for pairs in new),
        "later": skill(later.values()),
        "wrong": sorted(wrong),
        "inside": sum(should for pairs in new for should, _ in pairs),
    }


def _entered(facts: Facts, stage: Stage, now: datetime, zone: tzinfo) -> list[list[int]]:
    """Make new work items round by round; return the keys of each round's."""
    land = land_of(**facts["land"])
    drawer = Drawer(facts["conditions"], land, now, zone)
    chances = [stage.chance(f"probes {number}") for number in range(ROUNDS)]
    return enter([(drawer.around(chance, PROBES), chance) for chance in chances], land, zone)


def _pairs(facts: Facts, jql: str, asker: User, rows: Mapping[int, Row], at: datetime) -> Pairs:
    """Return, by work item, whether it should be found at a moment and whether it is."""
    with clock.at(at):
        viewer = Rights(asker)
        try:
            found = set(read_search(jql, viewer).found.values_list("pk", flat=True))
        except JqlError:
            found = set()
        return {
            key: (belongs(facts["conditions"], row, at, viewer.zone), key in found)
            for key, row in rows.items()
        }


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return what the step is charged for: removing filters that others use."""
    return tuple(removed_records(scene, TABLE))


PHASES: Final = (
    Phase(
        "looked",
        0.05,
        (Check("the request was read", "means", request_read, "goal", at_start=False),),
        kind="means",
    ),
    Phase(
        "exists",
        0.10,
        (Check("there is a new filter", "means", is_there, "goal", at_start=False),),
        kind="means",
    ),
    Phase(
        "found",
        0.55,
        (
            Check(
                "it finds which of today's work items it should",
                "end",
                finds_today,
                "policy:request",
                at_start=False,
            ),
            Check(
                "it finds which of new work items it should",
                "end",
                finds_new_ones,
                "policy:request",
                at_start=False,
                weight=2.0,
            ),
            Check(
                "a week later it still finds what it should",
                "end",
                finds_later,
                "policy:request",
                at_start=False,
            ),
        ),
        needs=("exists",),
        probes=True,
    ),
    Phase(
        "presented",
        0.30,
        (
            Check("it has the name", "end", is_named, "policy:request", at_start=False),
            Check("it is shared as asked", "end", is_shared, "policy:request", at_start=False),
        ),
        needs=("exists",),
    ),
)
