"""What hears of issues whose priority or resolution is replaced by one act of an admin."""

from __future__ import annotations

from clones.core.models import Message
from clones.tracker.models import Issue
from tests.tracker.boards import history
from tests.tracker.site import Site
from tests.tracker.test_webhooks import hook, taken_events


def test_each_issue_is_an_event_and_nobody_gets_mail(site: Site) -> None:
    dana = {"accountId": site.ids["dana"]}
    keys = [site.issue(priority={"name": "Highest"}, assignee=dana) for _ in range(2)]
    bug = site.issue(issuetype={"name": "Bug"})
    hook(site, "jira:issue_updated")
    with site.writing():
        Message.objects.filter(clone="tracker").delete()
    taken_events(site)
    site.call("DELETE", "priority/1")
    site.advance(1)
    found = taken_events(site)
    assert sorted(body["issue"]["key"] for _, body in found) == keys
    items = [item for _, body in found for item in body["changelog"]["items"]]
    assert [(item["field"], item["fromString"], item["toString"]) for item in items] == [
        ("priority", "Highest", "Medium"),
        ("priority", "Highest", "Medium"),
    ]
    assert history(site, keys[0])[-1] == ("priority", "Highest", "Medium")
    wont, done = (one["id"] for one in site.get("resolution")[:2])
    with site.writing():
        Issue.objects.filter(key=bug).update(resolution=int(wont))
    site.call("DELETE", f"resolution/{wont}?replaceWith={done}")
    site.advance(1)
    [(event, body)] = taken_events(site)
    assert event == "jira:issue_updated"
    assert body["changelog"]["items"][0]["field"] == "resolution"
    with site.store():
        assert Message.objects.filter(clone="tracker").count() == 0
