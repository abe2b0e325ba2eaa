"""What answers itself ends as in the products, and its sandbox is answered meanwhile.

Its clock is live: no step of an agent's moves it on, and none holds it back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from clones.core.journal import act
from clones.core.models import Message
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.automations import RUNS_PER_TICKET
from clones.helpdesk.models import SupportAddress
from clones.helpdesk.rules.suspension import LOOP_LIMIT
from clones.tracker.domain.automation import chains
from clones.tracker.domain.automation.rules import RuleDraft, create_rule
from clones.tracker.domain.mail.addresses import desk_address
from clones.tracker.models import AutomationRun, Project, ServiceDesk, User
from clones.tracker.queries.rights import Rights
from sandlot.client import ControlClient, http_client
from tests.conftest import bind
from tests.helpdesk.web.conftest import Shown
from tests.live.conftest import account
from tests.tracker.automation import edit, setting, when

pytestmark = pytest.mark.slow
PROMPT = 5.0  # seconds in which a sandbox answers though something goes round in it
QUIET = 3.0  # seconds after which nothing goes round any more


@pytest.fixture
def live(control: ControlClient, sandbox: dict[str, Any]) -> dict[str, Any]:
    """The sandbox, its clock moving as the machine's does."""
    control.post(f"/v1/sandboxes/{sandbox['id']}/clock", {"mode": "live", "speed": 1})
    return sandbox


@contextmanager
def client_of(sandbox: dict[str, Any], clone: str) -> Iterator[httpx.Client]:
    """Call the API of a clone as its admin; who is not answered soon has found a loop."""
    admin = account(sandbox, clone, "admin")
    user = admin["email"] + ("/token" if clone == "helpdesk" else "")
    url = sandbox["apps"][clone]["url"]
    with http_client(base_url=url, auth=(user, admin["api_token"]), timeout=PROMPT) as http:
        yield http


def sent(http: httpx.Client, method: str, path: str, body: Any = None) -> Any:
    answer = http.request(method, path, json=body)
    assert answer.is_success, (answer.status_code, answer.text)
    return answer.json() if answer.content else None


def make_trigger(http: httpx.Client, title: str, conditions: Any, *actions: Any) -> None:
    body = {"title": title, "all": conditions, "actions": list(actions)}
    sent(http, "POST", "/api/v2/triggers.json", {"trigger": body})


def tell_requester_of_all(http: httpx.Client) -> None:
    """Have the desk write to the requester after each update, by whomever."""
    told = ["requester_id", "Re: {{ticket.title}}", "{{ticket.latest_comment}}"]
    make_trigger(
        http,
        "Always",
        [{"field": "comment_is_public", "operator": "is", "value": "true"}],
        {"field": "notification_user", "value": told},
    )


def mails(sandbox: dict[str, Any]) -> int:
    with bind(server().registry.get(sandbox["id"])), unit_of_work("read"):
        return Message.objects.count()


def support_of(sandbox: dict[str, Any]) -> str:
    with bind(server().registry.get(sandbox["id"])), unit_of_work("read"):
        found = SupportAddress.objects.order_by("-default", "id").first()
    assert found is not None
    return found.email


def comes_to_rest(sandbox: dict[str, Any], most: int, since: int) -> int:
    """Wait until no more mail is written; return how many there were, which are not too many."""
    before, until = -1, time.monotonic() + 120
    while (found := mails(sandbox)) != before:
        assert found - since <= most, "it goes round"
        assert time.monotonic() < until, "it goes round"
        before = found
        time.sleep(QUIET)
    return found - since


