"""What must be true of a sprint that was planned by the team's guide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.tracker.models import IssueSprint, Sprint
from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, verdict
from episodes.families.t04.planning import ENOUGH
from episodes.families.t04.reading import told_in
from episodes.rewards import Charge, Evidence
from episodes.tasks.footprint import RowWrite
from episodes.tasks.guards import own
from episodes.tasks.looking_up import records_seen, shown_closely
from episodes.tasks.spec import Scene
from episodes.tasks.tracker_guards import removed_issues

SPRINT: Final = "tracker_sprint"
LINK: Final = "tracker_issuesprint"
# A plan that is worth less than this share of the best one is hardly a plan.
A_PLAN: Final = 0.5

Entry = Mapping[str, Any]


def within_capacity(scene: Scene) -> Verdict:
    """Nobody has more points in the sprint than what they can take, estimates as they were."""
    load: dict[str, float] = {}
    for entry in _known(scene):
        load[str(entry["who"])] = load.get(str(entry["who"]), 0) + entry["points"]
    room = scene.facts["room"]
    fits = all(points <= room[who] for who, points in load.items())
    return verdict(fits and _is_planned(scene), _evidence(scene, LINK))


def with_blockers(scene: Scene) -> Verdict:
    """Whatever open work blocks something in the sprint is in the sprint as well."""
    there = _members(scene)
    planned = [scene.facts["work"][key] for key in _planned(scene)]
    whole = all(set(entry["needs"]) <= there for entry in planned)
    return verdict(whole and _is_planned(scene), _evidence(scene, LINK))


def only_ready(scene: Scene) -> Verdict:
    """The sprint holds what was in it, and besides only work that may be planned."""
    facts, there = scene.facts, {str(key) for key in _members(scene)}
    held = set(facts["held"])
    kept = held <= there and there - held <= set(facts["work"])
    return verdict(kept and _is_planned(scene), _evidence(scene, LINK))


def worth_the_most(scene: Scene) -> Verdict:
    """What was planned is worth as much as can be, or nearly.

    The value is its share of the best plan's worth.
    """
    share = _worth(scene) / scene.facts["best"]
    return Verdict(1.0 if share >= ENOUGH else share, _evidence(scene, LINK))


def goal_told(scene: Scene) -> Verdict:
    """The sprint's goal tells the points that are in it, and its work of the first priority."""
    goal = Sprint.objects.filter(id=scene.facts["sprint"]).values_list("goal", flat=True).first()
    points, keys = told_in(goal or "")
    entries = _known(scene)
    wanted = {entry["key"] for entry in entries if entry["named"]}
    total = float(sum(entry["points"] for entry in entries))
    told = points == {total} and keys == wanted
    return verdict(told and _is_planned(scene), _evidence(scene, SPRINT))


def _members(scene: Scene) -> set[int]:
    rows = IssueSprint.objects.filter(sprint=scene.facts["sprint"])
    return set(rows.values_list("issue_id", flat=True))


def _planned(scene: Scene) -> list[str]:
    """Return what was planned of what may be, by its ids as facts name it."""
    there = {str(key) for key in _members(scene)}
    return [key for key in scene.facts["work"] if key in there]


def _known(scene: Scene) -> list[Entry]:
    """Return what is in the sprint of what graders know the points of."""
    there = {str(key) for key in _members(scene)}
    known = {**scene.facts["held"], **scene.facts["work"]}
    return [entry for key, entry in known.items() if key in there]


def _worth(scene: Scene) -> int:
    return sum(scene.facts["work"][key]["worth"] for key in _planned(scene))


def _is_planned(scene: Scene) -> bool:
    best: int = scene.facts["best"]
    return _worth(scene) >= A_PLAN * best


def read_first(scene: Scene) -> Verdict:
    """The guide, and who is away, were read before anything was changed."""
    changes = _writes(scene, LINK, SPRINT)
    if not changes:
        return NOT_APPLICABLE
    first, facts = min(write.seq for write in changes), scene.facts
    shown = [seen for seen in shown_closely(scene) if seen.table == "tracker_issue"]
    found = [seen for seen in shown if seen.seq < first]
    guide = [seen for seen in found if seen.key == str(facts["guide"])]
    away = [seen for seen in found if seen.key == str(facts["away"]) and seen.kind == "detail"]
    said = records_seen(scene, "tracker_comment", facts["said"], first)
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in [*guide, *away]),
        requests=tuple(seen.request for seen in [*guide, *away]),
    )
    return verdict(bool(guide) and (bool(away) or said.holds), evidence | said.evidence)


def _writes(scene: Scene, *tables: str) -> list[RowWrite]:
    return [write for write in scene.writes if write.table.name in tables and write.by_agent]


def _evidence(scene: Scene, *tables: str) -> Evidence:
    return Evidence(journal=tuple(write.seq for write in _writes(scene, *tables)))


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "valid",
        0.40,
        (
            Check(
                "a plan gives nobody more than they can take",
                "end",
                within_capacity,
                "policy:capacity",
                at_start=False,
            ),
            Check(
                "a plan has nothing without the open work that blocks it",
                "end",
                with_blockers,
                "policy:blocked",
                at_start=False,
            ),
            Check(
                "a plan has what was in the sprint, and only work that may be planned",
                "end",
                only_ready,
                "policy:what may be planned",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "worth",
        0.40,
        (
            Check(
                "what was planned is worth as much as can be",
                "end",
                worth_the_most,
                "policy:worth",
                at_start=False,
            ),
        ),
        needs=("valid",),
    ),
    Phase(
        "goal",
        0.20,
        (
            Check(
                "the sprint's goal tells its points and its first work",
                "end",
                goal_told,
                "policy:goal",
                at_start=False,
            ),
        ),
        needs=("valid",),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the guide and who is away were read before anything was changed",
        "means",
        read_first,
        "goal",
        at_start=False,
    ),
)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Charge each sprint that is begun, ended or deleted, and work that is deleted."""
    found = [
        _charge(write, f"sprint {write.key} was begun or ended, which was not asked")
        for write in own(scene.fresh, SPRINT, "update")
        if "state" in write.columns
    ]
    made = {write.key for write in own(scene.writes, SPRINT, "insert")}
    found += [
        _charge(write, f"sprint {write.key} was deleted, which was to stay")
        for write in own(scene.fresh, SPRINT, "delete")
        if write.key not in made
    ]
    return (*found, *removed_issues(scene))


def _charge(write: RowWrite, because: str) -> Charge:
    return Charge(
        "wrong_irreversible_act",
        because=because,
        request=write.root.request if write.root else None,
        rows=frozenset({(SPRINT, str(write.key))}),
        evidence=Evidence(journal=(write.seq,)),
    )
