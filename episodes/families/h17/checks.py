"""What counts as done: a shared view that shows what it should, now and of tickets to come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.helpdesk.models import User, View
from clones.helpdesk.queries import visible_tickets
from clones.helpdesk.queries.views import column_name, view_tickets
from episodes.checks import Check, Phase, Verdict, same_text, verdict
from episodes.families.h17.planting import drawer_of, enter, row_of
from episodes.families.h17.wishes import belongs, skill
from episodes.rewards import Charge, Evidence
from episodes.tasks.configuration import own_record, removed_records
from episodes.tasks.spec import Facts, Scene, Stage

TABLE: Final = "helpdesk_view"
PROBES: Final = 30


def own_view(scene: Scene) -> tuple[View | None, Evidence]:
    """Return the view that the agent made and left, the first if there are more."""
    key, evidence = own_record(scene, TABLE)
    view = View.objects.filter(id=key).first() if key is not None else None
    return view, evidence


def request_read(scene: Scene) -> Verdict:
    """Whether a response showed the request by itself."""
    key = str(scene.facts["request"])
    seen = [
        each
        for each in scene.seen
        if each.table == "helpdesk_ticket" and each.key == key and each.kind in ("detail", "list")
    ]
    return verdict(bool(seen), Evidence(sightings=tuple(each.sighting for each in seen[:1])))


def is_there(scene: Scene) -> Verdict:
    """Whether there is a new view that is switched on."""
    view, evidence = own_view(scene)
    return verdict(view is not None and view.active, evidence)


def is_named(scene: Scene) -> Verdict:
    """Whether it has the name that was asked for."""
    view, evidence = own_view(scene)
    return verdict(view is not None and same_text(view.title, scene.facts["name"]), evidence)


def has_columns(scene: Scene) -> Verdict:
    """Whether its columns are those, in that order."""
    view, evidence = own_view(scene)
    found = [column_name(str(name)) for name in view.output["columns"]] if view else None
    return verdict(found == scene.facts["columns"], evidence)


def is_ordered(scene: Scene) -> Verdict:
    """Whether tickets come in the order, and under the headings, that were asked for."""
    view, evidence = own_view(scene)
    if view is None:
        return Verdict(0.0, evidence)
    output, facts = view.output, scene.facts
    group = output.get("group_by") or None
    right = (
        column_name(str(output.get("sort_by") or "nice_id")) == facts["sort_by"]
        and output.get("sort_order", "desc") == facts["sort_order"]
        and (column_name(str(group)) if group else None) == facts["group_by"]
        and (group is None or output.get("group_order", "desc") == facts["group_order"])
    )
    return verdict(right, evidence)


def is_shared(scene: Scene) -> Verdict:
    """Whether those may use it who should, and nobody else."""
    view, evidence = own_view(scene)
    if view is None:
        return Verdict(0.0, evidence)
    rule = view.restriction
    if not rule:
        return verdict(not scene.facts["groups"], evidence)
    keys = set(rule.get("ids") or [rule["id"]]) if rule["type"] == "Group" else set()
    return verdict(bool(keys) and keys == set(scene.facts["groups"]), evidence)


def shows_today(scene: Scene) -> Verdict:
    """How well it tells today's tickets apart."""
    _, evidence = own_view(scene)
    return Verdict(scene.shown_by_probes["today"], evidence)


def shows_new_ones(scene: Scene) -> Verdict:
    """How well it tells tickets apart that came in afterwards."""
    _, evidence = own_view(scene)
    return Verdict(scene.shown_by_probes["new"], evidence)


def probe(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    """Run the new view over today's tickets, then over thirty that come in.

    Return the skill on each, and the numbers of the tickets that it got wrong.
    """
    before = list(View.objects.order_by("id"))
    known = set(facts["views"])
    view = next((each for each in before if each.id not in known), None)
    asker = User.objects.get(id=facts["asker"])
    if view is None:
        return {"today": 0.0, "new": 0.0, "wrong": [], "inside": 0}
    today = _pairs(facts, view, asker, set())
    old = set(today)
    chance = stage.chance("probes")
    enter(drawer_of(facts).around(chance, PROBES), chance)
    new = _pairs(facts, view, asker, old)
    wrong = [key for pairs in (today, new) for key, (one, two) in pairs.items() if one != two]
    return {
        "today": skill(today.values()),
        "new": skill(new.values()),
        "wrong": sorted(wrong),
        "inside": sum(should for should, _ in new.values()),
    }


def _pairs(facts: Facts, view: View, actor: User, known: set[int]) -> dict[int, tuple[bool, bool]]:
    """Return, by ticket not known yet, whether it should be in the view and whether it is."""
    shown = set(view_tickets(view, actor).values_list("id", flat=True))
    return {
        ticket.id: (belongs(facts["conditions"], row_of(ticket)), ticket.id in shown)
        for ticket in visible_tickets(actor).exclude(id__in=known).order_by("id")
    }


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return what the step is charged for: removing views that others use."""
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
        (Check("there is a new view", "means", is_there, "goal", at_start=False),),
        kind="means",
    ),
    Phase(
        "membership",
        0.55,
        (
            Check(
                "it shows which of today's tickets it should",
                "end",
                shows_today,
                "policy:request",
                at_start=False,
            ),
            Check(
                "it shows which of new tickets it should",
                "end",
                shows_new_ones,
                "policy:request",
                at_start=False,
                weight=2.0,
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
            Check("it has the columns", "end", has_columns, "policy:request", at_start=False),
            Check("it has the order", "end", is_ordered, "policy:request", at_start=False),
            Check("it is shared as asked", "end", is_shared, "policy:request", at_start=False),
        ),
        needs=("exists",),
    ),
)
