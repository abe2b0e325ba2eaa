"""Bulk changes with further questions: moves with statuses and fields, transitions with screens."""

from __future__ import annotations

from typing import Any

from clones.tracker.models import Issue, Screen, Status, Transition
from clones.tracker.queries.workflows import workflow_of
from tests.tracker.issues import configure
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page

AT = "/issues/bulk"


def kind_of(site: Site, name: str, project: str) -> str:
    """Return the id of a type of a space."""
    kinds = site.get(f"project/{project}")["issueTypes"]
    return str(next(one["id"] for one in kinds if one["name"] == name))


def begin(who: Visit, keys: list[str], operation: str) -> Page:
    """Choose issues and an operation and return its details."""
    sent = {"step": "operation", "issue": keys, "operation": operation}
    return who.post(AT, sent, 200)


def go_on(who: Visit, page: Page, keys: list[str], status: int = 200, **changes: Any) -> Page:
    """Send the form of a step with changes."""
    return who.post(AT, {**page.form(AT), "issue": keys, **changes}, status)


def end(site: Site, who: Visit, page: Page, keys: list[str]) -> str:
    """Confirm, and return the words of what came of it."""
    done = who.post(AT, {**page.form(AT), "issue": keys})
    site.advance(1)
    return who.get(done.location).main


def test_groups_go_to_places_of_their_own(site: Site) -> None:
    task, bug = site.issue("A"), site.issue("B", issuetype={"name": "Bug"})
    part = site.issue("Part", issuetype={"name": "Sub-task"}, parent={"key": task})
    keys = [task, bug, part]
    ada = visitor(site)
    page = begin(ada, keys, "move")
    las = site.get("project/LAS")["id"]
    names = [f"target-{las}-{kind_of(site, name, 'LAS')}" for name in ("Task", "Bug")]
    assert set(names) <= set(page.form(AT))
    # A part goes with what it is a part of: nobody asks where.
    assert f"target-{las}-{kind_of(site, 'Sub-task', 'LAS')}" not in page.form(AT)
    refused = go_on(ada, page, keys, 400)
    assert "Please choose a space and a type for Laser control / Task." in refused.said
    task_there = f"OPS,{kind_of(site, 'Task', 'OPS')}"
    chosen: dict[str, Any] = {names[0]: task_there, names[1]: f"LAS,{kind_of(site, 'Task', 'LAS')}"}
    asked = go_on(ada, refused, keys, **chosen)
    assert "Operations / Task These statuses are not in the workflow there." in asked.main
    confirm = go_on(ada, asked, keys)
    assert "Laser control / Task (1) Operations / Task" in confirm.main
    assert "Status To Do Backlog" in confirm.main
    assert "2 work items were changed" in end(site, ada, confirm, keys)
    assert site.get(f"issue/{task}")["key"] == "OPS-1"
    assert site.get(f"issue/{part}")["key"] == "OPS-2"
    found = site.get(f"issue/{bug}")
    assert (found["key"], found["fields"]["issuetype"]["name"]) == (bug, "Task")


def test_statuses_are_mapped_and_required_fields_filled(site: Site) -> None:
    keys = [
        site.issue("A", project={"key": "OPS"}),
        site.issue("B", project={"key": "OPS"}, labels=["own"]),
    ]
    configure(site, "labels", is_required=True)
    with site.writing():
        odd = Status.objects.create(id=99_001, name="Odd", category="indeterminate")
        Issue.objects.filter(key=keys[0]).update(status=odd)
    ada = visitor(site)
    page = begin(ada, keys, "move")
    place = f"LAS,{kind_of(site, 'Task', 'LAS')}"
    ops = site.get("project/OPS")["id"]
    target: dict[str, Any] = {f"target-{ops}-{kind_of(site, 'Task', 'OPS')}": place}
    asked = go_on(ada, page, keys, **target)
    assert "New status for Odd" in asked.main
    statuses = site.get("project/LAS/statuses")[0]["statuses"]
    done = next(one["id"] for one in statuses if one["name"] == "Done")
    sent: dict[str, Any] = {f"status-{place}-99001": done, f"{place}|labels": "new"}
    confirm = go_on(ada, asked, keys, **sent)
    assert "Status Odd Done" in confirm.main
    assert "2 work items were changed" in end(site, ada, confirm, keys)
    first, second = (site.get(f"issue/{key}")["fields"] for key in keys)
    assert (first["status"]["name"], first["labels"]) == ("Done", ["new"])
    assert second["labels"] == ["own"]


def test_transitions_ask_what_their_screens_ask(site: Site) -> None:
    keys = [site.issue("A"), site.issue("B")]
    with site.writing():
        issue = Issue.objects.select_related("project", "issue_type").get(key=keys[0])
        flow = workflow_of(issue.project, issue.issue_type)
        row = Transition.objects.filter(workflow=flow, to_status__name="Done").order_by("id")[0]
        row.screen = Screen.objects.get(name="Resolve Issue Screen")
        row.save()
        number = row.number
    ada = visitor(site)
    page = begin(ada, keys, "transition")
    taken: dict[str, Any] = {"move-0": str(number)}
    asked = go_on(ada, page, keys, **taken)
    assert "Change Resolution" in asked.main
    refused = go_on(ada, asked, keys, 400)
    assert "Resolution is required." in refused.said
    wanted = next(one["id"] for one in site.get("resolution") if one["name"] == "Done")
    confirm = go_on(
        ada, asked, keys,
        resolution=wanted, change=["resolution", "assignee"], assignee=site.ids["dana"],
    )  # fmt: skip
    assert "Resolution Done" in confirm.main
    assert "2 work items were changed" in end(site, ada, confirm, keys)
    for key in keys:
        found = site.get(f"issue/{key}")["fields"]
        assert (found["status"]["name"], found["resolution"]["name"]) == ("Done", "Done")
        assert found["assignee"]["accountId"] == site.ids["dana"]
