"""The panel that the helpdesk embeds: by hand-over only, without JavaScript, truthful."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from clones.billing.domain.invoices import DraftLine, create_invoice
from clones.billing.domain.subscriptions import update_subscription
from clones.billing.models import Charge, Event, Refund
from clones.core import clock
from clones.core.accounts.handover import mint_handover
from clones.core.models import Account
from clones.core.server import server
from snapshots.sandboxes import Sandboxes
from tests.billing.shop import (
    ACTOR,
    Api,
    add_charge,
    add_customer,
    add_subscription,
    reading,
    writing,
)

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

EMAIL = "ana@lima.example"
AGENT = 9001


class Panel(Client):
    """A browser on the panel of one sandbox."""

    def __init__(self, api: Api) -> None:
        super().__init__(headers={"Host": f"billing.{api.row.id}.localhost:8800"})
        self.api = api
        with writing(api.row):
            Account.objects.create(
                id=AGENT, clone="helpdesk", subject="5", login="agent@kestrel.example", role="agent"
            )
        self.handover = mint_handover(api.row, "billing", AGENT)

    def open(self, **query: str) -> str:
        """Open the panel by hand-over and return the page."""
        return self.page(
            self.get("/panel", {"email": EMAIL, "handover": self.handover, **query}), 200
        )

    def page(self, response: Response, status: int) -> str:
        """Return a page's text, its status checked."""
        assert response.status_code == status, response.content
        return unescape(response.content.decode())

    def fill(self, page: str, **typed: str) -> Response:
        """Post the open form of a page with what is typed into it."""
        form = Form(page)
        return self.post(form.action, {**form.fields, **typed})


