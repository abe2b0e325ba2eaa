"""How operations of the older bulk API are registered and refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Final

from django.http import HttpResponse

from clones.core.operations import Call
from clones.crm.api.asynchronous.answers import error_answer
from clones.crm.api.operations import NEWEST, OLDEST, operations
from clones.crm.domain.access.checking import check_uses_api
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.errors import CrmError
from clones.crm.models import BulkBatch, BulkJob
from clones.crm.queries.access.viewing import user_mode
from clones.crm.queries.bulk import find_batch, find_job

_VERSION: Final = re.compile(r"(\d{2})\.0", re.ASCII)
AsyncView = Callable[[Call], HttpResponse]


def asynchronous(
    id: str, method: str, path: str, *, summary: str
) -> Callable[[AsyncView], AsyncView]:
    """Register a view at an address below `/services/async/NN.0`, with the API's own refusals."""

    def register(view: AsyncView) -> AsyncView:
        @wraps(view)
        def answer(call: Call) -> HttpResponse:
            found = _VERSION.fullmatch(call.path["version"])
            if found is None or not OLDEST <= int(found[1]) <= NEWEST:
                said = call.path["version"][:40]
                code = "InvalidUrl" if found is None else "InvalidVersion"
                return error_answer(call.request, BulkError(code, f"unknown version: {said}"))
            try:
                with user_mode(call.actor.subject) as asking:
                    check_uses_api(asking)
                    return view(call)
            except CrmError as error:
                return error_answer(call.request, error)

        operations.operation(
            id,
            method,
            f"/async/{{version}}{path}",
            summary=summary,
            raw_body=method != "GET",
        )(answer)
        return answer

    return register


def job_of(call: Call) -> BulkJob:
    """Return the job of an address.

    Raises:
        BulkError: there is none of the user's.
    """
    found = find_job(call.path["id"], user=call.actor.subject)
    if found is None:
        raise BulkError("InvalidJob", f"Invalid job id: {call.path['id'][:40]}")
    return found


def batch_of(call: Call, job: BulkJob) -> BulkBatch:
    """Return the batch of an address.

    Raises:
        BulkError: the job has none of that id.
    """
    found = find_batch(job.id, call.path["batch"])
    if found is None:
        raise BulkError("InvalidBatch", f"Invalid batch id: {call.path['batch'][:40]}")
    return found
