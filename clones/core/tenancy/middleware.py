"""One request, one sandbox, one transaction, one generation.

The generation is read on arrival, inside the transaction (after its snapshot is taken) and before
answering: a request happens wholly before a reset or wholly after it, else it answers 503.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from datetime import datetime
from functools import cache

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotFound
from django.utils.http import http_date

from clones.core import clock, execution, faults, jobs, ratelimit, sightings
from clones.core.accounts import handover
from clones.core.accounts.authentication import (
    Authenticated,
    authenticate,
    authenticate_session,
)
from clones.core.digits import is_digits
from clones.core.journal import act, journal
from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from clones.core.state import COLUMNS, ROW, state_of
from clones.core.tenancy import watching
from clones.core.tenancy.addressing import Address, resolve
from clones.core.tenancy.context import unit_of_work
from clones.core.tenancy.errors import SandboxResetting
from clones.core.tenancy.registry import SandboxRow
from clones.core.tracing import request_span
from clones.core.vendors import Clone, VendorFault

logger = logging.getLogger(__name__)

READS = frozenset({"GET", "HEAD", "OPTIONS"})
HEADER_LIMIT = 32 * 1024
# What the log says of a request that used more of the processor than a request may: what it asked
# for is the cause.
OUT_OF_TIME = "out_of_time"
# Of what a request asks, in what is said of those under way.
ASKED_LENGTH = 200
# And of one that was answered, and took long because of what it asked for.
WORKED_LONG = "worked_long"
# And of one that would have made its sandbox larger than a sandbox may be.
OVER_QUOTA = "over_quota"
# Bytes of a disk with which it is taken for full.
LAST_ROOM = 64 * 1024 * 1024


class SandboxRequest(HttpRequest):
    """A request with what the middleware found out: set before any view runs."""

    clone: Clone
    sandbox: SandboxRow
    authenticated: Authenticated | None
    request_id: str
    rate: ratelimit.Rate | None
    operation_id: str | None
    keep_on_error: bool
    left_work: bool
    over_quota: bool
    # What a request that reads leads to beside its answer: ambient writes, each an act of its own.
    led_to: list[Callable[[], object]]
    # The sandbox's time at which it is answered, once that is known.
    answered_at: datetime | None


class SandboxMiddleware:
    """Resolve the sandbox, bind its connection, open the transaction, log the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: SandboxRequest) -> HttpResponseBase:
        """Answer one request."""
        started, at = time.perf_counter(), time.time()
        _replace_nul(request)
        request.request_id = server().requests.next_id()
        request.operation_id = None
        request.keep_on_error = False
        request.authenticated = None
        request.rate = None
        request.left_work = False
        request.led_to = []
        request.over_quota = False
        request.answered_at = None
        address = resolve(request)
        entry = LoggedRequest(
            id=request.request_id,
            at=at,
            sandbox=address.row.id if address.row else None,
            generation=address.row.generation if address.row else None,
            clone=address.clone.name if address.clone else None,
            account=None,
            operation=None,
            method=request.method or "",
            path=request.path[:500],
            status=500,
            milliseconds=0.0,
            position=None,
            step=None,
            fault=None,
        )
        with request_span(entry, address.row):
            return self._log(request, address, entry, started)

    def process_exception(
        self, request: SandboxRequest, error: Exception
    ) -> HttpResponseBase | None:
        """Answer for a view that found its sandbox full; other errors are answered elsewhere."""
        if not _is_over_quota(request, error):
            return None
        request.over_quota = True
        return request.clone.refuse(request, "too_large")

    def _log(
        self, request: SandboxRequest, address: Address, entry: LoggedRequest, started: float
    ) -> HttpResponseBase:
        response: HttpResponseBase | None = None
        try:
            response = self._answer(request, address, entry)
            return response
        finally:
            entry.status = response.status_code if response is not None else 500
            if request.over_quota:
                entry.fault = OVER_QUOTA
            refused = isinstance(response, VendorFault)
            if entry.status >= 500 and entry.fault is None and not refused:
                entry.fault = "harness_5xx"
            if entry.fault is None and watching.has_worked_long():
                entry.fault = WORKED_LONG
            entry.operation = request.operation_id
            entry.milliseconds = (time.perf_counter() - started) * 1000
            server().requests.write(entry)

    def _answer(
        self, request: SandboxRequest, address: Address, entry: LoggedRequest
    ) -> HttpResponseBase:
        clone, row = address.clone, address.row
        if clone is None:
            return HttpResponseNotFound("Not found", content_type="text/plain")
        if row is None:
            if address.by_credential:
                return clone.refuse(request, "unauthenticated")
            return clone.refuse(request, "unknown_sandbox")
        if _too_large(request):
            return clone.refuse(request, "too_large")
        request.clone, request.sandbox = clone, row
        request.urlconf = clone.urlconf
        if row.resetting:
            entry.fault = "reset"
            return _unavailable(request, clone)
        return self._in_store(request, entry)

    def _in_store(self, request: SandboxRequest, entry: LoggedRequest) -> HttpResponseBase:
        """Answer with the sandbox's store bound, and tell what goes wrong in the vendor's words."""
        clone, row = request.clone, request.sandbox
        try:
            with server().stores.bind(row.store, row.id) as binding:
                asked = f"{request.method} {clone.name} {request.path}"[:ASKED_LENGTH]
                watching.note_store(row.store, row.generation, binding.wrapper, asked)
                return _dated(self._in_sandbox(request, entry), request.answered_at)
        except watching.OutOfTime:
            watching.let_be()
            entry.fault = OUT_OF_TIME
            logger.warning("%s %s in %s took too long", entry.method, entry.path, row.id)
            return _dated(_busy(request, clone), request.answered_at)
        except (SandboxResetting, watching.ResetWanted):
            watching.let_be()
            entry.fault = "reset"
            return _unavailable(request, clone)
        except (DatabaseError, InterfaceError) as error:
            return _store_failed(request, entry, error)

    def _in_sandbox(self, request: SandboxRequest, entry: LoggedRequest) -> HttpResponseBase:
        noting = sightings.start(wanted=request.sandbox.episode is not None)
        try:
            own_steps = request.sandbox.step_seconds is not None
            if (
                own_steps
                and request.clone.is_api(request.path)
                and not _step_of_own_client(request)
            ):
                return request.clone.refuse(request, "unauthenticated")
            if request.sandbox.faults is None:
                response = self._in_transaction(request, entry)
            else:
                response = self._among_faults(request, entry, request.sandbox.faults)
        finally:
            shown = sightings.stop(noting)
        self._check_generation(request)
        if response.status_code >= 400:
            shown = []
            request.led_to.clear()
        self._write_what_reading_caused(request, entry, shown)
        if request.left_work:
            # Background work that follows its request.
            execution.work_left(request.sandbox)
            self._check_generation(request)
        return response

    def _among_faults(
        self, request: SandboxRequest, entry: LoggedRequest, setting: str
    ) -> HttpResponseBase:
        """Answer a request that may meet an injected fault, before it is carried out or after."""
        fault = None
        if faults.may_strike(request, request.clone):
            with unit_of_work("write"):
                self._check_generation(request)
                found = _authenticate(request)
                if found is not None:
                    entry.account, entry.step = found.account.id, clock.step()
                    fault = faults.draw(request, setting, request.clone)
        if fault is None:
            return self._in_transaction(request, entry)
        response = self._in_transaction(request, entry) if fault.reaches else None
        return faults.answer(fault, request, request.clone, entry, response)

    def _write_what_reading_caused(
        self, request: SandboxRequest, entry: LoggedRequest, shown: list[list[str]]
    ) -> None:
        """Write what a view left in `led_to`, sightings and the rate bucket.

        They get a short transaction of their own: inside the request's deferred one they would fail
        at once when another commit came between.
        """
        noting = bool(shown) and request.sandbox.episode is not None
        counting = request.rate is not None and entry.account is not None
        if not noting and not counting and not request.led_to:
            return
        try:
            self._write_ambient(request, entry, shown if noting else [], counting=counting)
        except OperationalError as error:
            if not _is_full(error):
                raise
            # What was read is answered; that it was shown cannot be written down.
            logger.exception("what a request of %s showed was not noted", request.sandbox.id)
            server().requests.note_lost(request.sandbox.id)

    def _write_ambient(
        self,
        request: SandboxRequest,
        entry: LoggedRequest,
        shown: list[list[str]],
        *,
        counting: bool,
    ) -> None:
        with unit_of_work("write"):
            self._check_generation(request)
            for write in request.led_to:
                with act(
                    actor=_actor(request),
                    label=_label(request),
                    request=request.request_id,
                    tick=False,
                ):
                    write()
            if shown:
                sightings.record(shown, request=request.request_id, account=entry.account)
            if counting and entry.account is not None:
                ratelimit.count(entry.account)

    def _in_transaction(self, request: SandboxRequest, entry: LoggedRequest) -> HttpResponseBase:
        reading = request.method in READS
        committed = journal().committed()
        with unit_of_work("read" if reading else "write", _opening()) as opening:
            self._check_generation(request)
            state = state_of(opening and opening[1:])
            entry.position = int(opening[0])
            if entry.position < committed:
                entry.fault = "harness_stale"
            request.authenticated = _authenticate(request)
            if request.authenticated is not None:
                entry.account = request.authenticated.account.id
                if request.clone.is_api(request.path):
                    request.rate = ratelimit.rate_of(entry.account, state)
            entry.step = state.step
            request.answered_at = state.now
            if request.rate is not None and request.rate.exceeded:
                return request.clone.refuse(request, "rate_limited")
            if reading:
                with clock.held(state):
                    request.answered_at = clock.now()
                    return self._respond(request)
            with act(
                actor=_actor(request),
                label=_label(request),
                request=request.request_id,
                tick=not request.clone.is_ambient(request.path),
                state=state,
            ) as acted:
                request.answered_at = acted.at
                response = self._respond(request)
            if response.status_code >= 400 and not request.keep_on_error:
                transaction.set_rollback(True)
            else:
                request.left_work = execution.note_due_at(
                    request.sandbox, acted.at, live=state.mode == "live"
                )
            return response

    def _respond(self, request: SandboxRequest) -> HttpResponseBase:
        """Run the view and render its template while the sandbox is still bound."""
        response = self.get_response(request)
        if response.streaming:
            raise RuntimeError("streaming would outlive the transaction it reads from")
        if connection.needs_rollback and response.status_code < 400:
            raise DatabaseError("a failed statement was answered as a success")
        return response

    def _check_generation(self, request: SandboxRequest) -> None:
        found = server().registry.generation(request.sandbox.id)
        if found != (request.sandbox.generation, False):
            raise SandboxResetting(request.sandbox.id)


