"""Billing's errors: what is wrong, in typed fields and a stable code, without a word of HTTP.

BillingError
├── NoSuchObject              an id that names nothing
├── InvalidParameter          a parameter that does not fit
│   ├── UnknownParameters     parameters the operation does not have
│   ├── MissingParameter      a parameter the operation needs
│   ├── EmptyValue            "" where nothing can be unset
│   ├── InvalidInteger        no whole number
│   ├── BelowMinimum          a number that is too small
│   ├── AboveMaximum          a number that is too large
│   ├── InvalidBoolean        neither true nor false
│   ├── InvalidObject         a plain value where an object belongs
│   ├── InvalidArray          a plain value where a list belongs
│   ├── InvalidText           an object where text belongs, or text that no store keeps
│   ├── UnknownChoice         none of the values allowed
│   ├── TooLong               text beyond its length
│   ├── InvalidEmail          no e-mail address
│   └── UnknownReference      a parameter that names nothing
├── ConflictingParameters     parameters that exclude one another
├── MetadataTooMany           more keys than an object holds
├── MetadataKeyTooLong        a key that is too long
├── MetadataValueTooLong      a value that is too long
├── NotExpandable             a property that is no reference
├── ExpansionTooDeep          a path of too many properties
├── UnparsableQuery           a search query that is none
├── UnsearchableField         a search for a field that is not indexed
├── InvalidPage               a search page that is none
├── RefundTargetMissing       neither a charge nor a payment intent
├── NoSuccessfulCharge        nothing was paid, so nothing can go back
├── ChargeAlreadyRefunded     everything went back already
├── ChargeDisputed            the bank took it back
├── ChargeUncaptured          the money was only held
├── RefundTooLarge            more than what is left
├── RefundNotCancelable       the money is on its way
├── SubscriptionEnded         nothing is left to change
├── InvoiceNotPayable         nothing is owed on it
├── NoUpcomingInvoice         nothing renews
├── LookupKeyTaken            another price has the lookup key
├── KeyReused                 an idempotency key with other parameters
├── KeyOfOtherEndpoint        an idempotency key of another address
└── NotFormEncoded            a body in another form
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar


class BillingError(Exception):
    """Base of billing's errors: `code` is stable, the fields say the rest."""

    code: ClassVar[str]

    def __str__(self) -> str:
        known = fields(self)  # type: ignore[arg-type] # every subclass is a dataclass
        told = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in known)
        return f"{self.code}: {told}"


@dataclass(eq=False)
class NoSuchObject(BillingError):
    """Raised when the object itself that is asked for is not there; `param` held its id."""

    code = "resource_missing"
    kind: str
    id: str
    param: str = "id"


@dataclass(eq=False)
class InvalidParameter(BillingError):
    """Base of the errors of one parameter."""

    code = "parameter_invalid"
    param: str


@dataclass(eq=False)
class UnknownParameters(InvalidParameter):
    """Raised for parameters that an operation does not have; `param` is the first of `names`."""

    code = "parameter_unknown"
    names: tuple[str, ...]


@dataclass(eq=False)
class MissingParameter(InvalidParameter):
    """Raised when an operation lacks a parameter that it needs."""

    code = "parameter_missing"


@dataclass(eq=False)
class EmptyValue(InvalidParameter):
    """Raised when "" is given for what cannot be unset."""

    code = "parameter_invalid_empty"


@dataclass(eq=False)
class InvalidInteger(InvalidParameter):
    """Raised for what is no whole number."""

    code = "parameter_invalid_integer"
    value: str


@dataclass(eq=False)
class BelowMinimum(InvalidParameter):
    """Raised for a number under its minimum."""

    code = "parameter_below_minimum"
    minimum: int


@dataclass(eq=False)
class AboveMaximum(InvalidParameter):
    """Raised for a number over its maximum."""

    code = "parameter_above_maximum"
    maximum: int
    value: int


@dataclass(eq=False)
class InvalidBoolean(InvalidParameter):
    """Raised for what is neither true nor false."""

    code = "parameter_invalid_boolean"
    value: str


@dataclass(eq=False)
class InvalidObject(InvalidParameter):
    """Raised for a plain value where an object belongs."""

    code = "parameter_invalid_object"


@dataclass(eq=False)
class InvalidArray(InvalidParameter):
    """Raised for a plain value where a list belongs."""

    code = "parameter_invalid_array"


@dataclass(eq=False)
class InvalidText(InvalidParameter):
    """Raised for an object where text belongs, or for text that no store keeps."""

    code = "parameter_invalid_string"


@dataclass(eq=False)
class UnknownChoice(InvalidParameter):
    """Raised for a value that is none of the allowed ones."""

    code = "parameter_unknown_choice"
    choices: tuple[str, ...]


@dataclass(eq=False)
class TooLong(InvalidParameter):
    """Raised for text beyond its length."""

    code = "parameter_too_long"
    value: str
    limit: int


