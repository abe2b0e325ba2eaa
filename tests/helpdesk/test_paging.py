"""Lists in pages give the same records page by page as at once, by numbers and by cursors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clones.core import ids
from clones.core.models import DeliveryAttempt
from clones.helpdesk.models import (
    Brand,
    SupportAddress,
    TicketField,
    TicketForm,
    TriggerCategory,
)
from tests.conftest import PRESENT
from tests.helpdesk.conftest import Desk

CREATED = [{"field": "update_type", "operator": "is", "value": "Create"}]
RAISE = [{"field": "priority", "value": "high"}]


def tickets(desk: Desk) -> list[str]:
    """Make tickets, and return the lists of two or more that there are then."""
    ana, tom = desk.ids["ana"], desk.ids["tom"]
    shared: dict[str, Any] = {
        "assignee_id": ana,
        "email_ccs": [{"user_id": tom, "action": "put"}],
        "tags": ["alpha", "alps"],
    }
    first = desk.ticket(type="problem", **shared)["id"]
    desk.ticket(type="problem", **shared)
    for _ in range(2):
        desk.ticket(type="incident", problem_id=first, **shared)
    desk.put(f"tickets/{first}.json", {"ticket": {"comment": {"body": "More."}}})
    unsolved = [{"field": "status", "operator": "less_than", "value": "solved"}]
    view = desk.post("views.json", {"view": {"title": "v", "all": unsolved}}, by="olga")["view"][
        "id"
    ]
    return [
        "tickets.json",
        f"users/{desk.ids['rosa']}/tickets/requested.json",
        f"users/{ana}/tickets/assigned.json",
        f"users/{tom}/tickets/ccd.json",
        "organizations/900/tickets.json",
        f"views/{view}/tickets.json",
        f"views/{view}/execute.json",
        f"tickets/{first}/incidents.json",
        "problems.json",
        f"tickets/{first}/comments.json",
        f"tickets/{first}/audits.json",
        "ticket_metrics.json",
        "tags.json",
        "search.json?query=type:ticket",
        f"requests/{first}/comments.json",
    ]


def finished(desk: Desk) -> list[str]:
    """Solve, rate and delete tickets, two of each."""
    for _ in range(2):
        key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
        desk.put(f"tickets/{key}.json", {"ticket": {"status": "solved"}})
        rating = {"satisfaction_rating": {"score": "good"}}
        desk.post(f"tickets/{key}/satisfaction_rating.json", rating, by="rosa", status=200)
        gone = desk.ticket()["id"]
        desk.call("DELETE", f"tickets/destroy_many.json?ids={gone}", by="olga")
        desk.drain()
    return ["satisfaction_ratings.json", "deleted_tickets.json", "job_statuses.json"]


def agents(desk: Desk) -> list[str]:
    """Make a group and put agents into it."""
    ben = desk.ids["ben"]
    group = desk.post("groups.json", {"group": {"name": "Field"}}, by="olga")["group"]["id"]
    for key in (ben, desk.ids["ana"]):
        body = {"group_membership": {"user_id": key, "group_id": group}}
        desk.post("group_memberships.json", body, by="olga")
    return [
        f"groups/{group}/users.json",
        "groups.json",
        "groups/assignable.json",
        f"users/{ben}/groups.json",
        "group_memberships.json",
        "group_memberships/assignable.json",
        f"groups/{group}/memberships.json",
        f"users/{ben}/group_memberships.json",
    ]


def customers(desk: Desk) -> list[str]:
    """Make users, organizations and addresses."""
    rosa = desk.ids["rosa"]
    for name in ("Twin One", "Twin Two"):
        desk.post("users.json", {"user": {"name": name, "organization_id": 900}})
    two = {"organization": {"name": "Acme Two", "external_id": "x-1"}}
    other = desk.post("organizations.json", two, by="olga")["organization"]["id"]
    desk.put("organizations/900.json", {"organization": {"external_id": "x-1"}}, by="olga")
    for key in (rosa, desk.ids["tom"]):
        body = {"organization_membership": {"user_id": key, "organization_id": other}}
        desk.post("organization_memberships.json", body)
    identity = {"identity": {"type": "email", "value": "rosa@home.example"}}
    desk.post(f"users/{rosa}/identities.json", identity)
    return [
        "users.json",
        "users/search.json?query=twin",
        "users/autocomplete.json?name=twin",
        f"users/{rosa}/identities.json",
        "organizations.json",
        "organizations/search.json?external_id=x-1",
        "organizations/autocomplete.json?name=acme",
        "organizations/900/users.json",
        f"users/{rosa}/organizations.json",
        "organization_memberships.json",
        f"organizations/{other}/organization_memberships.json",
        f"users/{rosa}/organization_memberships.json",
    ]


def rules(desk: Desk) -> list[str]:
    """Make rules, policies and choices, two of each."""
    policy = {
        "filter": {"all": [{"field": "priority", "operator": "is", "value": "high"}], "any": []},
        "policy_metrics": [{"priority": "high", "metric": "requester_wait_time", "target": 60}],
    }
    for title in ("Two of", "Three of"):
        desk.post("slas/policies.json", {"sla_policy": {"title": title, **policy}}, by="olga")
        rule = {"title": title, "all": CREATED, "actions": RAISE}
        desk.post("triggers.json", {"trigger": rule}, by="olga")
        desk.post("macros.json", {"macro": {"title": title, "actions": RAISE}}, by="olga")
        pending = [{"field": "PENDING", "operator": "is", "value": str(len(title))}]
        solve = [{"field": "status", "value": "solved"}]
        timed = {"title": title, "all": pending, "actions": solve}
        desk.post("automations.json", {"automation": timed}, by="olga")
        shown = [{"field": "status", "operator": "is", "value": "open"}]
        desk.post("views.json", {"view": {"title": title, "all": shown}}, by="olga")
    kinds = ("triggers", "macros", "automations", "views")
    return [
        *(f"{kind}{part}" for kind in kinds for part in (".json", "/active.json")),
        *(f"{kind}/search.json?query=of" for kind in kinds),
        "slas/policies.json",
        "ticket_fields.json",
    ]


def requests(desk: Desk) -> list[str]:
    """Make requests: open, solved and copied, two of each."""
    copied = [{"user_id": desk.ids["rosa"], "action": "put"}]
    for _ in range(2):
        desk.ticket(subject="Fan hums")
        solved = desk.ticket(assignee_id=desk.ids["ana"])["id"]
        desk.put(f"tickets/{solved}.json", {"ticket": {"status": "solved"}})
        desk.ticket(requester_id=desk.ids["tom"], email_ccs=copied)
    return [
        "requests.json",
        "requests/open.json",
        "requests/solved.json",
        "requests/ccd.json",
        "requests/search.json?query=hums",
    ]


def choices(desk: Desk) -> list[str]:
    """Make a field with choices, and webhooks that were called twice."""
    options = [{"id": key, "name": "n", "value": f"v{key}", "default": False} for key in (71, 72)]
    stamps = {"created_at": PRESENT, "updated_at": PRESENT}
    with desk.writing():
        TicketField.objects.create(id=70, type="tagger", title="Colour", options=options, **stamps)
        brand = Brand.objects.get()
        SupportAddress.objects.create(
            id=70, email="two@kestrel.example", name="Two", brand=brand, **stamps
        )
        TicketForm.objects.create(id=70, name="Two", display_name="Two", position=2, **stamps)
        TriggerCategory.objects.create(id=70, name="Two", position=2, **stamps)
    hook = {
        "name": "n",
        "status": "active",
        "endpoint": "https://hooks.example.com/",
        "http_method": "POST",
        "request_format": "json",
        "subscriptions": ["conditional_ticket_events"],
    }
    for _ in range(2):
        webhook = desk.post("webhooks", {"webhook": hook}, by="olga")["webhook"]["id"]
    actions = [{"field": "notification_webhook", "value": [webhook, "{}"]}]
    rule = {"title": "t", "all": CREATED, "actions": actions}
    desk.post("triggers.json", {"trigger": rule}, by="olga")
    for _ in range(2):
        desk.ticket()
    calls = f"webhooks/{webhook}/invocations"
    invocation = desk.get(calls, by="olga")["invocations"][0]["id"]
    with desk.writing():  # where nothing is sent, nothing is tried again
        attempt = DeliveryAttempt.objects.get(delivery_id=invocation)
        attempt.id, attempt.number = ids.next_ulid(DeliveryAttempt), 2
        attempt.save(force_insert=True)
    return [
        "ticket_fields/70/options.json",
        "recipient_addresses.json",
        "ticket_forms.json",
        "trigger_categories.json",
        "webhooks",
        calls,
        f"{calls}/{invocation}/attempts",
    ]


BY: dict[Callable[[Desk], list[str]], str] = {requests: "rosa"}
NUMBERS_ONLY = "search.json"  # it refuses cursors


def keys(page: Any) -> list[str]:
    """Return the ids, or names, of a page's records: its first list."""
    records = next(value for value in page.values() if isinstance(value, list))
    records = [item.get("ticket", item) for item in records]  # the rows of a view hold one
    return [str(item.get("id", item.get("name"))) for item in records]