@cache
def _opening() -> str:
    """Return the statement that reads what each request needs first."""
    return f"SELECT {journal().position_sql}, {COLUMNS} FROM {ROW}"  # noqa: S608 - names of ours


def _dated(response: HttpResponseBase, at: datetime | None) -> HttpResponseBase:
    """Date an answer by the sandbox's clock; the server's own dates what no sandbox answered.

    What browsers keep for good keeps the machine's date, by which they tell how old it is.
    """
    if at is not None and "immutable" not in response.headers.get("Cache-Control", ""):
        response.headers["Date"] = http_date(at.timestamp())
    return response


def _busy(request: HttpRequest, clone: Clone) -> HttpResponse:
    """Refuse in the vendor's words; on a page those of a gateway, as with any error there."""
    if clone.is_api(request.path):
        return clone.refuse(request, "unavailable")
    return faults.gateway_page(503, faults.REASONS["503"])


def _unavailable(request: HttpRequest, clone: Clone) -> HttpResponse:
    """Refuse so, and say when to come again."""
    response = _busy(request, clone)
    response.headers.setdefault("Retry-After", "1")
    return response


def _store_failed(
    request: SandboxRequest, entry: LoggedRequest, error: DatabaseError | InterfaceError
) -> HttpResponseBase:
    """Answer a request whose store has failed it, and say whose fault that is."""
    if server().registry.generation(request.sandbox.id) is None:
        entry.fault = "reset"  # it was deleted under the request: no failure of ours
        return _unavailable(request, request.clone)
    if _is_over_quota(request, error):
        request.over_quota = True
        return request.clone.refuse(request, "too_large")
    entry.fault = "harness_5xx"
    logger.error("the store of %s failed, or cannot be reached", request.sandbox.id, exc_info=error)
    if isinstance(error, OperationalError | InterfaceError):
        return _unavailable(request, request.clone)
    return request.clone.refuse(request, "failed")


