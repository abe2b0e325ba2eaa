"""What became of records that were saved many at once."""

from __future__ import annotations

from typing import Any

from clones.crm.domain.saving.many import Saved
from clones.crm.errors import CrmError, DuplicatesFound, RecordError


def present_fault(error: CrmError) -> dict[str, Any]:
    """Return an error as a record's own, in which its code is `statusCode`."""
    fields = error.fields if isinstance(error, RecordError) else []
    if isinstance(error, DuplicatesFound):
        return {
            "statusCode": error.code,
            "duplicateResult": error.result,
            "message": error.message,
            "fields": fields,
        }
    return {"statusCode": error.code, "message": error.message, "fields": fields, **error.extra}


def present_saved(one: Saved, *, tells_created: bool = False) -> dict[str, Any]:
    """Return a record's own answer; `tells_created` says whether it was made or changed."""
    found: dict[str, Any] = {} if one.id is None else {"id": one.id}
    found["success"] = one.error is None
    found["errors"] = [] if one.error is None else [present_fault(one.error)]
    return {**found, "created": one.is_created} if tells_created else found