def walked(desk: Desk, path: str, by: str) -> list[list[str]]:
    """Return the keys of each page, one after the other."""
    page = desk.get(path, by=by)
    pages = [keys(page)]
    while page["meta"]["has_more"] if "meta" in page else page["next_page"]:
        link = page["links"]["next"] if "meta" in page else page["next_page"]
        page = desk.get(link.partition("/api/v2/")[2], by=by)
        pages.append(keys(page))
    return pages


@pytest.mark.parametrize(
    "prepare", [tickets, finished, agents, customers, rules, requests, choices]
)
def test_pages_hold_what_the_list_holds(desk: Desk, prepare: Callable[[Desk], list[str]]) -> None:
    by = BY.get(prepare, "olga")
    for path in prepare(desk):
        whole = keys(desk.get(path, by=by))
        assert len(whole) > 1, path
        also = "&" if "?" in path else "?"
        if not path.startswith(NUMBERS_ONLY) and "meta" in desk.get(
            f"{path}{also}page[size]=1", by=by
        ):
            pages = walked(desk, f"{path}{also}page[size]=1", by)
            assert {len(page) for page in pages} == {1}, path
            assert sorted(page[0] for page in pages) == sorted(whole), path
        if "meta" in desk.get(path, by=by):
            continue  # by cursors only
        pages = walked(desk, f"{path}{also}per_page=1", by)
        assert pages == [[key] for key in whole], path
