"""Errors of the control plane as RFC 9457 problem details."""

from __future__ import annotations

import logging
import sqlite3

from django.db import DatabaseError, InterfaceError
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from clones.core.clock import ClockBackwards
from clones.core.tenancy import SandboxResetting, UnknownSandbox
from episodes.control.refusals import machine_problem
from episodes.worlds import UnknownWorld
from sandlot.service.errors import ServiceError
from snapshots.errors import (
    CorruptSnapshot,
    NameTaken,
    NoSpace,
    RewindFailed,
    SchemaMismatch,
    SnapshotError,
    UnknownMark,
    UnknownSnapshot,
)

logger = logging.getLogger(__name__)

STATUS: dict[type[Exception], tuple[int, str]] = {
    UnknownSandbox: (404, "unknown_sandbox"),
    UnknownSnapshot: (404, "unknown_snapshot"),
    UnknownMark: (404, "unknown_mark"),
    UnknownWorld: (404, "unknown_world"),
    NameTaken: (409, "name_taken"),
    SandboxResetting: (409, "resetting"),
    ClockBackwards: (409, "clock_backwards"),
    CorruptSnapshot: (422, "corrupt_snapshot"),
    SchemaMismatch: (422, "schema_mismatch"),
    RewindFailed: (500, "rewind_failed"),
    NoSpace: (507, "no_space"),
    SnapshotError: (500, "snapshot_error"),
    ValueError: (422, "invalid"),
    OverflowError: (422, "invalid"),
}


def problem(status: int, code: str, detail: str) -> JSONResponse:
    """Return a problem document."""
    body = {
        "type": f"urn:sandlot:problem:{code}",
        "title": code.replace("_", " "),
        "status": status,
        "code": code,
        "detail": detail,
    }
    return JSONResponse(body, status_code=status, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Answer every error as a problem document."""

    @app.exception_handler(ServiceError)
    def service_error(_: Request, error: ServiceError) -> JSONResponse:
        return problem(error.status, error.code, str(error))

    @app.exception_handler(HTTPException)
    def http_error(_: Request, error: HTTPException) -> JSONResponse:
        answer = problem(error.status_code, "http_error", str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(RequestValidationError)
    def validation_error(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return problem(422, "invalid", f"{place}: {first['msg']}")

    def known(_: Request, error: Exception) -> JSONResponse:
        for kind in type(error).__mro__:
            if kind in STATUS:
                status, code = STATUS[kind]
                return problem(status, code, str(error))
        machine = machine_problem(error)
        if machine is not None:
            logger.error("%s", machine[2], exc_info=error)
            return problem(*machine)
        logger.error("not answered: %s", error, exc_info=error)
        return problem(500, "internal", f"{type(error).__name__}: see the server's log")

    for kind in (*STATUS, OSError, sqlite3.Error, DatabaseError, InterfaceError, Exception):
        app.add_exception_handler(kind, known)
