"""Webhooks of admins and apps, and what they are told."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest

from clones.core.accounts import account_cards
from clones.core.models import Delivery
from clones.core.webhooks.deliverers import deliverer_of
from clones.core.webhooks.messages import Answer as Answered
from clones.core.webhooks.messages import NoAnswer
from clones.tracker.domain import people
from clones.tracker.domain.events import Event, publish
from clones.tracker.models import Group, Issue, Project, User
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.webhook_events import address, filter_problems, minutes_after
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph, without

Json = dict[str, Any]
HOOKS = "/rest/webhooks/1.0/webhook"
APPS_ONLY = "Only Connect and OAuth 2.0 apps can use this operation."


def hook(site: Site, *events: str, **more: Any) -> Json:
    """Make an admin's webhook."""
    body = {"name": "Hook", "url": "https://hooks.example/in", "events": list(events), **more}
    found: Json = site.post(HOOKS, body)
    return found


def taken_events(site: Site) -> list[tuple[str, Json]]:
    """Return the events that are owed, with their bodies, and forget them."""
    with site.writing():
        rows = list(Delivery.objects.filter(clone="tracker").order_by("id"))
        Delivery.objects.all().delete()
    return [(row.event, json.loads(row.body or "{}")) for row in rows]


def app(site: Site, name: str = "Build bot") -> str:
    """Make an app that calls the API, and return by what it is called."""
    login = name.split(maxsplit=1)[0].lower()
    with site.writing():
        user = people.create_user(name, f"{login}@site.example", account_type="app")
        people.join_group(user, Group.objects.get(name="jira-software-users"))
        people.open_account(user, role="developer", listed=True, kinds=("api_token",))
    with site.store():
        cards = [card for card in account_cards(site.row) if card.clone == "tracker"]
    site.cards[login] = next(card for card in cards if card.login.startswith(login))
    return login


def test_admins_keep_webhooks(site: Site) -> None:
    """The life of an admin's webhook; its secret is never shown."""
    made = hook(site, "jira:issue_created", secret="s3cret", description="For us")
    assert made["isSigned"] is True
    assert "secret" not in made
    assert made["filters"] == {}
    assert made["lastUpdatedDisplayName"] == "Ada Brandt"
    path = made["self"].partition(".localhost:8800")[2]
    assert site.get(path) == made
    assert site.get(HOOKS) == [made]
    change = {"filters": {"issue-related-events-section": "project = LAS"}, "enabled": False}
    changed = site.put(path, change, status=200)
    assert (changed["enabled"], changed["name"], changed["isSigned"]) == (False, "Hook", True)
    assert changed["filters"] == change["filters"]
    assert site.get(path) == changed
    site.delete(path)
    assert site.get(path, status=404)["errorMessages"] == [
        f"The webhook with id '{path.rpartition('/')[2]}' does not exist."
    ]
    wrong: list[tuple[Json, str]] = [
        ({"url": "https://x.example"}, "The name of the webhook must be specified."),
        ({"name": "x", "url": "ftp://x"}, "The URL must begin with http:// or https://."),
        (
            {"name": "x", "url": "https://x.example", "events": ["moon"]},
            "The event moon is not supported.",
        ),
    ]
    gone = [f"The webhook with id '{path.rpartition('/')[2]}' does not exist."]
    assert site.put(path, change, status=404)["errorMessages"] == gone
    assert site.delete(path, status=404)["errorMessages"] == gone
    for body, text in wrong:
        assert site.post(HOOKS, body, status=400)["errorMessages"] == [text]
    for query, text in (
        ("project =", "Error in JQL Query"),
        ("planet = Mars", "Field 'planet' does not exist"),
        ("status = Melted", "The value 'Melted' does not exist for the field 'status'."),
    ):
        bad = {"filters": {"issue-related-events-section": query}}
        body = {"name": "x", "url": "https://x.example"} | bad
        assert text in site.post(HOOKS, body, status=400)["errorMessages"][0]
    assert site.get(HOOKS) == []
    site.get(HOOKS, by="dev", status=403)
    site.get(HOOKS, by=None, status=401)


