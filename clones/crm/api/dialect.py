"""How the API authorises, answers and refuses."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.request import RawPostDataException
from pydantic_core import to_json

from clones.core.accounts import Presented, bearer_text
from clones.core.operations import Call, InvalidInput
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import RefusalReason
from clones.crm.api.errors import NO_SESSION, Answer, answer_to, from_input, refusal
from clones.crm.api.printing import printed
from clones.crm.errors import CrmError
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.record_ids import short_id

TOKEN_PATH: Final = "/services/oauth2/token"  # noqa: S105 - an address
PUBLIC: Final = "public"
_JSON: Final = "application/json;charset=UTF-8"
_SECRET: Final = 40  # characters of a password; what follows them is the vendor's security token


def access_token(secret: str) -> str:
    """Return a secret as the vendor's clients send it: the organization's id before it."""
    return f"{short_id(ORGANIZATION_ID)}!{secret}"


def presented(request: HttpRequest) -> Presented | None:
    """Return what a request presents: a session in a header, or a password at the token address."""
    if request.path == TOKEN_PATH and request.method == "POST":
        form = token_form(request)
        if form.get("grant_type") == "password":
            password = form.get("password", "")[:_SECRET]
            return Presented(secret=password, login=form.get("username"), kinds=("password",))
    token = bearer_text(request) or request.headers.get("X-SFDC-Session", "")
    if not token:
        return None
    return Presented(secret=token.rpartition("!")[2], login=None, kinds=("api_token",))


def token_form(request: HttpRequest) -> QueryDict:
    """Return the form that was posted to the token address, or its query."""
    try:
        posted = QueryDict(request.body, encoding="utf-8")
    except (UnicodeDecodeError, RawPostDataException, SuspiciousOperation):
        return QueryDict()
    return posted if posted.get("grant_type") else request.GET


class CrmDialect:
    """The vendor's ways (see `clones.core.operations.registry.Dialect`)."""

    def authorize(self, call: Call) -> HttpResponse | None:
        """Let sessions in, and whoever comes to a public address."""
        found = call.request.authenticated
        if found is not None and found.credential is not None:
            call.actor = found.account
            return None
        if call.operation.access == PUBLIC:
            return None
        return self.refuse(call.request, "unauthenticated")

    def respond(self, call: Call, body: bytes, status: int) -> HttpResponse:
        """Wrap a body in the headers that every answer has."""
        return self._wrap(call.request, body, status)

    def fail(self, request: SandboxRequest, error: Exception) -> HttpResponse | None:
        """Return the body for an error of ours, None for a bug."""
        if isinstance(error, InvalidInput):
            error = from_input(error)
        elif isinstance(error, SuspiciousOperation):
            error = from_input(InvalidInput("body", None))
        return self._error(request, answer_to(error)) if isinstance(error, CrmError) else None

    def refuse(self, request: HttpRequest, reason: RefusalReason) -> HttpResponse:
        """Answer for what never reached an operation."""
        answer = refusal(reason, request.method or "GET")
        if reason == "unauthenticated" and presented(request) is None:
            answer.body[0]["message"] = NO_SESSION
        return self._error(request, answer)

    def _error(self, request: HttpRequest, answer: Answer) -> HttpResponse:
        response = self._wrap(request, to_json(answer.body), answer.status)
        if answer.status == 401:
            response["WWW-Authenticate"] = "Token"
        return response

    def _wrap(self, request: HttpRequest, body: bytes, status: int) -> HttpResponse:
        if body and request.headers.get("X-PrettyPrint") == "1":
            body = printed(read_json(body)).encode()
        response = HttpResponse(body, status=status)
        if body:
            response["Content-Type"] = _JSON
        else:
            del response["Content-Type"]
        response["Cache-Control"] = "no-cache,must-revalidate,max-age=0,no-store,private"
        return response


dialect = CrmDialect()