class Form(HTMLParser):
    """The refund form of a page: where it is posted, with which fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("method") == "post"
            self.action = given.get("action", "") if self.inside else self.action
        elif self.inside and tag == "input":
            self.fields[given["name"]] = given.get("value", "")
        elif self.inside and tag == "select":
            self.fields[given["name"]] = ""


@pytest.fixture
def panel(api: Api) -> Panel:
    return Panel(api)


def test_nobody_gets_in_without_a_handover(panel: Panel) -> None:
    answer = panel.get("/panel", {"email": EMAIL})
    assert answer.status_code == 401
    assert b"helpdesk" in answer.content


def test_it_shows_the_charges_of_every_customer_with_the_address(panel: Panel) -> None:
    with writing(panel.api.row):
        ana = add_customer()
        also = add_customer("Ana at work", EMAIL.upper())
        other = add_customer("Bo", "bo@lind.example")
        charge = add_charge(ana, 4900)
        failed = add_charge(also, 1200, declined=True, description="Extra seat")
        hidden = add_charge(other, 7777)
    page = panel.open()
    assert "<caption>Charges of ana@lima.example</caption>" in page
    assert "Ana at work" in page
    assert f'aria-label="Refund {charge.id} of $49.00"' in page
    assert failed.id in page
    assert f'aria-label="Refund {failed.id}' not in page
    assert "Your card was declined." in page
    assert "Visa ending in 4242" in page
    assert hidden.id not in page
    assert "77.77" not in page


def test_what_a_charge_was_for_can_be_seen(panel: Panel) -> None:
    with writing(panel.api.row):
        ana = add_customer()
        subscription = add_subscription(ana)
        create_invoice(
            ana,
            [
                DraftLine(-2000, "Unused time on Studio", proration=True),
                DraftLine(9900, "Studio Pro"),
            ],
            actor=ACTOR,
            currency="usd",
            subscription=subscription,
        )
        update_subscription(subscription, actor=ACTOR, cancel_at_period_end=True)
        add_charge(ana, 5000, currency="eur", settlement=("usd", "1.08"))
    page = panel.open()
    assert "settled as $54.00" in page
    assert "Unused time on Studio: -$20.00" in page
    assert "Kestrel Studio ($49.00 per month): active, ends 16 Jul 2026" in page
    assert re.search(r"Invoice \w+-0001", page)


def test_a_refund_by_the_form(panel: Panel, sandboxes: Sandboxes) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 4900)
    page = panel.open(charge=charge.id)
    assert Form(page).fields["amount"] == "49.00"
    assert re.search(r">Refund \$49\.00</button>", page)
    for reason in ("duplicate", "fraudulent", "requested_by_customer"):
        assert f'<option value="{reason}">' in page
    sandboxes.mark(panel.api.row.id, "before")
    answer = panel.fill(page, reason="duplicate")
    assert answer.status_code == 302
    page = panel.page(panel.get(answer["Location"]), 200)
    with reading(panel.api.row):
        refund = Refund.objects.get()
        assert (refund.charge_id, refund.amount, refund.reason) == (charge.id, 4900, "duplicate")
        assert set(Event.objects.filter(subject=refund.id).values_list("actor", flat=True)) == {
            "billing.account:7001"
        }
    assert f'role="status">Refunded $49.00 of {charge.id} ({refund.id}).' in page
    assert f'aria-label="Refund {charge.id}' not in page
    changed = {change["table"] for change in sandboxes.diff(panel.api.row.id, "before")}
    assert "billing_refund" in changed


def test_a_part_can_be_refunded(panel: Panel) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 4900)
    answer = panel.fill(panel.open(charge=charge.id), amount="9.50")
    page = panel.page(panel.get(answer["Location"]), 200)
    assert "Partly refunded" in page
    assert f'aria-label="Refund {charge.id} of $39.50"' in page
    with reading(panel.api.row):
        assert Charge.objects.get().amount_refunded == 950


@pytest.mark.parametrize(
    ("amount", "problem"),
    [
        ("50.00", "Only $49.00 of this charge is left to refund."),
        ("0", "Enter an amount above zero."),
        ("9.999", "Enter an amount in USD."),
        ("all", "Enter an amount in USD."),
        ("-5", "Enter an amount in USD."),
        ("", "Enter an amount in USD."),
    ],
)
def test_what_cannot_be_refunded_is_said_and_kept(panel: Panel, amount: str, problem: str) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 4900)
    answer = panel.fill(panel.open(charge=charge.id), amount=amount, reason="fraudulent")
    page = panel.page(answer, 400)
    assert f'role="alert">{problem}' in page
    assert Form(page).fields["amount"] == amount
    assert '<option value="fraudulent" selected>' in page
    with reading(panel.api.row):
        assert not Refund.objects.exists()


def test_a_charge_refunded_meanwhile_is_refused(panel: Panel) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 4900)
    page = panel.open(charge=charge.id)
    panel.api.post("/v1/refunds", {"charge": charge.id})
    assert "already been refunded" in panel.page(panel.fill(page), 400)


def test_yen_have_no_decimals(panel: Panel) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 5000, currency="jpy")
    page = panel.open(charge=charge.id)
    assert Form(page).fields["amount"] == "5000"
    assert panel.fill(page, amount="50.00").status_code == 400
    assert panel.fill(page, amount="5,000").status_code == 302
    with reading(panel.api.row):
        assert Refund.objects.get().amount == 5000


def test_a_form_without_its_token_is_refused(panel: Panel) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 4900)
    page = panel.open(charge=charge.id)
    assert panel.fill(page, token="x").status_code == 401
    with reading(panel.api.row):
        assert not Refund.objects.exists()


def test_the_charge_must_be_one_that_is_shown(panel: Panel) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 4900)
        other = add_charge(add_customer("Bo", "bo@lind.example"), 4900)
    page = panel.open(charge=charge.id)
    assert panel.fill(page, charge=other.id).status_code == 404
    with reading(panel.api.row):
        assert not Refund.objects.exists()


def test_the_session_is_a_cookie_for_this_sandbox_and_epoch(panel: Panel) -> None:
    panel.open()
    cookie = panel.cookies["billing_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert panel.get("/panel", {"email": EMAIL}).status_code == 200
    assert panel.get("/v1/charges").status_code == 401
    server().registry.rotate_credentials(panel.api.row.id)
    assert panel.get("/panel", {"email": EMAIL}).status_code == 401


def test_only_the_helpdesk_of_the_sandbox_may_frame_it(panel: Panel) -> None:
    answer = panel.get("/panel", {"email": EMAIL, "handover": panel.handover})
    policy = answer["Content-Security-Policy"]
    ancestors = policy.partition("frame-ancestors ")[2].split()
    assert f"http://helpdesk.{panel.api.row.id}.localhost:*" in ancestors
    assert "*" not in ancestors
    assert "X-Frame-Options" not in answer


def test_markup_in_words_is_text(panel: Panel) -> None:
    with writing(panel.api.row):
        add_charge(add_customer("<b>Ana</b>"), 100, description="<script>alert(1)</script>")
    answer = panel.get("/panel", {"email": EMAIL, "handover": panel.handover})
    assert b"<script>alert" not in answer.content
    assert b"&lt;script&gt;alert(1)" in answer.content


def test_nobody_has_that_address(panel: Panel) -> None:
    assert "No customer with the e-mail address" in panel.open(email="nobody@lima.example")


def test_times_are_the_sandboxs(panel: Panel) -> None:
    with writing(panel.api.row):
        add_charge(add_customer())
        now = clock.now()
    shown = panel.open()
    assert f"{now.day} Jun 2026, {now:%H:%M}</time>" in shown
    # Not in a heading: where the panel is narrow there is none.
    assert ">Times are in UTC.</p>" in shown


def test_every_button_and_field_has_a_name(panel: Panel) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer())
    page = panel.open(charge=charge.id)
    for field in re.findall(r"<(?:input|select)[^>]*>", page):
        hidden = 'type="hidden"' in field
        assert hidden or re.search(r"<label>[^<]*\s*" + re.escape(field), page), field
    assert len(re.findall(r"<button", page)) == 2
    assert 'method="post"' in page


@pytest.mark.parametrize("name", ["token", "charge", "amount", "reason"])
def test_nul_in_the_form_of_a_refund_is_dropped(panel: Panel, name: str) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(email=EMAIL))
    form = Form(panel.open(charge=charge.id))
    sent = {**form.fields, "reason": "duplicate"}
    answer = panel.post(form.action, {**sent, name: f"\0{sent[name]}"})
    assert answer.status_code == 302, answer.content


def test_what_is_refused_is_said_on_the_panel(panel: Panel) -> None:
    with writing(panel.api.row):
        charge = add_charge(add_customer(), 4900)
        other = add_charge(add_customer("Bo", "bo@lind.example"), 4900)
    page = panel.open(charge=charge.id)
    for answer, status, words in (
        (panel.fill(page, charge=other.id), 404, "Not found."),
        (panel.fill(page, token="x"), 401, "Open this page from the helpdesk."),
        (panel.put("/panel?email=" + EMAIL), 405, "This page cannot be used like that."),
    ):
        shown = panel.page(answer, status)
        assert f'role="alert">{words}</p>' in shown
        assert f"<caption>Charges of {EMAIL}</caption>" in shown
        assert "Refund of" not in shown
        assert "frame-ancestors" in answer["Content-Security-Policy"]
    shown = panel.page(panel.get("/nowhere"), 404)
    assert "<h1>Billing</h1>" in shown
    assert 'role="alert">Not found.</p>' in shown
    panel.cookies.clear()
    assert panel.page(panel.get("/nowhere"), 404) == "Not found."
