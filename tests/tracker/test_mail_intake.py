"""Mail that comes in: requests, comments, and what is passed over."""

from __future__ import annotations

from typing import Any

from clones.core import post
from clones.core.mail_headers import answered
from clones.core.models import Message
from clones.tracker.domain.mail.addresses import desk_address, takes
from clones.tracker.models import ServiceDesk
from clones.tracker.rules.mail_threads import issue_of_thread, keys_in, summary_of
from tests.tracker.desk_site import Desk, open_desk
from tests.tracker.site import Site

QUOTED = "\n\nOn Tue, 16 June 2026 at 14:00, Ada <jira@tracker.example> wrote:\n> Old words\n"


def send(
    site: Site, sender: str, subject: str, text: str, to: str = "it@tracker.example", **more: Any
) -> Message:
    """Send mail, let it arrive, and return it as it is then."""
    with site.writing():
        draft = post.Draft(sender, [to], subject, text, **more)
        message = post.post(draft, clone="mail", direction="in")
    site.advance()
    with site.store():
        return Message.objects.get(id=message.id)


def requests(desk: Desk, by: str = "cara") -> list[Any]:
    """Return the requests that somebody sees, the newest first."""
    found: list[Any] = desk.get("request", by=by)["values"]
    return found


def test_addresses_are_known(site: Site) -> None:
    """Of desks, by their own address or their space's key, and the site's."""
    with site.writing():
        desk = ServiceDesk.objects.select_related("project").get(project__key="IT")
        assert desk_address(desk) == "it@tracker.example"
        assert takes("IT@tracker.example")
        assert takes("Jira <jira@tracker.example>")
        assert not takes("ops@tracker.example")
        desk.email = "Help@firm.example"
        desk.save()
        assert takes("help@firm.example")
        assert not takes("it@tracker.example")


def test_customers_ask_by_mail(site: Site) -> None:
    """The subject is the summary; files come along; whoever got a copy takes part."""
    desk = open_desk(site)
    desk.customer("carl", "Carl Voss")
    file = post.File("log.txt", "text/plain", b"it broke")
    message = send(
        site,
        "Cara Holm <cara@site.example>",
        "Fwd: It does not print",
        "Since today.",
        cc=["Carl Voss <carl@firm.example>", "stranger@x.example"],
        files=[file],
    )
    (made,) = requests(desk)
    key = made["issueKey"]
    fields = {one["fieldId"]: one["value"] for one in made["requestFieldValues"]}
    assert fields["summary"] == "It does not print"
    assert "Since today." in str(fields.get("description"))
    assert made["reporter"]["displayName"] == "Cara Holm"
    names = [one["displayName"] for one in desk.get(f"request/{key}/participant")["values"]]
    assert names == ["Carl Voss"]
    files = desk.get(f"request/{key}/attachment", by="cara")["values"]
    assert [one["filename"] for one in files] == ["log.txt"]
    assert message.about == f"tracker.issue:{made['issueId']}"


def test_replies_become_comments(site: Site) -> None:
    """By the headers of the mail that they answer, or the key in their subject; new words only."""
    desk = open_desk(site)
    key = desk.ask("It does not print")["issueKey"]
    with site.store():
        told = Message.objects.filter(clone="tracker", recipients__icontains="cara").first()
    assert told is not None
    send(
        site,
        "cara@site.example",
        "Re: whatever",
        f"It works again.{QUOTED}",
        headers={"In-Reply-To": told.headers["In-Reply-To"]},
    )
    send(site, "dev@site.example", f"Re: {key} It does not print", "Good to hear.")
    found = desk.get(f"request/{key}/comment", by="cara")["values"]
    assert [(one["author"]["displayName"], one["body"], one["public"]) for one in found] == [
        ("Cara Holm", "It works again.", True),
        ("Dev Anand", "Good to hear.", True),
    ]
    assert len(requests(desk)) == 1


