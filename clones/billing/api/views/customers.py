"""Customers and their payment methods."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from pydantic import BeforeValidator, Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import end, read, write
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import (
    Expanding,
    Integer,
    Listing,
    Metadata,
    Parameters,
    Period,
    Searching,
    Text,
    Texts,
    Unsettable,
)
from clones.billing.api.presenters import (
    present_customer,
    present_deleted_customer,
    present_payment_method,
)
from clones.billing.api.presenters.shapes import Body
from clones.billing.api.search import search_page
from clones.billing.domain.customers import (
    CustomerChange,
    create_customer,
    delete_customer,
    update_customer,
)
from clones.billing.models import Customer, PaymentMethod
from clones.billing.queries import get_customer, get_object
from clones.core.operations import Call


class Address(Parameters):
    """A postal address."""

    city: Unsettable | None = None
    country: Unsettable | None = None
    line1: Unsettable | None = None
    line2: Unsettable | None = None
    postal_code: Unsettable | None = None
    state: Unsettable | None = None


class Shipping(Parameters):
    """A shipping address with the recipient's name; without a name, none."""

    address: Address
    name: Text
    phone: Unsettable | None = None


def _no_address(value: Any) -> Any:
    """Take "" as an address without anything in it."""
    return Address() if value == "" else value


def _no_shipping(value: Any) -> Any:
    """Take "" as goods that go nowhere."""
    return Shipping.model_construct(address=Address(), name="") if value == "" else value


class CustomerFields(Expanding):
    """The attributes of a customer that can be set; what is not given stays, "" unsets."""

    name: Unsettable | None = None
    email: Unsettable | None = None
    phone: Unsettable | None = None
    description: Unsettable | None = None
    address: Annotated[Address | None, BeforeValidator(_no_address)] = None
    shipping: Annotated[Shipping | None, BeforeValidator(_no_shipping)] = None
    balance: Integer | None = None
    tax_exempt: Literal["none", "exempt", "reverse", ""] | None = None
    preferred_locales: Texts | None = None
    metadata: Metadata = None

    def change(self) -> CustomerChange:
        """Return it as the domain takes it."""
        shipping = self.shipping
        if shipping is not None and not shipping.name:
            told: Body | None = {}
        else:
            told = (
                None
                if shipping is None
                else {**shipping.model_dump(), "address": _full_address(shipping.address)}
            )
        return CustomerChange(
            name=self.name,
            email=self.email,
            phone=self.phone,
            description=self.description,
            address=_full_address(self.address),
            shipping=told,
            balance=self.balance,
            tax_exempt=self.tax_exempt,
            preferred_locales=self.preferred_locales,
            metadata=self.metadata,
        )


def _full_address(address: Address | None) -> Body | None:
    """Return an address with every key, {} when nothing of it is told."""
    if address is None:
        return None
    known = {key: value or None for key, value in address.model_dump().items()}
    return known if any(known.values()) else {}


class CustomerList(Listing):
    """Filters of a list of customers."""

    email: Text | None = Field(None, description="only customers with exactly this e-mail")
    created: Period | None = Field(None, description="only customers made within these bounds")
    test_clock: Text | None = None


class PaymentMethodList(Listing):
    """Filters of a customer's payment methods."""

    type: Text | None = Field(None, description="only payment methods of this type, as `card`")
    allow_redisplay: Text | None = None


@read("GetCustomers", "/customers", summary="List customers, newest first.", query=CustomerList)
def list_customers(call: Call) -> Body:
    """Answer with a page of customers."""
    query: CustomerList = call.query
    rows = within(Customer.objects.filter(deleted=False), "created", query.created)
    if query.email is not None:
        rows = rows.filter(email=query.email)
    if query.test_clock is not None:
        rows = rows.none()
    body = page_of(rows, query, url="/v1/customers", kind="customer", present=present_customer)
    return expand(body, query.expand, of="customer", kind="list")


@read(
    "GetCustomersSearch",
    "/customers/search",
    summary="Search customers by e-mail, name, phone, metadata or time.",
    query=Searching,
)
def search_customers(call: Call) -> Body:
    """Answer with a page of what was found."""
    return search_page(
        Customer.objects.filter(deleted=False),
        call.query,
        kind="customer",
        url="/v1/customers/search",
        present=present_customer,
    )


@read("GetCustomersCustomer", "/customers/{customer}", summary="Show one customer.")
def show_customer(call: Call) -> Body:
    """Answer with a customer, or with what is left of a deleted one."""
    customer = get_object(Customer.objects.all(), call.path["customer"], kind="customer")
    return expand(
        present_customer(customer, "detail"), call.query.expand, of="customer", kind="detail"
    )


@write("PostCustomers", "/customers", summary="Make a customer.", body=CustomerFields)
def make_customer(call: Call) -> Body:
    """Answer with the customer that was made."""
    given: CustomerFields = call.body
    customer = create_customer(given.change(), actor=call.actor)
    return expand(present_customer(customer, "detail"), given.expand, of="customer", kind="detail")


@write(
    "PostCustomersCustomer",
    "/customers/{customer}",
    summary="Change a customer's name, e-mail, phone, description, addresses or metadata.",
    body=CustomerFields,
)
def change_customer(call: Call) -> Body:
    """Answer with the customer as it is now."""
    given: CustomerFields = call.body
    customer = update_customer(
        get_customer(call.path["customer"]), given.change(), actor=call.actor
    )
    return expand(present_customer(customer, "detail"), given.expand, of="customer", kind="detail")


@end(
    "DeleteCustomersCustomer",
    "/customers/{customer}",
    summary="Delete a customer for good and end their subscriptions.",
    query=Parameters,
)
def remove_customer(call: Call) -> Body:
    """Answer with what is left."""
    customer = delete_customer(get_customer(call.path["customer"]), actor=call.actor)
    return present_deleted_customer(customer)


@read(
    "GetCustomersCustomerPaymentMethods",
    "/customers/{customer}/payment_methods",
    summary="List the cards that a customer keeps on file, newest first.",
    query=PaymentMethodList,
)
def list_payment_methods(call: Call) -> Body:
    """Answer with a page of a customer's payment methods."""
    query: PaymentMethodList = call.query
    customer = get_customer(call.path["customer"])
    rows = PaymentMethod.objects.filter(customer=customer)
    if query.type not in (None, "card"):
        rows = rows.none()
    body = page_of(
        rows,
        query,
        url=f"/v1/customers/{customer.id}/payment_methods",
        kind="payment_method",
        present=present_payment_method,
    )
    return expand(body, query.expand, of="payment_method", kind="list")


@read(
    "GetCustomersCustomerPaymentMethodsPaymentMethod",
    "/customers/{customer}/payment_methods/{payment_method}",
    summary="Show one card that a customer keeps on file.",
)
def show_payment_method_of_customer(call: Call) -> Body:
    """Answer with a payment method of a customer."""
    rows = PaymentMethod.objects.filter(customer=get_customer(call.path["customer"]))
    return _method(call, rows)


@read(
    "GetPaymentMethodsPaymentMethod",
    "/payment_methods/{payment_method}",
    summary="Show one payment method.",
)
def show_payment_method(call: Call) -> Body:
    """Answer with a payment method."""
    return _method(call, PaymentMethod.objects.all())


def _method(call: Call, rows: QuerySet[PaymentMethod]) -> Body:
    method = get_object(
        rows, call.path["payment_method"], kind="PaymentMethod", param="payment_method"
    )
    return expand(
        present_payment_method(method, "detail"),
        call.query.expand,
        of="payment_method",
        kind="detail",
    )