def _is_over_quota(request: SandboxRequest, error: Exception) -> bool:
    """Tell whether an error says that the sandbox is full, and not the disk that it lies on."""
    return (
        isinstance(error, OperationalError)
        and _is_full(error)
        and shutil.disk_usage(request.sandbox.store.parent).free > LAST_ROOM
    )


def _is_full(error: Exception) -> bool:
    return "disk is full" in str(error) or "No space left" in str(error)


def _too_large(request: HttpRequest) -> bool:
    """Tell whether headers or body pass their limits; the body is not read to find out."""
    if sum(len(name) + len(value) for name, value in request.headers.items()) > HEADER_LIMIT:
        return True
    length = request.META.get("CONTENT_LENGTH") or "0"
    return not is_digits(length) or int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _authenticate(request: SandboxRequest) -> Authenticated | None:
    clone, row = request.clone, request.sandbox
    presented = clone.presented(request)
    if presented is not None:
        return authenticate(presented, clone.name, row)
    text = request.COOKIES.get(clone.session_cookie)
    if clone.takes_handover and not clone.is_api(request.path):
        text = request.GET.get(handover.PARAMETER) or text
        handed = handover.authenticate_handover(text, clone.name, row) if text else None
        if handed is not None:
            return handed
    return authenticate_session(text, clone.name, row) if text else None