def test_who_has_no_part_in_a_request_asks_anew(site: Site) -> None:
    """Their words are not put before its customer."""
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    desk.customer("carl", "Carl Voss")
    send(site, "carl@firm.example", f"{key} mine too", "Me too.")
    assert desk.get(f"request/{key}/comment", by="cara")["values"] == []
    (made,) = requests(desk, "carl")
    assert made["issueKey"] != key


def test_strangers_are_let_in_by_open_desks_alone(site: Site) -> None:
    """They become customers with what they ask."""
    desk = open_desk(site)
    message = send(site, "Nina New <nina@else.example>", "Hello", "Let me in.")
    assert message.about is None
    with site.writing():
        row = ServiceDesk.objects.get(project__key="IT")
        row.access = "open"
        row.save()
    message = send(site, "Nina New <nina@else.example>", "Hello again", "Let me in.")
    issue = site.get(f"issue/{str(message.about).rpartition(':')[2]}")
    assert issue["fields"]["summary"] == "Hello again"
    assert issue["fields"]["reporter"]["displayName"] == "Nina New"
    assert issue["fields"]["reporter"]["emailAddress"] == "nina@else.example"
    assert desk.get(f"request/{issue['key']}")["reporter"]["displayName"] == "Nina New"


def test_what_nobody_wrote_is_passed_over(site: Site) -> None:
    """Automatic answers, absences, failures, our own mail and loops."""
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    cara = "cara@site.example"
    for subject, headers in (
        (f"Automatic reply: {key}", {}),
        (key, {"Auto-Submitted": "auto-replied"}),
        (key, {"Precedence": "bulk"}),
        (key, {"X-Failed-Recipients": "x@y.example"}),
    ):
        assert send(site, cara, subject, "I am away.", headers=headers).about is None
    assert send(site, "jira@tracker.example", key, "Me again").about is None
    assert desk.get(f"request/{key}/comment", by="cara")["values"] == []
    for number in range(40):
        send(site, cara, key, f"{number}")
    said = site.get(f"issue/{key}/comment", by="ada")
    assert said["total"] < 40


def test_staff_reply_to_notifications(site: Site) -> None:
    """To issues of any space, if they may comment there; strangers are not heard."""
    key = site.issue("It stops", assignee={"accountId": site.ids["dev"]})
    with site.store():
        told = Message.objects.get(clone="tracker", subject__contains=key)
    assert told.headers["X-Jira-Event"] == "issue_created"
    send(
        site,
        "Dev Anand <dev@site.example>",
        f"Re: {told.subject}",
        f"On it.{QUOTED}",
        to="jira@tracker.example",
        headers={"References": told.headers["References"]},
        files=[post.File("a.txt", "text/plain", b"x")],
    )
    (comment,) = site.get(f"issue/{key}/comment")["comments"]
    assert comment["author"]["accountId"] == site.ids["dev"]
    assert comment["body"]["content"][0]["content"][0]["text"] == "On it."
    assert [one["filename"] for one in site.get(f"issue/{key}")["fields"]["attachment"]] == [
        "a.txt"
    ]
    for sender in ("guest@site.example", "cara@site.example", "x@else.example"):
        message = send(site, sender, f"Re: {key}", "Hi", to="jira@tracker.example")
        assert message.about is None, sender
    assert site.get(f"issue/{key}/comment")["total"] == 1


def test_what_mail_says_of_its_issue() -> None:
    """Threads before keys; answers lose their prefixes."""
    headers = {"in-reply-to": "<b@x>", "references": "<issue.17@tracker.example> <b@x>"}
    assert answered(headers) == ["<b@x>", "<issue.17@tracker.example>"]
    assert issue_of_thread(answered(headers)) == 17
    assert issue_of_thread(["<request.8@tracker.example>"]) == 8
    assert issue_of_thread(["<c@x>"]) is None
    assert keys_in("Re: [Jira] (LAS-12) It stops, see OPS-3") == ["LAS-12", "OPS-3"]
    assert keys_in("utf-8 and las-1") == []
    assert summary_of("RE: AW:  It   stops") == "It stops"
    assert summary_of("Re: ") == "No subject"
