"""T10's probes stand on both sides of each edge of both quick filters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from clones.core import clock
from clones.tracker.models import Issue, User
from clones.tracker.queries.rights import Rights
from episodes.certify.runs import Trial
from episodes.control_plane import ControlPlane
from episodes.families.t02.arrange import condition
from episodes.families.t02.reading import belongs, rows_for
from episodes.families.t10.family import FAMILY
from episodes.families.t10.probing import PROBES, enter_probes, near_misses
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Stage


def test_what_is_nearly_a_filter() -> None:
    conditions = [
        condition("all", "due", "due", [], [], days=14),
        condition("any", "labels", "some_of", ["ux", "docs"], []),
        condition("any", "assignee", "blank", [], []),
    ]

    def told(each: Mapping[str, Any]) -> str:
        return " ".join([each["side"], each["about"], *each["values"], str(each["days"] or "")])

    found = [[told(each).strip() for each in miss] for miss in near_misses(conditions)]
    due, labels, blank = "all due 14", "any labels ux docs", "any assignee"
    assert found == [
        [labels, blank],
        ["all due 7", labels, blank],
        ["all due 21", labels, blank],
        ["any due 14", labels, blank],
        [due, blank],
        [due, "any labels docs", blank],
        [due, "any labels ux", blank],
        [due, "all labels ux docs", blank],
        [due, labels],
        [due, labels, "all assignee"],
    ]


# A filter by day that comes first, one by two priorities, and a status that is on no column.
@pytest.mark.parametrize("number", [6, 8, 12])
def test_probes_tell_each_filter_from_what_is_nearly_it(host: ControlPlane, number: int) -> None:
    instance = InstanceId(FAMILY.id, FAMILY.version, FAMILY.world, "tiny", 1, number)
    trial = Trial(FAMILY, instance, host)
    with trial.arranged() as held, held.ground.bound("write"):
        facts = held.ground.arranged.facts
        viewer = Rights(User.objects.get(id=facts["asker"]))
        known = set(rows_for(viewer))
        enter_probes(facts, Stage(instance), viewer)
        named = {status for column in facts["columns"] for status in column["statuses"]}
        rows, now = rows_for(viewer), clock.now()
        assert PROBES <= len(set(rows) - known) <= PROBES + 8
        made = Issue.objects.filter(project__key=facts["space"], status__name__in=named)
        shown = [rows[issue.id] for issue in made.exclude(id__in=known)]
        for quick in facts["quick"]:
            for miss in near_misses(quick["conditions"]):
                assert any(
                    belongs(quick["conditions"], row, now, viewer.zone)
                    != belongs(miss, row, now, viewer.zone)
                    for row in shown
                ), miss