def test_issues_are_told_of(site: Site) -> None:
    """Created, changed, deleted: the whole issue, who did it, and the changelog."""
    hook(site, "jira:issue_created", "jira:issue_updated", "jira:issue_deleted")
    key = site.issue("It stops", by="dev")
    ((event, body),) = taken_events(site)
    assert event == body["webhookEvent"] == "jira:issue_created"
    assert body["issue_event_type_name"] == "issue_created"
    assert body["user"]["accountId"] == site.ids["dev"]
    assert body["issue"]["key"] == key
    assert body["issue"]["fields"]["summary"] == "It stops"
    assert "/rest/api/2/issue/" in body["issue"]["self"]
    site.put(f"issue/{key}", {"fields": {"summary": "It runs"}})
    ((_, body),) = taken_events(site)
    assert body["issue_event_type_name"] == "issue_updated"
    assert body["changelog"]["items"] == [
        {
            "field": "summary",
            "fieldtype": "jira",
            "fieldId": "summary",
            "from": None,
            "fromString": "It stops",
            "to": None,
            "toString": "It runs",
        }
    ]
    site.put(f"issue/{key}/assignee", {"accountId": site.ids["dana"]})
    ((_, body),) = taken_events(site)
    assert body["issue_event_type_name"] == "issue_assigned"
    step = site.get(f"issue/{key}/transitions")["transitions"][-1]["id"]
    site.post(f"issue/{key}/transitions", {"transition": {"id": step}}, status=204)
    ((_, body),) = taken_events(site)
    assert body["issue_event_type_name"] == "issue_generic"
    site.delete(f"issue/{key}")
    assert [event for event, _ in taken_events(site)] == ["jira:issue_deleted"]


def test_what_hangs_on_issues_is_told_of(site: Site) -> None:
    """Comments, work logs, links and properties, each in its own form."""
    one, two = site.issue("One"), site.issue("Two")
    events = (
        *("comment_created", "comment_updated", "comment_deleted", "worklog_created"),
        *("jira:issue_updated", "issuelink_created", "issuelink_deleted"),
        *("issue_property_set", "issue_property_deleted"),
    )
    hook(site, *events)
    id = site.post(f"issue/{one}/comment", {"body": paragraph("Hi")})["id"]
    ((event, body),) = taken_events(site)
    assert event == "comment_created"
    assert (body["comment"]["id"], body["comment"]["body"]) == (id, "Hi")
    assert set(body["issue"]["fields"]) == {
        *("summary", "issuetype", "project", "assignee", "priority", "status"),
    }
    site.put(f"issue/{one}/comment/{id}", {"body": paragraph("Ho")}, status=200)
    site.delete(f"issue/{one}/comment/{id}")
    assert [event for event, _ in taken_events(site)] == ["comment_updated", "comment_deleted"]
    site.post(f"issue/{one}/worklog", {"timeSpent": "1h"})
    both = dict(taken_events(site))
    log, update = both["worklog_created"], both["jira:issue_updated"]
    assert log["worklog"]["timeSpentSeconds"] == 3600
    assert "issue" not in log
    assert update["issue_event_type_name"] == "issue_work_logged"
    ends = {"inwardIssue": {"key": one}, "outwardIssue": {"key": two}}
    site.post("issueLink", {"type": {"name": "Blocks"}, **ends})
    ((_, body),) = taken_events(site)
    assert body["issueLink"]["issueLinkType"]["outwardName"] == "blocks"
    site.delete(f"issueLink/{body['issueLink']['id']}")
    site.put(f"issue/{one}/properties/x", {"a": 1}, status=201)
    site.delete(f"issue/{one}/properties/x")
    found = taken_events(site)
    assert [event for event, _ in found] == [
        *("issuelink_deleted", "issue_property_set", "issue_property_deleted"),
    ]
    assert found[1][1]["property"] == {"key": "x", "value": {"a": 1}}


def test_filters_and_addresses_of_webhooks(site: Site) -> None:
    """A query lets some issues through; addresses have variables; bodies may be left out."""
    hook(
        site,
        "jira:issue_created",
        url="https://hooks.example/${issue.key}?x=${nothing.id}",
        filters={"issue-related-events-section": "project = OPS"},
        excludeBody=True,
    )
    site.issue()
    assert taken_events(site) == []
    key = site.issue(project={"key": "OPS"})
    with site.store():
        (row,) = Delivery.objects.filter(clone="tracker")
        assert row.url == f"https://hooks.example/{key}?x=${{nothing.id}}"
        assert (row.body, row.headers) == ("", [])


