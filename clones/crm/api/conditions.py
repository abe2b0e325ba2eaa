"""Requests that are carried out only if something changed since, or did not.

Moments are told of records and of what describes objects, tags of the content of accounts alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from django.utils.http import http_date, parse_http_date_safe
from pydantic_core import to_json

from clones.core.operations import Call, Reply
from clones.crm.errors import CrmError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.rules.organization import ORGANIZATION_ID

TAGGED: Final = "Account"


def shown_if(
    call: Call, changed: datetime | None, body: Callable[[], Any], *, is_tagged: bool = False
) -> Reply:
    """Return an answer with a body, or one without if the caller has what there is.

    Raises:
        CrmError: it changed since, and was asked for as it was then.
    """
    headers: dict[str, str] = {}
    if changed is not None:
        headers["Last-Modified"] = http_date(changed.timestamp())
        _check_moment(call, changed)
        since = _moment(call, "If-Modified-Since")
        if since is not None and changed.replace(microsecond=0) <= since:
            return Reply(None, 304, headers)
    shown = body()
    if is_tagged:
        headers["ETag"] = _tag(shown)
        _check_tag(call, headers["ETag"])
        if _matches(call, "If-None-Match", headers["ETag"]):
            return Reply(None, 304, headers)
    return Reply(shown, 200, headers)


def shown_if_redescribed(call: Call, body: Callable[[], Any]) -> Reply:
    """Return a description of objects, which has changed with nothing but the organization."""
    rows = rows_of("Organization").filter(Id=ORGANIZATION_ID)
    return shown_if(call, rows.values_list("CreatedDate", flat=True).first(), body)


def check_unchanged(call: Call, row: SObjectRow, body: Callable[[], Any]) -> None:
    """See that a record is as the caller knows it; `body` is what its tag is made of.

    Raises:
        CrmError: it is not.
    """
    changed = changed_at(row)
    if changed is not None:
        _check_moment(call, changed)
    if row.sobject.name == TAGGED and "If-Match" in call.request.headers:
        _check_tag(call, _tag(body()))


def changed_at(row: SObjectRow) -> datetime | None:
    """Return when a record was changed last; None where its object does not keep that."""
    found: datetime | None = getattr(row, "SystemModstamp", None)
    return found


def _check_moment(call: Call, changed: datetime) -> None:
    until = _moment(call, "If-Unmodified-Since")
    if until is not None and changed.replace(microsecond=0) > until:
        raise _failed()


def _check_tag(call: Call, tag: str) -> None:
    if "If-Match" in call.request.headers and not _matches(call, "If-Match", tag):
        raise _failed()


def _failed() -> CrmError:
    return CrmError(
        "The record was changed since the condition of the request",
        code="PRECONDITION_FAILED",
        status=412,
    )


def _moment(call: Call, header: str) -> datetime | None:
    """Return the moment that a header names; None where it names none."""
    found = parse_http_date_safe(call.request.headers.get(header, ""))
    return None if found is None else datetime.fromtimestamp(found, UTC)


def _matches(call: Call, header: str, tag: str) -> bool:
    wanted = [one.strip() for one in call.request.headers.get(header, "").split(",")]
    plain = [one.removeprefix("W/").replace('--gzip"', '"') for one in wanted]
    return "*" in plain or tag in plain


def _tag(shown: Any) -> str:
    return f'"{hashlib.blake2b(to_json(shown), digest_size=16).hexdigest()}"'
