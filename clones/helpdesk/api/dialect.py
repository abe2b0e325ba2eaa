"""How the vendor's API answers: who may call, which headers, which error bodies."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from pydantic import BaseModel
from pydantic_core import to_json

from clones.core.accounts import Presented, basic_parts, bearer_text
from clones.core.operations import Call, InvalidInput
from clones.core.operations.forgery import is_forged
from clones.core.ratelimit import Rate
from clones.core.strict_json import read_json, says_nul
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import RefusalReason
from clones.helpdesk.api import errors
from clones.helpdesk.api.paging import PagingError
from clones.helpdesk.api.products import product_of
from clones.helpdesk.domain.errors import HelpdeskError, InvalidAttribute
from clones.helpdesk.models import User
from clones.helpdesk.queries.hot import ACTIVE_USER, TOKEN_SCOPES
from clones.helpdesk.rules import scopes

# What the headers say where no limit is set: every minute begins anew.
UNLIMITED = Rate(limit=700, remaining=699, reset=60, exceeded=False)
ATTACHMENTS = "/attachments/token/"
JSON = "application/json; charset=utf-8"
# Of the keys that a body should not have, those that a header names, and letters of each.
MOST_WARNED = 100
LONGEST_KEY = 100


def presented(request: HttpRequest) -> Presented | None:
    """Return a request's credential: Basic (token or password), Bearer, or a file's token."""
    if request.path.startswith(ATTACHMENTS):
        return Presented(request.path[len(ATTACHMENTS) :].split("/")[0], None, ())
    bearer = bearer_text(request)
    if bearer is not None:
        return Presented(bearer, None, ("oauth_token",))
    parts = basic_parts(request)
    if parts is None:
        return None
    login, secret = parts
    if login.endswith("/token"):
        return Presented(secret, login.removesuffix("/token"), ("api_token",))
    return Presented(secret, login, ("password",))


def refuse(request: HttpRequest, reason: RefusalReason) -> HttpResponse:
    """Answer for what never reached an operation."""
    status, body = errors.REFUSALS[reason]
    response = HttpResponse(to_json(body), status=status, content_type=JSON)
    response["cache-control"] = "no-cache"
    response["x-zendesk-api-version"] = "v2"
    if reason == "rate_limited":
        rate: Rate | None = getattr(request, "rate", None)
        response["Retry-After"] = str(rate.reset if rate is not None else UNLIMITED.reset)
    if reason == "unauthenticated":
        response["WWW-Authenticate"] = 'Basic realm="Web Password"'
    return response


class HelpdeskDialect:
    """The dialect of the helpdesk's API."""

    def authorize(self, call: Call) -> HttpResponse | None:
        """Set the acting user and hold them to the operation's access.

        Access is `anyone`, `end-user` (signed in), `agent` or `admin`.
        """
        request = call.request
        found = request.authenticated
        if found is None:
            wrong_token = _gave_token(request)
            if call.operation.access == "anyone" and not wrong_token:
                return None
            return self.refuse(request, "unauthenticated")
        user = ACTIVE_USER.first(int(found.account.subject))
        if user is None or user.suspended:
            return self.refuse(request, "unauthenticated")
        if not call.operation.raw_body and says_nul(request.body):
            # One database refuses NUL in text and the other does not: neither gets to see it.
            refused = InvalidAttribute("body", "free of NUL")
            return self._answer(request, *errors.domain_answer(refused))
        call.actor = user
        if is_forged(request):
            return self._answer(request, 403, errors.NO_ACCESS)
        missing = _missing_scope(call, found.credential)
        if missing is not None:
            text = f"You are missing the following required scopes: {missing}"
            return self._answer(request, 403, errors.coded("Forbidden", text))
        if not _allowed(call.operation.access, user):
            return self._answer(request, 403, errors.NO_ACCESS)
        return None

    def respond(self, call: Call, body: bytes, status: int) -> HttpResponse:
        """Answer with the headers of success: rate limits, entity tag, version, warnings."""
        request = call.request
        response = HttpResponse(body, status=status)
        response["Content-Type"] = JSON
        if request.method in ("GET", "HEAD") and status == 200:
            tag = f'W/"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'
            if tag in _tags(request.headers.get("If-None-Match", "")):
                response = HttpResponse(status=304)
            response["etag"] = tag
        response["cache-control"] = "max-age=0, private, must-revalidate"
        if status == 204:
            del response["Content-Type"]
        self._common(request, response)
        unpermitted = _unpermitted(call)
        if unpermitted:
            response["x-zendesk-api-warn"] = _warning(call, unpermitted)
        return response

    def fail(self, request: SandboxRequest, error: Exception) -> HttpResponse | None:
        """Return the vendor's body for a refusal, None for a bug of ours."""
        if isinstance(error, HelpdeskError):
            return self._answer(request, *errors.domain_answer(error))
        if isinstance(error, PagingError):
            return self._answer(request, *errors.paging_answer(error))
        if isinstance(error, InvalidInput):
            return self._answer(request, *errors.input_answer(error))
        return None

    def refuse(self, request: SandboxRequest, reason: RefusalReason) -> HttpResponse:
        """Answer for what never reached an operation."""
        if reason == "unknown_path" and product_of(request.path) is not None:
            if request.authenticated is not None:
                return self._answer(request, 403, errors.NOT_IN_PLAN)
            reason = "unauthenticated"
        response = refuse(request, reason)
        self._common(request, response)
        return response

    def _answer(self, request: SandboxRequest, status: int, body: dict[str, Any]) -> HttpResponse:
        response = HttpResponse(to_json(body), status=status, content_type=JSON)
        response["cache-control"] = "no-cache"
        self._common(request, response)
        return response

    def _common(self, request: SandboxRequest, response: HttpResponse) -> None:
        rate = request.rate or UNLIMITED
        response["x-zendesk-api-version"] = "v2"
        response["x-request-id"] = request.request_id
        response["x-rate-limit"] = response["rate-limit"] = str(rate.limit)
        response["x-rate-limit-remaining"] = str(rate.remaining)
        response["rate-limit-remaining"] = str(rate.remaining)
        response["rate-limit-reset"] = str(rate.reset)


