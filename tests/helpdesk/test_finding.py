"""Search, views and macros through the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from clones.helpdesk.domain.bulk import start_job
from clones.helpdesk.models import User
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.conftest import Desk, image_after
from tests.sandbox_pool import SandboxPool


def stock(desk: Desk) -> None:
    """Write four tickets."""
    ids = desk.ids
    desk.ticket(
        subject="Charged twice",
        body="Two charges of $40 in May.",
        priority="high",
        tags=["billing", "vip"],
        assignee_id=ids["ana"],
        type="problem",
    )
    desk.ticket(
        subject="Laser head",
        body="The refund never came.",
        status="pending",
        requester_id=ids["tom"],
        external_id="ext-7",
        assignee_id=ids["ben"],
    )
    desk.advance(hours=30)
    desk.ticket(
        subject="Refund please",
        body="Twice charged.",
        priority="urgent",
        tags=["billing_old"],
        email_ccs=[{"user_id": ids["tom"]}],
    )
    desk.ticket(subject="100%_sure", body="C:\\temp [x] (y)", type="question")
    desk.put("tickets/1.json", {"ticket": {"status": "solved"}})


@pytest.fixture(scope="session")
def stocked_image(sandboxes: Sandboxes, desk_image: Manifest) -> Manifest:
    """An image of a desk with them."""
    return image_after(stock, "a-desk-to-search", desk_image, sandboxes)


@pytest.fixture
def stocked(sandbox_pool: SandboxPool, stocked_image: Manifest) -> Iterator[Desk]:
    """A desk with four tickets."""
    with sandbox_pool.borrow(stocked_image) as row:
        yield Desk(row)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("type:ticket", [4, 3, 2, 1]),
        ("refund", [3, 2]),
        ("REFUND", [3, 2]),
        ("refu*", [3, 2]),
        ("refu", []),
        ('"charged twice"', [1]),
        ('"twice charged"', [3]),
        ("charged twice", [3, 1]),
        ("charged -may", [3]),
        ("subject:refund", [3]),
        ("description:refund", [2]),
        ("comment:refund", [2]),
        ("2", [2]),
        ("#3", [3]),
        ("status:open type:ticket", []),
        ("status:new", [4, 3]),
        ("status:new status:pending", [4, 3, 2]),
        ("status<solved", [4, 3, 2]),
        ("status>=pending", [2, 1]),
        ("-status:solved type:ticket", [4, 3, 2]),
        ("priority>normal", [3, 1]),
        ("priority:none type:ticket", [4, 2]),
        ("ticket_type:question", [4]),
        ("type:problem", [1]),
        ("assignee:me", [1]),
        ("assignee:none type:ticket", [4, 3]),
        ("assignee:ben@desk.example", [2]),
        ('assignee:"Ben Ode"', [2]),
        ("requester:tom", [2]),
        ("requester:rosa@acme.example", [4, 3, 1]),
        ("cc:tom", [3]),
        ("commenter:me type:ticket", [4, 3, 2, 1]),
        ("group:support type:ticket", [2, 1]),
        ('organization:"Acme Engraving" type:ticket', [4, 3, 1]),
        ("organization:none type:ticket", [2]),
        ("tags:billing", [1]),
        ("tags:billing*", [3, 1]),
        ("tags:none type:ticket", [4, 2]),
        ('tags:"billing vip"', [1]),
        ("external_id:ext-7", [2]),
        ("via:api type:ticket", [4, 3, 2, 1]),
        ("via:mail type:ticket", []),
        ("created>2hours type:ticket", [4, 3]),
        ("created<2hours type:ticket", [2, 1]),
        ("created:2026-06-16 type:ticket", [2, 1]),
        ("created>2026-06-16 type:ticket", [4, 3]),
        ("created<=2026-06-16 type:ticket", [2, 1]),
        ("solved>1hours", [1]),
        ("has_attachment:true", []),
        ("satisfaction:unoffered", [4, 3, 2, 1]),
        ('"100%_sure"', [4]),
        ("[x]", [4]),
        ("nonexistent:thing", []),
    ],
)
def test_a_query_finds_tickets(stocked: Desk, query: str, found: list[int]) -> None:
    answer = stocked.call("GET", f"search.json?query={_quoted(query)}")
    assert answer.status == 200, answer.body
    hits = [item["id"] for item in answer.body["results"] if item["result_type"] == "ticket"]
    assert hits == found
    if "type:" in query:
        assert answer.body["count"] == len(found)
        counted = stocked.get(f"search/count.json?query={_quoted(query)}")
        assert counted["count"] == len(found)


def _quoted(text: str) -> str:
    return quote(text)


def test_results_mix_kinds_and_page(stocked: Desk) -> None:
    body = stocked.get("search.json?query=tom")
    assert {(item["result_type"], item.get("name")) for item in body["results"]} == {
        ("user", "Tom Berg")
    }
    assert stocked.get("search.json?query=type:user role:agent")["count"] == 2
    assert stocked.get("search.json?query=type:user email:rosa@acme.example")["count"] == 1
    assert stocked.get("search.json?query=type:organization acme")["count"] == 1
    assert stocked.get("search.json?query=type:group support")["count"] == 1
    pages = stocked.get("search.json?query=type:ticket&per_page=3")
    assert (len(pages["results"]), pages["count"], pages["facets"]) == (3, 4, None)
    rest = stocked.get(pages["next_page"].partition("/api/v2/")[2])
    assert [item["id"] for item in rest["results"]] == [1]
    assert rest["next_page"] is None


def test_results_are_sorted_as_asked(stocked: Desk) -> None:
    def order(rest: str) -> list[int]:
        return [
            item["id"] for item in stocked.get(f"search.json?query=type:ticket&{rest}")["results"]
        ]

    assert order("sort_by=priority") == [3, 1, 4, 2]
    assert order("sort_by=status&sort_order=asc") == [3, 4, 2, 1]
    assert order("sort_by=updated_at") == [1, 4, 3, 2]
    assert order("sort_by=created_at&sort_order=asc") == [1, 2, 3, 4]


@pytest.mark.parametrize("sort_by", ["priority", "status", "ticket_type", "updated_at", "nonsense"])
def test_results_of_all_kinds_are_sorted_together(stocked: Desk, sort_by: str) -> None:
    """Records without the column stand apart, whichever way it goes."""
    found = {}
    for direction in ("asc", "desc"):
        asked = f"search.json?query=created>2020-01-01&sort_by={sort_by}&sort_order={direction}"
        found[direction] = [
            (row["result_type"], row["id"]) for row in stocked.get(asked)["results"]
        ]
    assert found["asc"] == found["desc"][::-1]
    assert {kind for kind, _ in found["asc"]} == {"ticket", "user", "organization", "group"}
    if sort_by in ("priority", "status", "ticket_type"):
        assert [kind for kind, _ in found["desc"][:4]] == ["ticket"] * 4


def test_search_stops_at_a_thousand_and_export_does_not(stocked: Desk) -> None:
    deep = stocked.call("GET", "search.json?query=type:ticket&page=11&per_page=100")
    assert (deep.status, deep.body["error"]) == (422, "invalid")
    assert "Search Response Limits" in deep.body["description"]
    page = stocked.get("search/export.json?query=status<solved&filter[type]=ticket&page[size]=2")
    assert [item["id"] for item in page["results"]] == [2, 3]
    assert page["meta"]["has_more"] is True
    assert page["links"]["prev"] is None
    more = stocked.get(page["links"]["next"].partition("/api/v2/")[2])
    assert [item["id"] for item in more["results"]] == [4]
    assert more["meta"]["has_more"] is False
    both = stocked.get("search/export.json?query=type:ticket status<solved&filter[type]=ticket")
    assert [item["id"] for item in both["results"]] == [2, 3, 4], "as zenpy asks"
    typed = stocked.call("GET", "search/export.json?query=type:user&filter[type]=ticket")
    assert (typed.status, typed.body["error"]) == (422, "invalid")
    assert stocked.call("GET", "search/export.json?query=x").status == 400


def view_named(desk: Desk, title: str) -> Any:
    return next(view for view in desk.get("views.json")["views"] if view["title"] == title)


def tickets_in(desk: Desk, title: str, *, by: str = "ana") -> list[int]:
    view = view_named(desk, title)
    return [item["id"] for item in desk.get(f"views/{view['id']}/tickets.json", by=by)["tickets"]]


def test_the_fresh_accounts_views_show_what_they_say(stocked: Desk) -> None:
    assert tickets_in(stocked, "Your unsolved tickets") == []
    assert tickets_in(stocked, "Your unsolved tickets", by="ben") == [2]
    assert tickets_in(stocked, "Unassigned tickets") == [4, 3]
    assert tickets_in(stocked, "Pending tickets") == [2]
    assert tickets_in(stocked, "Recently solved tickets") == [1]
    assert tickets_in(stocked, "Recently updated tickets") == [1, 4, 3]
    assert sorted(tickets_in(stocked, "All unsolved tickets")) == [2, 3, 4]


def test_a_view_is_executed_with_its_columns(stocked: Desk) -> None:
    view = view_named(stocked, "Unassigned tickets")
    body = stocked.get(f"views/{view['id']}/execute.json")
    assert [column["id"] for column in body["columns"]] == [
        "subject",
        "requester",
        "created",
        "type",
        "priority",
    ]
    row = body["rows"][1]
    assert (row["subject"], row["priority"]) == ("Refund please", "urgent")
    assert row["requester_id"] == stocked.ids["rosa"]
    assert row["ticket"]["id"] == 3
    assert row["ticket"]["last_comment"]["body"] == "Twice charged."
    assert body["count"] == 2
    assert stocked.ids["rosa"] in {user["id"] for user in body["users"]}
    count = stocked.get(f"views/{view['id']}/count.json")["view_count"]
    assert (count["value"], count["pretty"], count["fresh"]) == (2, "2", True)
    many = stocked.get(f"views/count_many.json?ids={view['id']},99")["view_counts"]
    assert [item["value"] for item in many] == [2]
    ids = ",".join(str(number) for number in range(1, 22))
    assert stocked.call("GET", f"views/count_many.json?ids={ids}").status == 400


def test_a_view_shows_a_custom_field_by_its_number(stocked: Desk) -> None:
    field = {"type": "text", "title": "Serial"}
    key = stocked.call("POST", "ticket_fields", {"ticket_field": field}, by="olga").body[
        "ticket_field"
    ]["id"]
    body = {
        "title": "Serials",
        "all": [{"field": "status", "operator": "less_than", "value": "solved"}],
        "output": {"columns": ["subject", key], "sort_by": "created", "sort_order": "asc"},
    }
    made = stocked.call("POST", "views.json", {"view": body}, by="olga")
    assert made.status == 201
    shown = made.body["view"]["execution"]["columns"]
    assert [column["id"] for column in shown] == ["subject", key]
    executed = stocked.get(f"views/{made.body['view']['id']}/execute.json")
    assert [column["id"] for column in executed["columns"]] == ["subject", key]


def test_views_are_made_and_kept_by_their_owners(stocked: Desk) -> None:
    body = {
        "title": "Urgent",
        "all": [
            {"field": "status", "operator": "less_than", "value": "solved"},
            {"field": "priority", "operator": "is", "value": "urgent"},
        ],
        "output": {"columns": ["subject"], "sort_by": "created", "sort_order": "asc"},
    }
    assert stocked.call("POST", "views.json", {"view": body}).status == 403
    own = {**body, "restriction": {"type": "User", "id": stocked.ids["ana"]}}
    mine = stocked.post("views.json", {"view": own})["view"]
    assert mine["position"] == 10000
    assert tickets_in(stocked, "Urgent") == [3]
    assert stocked.call("GET", f"views/{mine['id']}.json", by="ben").status == 404
    weak = {"title": "x", "all": [{"field": "priority", "operator": "is", "value": "low"}]}
    assert stocked.call("POST", "views.json", {"view": weak}, by="olga").status == 422
    shown = stocked.put(f"views/{mine['id']}.json", {"view": {"title": "Hot"}})["view"]
    assert (shown["title"], shown["conditions"]["all"]) == ("Hot", body["all"])
    assert stocked.call("DELETE", f"views/{mine['id']}.json").status == 204
    preview = stocked.post("views/preview.json", {"view": body}, status=200)
    assert [row["ticket"]["id"] for row in preview["rows"]] == [3]
    assert (
        stocked.post("views/preview/count.json", {"view": body}, status=200)["view_count"]["value"]
        == 1
    )


def macro_named(desk: Desk, title: str) -> int:
    macros = desk.get("macros.json")["macros"]
    return int(next(macro["id"] for macro in macros if macro["title"] == title))


def test_a_macro_previews_and_never_writes(stocked: Desk) -> None:
    key = macro_named(stocked, "Take it!")
    plain = stocked.get(f"macros/{key}/apply.json")["result"]["ticket"]
    assert plain["assignee_id"] == stocked.ids["ana"]
    assert (plain["status"], plain["type"]) == ("open", "incident")
    assert "subject" not in plain
    chase = macro_named(stocked, "Customer not responding")
    body = stocked.get(f"tickets/3/macros/{chase}/apply.json")["result"]["ticket"]
    assert body["status"] == "pending"
    assert body["subject"] == "Refund please"
    said = body["comment"]
    assert said["body"].startswith("Hello Rosa Diaz. Our agent Ana Costa has tried")
    assert said["scoped_body"] == [["channel:all", said["body"]]]
    assert stocked.get("tickets/3.json")["ticket"]["status"] == "new"


def test_applied_macros_are_named_in_the_audit(stocked: Desk) -> None:
    key = macro_named(stocked, "Take it!")
    audit = stocked.put("tickets/3.json", {"ticket": {"macro_ids": [key], "priority": "low"}})[
        "audit"
    ]
    event = next(e for e in audit["events"] if e["type"] == "AgentMacroReference")
    assert (event["macro_id"], event["macro_title"]) == (str(key), "Take it!")


def test_macros_work_out_tags_and_fields(stocked: Desk) -> None:
    actions = [{"field": "current_tags", "value": "seen"}, {"field": "remove_tags", "value": "vip"}]
    macro = {"title": "Tidy::tags", "actions": actions}
    assert stocked.call("POST", "macros.json", {"macro": macro}).status == 403
    made = stocked.post("macros.json", {"macro": macro}, by="olga")["macro"]
    body = stocked.get(f"tickets/1/macros/{made['id']}/apply.json")["result"]["ticket"]
    assert body["tags"] == ["billing", "seen"]
    assert stocked.get("macros/categories.json")["categories"] == ["Tidy"]
    assert stocked.get("macros/search.json?query=Tidy")["count"] == 1
    group = stocked.post("groups.json", {"group": {"name": "Night"}}, by="olga")["group"]["id"]
    limited = {"macro": {"restriction": {"type": "Group", "id": group, "ids": [group]}}}
    stocked.put(f"macros/{made['id']}.json", limited, by="olga")
    assert stocked.call("GET", f"macros/{made['id']}.json").status == 404


def test_a_macro_that_adds_tags_twice_adds_them_all(stocked: Desk) -> None:
    actions = [
        {"field": "current_tags", "value": "seen"},
        {"field": "current_tags", "value": "hot"},
    ]
    sent = {"macro": {"title": "Twice", "actions": actions}}
    made = stocked.post("macros.json", sent, by="olga")["macro"]
    assert made["actions"] == actions
    on_one = stocked.get(f"tickets/1/macros/{made['id']}/apply.json")["result"]["ticket"]
    assert on_one["tags"] == ["billing", "hot", "seen", "vip"]
    on_none = stocked.get(f"macros/{made['id']}/apply.json")["result"]["ticket"]
    assert on_none == {"tags": ["hot", "seen"]}


def test_tags_are_counted_and_completed(stocked: Desk) -> None:
    tags = stocked.get("tags.json")["tags"]
    assert {tag["name"]: tag["count"] for tag in tags} == {"billing": 1, "billing_old": 1, "vip": 1}
    assert stocked.get("autocomplete/tags.json?name=bil")["tags"] == ["billing", "billing_old"]
    assert stocked.get("autocomplete/tags.json?name=b")["tags"] == []
    assert stocked.get("tags/count.json")["count"]["value"] == 3


def test_recent_tickets_are_those_one_worked_on(stocked: Desk) -> None:
    recent = stocked.get("tickets/recent.json")["tickets"]
    assert [ticket["id"] for ticket in recent] == [1, 4, 3, 2]


def test_a_bulk_job_belongs_to_who_asked(stocked: Desk) -> None:
    with stocked.writing():
        ana = User.objects.get(id=stocked.ids["ana"])
        job = start_job("delete_tickets", [{"id": 1}], actor=ana, client=None)
    stocked.drain()
    assert [item["id"] for item in stocked.get("job_statuses.json")["job_statuses"]] == [job.id]
    assert stocked.get("job_statuses.json", by="ben")["job_statuses"] == []
    shown = stocked.get(f"job_statuses/show_many.json?ids={job.id},V3-0")["job_statuses"]
    assert [item["status"] for item in shown] == ["completed"]