@dataclass(eq=False)
class InvalidEmail(InvalidParameter):
    """Raised for what is no e-mail address."""

    code = "email_invalid"
    value: str


@dataclass(eq=False)
class InvalidCurrency(InvalidParameter):
    """Raised for what is no currency's code."""

    code = "invalid_currency"
    value: str


@dataclass(eq=False)
class UnknownReference(InvalidParameter):
    """Raised when a parameter names an object that is not there."""

    code = "unknown_reference"
    kind: str
    id: str


@dataclass(eq=False)
class ConflictingParameters(BillingError):
    """Raised for parameters that exclude one another."""

    code = "parameters_exclusive"
    names: tuple[str, ...]


@dataclass(eq=False)
class MetadataTooMany(BillingError):
    """Raised when an object would hold more keys than it can."""

    code = "metadata_too_many"
    limit: int


@dataclass(eq=False)
class MetadataKeyTooLong(BillingError):
    """Raised for a metadata key that is too long."""

    code = "metadata_key_too_long"
    key: str
    limit: int


@dataclass(eq=False)
class MetadataValueTooLong(BillingError):
    """Raised for a metadata value that is too long."""

    code = "metadata_value_too_long"
    key: str
    value: str
    limit: int


@dataclass(eq=False)
class NotExpandable(BillingError):
    """Raised when a property to expand is no reference; `hint` is a path that would be."""

    code = "not_expandable"
    path: str
    hint: str | None = None


@dataclass(eq=False)
class ExpansionTooDeep(BillingError):
    """Raised for a path of more properties than are followed."""

    code = "property_expansion_max_depth"
    path: str


@dataclass(eq=False)
class UnparsableQuery(BillingError):
    """Raised for a search query that is none."""

    code = "query_unparsable"
    query: str


@dataclass(eq=False)
class UnsearchableField(BillingError):
    """Raised for a search by a field that cannot be searched, or not with that operator."""

    code = "query_field_unsupported"
    field: str
    kind: str


@dataclass(eq=False)
class InvalidPage(BillingError):
    """Raised for a search page that no search gave."""

    code = "page_invalid"
    page: str


@dataclass(eq=False)
class RefundTargetMissing(BillingError):
    """Raised when a refund names neither a charge nor a payment intent."""

    code = "refund_target_missing"


@dataclass(eq=False)
class NoSuccessfulCharge(BillingError):
    """Raised when nothing was paid: ids of the failed charge, its payment intent, or both."""

    code = "no_successful_charge"
    charge: str | None
    payment_intent: str | None


@dataclass(eq=False)
class ChargeAlreadyRefunded(BillingError):
    """Raised when all of a charge went back already."""

    code = "charge_already_refunded"
    charge: str


@dataclass(eq=False)
class ChargeDisputed(BillingError):
    """Raised when the customer's bank took the money back."""

    code = "charge_disputed"
    charge: str


@dataclass(eq=False)
class ChargeUncaptured(BillingError):
    """Raised when the money was only held, never taken."""

    code = "charge_uncaptured"
    charge: str
    payment_intent: str | None


@dataclass(eq=False)
class RefundTooLarge(BillingError):
    """Raised when more is to go back than is left; sums in minor units of `currency`."""

    code = "refund_too_large"
    amount: int
    remaining: int
    currency: str
    partly_refunded: bool


@dataclass(eq=False)
class RefundNotCancelable(BillingError):
    """Raised when a refund is to be cancelled whose money is on its way."""

    code = "refund_not_cancelable"
    refund: str


@dataclass(eq=False)
class SubscriptionEnded(BillingError):
    """Raised when a subscription that has ended is to be changed."""

    code = "subscription_ended"
    subscription: str


@dataclass(eq=False)
class InvoiceNotPayable(BillingError):
    """Raised when an invoice is to be paid that is not open."""

    code = "invoice_not_payable"
    invoice: str
    status: str


@dataclass(eq=False)
class NoUpcomingInvoice(BillingError):
    """Raised when a customer has nothing that renews."""

    code = "invoice_upcoming_none"
    customer: str


@dataclass(eq=False)
class LookupKeyTaken(BillingError):
    """Raised when another price, `price`, has the lookup key already."""

    code = "resource_already_exists"
    price: str


@dataclass(eq=False)
class KeyReused(BillingError):
    """Raised when an idempotency key comes with other parameters."""

    code = "idempotency_key_reused"
    key: str


@dataclass(eq=False)
class KeyOfOtherEndpoint(BillingError):
    """Raised when an idempotency key comes to another address."""

    code = "idempotency_key_of_other_endpoint"
    key: str
    path: str
    first_path: str


@dataclass(eq=False)
class NotFormEncoded(BillingError):
    """Raised for a body in another form than the API takes."""

    code = "not_form_encoded"
