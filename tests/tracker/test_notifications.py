"""Mail about issues: who gets it, of what, and notices that people write."""

from __future__ import annotations

from typing import Any

from clones.core.models import Message
from clones.tracker.models import Notification, Preference, Project, User
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph, without


def mail(site: Site) -> dict[str, list[Message]]:
    """Return the mail that the tracker sent, by the name of who got it, and forget it."""
    with site.writing():
        rows = list(Message.objects.filter(clone="tracker").order_by("id"))
        Message.objects.filter(clone="tracker").delete()
    found: dict[str, list[Message]] = {}
    for row in rows:
        (recipient,) = row.recipients
        found.setdefault(recipient.partition("<")[0].strip().strip('"'), []).append(row)
    return found


def test_people_of_an_issue_are_told(site: Site) -> None:
    """Assignee, reporter and watchers; never who did it; in their own message."""
    key = site.issue("It stops", assignee={"accountId": site.ids["dev"]})
    found = mail(site)
    assert list(found) == ["Dev Anand"]
    (first,) = found["Dev Anand"]
    assert first.subject == f"[Jira] ({key}) It stops"
    assert first.text.startswith(f"Ada Brandt created {key}")
    assert first.text.endswith(f"/browse/{key}")
    assert "Ada Brandt (Jira)" in first.sender
    assert str(first.about).startswith("tracker.issue:")
    site.post(f"issue/{key}/watchers", by="dana", status=204)
    assert mail(site) == {}
    site.post(f"issue/{key}/comment", {"body": paragraph("On it")}, by="dev")
    found = mail(site)
    assert sorted(found) == ["Ada Brandt", "Dana Ruiz"]
    (second,) = found["Dana Ruiz"]
    assert f"Dev Anand commented on {key}" in second.text
    assert "On it" in second.text
    assert second.thread == first.thread
    site.put(f"issue/{key}", {"fields": {"summary": "It runs"}}, by="dana")
    found = mail(site)
    assert sorted(found) == ["Ada Brandt", "Dev Anand"]
    assert "summary: It stops -> It runs" in found["Dev Anand"][0].text


def test_one_request_is_one_message(site: Site) -> None:
    """A change and its comment come together."""
    key = site.issue(assignee={"accountId": site.ids["dev"]})
    mail(site)
    comment = [{"add": {"body": paragraph("Because")}}]
    site.put(f"issue/{key}", {"fields": {"summary": "New"}, "update": {"comment": comment}})
    (message,) = mail(site)["Dev Anand"]
    assert "summary: It stops -> New" in message.text
    assert "Because" in message.text
    assert message.text.count("/browse/") == 1


def test_nobody_is_told_who_may_not_know(site: Site) -> None:
    """Restricted comments, silent changes, and issues that one does not see."""
    key = site.issue(assignee={"accountId": site.ids["dev"]})
    site.post(f"issue/{key}/watchers", by="dana", status=204)
    mail(site)
    hidden = {"type": "group", "value": "jira-administrators"}
    site.post(f"issue/{key}/comment", {"body": paragraph("psst"), "visibility": hidden})
    assert mail(site) == {}
    site.put(f"issue/{key}?notifyUsers=false", {"fields": {"summary": "Quiet"}})
    site.post(f"issue/{key}/worklog?notifyUsers=false", {"timeSpent": "1h"})
    assert mail(site) == {}
    site.post(f"issue/{key}/worklog?notifyUsers=false", {"timeSpent": "1h"}, by="dana")
    assert sorted(mail(site)) == ["Ada Brandt", "Dev Anand"]  # she is no admin
    without(site, "BROWSE_PROJECTS")
    with site.writing():
        project = Project.objects.get(key="LAS")
        project.permission_scheme.grants.create(
            id=99_001, permission="BROWSE_PROJECTS", holder_type="user", parameter=site.ids["ada"]
        )
    site.post(f"issue/{key}/comment", {"body": paragraph("alone")})
    assert mail(site) == {}


def test_who_wants_it_is_told_of_their_own_changes(site: Site) -> None:
    """A preference of each."""
    with site.writing():
        user = User.objects.get(account_id=site.ids["ada"])
        Preference.objects.create(id=77, user=user, key="user.notify.own.changes", value="true")
    site.issue()
    assert list(mail(site)) == ["Ada Brandt"]


