"""Subscriptions of filters: their results by mail, when they are due."""

from __future__ import annotations

import pytest

from clones.core.models import Message
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.subscriptions import subscribe, unsubscribe
from clones.tracker.models import Filter, Group, Subscription, User
from clones.tracker.queries.rights import Rights
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor

MORNING = "0 0 8 ? * *"


def rights(site: Site, login: str) -> Rights:
    """Return what somebody may."""
    return Rights(User.objects.get(account_id=site.ids[login]))


def mails(site: Site) -> list[Message]:
    """Return the mail of subscriptions, the oldest first."""
    with site.store():
        rows = Message.objects.filter(subject__contains="Subscription").order_by("id")
        return list(rows)


def test_results_are_mailed_on_a_schedule(site: Site) -> None:
    """Nothing where nothing is found, unless that is wanted; to groups what each one sees."""
    id = int(site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)["id"])
    with site.writing():
        saved = Filter.objects.get(id=id)
        ada = rights(site, "ada")
        quiet = subscribe(saved, MORNING, actor=ada)
        with pytest.raises(Invalid):
            subscribe(saved, "whenever", actor=ada)
        with pytest.raises(NotFound):
            subscribe(saved, MORNING, actor=rights(site, "dev"))
    site.advance(86400)
    assert mails(site) == []
    key = site.issue("It stops")
    site.advance(86400)
    (found,) = mails(site)
    assert found.recipients == ["Ada Brandt <ada@site.example>"]
    assert found.subject == "[Jira] Subscription: Mine"
    assert f"{key} It stops (To Do, Unassigned)" in found.text
    assert found.text.count("1 work item") == 1
    assert found.headers["X-Jira-Event"] == "filter_subscription"
    with site.writing():
        with pytest.raises(Forbidden):
            unsubscribe(quiet, actor=rights(site, "dev"))
        unsubscribe(quiet, actor=rights(site, "ada"))
    site.advance(86400)
    assert len(mails(site)) == 1
    share = {"type": "group", "groupname": "jira-users"}
    site.post(f"filter/{id}/permission", share)
    with site.writing():
        group = Group.objects.get(name="jira-users")
        saved = Filter.objects.get(id=id)
        subscribe(saved, MORNING, actor=rights(site, "ada"), group=group, email_on_empty=True)
    site.advance(86400)
    told = {row.recipients[0].partition(" <")[0] for row in mails(site)[1:]}
    assert told >= {"Ada Brandt", "Dev Anand", "Dana Ruiz"}
    with site.store():
        assert Subscription.objects.get().last_sent is not None


def test_people_subscribe_on_a_page(site: Site) -> None:
    """To usual times or a cron expression; they see and remove their own."""
    id = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)["id"]
    at = f"/jira/filters/{id}/subscriptions"
    ada = visitor(site)
    assert ada.get(f"/jira/filters/{id}").links("Subscriptions") == {"Subscriptions": at}
    ada.change(at, at, schedule="0 0 8 ? * MON")
    assert "Mondays at 8:00" in ada.get(at).main
    wrong = ada.post(at, {"schedule": "advanced", "cron": "now"}, status=400)
    assert wrong.said == ["The schedule is not valid: The cron expression must have 6 or 7 fields."]
    with site.store():
        made = Subscription.objects.get()
        assert (made.cron, made.user.display_name) == ("0 0 8 ? * MON", "Ada Brandt")
    visitor(site, "dev").get(at, status=404)
    ada.post(f"{at}/{made.id}/remove")
    assert "There are no subscriptions" in ada.get(at).main
