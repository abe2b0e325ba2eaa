"""What counts as done: a trigger that routes what the guide means, and nothing else."""

from __future__ import annotations

from typing import Final

from clones.helpdesk.models import Trigger
from episodes.checks import Check, Phase, Verdict, verdict
from episodes.rewards import Charge, Evidence
from episodes.tasks.configuration import own_record, removed_records
from episodes.tasks.spec import Scene

TABLE: Final = "helpdesk_trigger"


def guide_read(scene: Scene) -> Verdict:
    """Whether a response showed the guide."""
    key = str(scene.facts["guide"])
    seen = [each for each in scene.seen if each.table == "helpdesk_macro" and each.key == key]
    return verdict(bool(seen), Evidence(sightings=tuple(each.sighting for each in seen[:1])))


def is_built(scene: Scene) -> Verdict:
    """Whether there is a new trigger that is switched on."""
    key, evidence = own_record(scene, TABLE)
    found = Trigger.objects.filter(id=key, active=True).exists() if key is not None else False
    return verdict(found, evidence)


def routes(scene: Scene) -> Verdict:
    """How well it tells apart what the guide means (J = TPR + TNR - 1)."""
    _, evidence = own_record(scene, TABLE)
    return Verdict(scene.shown_by_probes["skill"], evidence)


def preserves(scene: Scene) -> Verdict:
    """How much of everything else is routed as before, as far as it routes at all."""
    shown = scene.shown_by_probes
    _, evidence = own_record(scene, TABLE)
    return Verdict(shown["skill"] * shown["unchanged"], evidence)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return what the step is charged for: removing rules that were there."""
    return tuple(removed_records(scene, TABLE))


PHASES: Final = (
    Phase(
        "read",
        0.10,
        (Check("the guide was read", "means", guide_read, "goal", at_start=False),),
        kind="means",
    ),
    Phase(
        "built",
        0.10,
        (Check("there is a new trigger", "means", is_built, "goal", at_start=False),),
        kind="means",
    ),
    Phase(
        "routes",
        0.60,
        (
            Check(
                "it routes what the guide means",
                "end",
                routes,
                "policy:guide",
                at_start=False,
            ),
        ),
        needs=("built",),
        probes=True,
    ),
    Phase(
        "preserves",
        0.20,
        (
            Check(
                "everything else is routed as before",
                "end",
                preserves,
                "policy:guide",
                at_start=False,
            ),
        ),
        needs=("built",),
        probes=True,
    ),
)
