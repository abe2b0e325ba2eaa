"""Whatever is shared with whom: queries find what an account of sharing without SQL says."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.crm.domain.organization import profile_named
from clones.crm.queries.access.sharing import open_ids
from clones.crm.queries.access.viewing import user_mode
from clones.crm.queries.schema import whole_schema
from clones.crm.queries.soql.asking import ask
from clones.crm.rules.access.sharing import Level
from tests import tiers
from tests.conftest import bind
from tests.crm.conftest import ADA, Org
from tests.crm.sharing_worlds import MODELS, Judge, SharingWorld

COUNT = 40 if tiers.EVERYTHING else 4


@pytest.mark.parametrize("seed", range(COUNT))
def test_records_are_open_as_the_rows_say(org: Org, seed: int) -> None:
    drawn = f"{tiers.SEED}|{seed}" if tiers.EVERYTHING else str(seed)
    seen: Counter[int] = Counter()
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        world = SharingWorld(profile_named("Standard User"), org.users[ADA], Random(drawn))
        world.draw()
        judge, schema = Judge(world), whole_schema()
        for user in world.ids("User"):
            with user_mode(user) as asking:
                for of in MODELS:
                    ids = world.ids(of)
                    told = {id: judge.level(user, id) for id in ids}
                    seen.update(told.values())
                    for level in (Level.READ, Level.EDIT, Level.ALL):
                        wanted = {id for id, one in told.items() if one >= level}
                        found = open_ids(asking, schema.objects[of], ids, level)
                        assert found == wanted, (drawn, user, of, level.name, world.models)
                    page = ask(f"SELECT Id FROM {of}", user=user, version=64.0).page("")
                    assert {one["Id"] for one in page.records} == {
                        id for id, one in told.items() if one
                    }
                tasks = {one["Id"]: judge.task_level(user, one) for one in world.rows["Task"]}
                page = ask("SELECT Id FROM Task", user=user, version=64.0).page("")
                assert {one["Id"] for one in page.records} == {id for id, n in tasks.items() if n}
    assert min(seen[Level.NONE], seen[Level.ALL]) > 0, seen