def test_mentioned_people_are_told(site: Site) -> None:
    """Whom a comment names gets it, watcher or not."""
    key = site.issue()
    mention = {"type": "mention", "attrs": {"id": site.ids["dana"], "text": "@Dana"}}
    body = {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [mention]}]}
    site.post(f"issue/{key}/comment", {"body": body})
    assert list(mail(site)) == ["Dana Ruiz"]


def test_who_is_named_by_a_change_is_told_once(site: Site) -> None:
    """By the change that names them, not by those of a text that names them already."""
    key = site.issue()
    mail(site)
    named = paragraph("Ask ")
    person = {"type": "mention", "attrs": {"id": site.ids["dev"], "text": "@Dev Anand"}}
    named["content"][0]["content"].append(person)
    site.put(f"issue/{key}", {"fields": {"description": named}})
    assert list(mail(site)) == ["Dev Anand"]
    named["content"].append({"type": "paragraph", "content": [{"type": "text", "text": "soon"}]})
    site.put(f"issue/{key}", {"fields": {"description": named}})
    assert mail(site) == {}


def test_what_only_looks_like_a_name_tells_nobody(site: Site) -> None:
    """The markup of a mention in a summary, or in code, is text."""
    key = site.issue()
    mail(site)
    markup = f"[~accountid:{site.ids['dev']}]"
    code = {"type": "codeBlock", "content": [{"type": "text", "text": markup}]}
    document = {"type": "doc", "version": 1, "content": [code]}
    site.put(f"issue/{key}", {"fields": {"summary": markup, "description": document}})
    assert mail(site) == {}


def test_whom_an_issue_is_taken_from_is_told(site: Site) -> None:
    key = site.issue(assignee={"accountId": site.ids["dev"]})
    mail(site)
    site.put(f"issue/{key}/assignee", {"accountId": site.ids["dana"]})
    assert sorted(mail(site)) == ["Dana Ruiz", "Dev Anand"]
    site.put(f"issue/{key}/assignee", {"accountId": None})
    assert list(mail(site)) == ["Dana Ruiz"]


def test_schemes_say_who_is_told(site: Site) -> None:
    """Each kind of recipients, for the event that it is of."""
    key = site.issue(by="dana")
    with site.store():
        scheme = Project.objects.get(key="LAS").notification_scheme
        assert scheme is not None
        number = scheme.id
    with site.writing():
        Notification.objects.filter(scheme=number).delete()
        role = Project.objects.get(key="LAS").role_actors.select_related("role")[0].role
        rows: list[tuple[int, str, str | None]] = [
            (6, "ProjectRole", str(role.id)),
            (10, "User", site.ids["dana"]),
            (2, "EmailAddress", "log@elsewhere.example"),
            (3, "CurrentAssignee", None),
        ]
        for id, (event, kind, parameter) in enumerate(rows, 99_001):
            Notification.objects.create(
                id=id, scheme_id=number, event=event, type=kind, parameter=parameter
            )
    mail(site)
    site.post(f"issue/{key}/comment", {"body": paragraph("Hi")}, by="dana")
    assert list(mail(site)) == ["Ada Brandt"]
    site.post(f"issue/{key}/worklog", {"timeSpent": "90m"}, by="dev")
    (message,) = mail(site)["Dana Ruiz"]
    assert "Time spent: 1h 30m" in message.text
    site.put(f"issue/{key}", {"fields": {"summary": "New"}}, by="dev")
    with site.store():
        (row,) = Message.objects.filter(clone="tracker")
        assert row.recipients == ["log@elsewhere.example"]
    mail(site)
    site.put(f"issue/{key}/assignee", {"accountId": site.ids["dev"]}, by="dana")
    assert list(mail(site)) == ["Dev Anand"]


