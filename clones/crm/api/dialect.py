"""How the API authorises, answers and refuses."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from pydantic_core import to_json

from clones.core.operations import Call, InvalidInput
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import RefusalReason
from clones.crm.api.asynchronous.answers import refused_request
from clones.crm.api.credentials import access_token, presented, stranger
from clones.crm.api.errors import NO_SESSION, Answer, answer_to, from_input, in_order, refusal
from clones.crm.api.operations import operations
from clones.crm.api.printing import printed
from clones.crm.api.soap.envelope import refused_call
from clones.crm.errors import CrmError

__all__ = ["PUBLIC", "CrmDialect", "access_token", "dialect", "presented"]

PUBLIC: Final = "public"
_JSON: Final = "application/json;charset=UTF-8"
# Where a token that proves nothing is refused in two words, not in the body that the API has.
_OF_IDENTITY: Final = ("/services/oauth2/userinfo", "/services/oauth2/singleaccess", "/id/")


def _check_media_type(call: Call) -> None:
    """Refuse a body of a type that the operation does not read.

    Raises:
        CrmError: it is neither JSON nor, where files are taken, a form with parts.
    """
    operation, kind = call.operation, call.request.content_type or ""
    if operation.body is None or kind in ("", "application/json"):
        return
    if operation.raw_body and kind == "multipart/form-data":
        return
    if call.request.body:
        raise CrmError(
            f"MediaType of '{kind[:200]}' is not supported by this resource",
            code="UNSUPPORTED_MEDIA_TYPE",
            status=415,
        )


class CrmDialect:
    """The vendor's ways (see `clones.core.operations.registry.Dialect`)."""

    def authorize(self, call: Call) -> HttpResponse | None:
        """Let sessions in, and whoever comes to a public address."""
        found = call.request.authenticated
        if found is not None and found.credential is not None:
            call.actor = found.account
            _check_media_type(call)
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
        if reason == "unauthenticated" and request.path.startswith(_OF_IDENTITY):
            said = "Bad_OAuth_Token" if presented(request) else "Missing_OAuth_Token"
            return HttpResponse(said, status=403, content_type="text/html;charset=UTF-8")
        if reason == "unauthenticated" and (error := stranger(request)) is not None:
            return self._error(request, answer_to(error))
        fault = refused_call(request, reason) or refused_request(request, reason)
        if fault is not None:
            return fault
        allowed = operations.allowed_at(request.path) if reason == "wrong_method" else []
        answer = refusal(reason, request.method or "GET", in_order(allowed))
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
