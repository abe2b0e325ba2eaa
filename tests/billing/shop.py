"""A small merchant in a sandbox, and a client that speaks to its API over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from clones.billing.clone import secret_key_text
from clones.billing.domain.catalogue import attach_card, create_price, create_product
from clones.billing.domain.charges import Decline, create_charge
from clones.billing.domain.customers import CustomerChange, create_customer
from clones.billing.domain.invoices import DraftLine, create_invoice, pay_invoice
from clones.billing.domain.subscriptions import create_subscription
from clones.billing.models import Charge, Customer, Invoice, PaymentMethod, Price, Subscription
from clones.core import clock
from clones.core.accounts import account_cards
from clones.core.journal import act
from clones.core.models import Account, Credential
from clones.core.tenancy import SandboxRow, unit_of_work
from tests.billing.calls import CALLS, WatchedClient
from tests.conftest import bind

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

ACTOR = "system"
VISA = {
    "brand": "visa",
    "last4": "4242",
    "exp_month": 8,
    "exp_year": 2030,
    "funding": "credit",
    "country": "US",
    "fingerprint": "Xt5EWLLDS7FJjR1c",
    "checks": {"cvc_check": "pass"},
}


@contextmanager
def writing(row: SandboxRow) -> Iterator[None]:
    """Open a write transaction and an act in a sandbox, as a request would."""
    with bind(row), unit_of_work("write"), act(actor=ACTOR, label="test"):
        yield


@contextmanager
def reading(row: SandboxRow) -> Iterator[None]:
    """Open a read transaction in a sandbox."""
    with bind(row), unit_of_work("read"):
        yield


def open_account(row: SandboxRow) -> str:
    """Give the sandbox its billing account and return the secret key."""
    with writing(row):
        account = Account.objects.create(
            id=7001,
            clone="billing",
            subject="acct_1",
            login="finance@kestrel.example",
            role="admin",
            listed=True,
        )
        Credential.objects.create(
            id=7002, account=account, kind="secret_key", created_at=clock.now()
        )
    with reading(row):
        (card,) = [card for card in account_cards(row) if card.clone == "billing"]
    return secret_key_text(card.secrets["secret_key"])


def add_customer(name: str = "Ana Lima", email: str = "ana@lima.example") -> Customer:
    """Make a customer with a card on file."""
    customer = create_customer(CustomerChange(name=name, email=email), actor=ACTOR)
    attach_card(customer, actor=ACTOR, card=VISA)
    return customer


def add_charge(
    customer: Customer,
    amount: int = 4900,
    *,
    currency: str = "usd",
    description: str | None = "Kestrel Studio",
    declined: bool = False,
    settlement: tuple[str, str] | None = None,
) -> Charge:
    """Charge a customer's card."""
    method = PaymentMethod.objects.get(pk=customer.default_payment_method)
    return create_charge(
        customer,
        method,
        actor=ACTOR,
        amount=amount,
        currency=currency,
        description=description,
        settlement=settlement,
        decline=Decline() if declined else None,
    )


def add_price(name: str = "Kestrel Studio", amount: int = 4900) -> Price:
    """Offer a product by the month."""
    product = create_product(name, actor=ACTOR, description="Design software")
    return create_price(product, actor=ACTOR, unit_amount=amount, currency="usd", interval="month")


def add_subscription(customer: Customer, price: Price | None = None) -> Subscription:
    """Subscribe a customer, with the first invoice paid."""
    price = price or add_price()
    method = PaymentMethod.objects.get(pk=customer.default_payment_method)
    subscription = create_subscription(customer, [(price, 1)], actor=ACTOR, method=method)
    period = (subscription.current_period_start, subscription.current_period_end)
    invoice = create_invoice(
        customer,
        [
            DraftLine(
                price.unit_amount,
                f"1 x {price.product.name} (at $49.00 / month)",
                price=price,
                item=subscription.items.get(),
                period=period,
            )
        ],
        actor=ACTOR,
        currency="usd",
        subscription=subscription,
        billing_reason="subscription_create",
    )
    pay_invoice(invoice, method, actor=ACTOR)
    return subscription


def invoice_of(subscription: Subscription) -> Invoice:
    """Return a subscription's latest invoice."""
    subscription.refresh_from_db()
    return Invoice.objects.get(pk=subscription.latest_invoice)


@dataclass
class Api:
    """A client of one sandbox's API, by its host."""

    row: SandboxRow
    key: str | None
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.client = WatchedClient(CALLS)

    def call(
        self, method: str, path: str, data: dict[str, Any] | None = None, **headers: str
    ) -> Response:
        """Send a request; `data` goes into the body of a POST, else into the query."""
        sent = {"Host": f"billing.{self.row.id}.localhost:8800", **self.headers}
        if self.key is not None:
            sent["Authorization"] = f"Bearer {self.key}"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        text = urlencode(data or {}, doseq=True)
        if method == "POST":
            return self.client.generic(
                method, path, text, "application/x-www-form-urlencoded", headers=sent
            )
        return self.client.generic(method, f"{path}?{text}" if text else path, headers=sent)

    def get(self, path: str, data: dict[str, Any] | None = None, **headers: str) -> Any:
        """Return the body of a GET that succeeds."""
        return self.body(self.call("GET", path, data, **headers), 200)

    def post(self, path: str, data: dict[str, Any] | None = None, **headers: str) -> Any:
        """Return the body of a POST that succeeds."""
        return self.body(self.call("POST", path, data, **headers), 200)

    def delete(self, path: str, data: dict[str, Any] | None = None, **headers: str) -> Any:
        """Return the body of a DELETE that succeeds."""
        return self.body(self.call("DELETE", path, data, **headers), 200)

    def refused(
        self, method: str, path: str, data: dict[str, Any] | None = None, *, status: int = 400
    ) -> dict[str, Any]:
        """Return the error of a request that is refused, its envelope checked."""
        body = self.body(self.call(method, path, data), status)
        error: dict[str, Any] = body["error"]
        assert list(body) == ["error"]
        assert set(error) <= {"type", "code", "message", "param", "doc_url"}
        assert error["message"]
        assert error["type"]
        if "code" in error:
            slug = error["code"].replace("_", "-")
            assert error["doc_url"] == f"https://stripe.com/docs/error-codes/{slug}"
        return error

    @staticmethod
    def body(response: Response, status: int) -> Any:
        """Return a response's body, its status checked."""
        assert response.status_code == status, response.content
        assert response["Content-Type"] == "application/json"
        return response.json()
