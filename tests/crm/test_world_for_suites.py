"""Each world holds what suites of public clients look for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from seeds.temporary import TemporaryWorld
from seeds.worlds import BuildReport
from tests.crm.test_world import rows
from tests.crm.test_world_truths import custom
from tests.seeds.conftest import stored_world


@pytest.fixture(scope="module")
def store() -> Iterator[TemporaryWorld]:
    """The tiny world of seed 1."""
    with stored_world("tiny", 1) as world:
        yield world


@pytest.fixture
def world(store: TemporaryWorld) -> Iterator[BuildReport]:
    """That world, bound; what a test writes is undone."""
    with store.bound() as report:
        yield report


@pytest.mark.usefixtures("world")
def test_a_table_has_more_rows_than_two_pages_of_a_query() -> None:
    from clones.crm.models import rows_of  # noqa: PLC0415 - the app may not be there
    from clones.crm.queries.schema import org_schema  # noqa: PLC0415 - as above

    of = org_schema().objects["Price_List_Line__c"]
    names = list(rows_of(of).values_list("Name", flat=True))
    assert len(names) > 5_000
    assert len(set(names)) == len(names)


@pytest.mark.usefixtures("world")
def test_an_external_id_stands_in_several_records() -> None:
    counts = Counter(custom("Account", "ERP_Number__c").values())
    assert counts.total() > 20
    assert max(counts.values()) > 1


@pytest.mark.usefixtures("world")
def test_definitions_are_as_the_clone_itself_would_take_them() -> None:
    from clones.crm.domain.approvals.defining import define_process  # noqa: PLC0415 - as above
    from clones.crm.domain.workflows import (  # noqa: PLC0415 - as above
        change_workflow_action,
        change_workflow_rule,
    )
    from clones.crm.models import (  # noqa: PLC0415 - as above
        ApprovalProcess,
        WorkflowAction,
        WorkflowRule,
    )

    admin = rows("User", "Id")[0][0]
    rules, actions = list(WorkflowRule.objects.all()), list(WorkflowAction.objects.all())
    assert any(rule.is_active for rule in rules)
    for rule in rules:
        change_workflow_rule(rule, {}, actor=str(admin))
    for action in actions:
        change_workflow_action(action, {}, actor=str(admin))
    process = ApprovalProcess.objects.get(is_active=True)
    define_process(f"{process.object}.{process.name}", process.definition, actor=str(admin))
    defined: dict[Any, Any] = dict(rows("ProcessDefinition", "Id", "State"))
    assert defined == {process.id: "Active"}
    nodes = rows("ProcessNode", "ProcessDefinitionId", "DeveloperName")
    assert nodes == [(process.id, step["name"]) for step in process.definition["approvalStep"]]


@pytest.mark.usefixtures("world")
def test_there_are_folders_for_reports_dashboards_and_templates() -> None:
    assert {kind for (kind,) in rows("Folder", "Type")} == {"Report", "Dashboard", "Email"}
