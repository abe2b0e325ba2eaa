"""Queues: their counts, SLAs, order, selection; how administrators change them."""

from __future__ import annotations

from clones.tracker.models import Favourite
from tests.tracker.boards import counted
from tests.tracker.desk_site import open_desk
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor
from tests.tracker.web.desk_pages import HOME, keys, move, row

HOUR = 3600


def queue_named(site: Site, name: str) -> str:
    """Return the address of a queue."""
    found = site.get("/rest/servicedeskapi/servicedesk/IT/queue", by="dev")["values"]
    return f"{HOME}/queues/custom/{next(one['id'] for one in found if one['name'] == name)}"


def test_a_queue_shows_what_the_api_shows(site: Site) -> None:
    desk = open_desk(site)
    first, second = (desk.ask(f"Nr {n}")["issueKey"] for n in (1, 2))
    site.put(f"issue/{second}/assignee", {"accountId": site.ids["dev"]}, by="dev")
    dev = visitor(site, "dev")
    at = queue_named(site, "All open")
    assert dev.get(f"{HOME}/queues", 302).location == at
    assert dev.get("/browse/IT", 302).location == f"{HOME}/queues"
    page = dev.get(at)
    counts = desk.get(f"servicedesk/{desk.id}/queue?includeCount=true")["values"]
    for queue in counts:
        assert f"{queue['name']} {queue['issueCount']}" in page.main
    assert keys(page) == [first, second]
    assert "Unassigned" in row(page, first)
    assert "Dev Anand" in row(page, second)
    assert keys(dev.get(queue_named(site, "Unassigned issues"))) == [first]
    assert dev.get(at, startIndex="999").status == 200
    assert "does not exist" in dev.get(f"{HOME}/queues/custom/99", 404).text
    assert visitor(site, "dana").get(at, 404).status == 404
    assert "no access" in visitor(site, "cara").get(at, 403).text


def test_slas_are_counted_when_somebody_looks(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask(values={"priority": {"name": "High"}})["issueKey"]
    other = desk.ask(values={"priority": {"name": "Medium"}})["issueKey"]
    dev = visitor(site, "dev")
    at = queue_named(site, "All open")
    assert "7h 59m running" in row(dev.get(at), key)
    site.advance(5 * HOUR)
    assert "2h 59m running" in row(dev.get(at), key)
    site.advance(5 * HOUR)  # after hours: closed since 21:00 UTC
    page = dev.get(at)
    assert "1h outside working hours" in row(page, key)
    assert "9h outside working hours" in row(page, other)
    site.advance(20 * HOUR)
    page = dev.get(at)
    left = {
        one["name"]: one["ongoingCycle"]["remainingTime"]["friendly"]
        for one in desk.get(f"request/{key}/sla")["values"]
    }
    assert f"{left['Time to resolution']} breached" in row(page, key)
    assert keys(page)[0] == key
    # A request that waits for its customer rests.
    move(site, other, "Respond to customer")
    assert "paused" in row(dev.get(at), other)
    panel = dev.get(f"/browse/{key}").part("issue.views.sla-panel")
    assert f"{left['Time to first response']} breached" in panel
    assert "within 8h" in panel


def test_queues_are_sorted_and_starred(site: Site) -> None:
    desk = open_desk(site)
    made = [desk.ask(name)["issueKey"] for name in ("Beta", "Alpha", "Gamma")]
    dev = visitor(site, "dev")
    at = queue_named(site, "All open")
    page = dev.get(at)
    link = page.links("Summary")["Summary"]
    assert keys(dev.get(f"{at}{link}")) == [made[1], made[0], made[2]]
    back = dev.get(f"{at}{link}")
    assert 'aria-sort="ascending"' in back.html
    assert keys(dev.get(f"{at}{back.links('Summary')['Summary']}"))[0] == made[2]
    other = queue_named(site, "Recently resolved")
    assert dev.change(other, f"{other}/star").location == other
    assert "Starred Recently resolved 0 Team queues" in dev.get(at).main
    assert dev.get(f"{HOME}/queues", 302).location == other
    with site.store():
        assert Favourite.objects.filter(kind="queue").count() == 1
    dev.change(other, f"{other}/star")
    assert "Starred" not in dev.get(at).main


def test_selected_requests_are_changed_together(site: Site) -> None:
    desk = open_desk(site)
    made = [desk.ask(name)["issueKey"] for name in ("One", "Two", "Three")]
    ada, at = visitor(site), queue_named(site, "All open")
    form = ada.get(at).form("/issues/bulk")
    page = ada.post("/issues/bulk", {**form, "issue": made[:2]}, 200)
    assert f"2 work items selected: {made[0]}, {made[1]}" in page.main


def test_administrators_make_change_place_and_delete_queues(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask(values={"priority": {"name": "Highest"}})["issueKey"]
    desk.ask()
    ada = visitor(site)
    new = f"{HOME}/queues/new"
    page = ada.post(new, {"name": "Urgent", "jql": "priority = "}, 422)
    assert page.form("/queues/new")["name"] == "Urgent"
    assert page.said
    page = ada.change(new, new, name="Urgent", jql="project = IT AND priority = Highest")
    at = page.location
    assert keys(ada.get(at)) == [key]
    queue = desk.get(f"servicedesk/{desk.id}/queue")["values"][-1]
    assert (queue["name"], queue["jql"]) == ("Urgent", "project = IT AND priority = Highest")
    edit = f"{at}/edit"
    ada.change(edit, edit, name="Very urgent")
    ada.post(f"{at}/columns", {"column": "duedate", "way": "add"})
    ada.post(f"{at}/columns", {"column": "duedate", "way": "up"})
    ada.post(f"{at}/columns", {"column": "issuetype", "way": "remove"})
    ada.post(f"{at}/columns", {"column": "bogus", "way": "add"})
    queue = desk.get(f"servicedesk/{desk.id}/queue/{queue['id']}")
    assert queue["name"] == "Very urgent"
    assert queue["fields"] == [
        *("issuekey", "summary", "reporter", "assignee", "status", "duedate", "created")
    ]
    ada.post(f"{at}/move", {"way": "up"})
    names = [one["name"] for one in desk.get(f"servicedesk/{desk.id}/queue")["values"]]
    assert names[-2:] == ["Very urgent", "Recently resolved"]
    dev = visitor(site, "dev")
    assert "Edit queue" not in dev.get(at).text
    for path in (edit, f"{at}/delete", new):
        assert "Only administrators" in dev.get(path, 403).text
    dev.post(f"{at}/move", {"way": "up"}, 403)
    ada.change(f"{at}/delete", f"{at}/delete")
    desk.get(f"servicedesk/{desk.id}/queue/{queue['id']}", status=404)
    site.get(f"issue/{key}", by="dev")


def test_a_queue_takes_as_many_statements_for_much_as_for_little(site: Site) -> None:
    desk = open_desk(site)
    dev, at = visitor(site, "dev"), queue_named(site, "All open")
    counts = []
    for many in (2, 4):
        for number in range(many):
            desk.ask(f"Nr {number}")
        dev.get(at)
        with counted(site) as statements:
            dev.get(at)
        counts.append(len(statements))
    assert counts[0] == counts[1] < 80
