"""Billing's operations: registered here, with what every one of them shares.

A POST that carries an idempotency key is executed once: its answer, refusals included, is kept and
replayed byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from pydantic import BaseModel
from pydantic_core import to_json

from clones.billing.api.dialect import dialect, request_number
from clones.billing.api.errors import answer_to
from clones.billing.api.parameters import Expanding
from clones.billing.domain.idempotency import find_answer, keep_answer
from clones.billing.errors import BillingError, InvalidParameter, TooLong
from clones.core.idempotency import digest_of
from clones.core.operations import Call, Operations

KEY_LENGTH = 255

operations = Operations(
    "billing",
    prefix="/v1",
    modules=(
        "clones.billing.api.views.balance",
        "clones.billing.api.views.catalogue",
        "clones.billing.api.views.charges",
        "clones.billing.api.views.customers",
        "clones.billing.api.views.disputes",
        "clones.billing.api.views.events",
        "clones.billing.api.views.intents",
        "clones.billing.api.views.invoices",
        "clones.billing.api.views.offers",
        "clones.billing.api.views.refunds",
        "clones.billing.api.views.subscriptions",
        "clones.billing.api.views.unused",
    ),
)

View = Callable[[Call], Any]


def read(
    id: str, path: str, *, summary: str, query: type[BaseModel] = Expanding
) -> Callable[[View], View]:
    """Register a view that answers GET."""
    return operations.operation(
        id,
        "GET",
        path,
        summary=summary,
        query=query,
        access="secret_key",
        form_body=True,
    )


def write(
    id: str, path: str, *, summary: str, body: type[BaseModel] = Expanding
) -> Callable[[View], View]:
    """Register a view that answers POST, once for each idempotency key."""

    def register(view: View) -> View:
        return operations.operation(
            id,
            "POST",
            path,
            summary=summary,
            body=body,
            access="secret_key",
            form_body=True,
        )(_once(view))

    return register


def end(id: str, path: str, *, summary: str, query: type[BaseModel]) -> Callable[[View], View]:
    """Register a view that answers DELETE."""
    return operations.operation(
        id,
        "DELETE",
        path,
        summary=summary,
        query=query,
        access="secret_key",
        form_body=True,
    )


def _once(view: View) -> View:
    """Return the view made to execute once for each idempotency key."""

    @wraps(view)
    def execute(call: Call) -> Any:
        key = call.request.headers.get("Idempotency-Key")
        if not key:
            return view(call)
        if len(key) > KEY_LENGTH:
            raise TooLong("Idempotency-Key", key, KEY_LENGTH)
        path, digest = call.request.path, digest_of(call.body)
        kept = find_answer(key, path=path, digest=digest)
        if kept is not None:
            response = dialect.wrap(call.request, kept.answer.encode(), kept.status)
            response["Original-Request"] = kept.request
            response["Idempotent-Replayed"] = "true"
            return response
        response = _first_answer(view, call)
        keep_answer(
            key,
            path=path,
            digest=digest,
            status=response.status_code,
            answer=response.content.decode(),
            request=request_number(call.request),
        )
        call.request.keep_on_error = True
        response["Original-Request"] = request_number(call.request)
        return response

    return execute


def _first_answer(view: View, call: Call) -> HttpResponse:
    """Return the view's answer or refusal; what a refused request wrote is undone."""
    try:
        with transaction.atomic():
            body = to_json(view(call))
    except InvalidParameter:
        raise  # nothing was executed, so the vendor keeps no answer
    except BillingError as error:
        return dialect.error(call.request, answer_to(error))
    return dialect.respond(call, body, call.operation.status)
