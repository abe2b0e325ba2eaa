"""How billing's API authorises, answers and refuses."""

from __future__ import annotations

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from pydantic_core import to_json

from clones.billing.api.errors import HELP, Answer, answer_to, from_input
from clones.billing.api.version import API_VERSION
from clones.billing.errors import BillingError, NotFormEncoded
from clones.core.accounts import Presented, basic_parts, bearer_text
from clones.core.ids import code_text
from clones.core.operations import Call, InvalidInput
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import RefusalReason

KEY_PREFIX = "sk_test_"
NO_KEY = (
    "You did not provide an API key. You need to provide your API key in the Authorization header,"
    " using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See"
    " https://stripe.com/docs/api#authentication for details, or we can help at"
    " https://support.stripe.com/."
)
TRAILING_SLASH = (
    " If you are trying to list objects, remove the trailing slash. If you are trying to retrieve"
    " an object, make sure you passed a valid (non-empty) identifier in your code."
)


def key_text(request: HttpRequest) -> str | None:
    """Return the key a request carries, as it carries it, or None."""
    text = bearer_text(request)
    if text is None:
        parts = basic_parts(request)
        text = parts[0] if parts is not None else None
    return text or None


def presented(request: HttpRequest) -> Presented | None:
    """Return the secret a request presents, or None."""
    text = key_text(request)
    if text is None:
        return None
    return Presented(secret=text.removeprefix(KEY_PREFIX), login=None, kinds=("secret_key",))


def redacted(key: str) -> str:
    """Return a key as the vendor's errors show it: its kind and its last four letters."""
    prefix = KEY_PREFIX if key.startswith(KEY_PREFIX) else ""
    rest = key[len(prefix) :]
    hidden = max(len(rest) - 4, 0)
    return prefix + "*" * hidden + rest[hidden:]


def request_number(request: HttpRequest) -> str:
    """Return the request's id in the vendor's form."""
    return "req_" + code_text(str(getattr(request, "request_id", "")), 14)


class BillingDialect:
    """The vendor's ways (see `clones.core.operations.registry.Dialect`)."""

    def authorize(self, call: Call) -> HttpResponse | None:
        """Let secret keys in, and nobody else: a panel's session is no key."""
        found = call.request.authenticated
        if found is None or found.credential is None:
            return self.refuse(call.request, "unauthenticated")
        key = key_text(call.request) or ""
        other = call.request.headers.get("Stripe-Account")
        if other:
            return self.error(call.request, _no_access(key, other))
        call.actor = f"billing.account:{found.account.id}"
        return None

    def respond(self, call: Call, body: bytes, status: int) -> HttpResponse:
        """Wrap a body in the vendor's headers."""
        return self.wrap(call.request, body, status)

    def fail(self, request: SandboxRequest, error: Exception) -> HttpResponse | None:
        """Return the vendor's body for an error of ours, None for a bug."""
        if isinstance(error, InvalidInput):
            error = from_input(error)
        elif isinstance(error, SuspiciousOperation):
            error = NotFormEncoded()
        if not isinstance(error, BillingError):
            return None
        return self.error(request, answer_to(error))

    def refuse(self, request: HttpRequest, reason: RefusalReason) -> HttpResponse:
        """Answer for what never reached an operation."""
        return self.error(request, _refusal(request, reason))

    def error(self, request: HttpRequest, answer: Answer) -> HttpResponse:
        """Return an error's response."""
        response = self.wrap(request, to_json(answer.body), answer.status)
        if answer.status == 401:
            response["WWW-Authenticate"] = 'Basic realm="Stripe"'
        elif answer.status == 429:
            response["Stripe-Rate-Limited-Reason"] = "global-rate"
        return response

    def wrap(self, request: HttpRequest, body: bytes, status: int) -> HttpResponse:
        """Return a response with the headers that every answer has."""
        response = HttpResponse(body, status=status, content_type="application/json")
        response["Cache-Control"] = "no-cache, no-store"
        response["Request-Id"] = request_number(request)
        response["Stripe-Version"] = API_VERSION
        key = request.headers.get("Idempotency-Key")
        if key and request.method == "POST":
            response["Idempotency-Key"] = key
        return response


def _no_access(key: str, account: str) -> Answer:
    return Answer(
        403,
        f"The provided key '{redacted(key)}' does not have access to account '{account}' (or that"
        " account does not exist). Application access may have been revoked.",
        "account_invalid",
    )


def _refusal(request: HttpRequest, reason: RefusalReason) -> Answer:
    match reason:
        case "unauthenticated" | "unknown_sandbox":
            key = key_text(request)
            if key is None:
                return Answer(401, NO_KEY)
            return Answer(401, f"Invalid API Key provided: {redacted(key)}")
        case "unknown_path" | "wrong_method":
            hint = TRAILING_SLASH if request.path.endswith("/") else ""
            return Answer(
                404,
                f"Unrecognized request URL ({request.method}: {request.path}).{hint} {HELP}",
            )
        case "rate_limited":
            return Answer(
                429,
                "Request rate limit exceeded. Learn more about rate limits here"
                " https://stripe.com/docs/rate-limits.",
                "rate_limit",
            )
        case "too_large":
            return Answer(431, "The request's headers are too large.")
        case "unavailable":
            return Answer(503, "The service is unavailable. Please try again.", type="api_error")
        case "failed":
            return Answer(500, "An unknown error occurred", type="api_error")


dialect = BillingDialect()
