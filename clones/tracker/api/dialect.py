"""How the vendor's API answers: who may call, which headers, which error bodies."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from django.http import HttpRequest, HttpResponse
from pydantic_core import to_json

from clones.core import clock
from clones.core.accounts import Presented, basic_parts, bearer_text
from clones.core.operations import Call, InvalidInput
from clones.core.operations.forgery import is_forged
from clones.core.ratelimit import Rate
from clones.core.strict_json import says_nul
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import RefusalReason
from clones.tracker.api import errors
from clones.tracker.api.operations import ANYTHING, consumed
from clones.tracker.api.operations import JSON as JSON_BODY
from clones.tracker.domain.errors import NotFound, TrackerError
from clones.tracker.models import User
from clones.tracker.queries.hot import ACTIVE_USER
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.queries.write_limits import write_pause
from clones.tracker.rules.jql import JqlError

JSON = "application/json;charset=UTF-8"
PROBLEM = "application/problem+json;charset=UTF-8"
_PROBLEMS: dict[RefusalReason, tuple[str, str]] = {
    "unknown_path": ("Not Found", "No endpoint {method} {path}."),
    "wrong_method": ("Method Not Allowed", "Method '{method}' is not supported."),
}
# What the headers say where no limit is set.
UNLIMITED = Rate(limit=350, remaining=349, reset=60, exceeded=False)
# What stands before an issue in the paths of what is done with one.
ISSUES = ("issue", "request")
# Where a request keeps the account id of its caller, for the answer's headers.
_ACCOUNT = "tracker.account_id"


def presented(request: HttpRequest) -> Presented | None:
    """Return a request's credential: Basic (API token or password), or a bearer token."""
    bearer = bearer_text(request)
    if bearer is not None:
        return Presented(bearer, None, ("oauth_token", "api_token"))
    parts = basic_parts(request)
    if parts is None:
        return None
    login, secret = parts
    return Presented(secret, login, ("api_token", "password"))


def refuse(request: HttpRequest, reason: RefusalReason) -> HttpResponse:
    """Answer for what never reached an operation."""
    path, status = request.path, errors.REFUSALS[reason][0]
    if reason == "unauthenticated":
        return _sign_in(request)
    if reason in _PROBLEMS:
        title, detail = _PROBLEMS[reason]
        return _problem(path, status, title, detail.format(method=request.method, path=path))
    body = errors.body(path, [errors.REFUSALS[reason][1]], {}, None)
    response = HttpResponse(to_json(body), status=status, content_type=JSON)
    if reason == "rate_limited":
        rate: Rate | None = getattr(request, "rate", None)
        response["Retry-After"] = str(rate.reset if rate is not None else UNLIMITED.reset)
        response["RateLimit-Reason"] = "jira-burst-based"
    return response


def _sign_in(request: HttpRequest) -> HttpResponse:
    """Tell who is nobody to sign in: in plain text; a bearer token that is none in JSON."""
    if bearer_text(request) is not None:
        body = to_json({"error": errors.UNREADABLE_TOKEN})
        return HttpResponse(body, status=403, content_type=JSON)
    said: str | bytes = errors.SIGN_IN
    kind = "text/html;charset=UTF-8"
    if request.path.startswith(errors.DESK):
        said, kind = to_json(errors.desk_envelope(errors.SIGN_IN)), JSON
    response = HttpResponse(said, status=401, content_type=kind)
    response["WWW-Authenticate"] = 'OAuth realm="https%3A%2F%2Fsite"'
    return response


def _problem(path: str, status: int, title: str, detail: str) -> HttpResponse:
    body = errors.problem(path, status, title, detail)
    return HttpResponse(to_json(body), status=status, content_type=PROBLEM)


def _is_json(media_type: str) -> bool:
    return media_type == "application/json" or media_type.endswith("+json")


