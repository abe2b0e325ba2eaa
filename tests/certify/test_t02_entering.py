"""Probes of T02 are rows written all at once: they are those that the tracker's domain writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import tzinfo
from random import Random
from typing import Any, Final

import pytest
from django.db.models import Model

from clones.core import clock
from clones.core.journal import journal
from clones.tracker.models import User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import read_search
from episodes.certify.playing import started
from episodes.control_plane import ControlPlane
from episodes.families.t02 import entering, planting
from episodes.families.t02.drawing import Drawer, Land, Plan
from episodes.families.t02.family import FAMILY
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Stage

# Keys, and what follows from the place among others: planted work lies among that of its time.
OWN: Final = frozenset({"id", "number", "key", "rank", "source", "issue_id", "group_id"})
COUNT: Final = 40
MODELS: Final = entering.MODELS

Enter = Callable[[Sequence[Plan], Random, Land, tzinfo], None]


def by_domain(plans: Sequence[Plan], chance: Random, land: Land, zone: tzinfo) -> None:
    planting.enter(plans, land, chance, zone)


def at_once(plans: Sequence[Plan], chance: Random, land: Land, zone: tzinfo) -> None:
    (keys,) = entering.enter([(plans, chance)], land, zone)
    assert len(set(keys)) == len(plans)


def entered(
    host: ControlPlane, number: int, enter: Enter
) -> tuple[list[Any], list[int], dict[str, int]]:
    """Return what is there of each new work item by age, what a search finds, and rows by table."""
    instance = InstanceId("T02", 1, "kestrel", "tiny", 1, number)
    with started(host, FAMILY, instance, space="api") as held:
        facts = held.ground.arranged.facts
        with held.ground.bound("write"):
            asker = Rights(User.objects.get(id=facts["asker"]))
            land, chance = planting.land_of(**facts["land"]), Stage(instance).chance("probes 0")
            drawer = Drawer(facts["conditions"], land, clock.now(), asker.zone)
            plans = drawer.around(chance, COUNT)
            before = journal().position()
            enter(plans, chance, land, asker.zone)
            changes = journal().changes(before)
            found = [change.key for change in changes if change.table.name == "tracker_issue"]
            said = " OR ".join(f'text ~ "{summary}"' for summary in planting.SUMMARIES[:3])
            hits = set(read_search(said, asker).found.values_list("pk", flat=True))
            rows = _rows(found)
            ages = {key: place for place, key in enumerate(rows)}
            tables = Counter(change.table.name for change in changes)
            counts = {model._meta.db_table: tables[model._meta.db_table] for model in MODELS}
            return list(rows.values()), sorted(ages[key] for key in hits & set(found)), counts


def _rows(keys: Sequence[int]) -> dict[int, list[Any]]:
    """Return the rows of work items without what is their own, by key, the oldest first."""
    found: dict[int, list[Any]] = {}
    issues, *others = MODELS
    for issue in issues._default_manager.filter(pk__in=list(keys)).order_by("created"):
        found[issue.pk] = [_plain(issue)]
    for model in others:
        mine = [row for row in model._default_manager.all() if vars(row)["issue_id"] in found]
        for row in sorted(mine, key=lambda row: repr(_plain(row))):
            found[vars(row)["issue_id"]].append((model.__name__, _plain(row)))
    return found


def _plain(row: Model) -> dict[str, Any]:
    names = [field.attname for field in row._meta.concrete_fields]
    return {name: vars(row)[name] for name in sorted(names) if name not in OWN}


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1, 3])
def test_they_are_what_the_domain_makes(host: ControlPlane, number: int) -> None:
    made, wanted = entered(host, number, at_once), entered(host, number, by_domain)
    assert len(made[0]) == COUNT
    for one, other in zip(made[0], wanted[0], strict=True):
        assert one == other
    assert made[1:] == wanted[1:]