def test_transitions_call_the_webhooks_of_their_post_functions(site: Site) -> None:
    """Whatever else they are told of; the transition is named."""
    made = hook(site)
    number = made["self"].rpartition("/")[2]
    key = site.issue()
    with site.writing():
        issue = Issue.objects.select_related("project", "issue_type", "status").get(key=key)
        actor = Rights(User.objects.get(account_id=site.ids["dev"]))
        details = {"transition": 21, "transition_name": "Go", "webhooks": [number]}
        publish(Event("issue_transitioned", actor, issue=issue, details=details))
    ((_, body),) = taken_events(site)
    assert body["transition"] == {"transitionId": 21, "transitionName": "Go"}
    assert body["issue"]["key"] == key


def test_apps_are_not_told_of_what_they_do_not_see(site: Site) -> None:
    """An app's webhook tells what the app could read."""
    bot = app(site)
    wanted = {"events": ["jira:issue_created"], "jqlFilter": ""}
    body = {"url": "https://app.example/in", "webhooks": [wanted]}
    site.post("webhook", body, by=bot, status=200)
    site.issue()
    assert len(taken_events(site)) == 1
    without(site, "BROWSE_PROJECTS")
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        scheme.grants.create(
            id=99_001, permission="BROWSE_PROJECTS", holder_type="user", parameter=site.ids["ada"]
        )
    site.issue()
    assert taken_events(site) == []


def test_unverified_deliveries_are_signed_and_tried_again(site: Site) -> None:
    """Identifiers, the signature over the body, and when the next attempt is due."""
    made = hook(site, "jira:issue_created", secret="s3cret")
    site.issue()
    way = deliverer_of("tracker")
    with site.store():
        (row,) = Delivery.objects.filter(clone="tracker")
        row.attempts = 2
        sent = {
            header.name: header.value for header in way.headers(row, "sb", row.created_at) or ()
        }
        expected = hmac.new(b"s3cret", row.body.encode(), hashlib.sha256).hexdigest()
    assert sent["X-Hub-Signature"] == f"sha256={expected}"
    assert sent["X-Atlassian-Webhook-Identifier"] == row.id
    assert sent["X-Atlassian-Webhook-Retry"] == "2"
    assert way.again_after(1, NoAnswer("gone")) == timedelta(minutes=5)
    assert way.again_after(1, Answered(503, (), "")) == timedelta(minutes=5)
    assert way.again_after(1, Answered(404, (), "")) is None
    assert way.again_after(6, NoAnswer("gone")) is None
    site.delete(made["self"].partition(".localhost:8800")[2])
    with site.store():
        assert way.headers(row, "sb", row.created_at) is None


def test_only_apps_register_webhooks(site: Site) -> None:
    """People are refused, in the vendor's words."""
    for method, path, body in (
        ("GET", "webhook", None),
        (
            "POST",
            "webhook",
            {"url": "https://x.example", "webhooks": [{"events": [], "jqlFilter": ""}]},
        ),
        ("DELETE", "webhook", {"webhookIds": [1]}),
        ("PUT", "webhook/refresh", {"webhookIds": [1]}),
        ("GET", "webhook/failed", None),
    ):
        answer = site.call(method, path, body)
        assert (answer.status, answer.body["errorMessages"]) == (403, [APPS_ONLY])


