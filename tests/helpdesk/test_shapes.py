"""Bodies have the keys and types of the service's own, and operations its names and paths."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Desk
from tools.facts_helpdesk import Shape

FACTS = Path(__file__).parents[1] / "facts" / "helpdesk"
SKELETONS: dict[str, dict[str, str]] = json.loads((FACTS / "skeletons.json").read_text())
OPERATIONS: list[dict[str, str]] = json.loads((FACTS / "operations.json").read_text())

# Where ours may be null though the recordings never are, and why.
NULLS = {
    "metadata.system.ip_address": "requests have no address worth telling in a sandbox",
    "metadata.system.location": "nor a place",
    "metadata.system.latitude": "nor a place",
    "metadata.system.longitude": "nor a place",
    "user.organization_id": "the recorded admin has one",
    "ticket.organization_id": "the recorded requester has one",
    "user.last_login_at": "nobody has signed in yet",
    "execution.group": "the recorded views are all grouped",
    "execution.group_by": "the same",
}
# What later recordings of other operations show on the same records.
LATER = ("generated_timestamp", "job_type")
# What the service has beyond its own description: variants of list paths, documented in prose.
BESIDE = {
    "ListRecentTickets",
    "ListUserRequestedTickets",
    "ListUserAssignedTickets",
    "ListUserCcdTickets",
    "ListOrganizationTickets",
    "ListUserGroups",
    "ListOrganizationUsers",
    "ListGroupUsers",
    "ListUserOrganizations",
    "ListMembershipsOfOrganization",
    "ListMembershipsOfUser",
    "ListUserTags",
    "SetTagsUser",
    "PutTagsUser",
    "DeleteTagsUser",
    "ListOrganizationTags",
    "SetTagsOrganization",
    "PutTagsOrganization",
    "DeleteTagsOrganization",
    "ShowMetricsOfTicket",
    "ListOpenRequests",
    "ListSolvedRequests",
    "ListCcdRequests",
}


def test_every_operation_is_the_vendors() -> None:
    known = {(fact["method"], fact["path"]): fact["id"] for fact in OPERATIONS}
    wrong = []
    for name, operation in operations().all.items():
        path = re.sub(r"\{\w+(:int)?\}", "{}", operation.path)
        if known.get((operation.method, path)) != name and name not in BESIDE:
            wrong.append((name, operation.method, path, known.get((operation.method, path))))
    assert wrong == []


def compare(recorded: dict[str, str], body: Any) -> list[str]:
    """Return how a body differs from what was recorded."""
    shape = Shape()
    shape.add(body)
    ours = shape.facts()
    problems = []
    for path, kinds in recorded.items():
        types = set(kinds.rstrip("?").split("|"))
        if path not in ours:
            parent = path.rpartition(".")[0]
            certain = recorded.get(parent, "object") == "object" and parent in {*ours, ""}
            if not kinds.endswith("?") and certain and not path.endswith("]"):
                problems.append(f"{path} is missing")
            continue
        found = set(ours[path].rstrip("?").split("|"))
        if types == {"null"}:
            continue
        strange = found - types
        if "null" in strange and any(path.endswith(name) for name in NULLS):
            strange.discard("null")
        if strange:
            problems.append(f"{path} is {sorted(strange)}, not {sorted(types)}")
    for path in ours:
        parent = path.rpartition(".")[0]
        known = recorded.get(parent, "").rstrip("?")
        if path.endswith((*LATER, "]")):
            continue
        if path not in recorded and "object" in known.split("|"):
            problems.append(f"{path} was never seen")
    return problems


def _ticket(desk: Desk) -> Any:
    upload = desk.call("POST", "uploads.json?filename=a.md", b"x", by="ana").body["upload"]
    given = {"subject": "s", "comment": {"body": "b", "uploads": upload["token"]}}
    return desk.post("tickets.json", {"ticket": given})


def _job(desk: Desk) -> Any:
    job = desk.post("tickets/create_many.json", {"tickets": [{"description": "x"}]}, status=200)
    desk.drain()
    return desk.get(f"job_statuses/{job['job_status']['id']}.json")


def _named(desk: Desk, path: str, **body: Any) -> Any:
    return desk.post(path, body, by="olga")


def _automation(desk: Desk) -> dict[str, Any]:
    pending = [{"field": "PENDING", "operator": "is", "value": "100"}]
    actions = [{"field": "status", "value": "open"}]
    return {"title": "t", "all": pending, "actions": actions}


def _trigger(desk: Desk) -> dict[str, Any]:
    created = [{"field": "update_type", "operator": "is", "value": "Create"}]
    return {"title": "t", "all": created, "actions": [{"field": "status", "value": "open"}]}


def _changed(desk: Desk, path: str, **body: Any) -> Any:
    return desk.put(path, body, by="olga")


def _first(desk: Desk, name: str) -> int:
    return int(desk.get(f"{name}.json", by="olga")[name][0]["id"])


def _viewed(desk: Desk) -> Any:
    for _ in range(2):
        desk.ticket()
    view = desk.get("views.json")["views"][2]["id"]
    page = desk.get(f"views/{view}/tickets.json?page[size]=1")
    path = page["links"]["next"].partition("/api/v2/")[2]
    return desk.get(path)


CASES: dict[str, Callable[[Desk], Any]] = {
    "POST /api/v2/tickets.json 201": _ticket,
    "PUT /api/v2/tickets/{id}.json 200": lambda desk: desk.put(
        f"tickets/{desk.ticket()['id']}.json", {"ticket": {"subject": "other", "id": 1}}
    ),
    "GET /api/v2/tickets/show_many.json 200": lambda desk: desk.get(
        f"tickets/show_many.json?ids={desk.ticket()['id']}"
    ),
    "PUT /api/v2/tickets/update_many.json 200": lambda desk: desk.put(
        "tickets/update_many.json", {"tickets": [{"id": 1, "subject": "s"}]}
    ),
    "GET /api/v2/job_statuses/{id}.json 200": _job,
    "DELETE /api/v2/tickets/destroy_many.json 200": lambda desk: (
        desk.call("DELETE", "tickets/destroy_many.json?ids=1,2").body
    ),
    "POST /api/v2/uploads.json 201": lambda desk: (
        desk.call("POST", "uploads.json?filename=README.md", b"x").body
    ),
    "GET /api/v2/users/{id}.json 200": lambda desk: desk.get(
        f"users/{desk.ids['olga']}.json", by="olga"
    ),
    "GET /api/v2/users/show_many.json 200": lambda desk: desk.get(
        f"users/show_many.json?ids={desk.ids['tom']}"
    ),
    "PUT /api/v2/users/{id}.json 200": lambda desk: _changed(
        desk,
        f"users/{_named(desk, 'users.json', user={'name': 'n'})['user']['id']}.json",
        user={"name": "m"},
    ),
    "DELETE /api/v2/users/{id}.json 200": lambda desk: (
        desk.call(
            "DELETE",
            f"users/{_named(desk, 'users.json', user={'name': 'n'})['user']['id']}.json",
            by="olga",
        ).body
    ),
    "GET /api/v2/brands/{id}.json 200": lambda desk: desk.get(
        f"brands/{_first(desk, 'brands')}.json"
    ),
    "GET /api/v2/custom_roles/{id}.json 200": lambda desk: desk.get(
        f"custom_roles/{_first(desk, 'custom_roles')}.json"
    ),
    "POST /api/v2/groups.json 201": lambda desk: _named(desk, "groups.json", group={"name": "n"}),
    "GET /api/v2/groups.json 200": lambda desk: desk.get("groups.json?page[size]=100"),
    "PUT /api/v2/groups/{id}.json 200": lambda desk: _changed(
        desk, f"groups/{_first(desk, 'groups')}.json", group={"name": "Helpers"}
    ),
    "POST /api/v2/organizations.json 201": lambda desk: _named(
        desk, "organizations.json", organization={"name": "n"}
    ),
    "PUT /api/v2/organizations/{id}.json 200": lambda desk: _changed(
        desk, "organizations/900.json", organization={"name": "m"}
    ),
    "POST /api/v2/automations.json 201": lambda desk: _named(
        desk, "automations.json", automation=_automation(desk)
    ),
    "PUT /api/v2/automations/{id}.json 200": lambda desk: _changed(
        desk, f"automations/{_first(desk, 'automations')}.json", automation={"title": "n"}
    ),
    "POST /api/v2/triggers.json 201": lambda desk: _named(
        desk, "triggers.json", trigger=_trigger(desk)
    ),
    "GET /api/v2/triggers.json 200": lambda desk: desk.get("triggers.json?page[size]=100"),
    "GET /api/v2/views.json 200": lambda desk: desk.get("views.json?page[size]=100"),
    "GET /api/v2/views/{id}/tickets.json 200": _viewed,
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_body_has_the_recorded_keys_and_types(desk: Desk, name: str) -> None:
    assert compare(SKELETONS[name], CASES[name](desk)) == []


MISSING = 9223372036854775807


@pytest.mark.parametrize(
    "name", [name for name in sorted(SKELETONS) if name.endswith((" 404", " 204"))]
)
def test_absent_and_deleted_records_answer_as_recorded(desk: Desk, name: str) -> None:
    method, path, status = name.split()
    plain = re.sub(r"\{id\}", "{}", path.removesuffix(".json"))
    known = {
        (item.method, re.sub(r"\{\w+(:int)?\}", "{}", item.path))
        for item in operations().all.values()
    }
    if (method, plain) not in known:
        answer = desk.call(method, path.replace("{id}", "1"), {}, by="olga")
        assert (answer.status, answer.body["error"]) == (404, "InvalidEndpoint")
        return
    kind = plain.split("/")[3]
    if status == "404":
        body = {kind.rstrip("s"): {"id": MISSING}}
        answer = desk.call(method, path.replace("{id}", str(MISSING)), body, by="olga")
        assert (answer.status, answer.body) == (
            404,
            {"error": "RecordNotFound", "description": "Not found"},
        )
        return
    made: dict[str, Callable[[], Any]] = {
        "automations": lambda: _named(desk, "automations.json", automation=_automation(desk)),
        "groups": lambda: _named(desk, "groups.json", group={"name": "n"}),
        "tickets": lambda: {"ticket": desk.ticket()},
    }
    key = next(iter(made[kind]().values()))["id"] if kind in made else _first(desk, kind)
    answer = desk.call("DELETE", f"{kind}/{key}.json", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.call("GET", f"{kind}/{key}.json", by="olga").status == 404


def test_every_operation_describes_its_arguments() -> None:
    for operation in operations().all.values():
        schema = operation.schema()
        assert set(schema["required"]) <= set(schema["properties"]), operation.id
        assert operation.summary.endswith("."), operation.id


def test_every_operation_that_asks_for_ids_describes_them(desk: Desk) -> None:
    found = set()
    for operation in operations().all.values():
        if not operation.path.endswith("_many"):
            continue
        named: dict[str, Any] = {
            "ticket": {},
            "user": {},
        }  # the same changes for each: `ids` says for whom
        answer = desk.call(operation.method, operation.path, named, by="olga")
        if answer.status == 400 and "missing: ids" in str(answer.body):
            assert operation.schema()["properties"]["ids"]["anyOf"][0] == {"type": "string"}
            assert "ids" in operation.arguments
            found.add(operation.id)
    assert {"TicketsUpdateMany", "TicketsShowMany", "UpdateManyUsers", "GetViewCounts"} < found
    assert len(found) == 12


def test_every_list_in_pages_describes_its_paging(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    ids = {"ticket_id": ticket, "request_id": ticket, "user_id": desk.ids["olga"]}
    paged, silent = set(), list[str]()
    for operation in operations().all.values():
        names = re.findall(r"\{(\w+):int\}", operation.path)
        if operation.method != "GET" or "{" in re.sub(r"\{\w+:int\}", "", operation.path):
            continue
        path = re.sub(
            r"\{(\w+):int\}", lambda found: str(ids.get(found[1], MISSING)), operation.path
        )
        answer = desk.call("GET", path, by="olga")
        if answer.status != 200 or "next_page" not in answer.body:
            continue
        if desk.call("GET", f"{path}?per_page=x", by="olga").status == 200:
            continue  # all at once, though it says how many
        paged.add((operation.id, *names))
        if not {"page", "per_page"} <= set(operation.schema()["properties"]):
            silent.append(operation.id)
    assert silent == []
    assert {("ListTicketComments", "ticket_id"), ("ListTickets",), ("ListTags",)} < paged
    assert len(paged) > 40
