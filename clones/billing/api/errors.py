"""From billing's errors to the vendor's: status, type, code, parameter and words.

The words are what the vendor's API says, since agents and clients read them. Each row of `ANSWERS`
says what one error becomes; a test proves that none is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from clones.billing import errors
from clones.billing.errors import BillingError
from clones.billing.rules.money import format_money
from clones.core.operations import InvalidInput

HELP = "Please see https://stripe.com/docs or we can help at https://support.stripe.com/."


@dataclass(frozen=True, slots=True)
class Answer:
    """What an error becomes: `code` and `param` are left out of the body when they are None."""

    status: int
    message: str
    code: str | None = None
    param: str | None = None
    type: str = "invalid_request_error"

    @property
    def body(self) -> dict[str, Any]:
        """The error's envelope."""
        found: dict[str, Any] = {}
        if self.code is not None:
            found["code"] = self.code
            slug = self.code.replace("_", "-")
            found["doc_url"] = f"https://stripe.com/docs/error-codes/{slug}"
        found["message"] = self.message
        if self.param is not None:
            found["param"] = self.param
        found["type"] = self.type
        return {"error": found}


def _unknown(error: errors.UnknownParameters) -> Answer:
    plural = "s" if len(error.names) > 1 else ""
    return Answer(
        400,
        f"Received unknown parameter{plural}: {', '.join(error.names)}",
        "parameter_unknown",
        error.param,
    )


def _empty(error: errors.EmptyValue) -> Answer:
    name = error.param
    return Answer(
        400,
        f"You passed an empty string for '{name}'. We assume empty values are an attempt to unset"
        f" a parameter; however '{name}' cannot be unset. You should remove '{name}' from your"
        " request or supply a non-empty value.",
        "parameter_invalid_empty",
        name,
    )


def _choice(error: errors.UnknownChoice) -> Answer:
    *others, last = error.choices
    told = f"{', '.join(others)}, or {last}" if len(others) > 1 else " or ".join(error.choices)
    return Answer(400, f"Invalid {error.param}: must be one of {told}", None, error.param)


def _too_long(error: errors.TooLong) -> Answer:
    shown = error.value if len(error.value) <= 60 else f"{error.value[:29]}...{error.value[-28:]}"
    return Answer(
        400,
        f"Invalid string: {shown}; must be at most {error.limit} characters",
        None,
        error.param,
    )


def _metadata_value(error: errors.MetadataValueTooLong) -> Answer:
    return Answer(
        400,
        f"Metadata values can have up to {error.limit} characters, but you passed in a value that"
        f" is {len(error.value)} characters. Invalid value: {error.value}",
        None,
        "metadata",
    )


def _metadata_key(error: errors.MetadataKeyTooLong) -> Answer:
    return Answer(
        400,
        f"Metadata keys can have up to {error.limit} characters, but you passed in a key that is"
        f" {len(error.key)} characters. Invalid key: {error.key}",
        None,
        "metadata",
    )


def _expand(error: errors.NotExpandable) -> Answer:
    hint = f" You may want to try expanding '{error.hint}' instead." if error.hint else ""
    return Answer(400, f"This property cannot be expanded ({error.path}).{hint}")


def _uncharged(error: errors.NoSuccessfulCharge) -> Answer:
    if error.payment_intent is None:
        return Answer(
            400, f"Charge {error.charge} has failed, so it cannot be refunded.", None, "charge"
        )
    return Answer(
        400,
        f"This PaymentIntent ({error.payment_intent}) does not have a successful charge to refund.",
    )


def _uncaptured(error: errors.ChargeUncaptured) -> Answer:
    if error.payment_intent is None:
        return Answer(400, f"Charge {error.charge} has not been captured.", None, "charge")
    return Answer(
        400,
        f"This uncaptured Charge was created by a PaymentIntent ({error.payment_intent}). You must"
        " cancel the PaymentIntent to reverse the authorization instead of refunding the Charge"
        " directly. For more information, see"
        " https://stripe.com/docs/payments/place-a-hold-on-a-payment-method",
    )


