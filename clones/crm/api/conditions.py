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
from clones.crm.rules.shown_values import shown_value

TAGGED: Final = "Account"


def shown_if(call: Call, row: SObjectRow, body: Callable[[], Any]) -> Reply:
    """Return an answer with a record, or one without a body if the caller has what there is.

    Raises:
        CrmError: it changed since, and was asked for as it was then.
    """
    check_unchanged(call, row)
    tag = _tag(row) if row.sobject.name == TAGGED else None
    if tag is not None and _matches(call, "If-None-Match", tag):
        return Reply(None, 304, {"ETag": tag})
    return _shown_if_later(call, _changed_at(row), body, {} if tag is None else {"ETag": tag})


def shown_if_redescribed(call: Call, body: Callable[[], Any]) -> Reply:
    """Return a description of objects, which has changed with nothing but the organization."""
    rows = rows_of("Organization").filter(Id=ORGANIZATION_ID)
    return _shown_if_later(call, rows.values_list("CreatedDate", flat=True).first(), body, {})


def has_conditions(call: Call) -> bool:
    """Tell whether a request wants a record to be as the caller knows it."""
    return any(name in call.request.headers for name in ("If-Match", "If-Unmodified-Since"))


def check_unchanged(call: Call, row: SObjectRow) -> None:
    """See that a record is as the caller knows it, if the caller says how.

    Raises:
        CrmError: it is not.
    """
    changed, until = _changed_at(row), _moment(call, "If-Unmodified-Since")
    if changed is not None and until is not None and changed.replace(microsecond=0) > until:
        raise _failed()
    is_tagged = row.sobject.name == TAGGED and "If-Match" in call.request.headers
    if is_tagged and not _matches(call, "If-Match", _tag(row)):
        raise _failed()


def _shown_if_later(
    call: Call, changed: datetime | None, body: Callable[[], Any], headers: dict[str, str]
) -> Reply:
    if changed is None:
        return Reply(body(), 200, headers)
    headers = {**headers, "Last-Modified": http_date(changed.timestamp())}
    since = _moment(call, "If-Modified-Since")
    if since is not None and changed.replace(microsecond=0) <= since:
        return Reply(None, 304, headers)
    return Reply(body(), 200, headers)


def _changed_at(row: SObjectRow) -> datetime | None:
    """Return when a record was changed last; None where its object does not keep that."""
    found: datetime | None = getattr(row, "SystemModstamp", None)
    return found


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


def _tag(row: SObjectRow) -> str:
    content = to_json([shown_value(getattr(row, one.name)) for one in row.sobject.stored])
    return f'"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