class TrackerDialect:
    """The dialect of the tracker's API."""

    def authorize(self, call: Call) -> HttpResponse | None:
        """Set the acting user's rights and hold them to the operation's access.

        Access is `anyone`, `user` (signed in) or `admin` (of the site).
        """
        request = call.request
        found = request.authenticated
        user: User | None = None
        if found is not None:
            user = ACTIVE_USER.first(int(found.account.subject))
        # A name and password that are nobody's are no credential: who has them is anonymous.
        is_unread = user is None and bearer_text(request) is not None
        if is_unread or (user is None and call.operation.access != "anyone"):
            return self.refuse(request, "unauthenticated")
        refusal = self._media_type(call)
        if refusal is not None:
            return refusal
        if not call.operation.raw_body and says_nul(request.body):
            # One database refuses NUL in text and the other does not: neither gets to see it.
            return self._answer(request, 400, ["The request contains characters of no text."])
        call.actor = Rights(user)
        if user is not None:
            request.META[_ACCOUNT] = user.account_id
        if is_forged(request):
            return self._answer(request, 403, ["XSRF check failed"])
        if call.operation.access == "admin" and not call.actor.is_admin:
            return self._answer(request, 403, [errors.NOT_ADMIN])
        return self._too_many_writes(call)

    def _too_many_writes(self, call: Call) -> HttpResponse | None:
        """Refuse to write to an issue that was written to too often just now."""
        asked = call.request.path.strip("/").split("/")[1:]
        names = [
            name
            for (before, place), name in zip(pairwise(call.operation.segments), asked, strict=False)
            if before in ISSUES and place.startswith("{")
        ]
        if not names or not call.operation.writes or not clock.is_live():
            return None
        try:
            wait = write_pause(find_issue(call.actor, names[0]))
        except NotFound:  # the operation says in its own words that there is none
            return None
        if not wait:
            return None
        response = self.refuse(call.request, "rate_limited")
        response["Retry-After"] = str(wait)
        response["RateLimit-Reason"] = "jira-per-issue-on-write"
        return response

    def _media_type(self, call: Call) -> HttpResponse | None:
        """Refuse a body of another type than the operation's, which is JSON unless it says so.

        Where nothing is sent nothing need be said.
        """
        request, operation = call.request, call.operation
        wanted = consumed(operation)
        if (operation.body is None and not operation.raw_body) or wanted == ANYTHING:
            return None
        said = request.content_type or ""
        if said in wanted or (_is_json(said) and JSON_BODY[0] in wanted):
            return None
        if not said and not request.body:
            return None
        name = request.headers.get("Content-Type") or "null"
        detail = f"Content-Type '{name}' is not supported."
        response = _problem(request.path, 415, "Unsupported Media Type", detail)
        response["Accept"] = ", ".join(wanted)
        self._common(request, response)
        return response

    def respond(self, call: Call, body: bytes, status: int) -> HttpResponse:
        """Answer with the headers of success."""
        response = HttpResponse(body, status=status)
        response["Content-Type"] = JSON
        if not body:
            del response["Content-Type"]
        self._common(call.request, response)
        return response

    def fail(self, request: SandboxRequest, error: Exception) -> HttpResponse | None:
        """Return the vendor's body for a refusal, None for a bug of ours."""
        found: errors.Answer | None = None
        if isinstance(error, TrackerError):
            found = errors.domain_answer(request.path, error)
        elif isinstance(error, JqlError):
            found = errors.jql_answer(request.path, error)
        elif isinstance(error, InvalidInput):
            found = errors.input_answer(request.path, error)
        if found is None:
            return None
        status, body = found
        return self._json_response(request, status, body)

    def refuse(self, request: SandboxRequest, reason: RefusalReason) -> HttpResponse:
        """Answer for what never reached an operation."""
        response = refuse(request, reason)
        self._common(request, response)
        return response

    def _answer(self, request: SandboxRequest, status: int, messages: list[str]) -> HttpResponse:
        return self._json_response(request, status, errors.body(request.path, messages, {}, None))

    def _json_response(self, request: SandboxRequest, status: int, body: Any) -> HttpResponse:
        response = HttpResponse(to_json(body), status=status, content_type=JSON)
        self._common(request, response)
        return response

    def _common(self, request: SandboxRequest, response: HttpResponse) -> None:
        rate = request.rate or UNLIMITED
        response["Cache-Control"] = "no-cache, no-store, no-transform"
        response["X-ARequestId"] = request.request_id
        response["Atl-TraceId"] = request.request_id.replace("-", "")[:32]
        response["X-RateLimit-Limit"] = str(rate.limit)
        response["X-RateLimit-Remaining"] = str(rate.remaining)
        if account_id := request.META.get(_ACCOUNT):
            response["X-AAccountId"] = account_id