def _too_much(error: errors.RefundTooLarge) -> Answer:
    wanted = format_money(error.amount, error.currency)
    left = format_money(error.remaining, error.currency)
    what = "unrefunded amount on charge" if error.partly_refunded else "charge amount"
    return Answer(400, f"Refund amount ({wanted}) is greater than {what} ({left})", None, "amount")


def _reused(error: errors.KeyReused) -> Answer:
    return Answer(
        400,
        "Keys for idempotent requests can only be used with the same parameters they were first"
        f" used with. Try using a key other than '{error.key}' if you meant to execute a different"
        " request.",
        type="idempotency_error",
    )


def _elsewhere(error: errors.KeyOfOtherEndpoint) -> Answer:
    return Answer(
        400,
        "Keys for idempotent requests can only be used for the same endpoint they were first used"
        f" for ('{error.path}' vs '{error.first_path}'). Try using a key other than '{error.key}'"
        " if you meant to execute a different request.",
        type="idempotency_error",
    )


def _unparsable(_: errors.UnparsableQuery) -> Answer:
    return Answer(
        400,
        "We were unable to parse your search query. Try using the format"
        ' `metadata["key"]:"value"` to query for metadata or key:"value" to query for other'
        " fields.",
    )


ANSWERS: dict[type[BillingError], Callable[[Any], Answer]] = {
    errors.NoSuchObject: lambda e: Answer(
        404, f"No such {e.kind}: '{e.id}'", "resource_missing", e.param
    ),
    errors.UnknownReference: lambda e: Answer(
        400, f"No such {e.kind}: '{e.id}'", "resource_missing", e.param
    ),
    errors.UnknownParameters: _unknown,
    errors.MissingParameter: lambda e: Answer(
        400, f"Missing required param: {e.param}.", "parameter_missing", e.param
    ),
    errors.EmptyValue: _empty,
    errors.InvalidInteger: lambda e: Answer(
        400, f"Invalid integer: {e.value}", "parameter_invalid_integer", e.param
    ),
    errors.BelowMinimum: lambda e: Answer(
        400,
        f"This value must be greater than or equal to {e.minimum}.",
        "parameter_invalid_integer",
        e.param,
    ),
    errors.AboveMaximum: lambda e: Answer(
        400,
        f"This value must be less than or equal to {e.maximum} (it currently is '{e.value}').",
        "parameter_invalid_integer",
        e.param,
    ),
    errors.InvalidBoolean: lambda e: Answer(400, f"Invalid boolean: {e.value}", None, e.param),
    errors.InvalidObject: lambda e: Answer(400, "Invalid object", None, e.param),
    errors.InvalidArray: lambda e: Answer(400, "Invalid array", None, e.param),
    errors.InvalidText: lambda e: Answer(400, "Invalid string", None, e.param),
    errors.UnknownChoice: _choice,
    errors.TooLong: _too_long,
    errors.InvalidEmail: lambda e: Answer(
        400, f"Invalid email address: {e.value}", "email_invalid", e.param
    ),
    errors.InvalidCurrency: lambda e: Answer(400, f"Invalid currency: {e.value}", None, e.param),
    errors.ConflictingParameters: lambda e: Answer(
        400,
        f"You may only specify one of these parameters: {', '.join(e.names)}.",
        None,
        e.names[0],
    ),
    errors.MetadataTooMany: lambda e: Answer(
        400, f"Metadata can only have up to {e.limit} keys", None, "metadata"
    ),
    errors.MetadataKeyTooLong: _metadata_key,
    errors.MetadataValueTooLong: _metadata_value,
    errors.NotExpandable: _expand,
    errors.ExpansionTooDeep: lambda e: Answer(
        400,
        f"You cannot expand more than 4 levels of a property. Property: {e.path}",
        "property_expansion_max_depth",
    ),
    errors.UnparsableQuery: _unparsable,
    errors.UnsearchableField: lambda e: Answer(
        400, f"Field `{e.field}` is an unsupported search field for resource `{e.kind}`."
    ),
    errors.InvalidPage: lambda e: Answer(400, f"{e.page} is an invalid page.", None, "page"),
    errors.RefundTargetMissing: lambda _: Answer(
        400,
        "One of the following params should be provided for this request: payment_intent or"
        " charge.",
    ),
    errors.NoSuccessfulCharge: _uncharged,
    errors.ChargeAlreadyRefunded: lambda e: Answer(
        400, f"Charge {e.charge} has already been refunded.", "charge_already_refunded"
    ),
    errors.ChargeDisputed: lambda e: Answer(
        400,
        f"Charge {e.charge} has been charged back; cannot issue a refund.",
        "charge_disputed",
    ),
    errors.ChargeUncaptured: _uncaptured,
    errors.RefundTooLarge: _too_much,
    errors.RefundNotCancelable: lambda _: Answer(400, "Canceling this refund is unsupported."),
    errors.SubscriptionEnded: lambda _: Answer(
        400,
        "A canceled subscription can only update its cancellation_details and metadata.",
    ),
    errors.InvoiceNotPayable: lambda e: Answer(
        400,
        "Invoice is already paid" if e.status == "paid" else "Invoice is not open",
        "invoice_not_editable" if e.status != "paid" else None,
    ),
    errors.NoUpcomingInvoice: lambda e: Answer(
        404, f"No upcoming invoices for customer: {e.customer}", "invoice_upcoming_none"
    ),
    errors.LookupKeyTaken: lambda e: Answer(
        400,
        f"A price (`{e.price}`) already uses that lookup key.",
        "resource_already_exists",
        "lookup_key",
    ),
    errors.KeyReused: _reused,
    errors.KeyOfOtherEndpoint: _elsewhere,
    errors.NotFormEncoded: lambda _: Answer(
        400,
        "Invalid request (check that your POST content type is"
        " application/x-www-form-urlencoded). If you have any questions, we can help at"
        " https://support.stripe.com/.",
    ),
}


