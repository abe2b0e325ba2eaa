"""Admin Center: webhooks, tokens, programs, queues, skills and how the account routes."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core import clock
from clones.core.models import Delivery, DeliveryAttempt
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import OAuthClient, OAuthToken
from tests.helpdesk.web.admin_seat import OWNER, Seat, form_of, rows
from tests.helpdesk.web.conftest import AGENT, Office

APPS = "/admin/apps-integrations"
WEBHOOKS = f"{APPS}/webhooks/webhooks"
TOKENS = f"{APPS}/apis/api-tokens"
CLIENTS = f"{APPS}/apis/oauth-clients"
ROUTING = "/admin/objects-rules/omnichannel-routing"
QUEUES = f"{ROUTING}/queues"
SKILLS = "/admin/people/configuration/skills"
PAYMENT = {"all-0-field": "priority", "all-0-operator": "is", "all-0-value": "urgent"}


@pytest.fixture
def olga(office: Office) -> Seat:
    """The small desk with its owner signed in."""
    return Seat(office)


def last(place: str) -> str:
    return place.rpartition("/")[2]


def webhook(olga: Seat, **given: Any) -> str:
    sent = {
        "name": "Billing",
        "endpoint": "https://billing.example/in",
        "http_method": "POST",
        "request_format": "json",
        "active": "true",
        "connection": "conditional",
    }
    return olga.save(f"{WEBHOOKS}/new", {**sent, **given})


def test_a_webhook_is_made_changed_and_deleted(olga: Seat) -> None:
    headers = rows("header", {"name": "X-Team", "value": "billing"})
    place = webhook(
        olga, auth_type="basic_auth", auth_username="desk", auth_password="hush", **headers
    )
    path = f"webhooks/{last(place)}"
    shown = olga.api(path)["webhook"]
    assert (shown["name"], shown["status"]) == ("Billing", "active")
    assert shown["subscriptions"] == ["conditional_ticket_events"]
    assert shown["authentication"]["data"] == {"username": "desk"}
    assert shown["custom_headers"] == {"X-Team": "billing"}
    page = olga.get(place)
    assert "hush" not in page.html
    olga.save(place, {**form_of(page), "name": "Billing desk", "active": ""})
    shown = olga.api(path)["webhook"]
    assert (shown["name"], shown["status"]) == ("Billing desk", "inactive")
    assert shown["authentication"]["type"] == "basic_auth", "a secret left empty stays"
    assert "Billing desk" in olga.get(WEBHOOKS, status="inactive").text
    for change, said in (
        ({"endpoint": "ftp://there"}, "Endpoint: must begin with http"),
        ({"name": ""}, "Name: cannot be blank"),
        ({"connection": "events", "events": ["zen:event-type:ticket.created"]}, "connection"),
    ):
        assert said in olga.refused(place, {**form_of(olga.get(place)), **change}).text
    assert olga.save(f"{place}/delete") == WEBHOOKS
    assert olga.ask(path).status_code == 404


def test_what_no_input_is_about_is_refused_where_its_part_is(olga: Seat) -> None:
    place = webhook(olga)
    sent = form_of(olga.get(place))
    page = olga.refused(place, {**sent, **rows("header", {"name": "X Team", "value": "1"})})
    assert "admin-rows__error" in page.html.partition(">Custom headers<")[2]
    assert page.field("header-0-name") == "X Team"
    page = olga.refused(place, {**sent, "auth_type": "basic_auth", "auth_username": "desk"})
    part = page.html.partition(">Authentication<")[2].partition("</fieldset>")[0]
    assert "Authentication: " in part


def test_a_signing_secret_is_shown_and_reset(olga: Seat) -> None:
    place = webhook(olga)
    path = f"webhooks/{last(place)}/signing_secret"
    before = olga.api(path)["signing_secret"]["secret"]
    assert before in olga.get(f"{place}/secret").html
    assert olga.save(f"{place}/secret/reset") == f"{place}/secret"
    after = olga.api(path)["signing_secret"]["secret"]
    assert after != before
    assert after in olga.get(f"{place}/secret").html


def test_what_a_webhook_sent_is_shown_with_its_attempts(olga: Seat) -> None:
    place = webhook(olga)
    assert "Nothing was sent" in olga.get(f"{place}/activity").text
    with olga.office.bound(), unit_of_work("write"):
        now = clock.now()
        sent = Delivery.objects.create(
            id="01J0000000000000000000000A",
            clone="helpdesk",
            webhook=last(place),
            event="trigger",
            method="POST",
            url="https://billing.example/in",
            status=Delivery.FAILED,
            attempts=1,
            response_status=500,
            created_at=now,
            completed_at=now,
        )
        DeliveryAttempt.objects.create(
            id="01J0000000000000000000000B",
            delivery=sent,
            number=1,
            status="failed",
            request_headers=[["X-Team", "billing"]],
            request_body='{"id": 7}',
            response_status=500,
            response_body="<b>broken</b>",
            started_at=now,
            completed_at=now,
        )
    listed = olga.api(f"webhooks/{last(place)}/invocations")["invocations"]
    assert [item["id"] for item in listed] == [sent.id]
    page = olga.get(f"{place}/activity", status="failed")
    assert sent.id in page.text
    assert "Nothing was sent" in olga.get(f"{place}/activity", status="success").text
    page = olga.get(f"{place}/activity/{sent.id}")
    assert "X-Team: billing" in page.text
    assert "&lt;b&gt;broken&lt;/b&gt;" in page.html


def test_an_api_token_is_shown_once_signs_in_and_stops(olga: Seat) -> None:
    page = olga.post(f"{TOKENS}/new", {"name": "Reports"})
    assert page.status == 200
    text = page.html.partition('id="secret"')[2].partition('value="')[2].partition('"')[0]
    assert len(text) == 40
    assert olga.api("users/me.json", token=text)["user"]["email"] == OWNER
    listed = olga.get(TOKENS)
    assert "Reports" in listed.text
    assert text not in listed.html
    place = next(address for address in _links(listed.html) if "Reports" in olga.get(address).text)
    assert text not in olga.get(place).html
    olga.save(place, {"name": "Figures"})
    olga.save(f"{place}/status")
    assert olga.ask("users/me.json", token=text).status_code == 401
    assert "Figures" in olga.get(TOKENS, status="inactive").text
    olga.save(f"{place}/status")
    assert olga.ask("users/me.json", token=text).status_code == 200
    olga.save(f"{place}/status")
    assert olga.save(f"{place}/delete") == TOKENS
    assert "Figures" not in olga.get(TOKENS).html.partition("<tbody>")[2]
    assert "Name: cannot be blank" in olga.refused(f"{TOKENS}/new", {"name": " "}).text
    assert olga.api("users/me.json")["user"]["email"] == OWNER


def test_unverified_an_api_token_is_deactivated_before_it_is_deleted(olga: Seat) -> None:
    olga.post(f"{TOKENS}/new", {"name": "Reports"})
    place = _links(olga.get(TOKENS, q="reports").html)[0]
    assert "must be deactivated" in olga.refused(f"{place}/delete").text
    olga.save(f"{place}/status")
    assert olga.save(f"{place}/delete") == TOKENS


def test_unverified_an_api_token_signs_in_as_who_made_it_only(olga: Seat) -> None:
    page = olga.post(f"{TOKENS}/new", {"name": "Reports"})
    text = page.html.partition('id="secret"')[2].partition('value="')[2].partition('"')[0]
    assert olga.ask("users/me.json", login=AGENT, token=text).status_code == 401


def _links(html: str) -> list[str]:
    body = html.partition("<tbody>")[2]
    return [part.partition('"')[0] for part in body.split('href="')[1:]]


def test_a_program_is_made_gets_a_secret_and_is_forgotten(olga: Seat) -> None:
    sent = {"name": "Reports", "identifier": "reports", "kind": "confidential"}
    page = olga.post(f"{CLIENTS}/new", {**sent, "redirect_uri": "https://reports.example/back"})
    assert page.status == 200
    made = olga.api("oauth/clients.json")["clients"][0]
    assert (made["name"], made["redirect_uri"]) == ("Reports", ["https://reports.example/back"])
    assert f'value="{made["secret"]}' in page.html
    place = f"{CLIENTS}/{made['id']}"
    olga.change(place, company="Kestrel")
    renewed = olga.post(f"{place}/secret")
    again = olga.api(f"oauth/clients/{made['id']}.json")["client"]
    assert again["company"] == "Kestrel"
    assert again["secret"] != made["secret"]
    assert f'value="{again["secret"]}' in renewed.html
    page = olga.refused(f"{CLIENTS}/new", {**sent, "company": "Kept"})
    assert "already being used" in page.text
    assert page.field("company") == "Kept"
    body = {"token": {"client_id": made["id"], "scopes": ["read"]}}
    token = olga.ask("oauth/tokens.json", method="POST", body=body).json()["token"]
    assert "read" in olga.get(place).text
    olga.save(f"{place}/tokens/{token['id']}/revoke")
    assert olga.ask(f"oauth/tokens/{token['id']}.json").status_code == 404
    assert olga.save(f"{place}/delete") == CLIENTS
    with olga.office.bound(), unit_of_work("read"):
        assert not OAuthClient.objects.exists()
        assert not OAuthToken.objects.exists()


def test_queues_are_made_moved_changed_and_deleted(olga: Seat) -> None:
    groups = {"primary_groups": [str(olga.keys.billing)]}
    sent = {"title": "Urgent", "priority": "2", **groups, **PAYMENT}
    place = olga.save(f"{QUEUES}/new", sent)
    shown = olga.api(f"queues/{last(place)}.json")["queue"]
    assert (shown["name"], shown["priority"], shown["order"]) == ("Urgent", 2, 1)
    assert shown["definition"]["all"] == [
        {"field": "priority", "operator": "is", "value": "urgent"}
    ]
    assert [item["id"] for item in shown["primary_groups"]["groups"]] == [olga.keys.billing]
    for change, said in (
        ({"primary_groups": []}, "Primary groups: cannot be blank"),
        ({"title": ""}, "Name: cannot be blank"),
        ({"priority": "first"}, "Priority: is invalid"),
        ({"all-0-field": ""}, "must have at least one condition"),
    ):
        page = olga.refused(f"{QUEUES}/new", {**sent, "description": "Kept", **change})
        assert said in page.text
        assert "Kept" in page.html
    second = olga.save(f"{QUEUES}/new", {**sent, "title": "Rest"})
    olga.save(f"{QUEUES}/order", {"up": last(second)})
    assert [item["name"] for item in olga.api("queues.json")["queues"]] == ["Rest", "Urgent"]
    olga.save(place, {**sent, "title": "Very urgent", "priority": "1"})
    assert "Very urgent" in olga.get(QUEUES, q="very").text
    assert olga.save(f"{QUEUES}/delete?ids={last(second)}") == QUEUES
    assert olga.ask(f"queues/{last(second)}.json").status_code == 404


def test_skills_have_types_agents_and_conditions(olga: Seat) -> None:
    assert "No skills" in olga.get(SKILLS).text
    assert olga.save(f"{SKILLS}/types/new", {"name": "Languages"}) == f"{SKILLS}/types"
    kind = olga.api("routing/attributes.json")["attributes"][0]["id"]
    sent = {"attribute": kind, "title": "German", "agents": [str(olga.keys.agent)], **PAYMENT}
    place = olga.save(f"{SKILLS}/new", sent)
    path = f"routing/attributes/{kind}/values/{last(place)}.json"
    assert olga.api(path)["attribute_value"]["name"] == "German"

    def held(agent: int) -> list[str]:
        found = olga.api(f"routing/agents/{agent}/instance_values.json")["attribute_values"]
        return [item["name"] for item in found]

    assert held(olga.keys.agent) == ["German"]
    other = olga.save(f"{SKILLS}/new", {"attribute": kind, "title": "French"})
    olga.change(f"/admin/people/team/members/{olga.keys.agent}", skills=[last(place), last(other)])
    assert set(held(olga.keys.agent)) == {"German", "French"}
    olga.save(place, {**sent, "title": "Deutsch", "agents": [str(olga.keys.colleague)]})
    assert (held(olga.keys.agent), held(olga.keys.colleague)) == (["French"], ["Deutsch"])
    page = olga.refused(f"{SKILLS}/new", {"attribute": kind, "title": "french"})
    assert "is already in use" in page.text
    assert page.field("title") == "french"
    copy = olga.get(f"{SKILLS}/new", clone=last(place))
    assert copy.field("title") == "Copy of Deutsch"
    assert olga.save(f"{SKILLS}/delete?ids={last(other)}") == SKILLS
    assert held(olga.keys.agent) == []
    assert "already in use" in olga.refused(f"{SKILLS}/types/new", {"name": "languages"}).text
    olga.save(f"{SKILLS}/types/{kind}", {"name": "Tongues"})
    assert "Tongues" in olga.get(SKILLS).text
    olga.save(f"{SKILLS}/types/{kind}/delete")
    assert held(olga.keys.colleague) == []


def test_routing_is_configured(olga: Seat) -> None:
    place = f"{ROUTING}/routing-configuration"
    olga.change(
        place,
        enabled="true",
        autorouting_tag="Route",
        max_email_capacity="7",
        using_skill_based_routing="true",
    )
    settings = olga.api("account/settings.json")["settings"]
    assert settings["routing"] == {
        "autorouting_tag": "route",
        "enabled": True,
        "max_email_capacity": 7,
        "max_messaging_capacity": 0,
        "reassignment_messaging_enabled": False,
        "reassignment_messaging_timeout": None,
        "reassignment_talk_timeout": None,
    }
    assert settings["rule"]["using_skill_based_routing"] is True
    for bad in ("many", "501"):
        page = olga.refused(place, {**form_of(olga.get(place)), "max_email_capacity": bad})
        assert "Max email capacity: must be from 0 to 500" in page.text
        assert page.field("max_email_capacity") == bad
    page = olga.get(f"{ROUTING}/capacity")
    assert "Ana Lima Offline 1 7" in page.text