def test_notices_are_mailed(site: Site) -> None:
    """To people by their part, restricted to groups and permissions."""
    key = site.issue("It stops", assignee={"accountId": site.ids["dev"]})
    mail(site)
    body: dict[str, Any] = {
        "subject": "Look",
        "textBody": "Here",
        "htmlBody": "<b>Here</b>",
        "to": {"assignee": True, "reporter": True, "users": [{"accountId": site.ids["dana"]}]},
    }
    site.post(f"issue/{key}/notify", body, status=204)
    found = mail(site)
    assert sorted(found) == ["Dana Ruiz", "Dev Anand"]
    (message,) = found["Dev Anand"]
    assert (message.subject, message.text, message.html) == ("Look", "Here", "<b>Here</b>")
    body["restrict"] = {"permissions": [{"key": "EDIT_ALL_COMMENTS"}]}
    site.post(f"issue/{key}/notify", body, status=204)
    assert mail(site) == {}
    groups = {"to": {"groups": [{"name": "jira-software-users"}]}}
    site.post(f"issue/{key}/notify", groups, by="dana", status=204)
    found = mail(site)
    assert "Dana Ruiz" not in found
    assert found["Dev Anand"][0].subject == f"[Jira] ({key}) It stops"
    for wrong, text in (
        ({}, "No recipients were defined for notification."),
        ({"to": {"reporter": True}}, "You cannot send a notification to yourself only."),
        (
            {"to": {"users": [{"accountId": "x"}]}},
            "The user with account ID 'x' does not exist.",
        ),
    ):
        assert site.post(f"issue/{key}/notify", wrong, status=400)["errorMessages"] == [text]
    site.post("issue/LAS-999/notify", body, status=404)
    site.post(f"issue/{key}/notify", body, by=None, status=401)
    unassigned = site.issue()
    refused = site.post(f"issue/{unassigned}/notify", {"to": {"assignee": True}}, status=400)
    assert refused["errorMessages"] == ["The assignee cannot be notified: the issue is unassigned."]


def test_each_act_is_an_event_of_its_own(site: Site) -> None:
    """Schemes know events by the vendor's numbers: here each has an address."""
    with site.writing():
        scheme = Project.objects.get(key="LAS").notification_scheme
        assert scheme is not None
        Notification.objects.all().delete()
        for number in range(1, 18):
            scheme.notifications.create(
                id=99_000 + number,
                event=number,
                type="EmailAddress",
                parameter=f"e{number}@elsewhere.example",
            )
    key = site.issue()
    heard = [events(site)]
    task = next(kind for kind in site.get("project/OPS")["issueTypes"] if kind["name"] == "Task")
    place = f"OPS,{task['id']}"
    moves = {
        move["to"]["name"]: move["id"]
        for move in site.get(f"issue/{key}/transitions")["transitions"]
    }
    comment, log = f"issue/{key}/comment", f"issue/{key}/worklog"
    id = site.post(comment, {"body": paragraph("x")})["id"]
    heard.append(events(site))
    site.put(f"{comment}/{id}", {"body": paragraph("y")}, status=200)
    heard.append(events(site))
    site.delete(f"{comment}/{id}")
    heard.append(events(site))
    id = site.post(log, {"timeSpent": "1h"})["id"]
    heard.append(events(site))
    site.put(f"{log}/{id}", {"timeSpent": "2h"}, status=200)
    heard.append(events(site))
    site.delete(f"{log}/{id}")
    heard.append(events(site))
    site.put(f"issue/{key}", {"fields": {"labels": ["a"]}})
    heard.append(events(site))
    site.put(f"issue/{key}/assignee", {"accountId": site.ids["dev"]})
    heard.append(events(site))
    for name in ("In Progress", "Done", "To Do"):
        site.post(f"issue/{key}/transitions", {"transition": {"id": moves[name]}}, status=204)
        heard.append(events(site))
    site.post("bulk/issues/move", {"targetToSourcesMapping": {place: {"issueIdsOrKeys": [key]}}})
    site.advance()
    heard.append(events(site))
    site.delete(f"issue/{key}")
    heard.append(events(site))
    assert heard == [
        *([1], [6], [14], [17], [10], [15], [16], [2], [3]),
        *([13], [4], [7]),  # on its way, resolved, opened again
        *([9], [8]),
    ]


def events(site: Site) -> list[int]:
    """Return the numbers of the events that were mailed."""
    with site.writing():
        rows = list(Message.objects.filter(clone="tracker").order_by("id"))
        Message.objects.filter(clone="tracker").delete()
    return [int(row.recipients[0].partition("@")[0][1:]) for row in rows]
