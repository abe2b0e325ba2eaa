"""Queues, and that lists take as many statements for many rows as for few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from clones.tracker.domain import queues
from clones.tracker.models import Queue, ServiceDesk, User
from clones.tracker.queries.rights import Rights
from tests.tracker.conftest import Site
from tests.tracker.desk_site import Desk, open_desk


def test_agents_work_through_queues(site: Site) -> None:
    desk = open_desk(site)
    path = f"servicedesk/{desk.id}/queue"
    first, second = (desk.ask(f"Nr {n}")["issueKey"] for n in (1, 2))
    site.put(f"issue/{second}/assignee", {"accountId": site.ids["dev"]}, by="dev")
    found = {one["name"]: one for one in desk.get(f"{path}?includeCount=true")["values"]}
    assert {name: one["issueCount"] for name, one in found.items()} == {
        "All open": 2,
        "Unassigned issues": 1,
        "Assigned to me": 1,
        "Waiting on me": 1,
        "Waiting for customer": 0,
        "Recently resolved": 0,
    }
    page = desk.get(f"{path}?limit=1&start=1")
    assert [one["name"] for one in page["values"]] == ["Unassigned issues"]
    assert "issueCount" not in page["values"][0]
    every = found["All open"]
    one = desk.get(f"{path}/{every['id']}?includeCount=true")
    assert one == every
    assert one["jql"].startswith("project = IT AND resolution = Unresolved")
    issues = desk.get(f"{path}/{every['id']}/issue")
    assert [row["key"] for row in issues["values"]] == [first, second]
    shown = issues["values"][0]["fields"]
    assert set(shown) == set(every["fields"]) - {"issuekey"}
    assert shown["reporter"]["accountId"] == site.ids["cara"]
    page = desk.get(f"{path}/{every['id']}/issue?limit=1&start=1")
    assert ([row["key"] for row in page["values"]], page["isLastPage"]) == ([second], True)
    for below in ("", f"/{every['id']}", f"/{every['id']}/issue"):
        refused = desk.get(path + below, by="cara", status=403)
        assert desk.error(refused) == (
            "Only agents of this service desk can do this.",
            "sd.agent.servicedesk.error.not.agent",
        )
    gone = desk.get(f"{path}/99", status=404)
    assert (
        desk.error(gone)[0] == "The queue does not exist or you do not have permission to view it."
    )


def test_admins_make_change_and_delete_queues(site: Site) -> None:
    desk = open_desk(site)
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        row = ServiceDesk.objects.select_related("project").get()
        made = queues.create_queue(row, actor=ada, name="Urgent", jql="priority = Highest")
        queues.change_queue(made, actor=ada, name="Very urgent", columns=["summary"])
    key = desk.ask(values={"priority": {"name": "Highest"}})["issueKey"]
    path = f"servicedesk/{desk.id}/queue/{made.id}"
    assert desk.get(path)["name"] == "Very urgent"
    [issue] = desk.get(f"{path}/issue")["values"]
    assert (issue["key"], list(issue["fields"])) == (key, ["summary"])
    with site.writing():
        queues.delete_queue(made, actor=ada)
    desk.get(path, status=404)
    with site.store():
        assert Queue.objects.count() == 6


@contextmanager
def counted(site: Site) -> Iterator[list[str]]:
    """Note the statements of what is called inside."""
    found: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        found.append(sql)
        return execute(sql, *rest)

    with site.store() as binding:
        binding.wrapper.execute_wrappers.append(note)
    yield found
    with site.store() as binding:
        binding.wrapper.execute_wrappers.remove(note)


WORDS = (
    "participant,status,sla,requestType,serviceDesk,attachment,action,comment,comment.attachment"
)
LISTS = (
    "servicedesk/{id}/queue/1/issue",
    f"request?requestOwnership=ALL_REQUESTS&expand={WORDS}",
    "servicedesk/{id}/requesttype?expand=field",
    "request/IT-1/comment?expand=attachment,renderedBody",
    "request/IT-1/attachment",
    "request/IT-1/participant",
    "request/IT-1/status",
    "request/IT-1/sla",
    "organization",
)


def fill(desk: Desk, count: int, start: int) -> None:
    """Let there be more of everything."""
    for number in range(start, start + count):
        account = desk.customer(f"c{number}", f"Customer {number}")
        desk.post("organization", {"name": f"Firm {number}"})
        [file] = desk.send((f"{number}.txt", "text/plain", b"x"))
        body = {"temporaryAttachmentIds": [file]}
        key = desk.ask(f"Nr {number}")["issueKey"]
        for one in {key, "IT-1"}:
            desk.post(f"request/{one}/participant", {"accountIds": [account]}, status=200)
            desk.post(f"request/{one}/comment", {"body": "Hello"})
        desk.post(f"request/{key}/attachment", body, by="cara")
        [file] = desk.send((f"{number}.txt", "text/plain", b"x"))
        desk.post("request/IT-1/attachment", {"temporaryAttachmentIds": [file]}, by="cara")
        desk.post("request/IT-1/transition", {"id": "51"}, by="cara", status=204)
        desk.site.post("issue/IT-1/transitions", {"transition": {"id": "61"}}, by="dev", status=204)


def test_lists_take_as_many_statements_for_many_rows_as_for_few(site: Site) -> None:
    desk = open_desk(site)
    counts: dict[str, list[int]] = {}
    for start, count in ((0, 1), (1, 2)):
        fill(desk, count, start)
        for path in LISTS:
            desk.get(path.format(id=desk.id))  # once for what is made once
            with counted(site) as statements:
                desk.get(path.format(id=desk.id))
            counts.setdefault(path, []).append(len(statements))
    print(counts)
    assert {path: found for path, found in counts.items() if len(set(found)) > 1} == {}
    assert all(found[0] > 1 for found in counts.values()), "they are counted"