def _allowed(access: str, user: User) -> bool:
    if access == "admin":
        return user.role == "admin"
    if access == "agent":
        return user.is_agent
    return True


def _missing_scope(call: Call, credential: int | None) -> str | None:
    """Return the access that a bearer token lacks; one that was handed out may do everything."""
    if credential is None or bearer_text(call.request) is None:
        return None
    given = TOKEN_SCOPES.first(credential)
    method, resource = call.operation.method, call.operation.segments[2]
    if given is None or scopes.allows(given, method, resource):
        return None
    return scopes.needed(method)


def _gave_token(request: HttpRequest) -> bool:
    """Tell whether a token was presented: a wrong one is refused where a wrong password is not."""
    found = presented(request)
    return found is not None and found.kinds != ("password",)


def _tags(header: str) -> list[str]:
    return [item.strip() for item in header.split(",") if item.strip()]


def _unpermitted(call: Call) -> list[str]:
    """Return the body keys that the operation does not know, as the vendor lists them."""
    if call.operation.raw_body or call.operation.form_body:
        return []
    if isinstance(call.body, BaseModel):
        return _extra(call.body, "")
    if call.operation.body is not None or not call.request.body:
        return []
    try:
        body = read_json(call.request.body)
    except ValueError:
        return []
    found: list[str] = []
    for name, value in body.items() if isinstance(body, dict) else ():
        if isinstance(value, dict):
            found.extend(f"{name}.{inner}" for inner in value)
        found.append(name)
    return found


def _extra(model: BaseModel, prefix: str) -> list[str]:
    found: list[str] = []
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            found.extend(_extra(value, f"{prefix}{name}."))
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, BaseModel):
                    found.extend(_extra(item, f"{prefix}{name}."))
    found.extend(f"{prefix}{name}" for name in model.model_extra or {})
    return list(dict.fromkeys(found))


_ACTIONS = {
    "GET": "show",
    "POST": "create",
    "PUT": "update",
    "PATCH": "update",
    "DELETE": "destroy",
}


def _warning(call: Call, keys: list[str]) -> str:
    segments = [part for part in call.operation.segments[2:] if not part.startswith("{")]
    controller = segments[-1] if segments else "api"
    listed = ", ".join(json.dumps(key[:LONGEST_KEY]) for key in keys[:MOST_WARNED])
    return (
        f'{{:allowed_parameters=>{{:controller=>"{controller}", '
        f':action=>"{_ACTIONS[call.operation.method]}", '
        f":unpermitted_keys=>[{listed}], :invalid_values=>[]}}}}"
    )
