"""What must be true of reports that were sorted by the guide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from clones.tracker.models import Issue, IssueLabel, IssueLink
from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, verdict
from episodes.families.t03.words import REGRESSION
from episodes.rewards import Charge, Evidence
from episodes.tasks.looking_up import shown_closely
from episodes.tasks.spec import Scene
from episodes.tasks.tracker_guards import false_closes
from episodes.tasks.tracker_obligations import is_met

Entry = Mapping[str, Any]
TABLES: Final = (
    "tracker_issue",
    "tracker_issuecomponent",
    "tracker_issuelabel",
    "tracker_issuelink",
)


def read(scene: Scene) -> Verdict:
    """The guide and every report were looked at."""
    return _shown(scene, None)


def _shown(scene: Scene, before: int | None) -> Verdict:
    wanted = {str(key) for key in (scene.facts["guide"], *scene.facts["issues"])}
    found = [
        seen
        for seen in shown_closely(scene)
        if seen.table == "tracker_issue"
        and seen.key in wanted
        and (before is None or seen.seq < before)
    ]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    return verdict({seen.key for seen in found} == wanted, evidence)


def _share(scene: Scene, entries: Iterable[Entry], holds: Callable[[Entry], bool]) -> Verdict:
    held = [holds(entry) for entry in entries]
    if not held:
        return NOT_APPLICABLE
    return Verdict(sum(held) / len(held), _evidence(scene))


def _evidence(scene: Scene) -> Evidence:
    return Evidence(
        journal=tuple(
            write.seq for write in scene.writes if write.by_agent and write.table.name in TABLES
        )
    )


def filed(scene: Scene) -> Verdict:
    """What stays open has its component and priority, and is open: the share that is so."""
    owed = scene.facts["obligations"]
    return _share(scene, owed, is_met)


def linked(scene: Scene) -> Verdict:
    """What repeats something is linked with it, the right way round, and with nothing else."""
    entries = [entry for entry in scene.facts["reports"] if entry["link"] is not None]
    return _share(scene, entries, _is_linked)


def _is_linked(entry: Entry) -> bool:
    own = entry["issue"]
    rows = IssueLink.objects.select_related("type")
    ends = [(link.type.name, link.source_id, link.destination_id) for link in rows.order_by("id")]
    found = {end for end in ends if own in end[1:]}
    there = (entry["link"], own, entry["record"])
    # What is related is so from either end.
    back = {(entry["link"], entry["record"], own)} if entry["link"] == "Relates" else set()
    return found == {there} or (bool(back) and found in (back, back | {there}))


def marked(scene: Scene) -> Verdict:
    """Faults that came back carry the label for that, and no other report does."""
    rows = IssueLabel.objects.filter(issue__in=scene.facts["issues"], label=REGRESSION)
    marks = set(rows.values_list("issue_id", flat=True))
    wanted = {entry["issue"] for entry in scene.facts["reports"] if entry["sort"] == "regression"}
    every = marks | wanted
    return Verdict(len(marks & wanted) / len(every) if every else 1.0, _evidence(scene))


def closed(scene: Scene) -> Verdict:
    """Duplicates and what is meant to be so are closed with their resolutions: the share."""
    entries = [entry for entry in scene.facts["reports"] if entry["resolution"] is not None]
    return _share(scene, entries, _is_closed)


def _is_closed(entry: Entry) -> bool:
    issue = Issue.objects.select_related("status", "resolution").get(id=entry["issue"])
    resolution = None if issue.resolution is None else issue.resolution.name
    return issue.status.category == "done" and resolution == entry["resolution"]


def nothing_else_linked(scene: Scene) -> Verdict:
    """Reports that are new or meant to be so are linked with nothing; asked once any is linked."""
    issues = set(scene.facts["issues"])
    free = {entry["issue"] for entry in scene.facts["reports"] if entry["link"] is None}
    rows = IssueLink.objects.order_by("id").values_list("source_id", "destination_id")
    ends = [set(pair) for pair in rows]
    if not any(pair & issues for pair in ends):
        return Verdict(0.0, _evidence(scene))
    return verdict(not any(pair & free for pair in ends), _evidence(scene))


def read_first(scene: Scene) -> Verdict:
    """The guide and every report were read before anything was written."""
    own = [write for write in scene.writes if write.by_agent and write.table.name in TABLES]
    return _shown(scene, own[0].seq) if own else NOT_APPLICABLE


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "read",
        0.10,
        (Check("the guide and every report were read", "means", read, "goal", at_start=False),),
        kind="means",
    ),
    Phase(
        "filed",
        0.30,
        (
            Check(
                "what stays open has the component and priority of the guide",
                "end",
                filed,
                "policy:components and priorities",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "linked",
        0.30,
        (
            Check(
                "what repeats something on record is linked with that, the right way round",
                "end",
                linked,
                "policy:the same fault",
                at_start=False,
                weight=2.0,
            ),
            Check(
                "faults that came back carry the label, and nothing else does",
                "end",
                marked,
                "policy:the same fault",
                at_start=False,
            ),
            Check(
                "nothing else is linked",
                "end",
                nothing_else_linked,
                "policy:the same fault",
                at_start=False,
                weight=0.5,
            ),
        ),
    ),
    Phase(
        "closed",
        0.30,
        (
            Check(
                "duplicates and what is meant to be so are closed with their resolutions",
                "end",
                closed,
                "policy:what is closed",
                at_start=False,
            ),
        ),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the guide and every report were read before anything was written",
        "means",
        read_first,
        "goal",
        at_start=False,
    ),
)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return the charges of the step at hand: reports closed that were to stay."""
    return tuple(false_closes(scene))