class Responder(threading.Thread):
    """Somebody's mailbox, in which a program answers whatever comes, and does not say so."""

    def __init__(self, sandbox: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        app = sandbox["apps"]["mail"]
        self.account = next(one for one in app["accounts"] if one["role"] == "customer")
        self.http = http_client(base_url=app["url"], timeout=30, follow_redirects=False)
        who = {"email": self.account["email"], "password": self.account["password"]}
        session = self.http.post("/signin", data=who).cookies["mail_session"]
        self.http.headers["Cookie"] = f"mail_session={session}"
        self.answered, self.over = 0, threading.Event()
        self.seen = self.newest()

    def page(self, path: str) -> Shown:
        answer = self.http.get(path)
        return Shown(answer.status_code, answer.text, "", answer.headers)

    def newest(self) -> int:
        html = self.page("/folders/inbox").html
        return int(html.partition('href="/messages/')[2].partition('"')[0] or 0)

    def send(self, to: str, subject: str, **more: Any) -> None:
        token = self.page("/folders/inbox").field("token")
        form = {"token": token, "to": to, "cc": "", "subject": subject, "text": "I am a robot."}
        answer = self.http.post("/compose", data={**form, **more})
        assert answer.status_code == 302, answer.text

    def run(self) -> None:
        while not self.over.wait(0.05):
            key = self.newest()
            if key == self.seen:
                continue
            form = self.page(f"/compose?way=reply&about={key}")
            self.send(form.field("to"), form.field("subject"), way="reply", about=key)
            self.seen, self.answered = key, self.answered + 1


@contextmanager
def responding(sandbox: dict[str, Any]) -> Iterator[Responder]:
    """Have a mailbox answer by itself for the length of a block."""
    found = Responder(sandbox)
    found.start()
    try:
        yield found
    finally:
        found.over.set()
        found.join(timeout=60)
        found.http.close()


@pytest.mark.in_turn
def test_mail_that_answers_itself_ends_after_twenty_in_an_hour(live: dict[str, Any]) -> None:
    with client_of(live, "helpdesk") as http, responding(live) as robot:
        tell_requester_of_all(http)
        since = mails(live)
        robot.send(support_of(live), "It answers itself")
        comes_to_rest(live, 4 * LOOP_LIMIT, since)
        held = sent(http, "GET", "/api/v2/suspended_tickets.json")["suspended_tickets"]
        causes = [one["cause"] for one in held if one["author"]["email"] == robot.account["email"]]
        found = sent(http, "GET", '/api/v2/search.json?query=subject:"It answers itself"')
        (ticket,) = found["results"]
        said = sent(http, "GET", f"/api/v2/tickets/{ticket['id']}/comments.json")["comments"]
    assert robot.answered >= LOOP_LIMIT
    assert len(said) == LOOP_LIMIT
    assert set(causes) == {"Detected as mail loop"}
    assert len(causes) <= 2


def test_a_requester_at_the_desks_own_address_is_told_nothing_back(live: dict[str, Any]) -> None:
    with client_of(live, "helpdesk") as http:
        tell_requester_of_all(http)
        since = mails(live)
        asker = {"name": "Ourselves", "email": support_of(live)}
        body = {"subject": "To us", "comment": {"body": "Hello?"}, "requester": asker}
        made = sent(http, "POST", "/api/v2/tickets.json", {"ticket": body})["ticket"]
        for text in ("One", "Two"):
            comment = {"ticket": {"comment": {"body": text, "public": True}}}
            sent(http, "PUT", f"/api/v2/tickets/{made['id']}.json", comment)
        assert comes_to_rest(live, 12, since) > 0
        said = sent(http, "GET", f"/api/v2/tickets/{made['id']}/comments.json")["comments"]
        newer = sent(http, "GET", "/api/v2/tickets.json?per_page=1&sort_by=id&sort_order=desc")
    assert [one["plain_body"] for one in said] == ["Hello?", "One", "Two"]
    assert newer["tickets"][0]["id"] == made["id"]


def test_two_desks_that_write_to_each_other_come_to_rest(live: dict[str, Any]) -> None:
    """Each is the other's customer, and tells customers of all that happens."""
    with client_of(live, "helpdesk") as http, client_of(live, "tracker") as site:
        tell_requester_of_all(http)
        desk = sent(site, "GET", "/rest/servicedeskapi/servicedesk")["values"][0]
        place = f"/rest/servicedeskapi/servicedesk/{desk['id']}"
        with bind(server().registry.get(live["id"])), unit_of_work("read"):
            address = desk_address(ServiceDesk.objects.get(id=int(desk["id"])))
        support = support_of(live)
        names = {"email": support, "displayName": "Support"}
        customer = sent(site, "POST", "/rest/servicedeskapi/customer", names)["accountId"]
        sent(site, "POST", f"{place}/customer", {"accountIds": [customer]})
        since = mails(live)
        asker = {"name": "Desk", "email": address}
        body = {"subject": "Between desks", "comment": {"body": "Hello?"}, "requester": asker}
        sent(http, "POST", "/api/v2/tickets.json", {"ticket": body})
        kind = sent(site, "GET", f"{place}/requesttype")["values"][0]
        request = {
            "serviceDeskId": desk["id"],
            "requestTypeId": kind["id"],
            "requestFieldValues": {"summary": "Between desks"},
            "raiseOnBehalfOf": customer,
        }
        key = sent(site, "POST", "/rest/servicedeskapi/request", request)["issueKey"]
        said = {"body": "And you?", "public": True}
        sent(site, "POST", f"/rest/servicedeskapi/request/{key}/comment", said)
        assert comes_to_rest(live, 40, since) > 2
        shown = sent(site, "GET", f"/rest/servicedeskapi/request/{key}/comment")["values"]
        found = sent(http, "GET", '/api/v2/search.json?query=type:ticket subject:"Between desks"')
        with bind(server().registry.get(live["id"])), unit_of_work("read"):
            rows = Message.objects.filter(clone="tracker").order_by("id")
            told = [row for row in rows if support in str(row.recipients)]
    # What a desk's rules send says so: the other one takes it for no request, and ends it.
    assert [one["body"] for one in shown] == ["And you?"]
    assert found["count"] == 1 + len(told)
    assert len(told) == 2


def test_triggers_that_undo_each_other_end_with_the_update(live: dict[str, Any]) -> None:
    with client_of(live, "helpdesk") as http:
        tag = {"field": "current_tags", "operator": "includes", "value": "rounds"}
        order = ("low", "normal", "high", "urgent")
        for now, then in zip(order, (*order[1:], order[0]), strict=True):
            is_so = {"field": "priority", "operator": "is", "value": now}
            make_trigger(http, f"From {now}", [tag, is_so], {"field": "priority", "value": then})
        body = {"subject": "Rounds", "comment": {"body": "x"}, "tags": ["rounds"]}
        made = sent(http, "POST", "/api/v2/tickets.json", {"ticket": {**body, "priority": "low"}})
        key = made["ticket"]["id"]
        sent(http, "PUT", f"/api/v2/tickets/{key}.json", {"ticket": {"priority": "high"}})
        audits = sent(http, "GET", f"/api/v2/tickets/{key}/audits.json")["audits"]
    # Each fires once at most for one update: four moves lead back to where they began.
    moved = [
        [one["value"] for one in audit["events"] if one.get("field_name") == "priority"]
        for audit in audits
    ]
    assert moved == [
        ["low", "normal", "high", "urgent", "low"],
        ["high", "urgent", "low", "normal", "high"],
    ]


def test_automations_that_undo_each_other_end_after_a_hundred(
    control: ControlClient, live: dict[str, Any]
) -> None:
    """Each hour one of them: five days and a half in a few seconds."""
    with client_of(live, "helpdesk") as http:
        for now, then in (("low", "high"), ("high", "low")):
            conditions = [
                {"field": "current_tags", "operator": "includes", "value": "rounds"},
                {"field": "priority", "operator": "is", "value": now},
                {"field": "NEW", "operator": "greater_than", "value": "0"},
            ]
            rule: dict[str, Any] = {
                "title": f"From {now}",
                "all": conditions,
                "actions": [{"field": "priority", "value": then}],
            }
            sent(http, "POST", "/api/v2/automations.json", {"automation": rule})
        body = {"subject": "Rounds", "comment": {"body": "x"}, "tags": ["rounds"]}
        made = sent(http, "POST", "/api/v2/tickets.json", {"ticket": {**body, "priority": "low"}})
        key = made["ticket"]["id"]
        control.post(f"/v1/sandboxes/{live['id']}/clock", {"mode": "live", "speed": 72_000})
        until = time.monotonic() + 60
        begun = datetime.fromisoformat(made["ticket"]["created_at"])
        while (now_at(control, live) - begun) < timedelta(hours=130):
            assert time.monotonic() < until
            sent(http, "GET", f"/api/v2/tickets/{key}.json")
            time.sleep(0.2)
        control.post(f"/v1/sandboxes/{live['id']}/clock", {"mode": "frozen"})
        path = f"/api/v2/tickets/{key}/audits.json?per_page=100"
        audits: list[Any] = []
        while path:
            page = sent(http, "GET", path)
            audits += page["audits"]
            path = (page["next_page"] or "").partition(".localhost")[2].partition("/")[2]
            path = f"/{path}" if path else ""
    rels = [audit["via"]["source"].get("rel") for audit in audits]
    assert rels.count("automation") == RUNS_PER_TICKET


def now_at(control: ControlClient, sandbox: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(control.get(f"/v1/sandboxes/{sandbox['id']}")["now"])


@pytest.mark.in_turn
def test_rules_of_automation_that_answer_each_other_end_as_a_loop(live: dict[str, Any]) -> None:
    row = server().registry.get(live["id"])
    with client_of(live, "tracker") as site:
        asked = {"jql": "created < now() order by created desc", "maxResults": 1}
        issue = sent(site, "POST", "/rest/api/3/search/jql", asked)["issues"][0]["id"]
        path = f"/rest/api/3/issue/{issue}"
        with bind(row), unit_of_work("write"), act(actor="test", label="test"):
            login = account(live, "tracker", "admin")["account_id"]
            maker = Rights(User.objects.get(account_id=login))
            again = edit(setting("summary", "{{issue.summary}}+"))
            for name in ("one", "other"):
                create_rule(
                    RuleDraft(
                        name=name,
                        trigger=when("updated"),
                        components=(again,),
                        projects=list(Project.objects.filter(issues__id=int(issue))),
                        allow_chains=True,
                    ),
                    actor=maker,
                )
        sent(site, "PUT", path, {"fields": {"summary": "Round"}})
        until, before = time.monotonic() + 60, ""
        while (now := sent(site, "GET", path)["fields"]["summary"]) != before:
            assert time.monotonic() < until, now
            before = now
            time.sleep(QUIET)
    with bind(row), unit_of_work("read"):
        runs = AutomationRun.objects.filter(rule__name__in=("one", "other"))
        outcomes = list(runs.exclude(outcome="CONFIG_CHANGE").values_list("outcome", flat=True))
    assert now.startswith("Round+")
    assert outcomes.count("SUCCESS") <= 2 * chains.DEEPEST
    assert "LOOP" in outcomes