def _step_of_own_client(request: SandboxRequest) -> bool:
    """Count an authenticated vendor-API request of the agent's own client as a step.

    Return False when the episode's steps are used up: its credentials open nothing any more.
    """
    row = request.sandbox
    with unit_of_work("write"):
        found = _authenticate(request)
        if found is None or not found.own_client or row.step_seconds is None:
            return True
        if row.step_limit is not None and clock.step() >= row.step_limit:
            return False
        jobs.begin_step(row.step_seconds)
        return True


def _actor(request: SandboxRequest) -> str:
    found = request.authenticated
    if found is None:
        return f"{request.clone.name}.anonymous"
    return f"{request.clone.name}.account:{found.account.id}"


def _label(request: SandboxRequest) -> str:
    path = request.path.replace("\x00", "\ufffd")  # PostgreSQL keeps no NUL
    return f"{request.method} {path}"[:200]


def respond_404(request: HttpRequest) -> HttpResponse:
    """Answer for paths that no clone has."""
    return HttpResponseNotFound("Not found", content_type="text/plain")


def _replace_nul(request: HttpRequest) -> None:
    """Read NUL in a query as browsers read it in pages, U+FFFD: no text of a store holds either.

    PostgreSQL refuses to be asked for a NUL, and SQLite finds nothing.
    """
    query = request.META.get("QUERY_STRING", "")
    if "%00" in query:
        request.META["QUERY_STRING"] = query.replace("%00", "%EF%BF%BD")