def test_apps_keep_webhooks_for_thirty_days(site: Site) -> None:
    """An app's webhooks are registered, listed, refreshed, told, and end."""
    bot, other = app(site), app(site, "Other app")
    wanted = [
        {
            "events": ["jira:issue_updated"],
            "jqlFilter": "project = LAS",
            "fieldIdsFilter": ["summary"],
        },
        {"events": ["jira:issue_created"], "jqlFilter": "watchers = 1 ORDER BY key"},
        {
            "events": ["issue_property_set"],
            "jqlFilter": "",
            "issuePropertyKeysFilter": ["mine"],
        },
    ]
    body = {"url": "https://app.example/in", "webhooks": wanted}
    found = site.post("webhook", body, by=bot, status=200)["webhookRegistrationResult"]
    assert found[1] == {
        "errors": ["The ORDER BY clause is unsupported", "The clause watchers is unsupported"]
    }
    first, last = found[0]["createdWebhookId"], found[2]["createdWebhookId"]
    listed = site.get("webhook?maxResults=1", by=bot)
    assert (listed["total"], listed["isLast"], listed["maxResults"]) == (2, False, 1)
    (shown,) = listed["values"]
    assert shown["id"] == first
    assert shown["fieldIdsFilter"] == ["summary"]
    assert site.get("webhook", by=other)["values"] == []
    key = site.issue()
    site.put(f"issue/{key}", {"fields": {"labels": ["x"]}})
    site.put(f"issue/{key}", {"fields": {"summary": "New"}})
    site.put(f"issue/{key}/properties/mine", b"1", status=201)
    site.put(f"issue/{key}/properties/other", b"1", status=201)
    assert site.get("webhook/failed", by=bot)["values"] == []
    site.advance(3600)  # when all attempts have been made
    failed = site.get("webhook/failed", by=bot)
    assert sorted(json.loads(row["body"])["webhookEvent"] for row in failed["values"]) == [
        *("issue_property_set", "jira:issue_updated"),
    ]
    assert failed["next"].partition("?")[2].startswith("failedAfter=")
    after = failed["values"][-1]["failureTime"]
    assert site.get(f"webhook/failed?after={after}", by=bot)["values"] == []
    taken_events(site)
    site.delete("webhook", {"webhookIds": [last, first]}, by=other, status=202)
    site.advance(20 * 86400)
    until = site.put("webhook/refresh", {"webhookIds": [first]}, by=bot, status=200)
    assert until["expirationDate"] > shown["expirationDate"]
    site.advance(15 * 86400)
    site.put(f"issue/{key}", {"fields": {"summary": "Newer"}})
    site.put(f"issue/{key}/properties/mine", b"2", status=200)
    assert [event for event, _ in taken_events(site)] == ["jira:issue_updated"]
    site.delete("webhook", {"webhookIds": [first, last]}, by=bot, status=202)
    assert site.get("webhook", by=bot)["values"] == []
    bad = {"url": "x", "webhooks": wanted}
    assert site.post("webhook", bad, by=bot, status=400)["errorMessages"] == [
        "The URL must begin with http:// or https://."
    ]


def test_apps_without_filters_are_told_of_everything(site: Site) -> None:
    """All fields and all properties, where `webhook` names none of them."""
    bot = app(site)
    events = ["jira:issue_updated", "issue_property_set"]
    wanted = [{"events": [event], "jqlFilter": "project = LAS"} for event in events]
    body = {"url": "https://app.example/in", "webhooks": wanted}
    site.post("webhook", body, by=bot, status=200)
    key = site.issue()
    site.put(f"issue/{key}", {"fields": {"labels": ["x"]}})
    site.put(f"issue/{key}", {"fields": {"summary": "New"}})
    site.put(f"issue/{key}/properties/mine", b"1", status=201)
    site.put(f"issue/{key}/properties/other", b"1", status=201)
    taken = [event for event, _ in taken_events(site)]
    assert taken == [events[0], events[0], events[1], events[1]]


@pytest.mark.parametrize(
    ("jql", "problems"),
    [
        ("", []),
        ("project = A and (status != B or not issuetype in (C, D))", []),
        ("assignee not in (a) AND issue.property[x].y = 1", []),
        ("summary ~ x", ["The clause summary is unsupported"]),
        ("status was x", ["The operator was of the clause status is unsupported"]),
    ],
)
def test_apps_filter_by_a_part_of_jql(jql: str, problems: list[str]) -> None:
    """Some fields, some operators."""
    assert filter_problems(jql) == problems


def test_variables_and_attempts() -> None:
    """Variables are escaped; attempts come to an end."""
    assert address("https://x/{issue.key}/${a.b}", {"issue.key": "A 1"}) == "https://x/A%201/${a.b}"
    assert [minutes_after(number, 500) for number in (1, 2, 5, 6)] == [5, 7, 15, None]
    assert minutes_after(1, 400) is None
    assert minutes_after(1, 429) == 5
