"""The order of a save: what a stage finds written, and what it sets."""

from __future__ import annotations

import pytest

from clones.crm.domain.saving import stages
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import AFTER_WRITING, BEFORE_WRITING, Stage
from clones.crm.models import rows_of
from tests.crm.conftest import Org

Seen = list[tuple[Stage, bool]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Note each stage that a record goes through, and whether its row is written by then."""
    noted: Seen = []
    usual = stages.steps_of

    def steps_of(stage: Stage) -> tuple[stages.Step, ...]:
        def note(change: Change) -> None:
            noted.append((stage, rows_of(change.of).filter(Id=change.row.Id).exists()))

        return (note, *usual(stage))

    monkeypatch.setattr("clones.crm.domain.saving.pipeline.steps_of", steps_of)
    return noted


def test_stages_run_in_the_order_of_their_list(org: Org, seen: Seen) -> None:
    org.make("Account", Name="Acme")
    before = [(stage, False) for stage in BEFORE_WRITING]
    assert seen == before + [(stage, True) for stage in AFTER_WRITING]


def test_the_vendor_s_order_is_that_of_the_stages() -> None:
    names = [stage.name for stage in (*BEFORE_WRITING, *AFTER_WRITING)]
    assert names == [stage.name for stage in Stage]
    assert names.index("VALIDATION") < names.index("DUPLICATES") < names.index("ASSIGNMENT")
    assert names.index("WORKFLOW") < names.index("ESCALATION") < names.index("AFTER_FLOWS")
    assert names.index("ENTITLEMENTS") < names.index("ROLL_UPS") < names.index("SHARING")


def test_what_a_stage_after_the_write_sets_is_written(
    org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = stages.steps_of

    def steps_of(stage: Stage) -> tuple[stages.Step, ...]:
        if stage is not Stage.ASSIGNMENT:
            return usual(stage)
        return (lambda change: change.set("OwnerId", org.users["ben@kestrel.example"]),)

    monkeypatch.setattr("clones.crm.domain.saving.pipeline.steps_of", steps_of)
    made = org.make("Lead", LastName="Nova", Company="Nova")
    assert org.show("Lead", made)["OwnerId"] == org.users["ben@kestrel.example"]