def answer_to(error: BillingError) -> Answer:
    """Return the vendor's answer to an error of ours.

    Raises:
        KeyError: the error has no row in `ANSWERS`.
    """
    return ANSWERS[type(error)](error)


def from_input(error: InvalidInput) -> BillingError:
    """Return what is wrong with the parameters of a request."""
    if error.error is None:
        return errors.NotFormEncoded()
    return _of_parameters(error.error)


def _of_parameters(error: ValidationError) -> BillingError:
    found = error.errors(include_url=False, include_context=True)
    unknown = tuple(_name(item["loc"]) for item in found if item["type"] == "extra_forbidden")
    if unknown:
        return errors.UnknownParameters(unknown[0], unknown)
    first = found[0]
    name, kind, value = _name(first["loc"]), first["type"], first["input"]
    context = first.get("ctx", {})
    simple: dict[str, BillingError] = {
        "missing": errors.MissingParameter(name),
        "empty": errors.EmptyValue(name),
        "integer": errors.InvalidInteger(name, _shown(value)),
        "boolean": errors.InvalidBoolean(name, _shown(value)),
        "array": errors.InvalidArray(name),
        "object": errors.InvalidObject(name),
        "model_type": errors.InvalidObject(name),
        "dict_type": errors.InvalidObject(name),
    }
    if kind in simple:
        return simple[kind]
    if kind == "greater_than_equal":
        return errors.BelowMinimum(name, int(context["ge"]))
    if kind == "less_than_equal":
        return errors.AboveMaximum(name, int(context["le"]), int(value))
    if kind == "literal_error" and value == "":
        return errors.EmptyValue(name)
    if kind == "literal_error":
        words = str(context["expected"]).replace(" or ", ", ").split(", ")
        choices = [word.strip("'") for word in words]
        return errors.UnknownChoice(name, tuple(choice for choice in choices if choice))
    return errors.InvalidText(name)


def _name(location: tuple[int | str, ...]) -> str:
    """Return a parameter's name on the wire: `created[gte]`."""
    first, *rest = location
    return str(first) + "".join(f"[{part}]" for part in rest)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else "{}" if isinstance(value, dict) else str(value)
