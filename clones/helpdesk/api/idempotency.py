"""Operations that are executed once for each `Idempotency-Key` of an account."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from pydantic_core import to_json

from clones.core.idempotency import digest_of
from clones.core.operations import Call, Reply
from clones.core.strict_json import read_json
from clones.helpdesk.domain.idempotency import find_answer, keep_answer

HEADER: Final = "Idempotency-Key"
LOOKUP: Final = "x-idempotency-lookup"
# Longer ones are cut there: the vendor has keys of 255 characters at most and says no more of it.
KEY_LENGTH: Final = 255


def once_for_each_key(view: Callable[[Call], Reply]) -> Callable[[Call], Reply]:
    """Return the view of a record's creation made to execute once for each key.

    A refused request is not kept: its key may be used again.
    """

    @wraps(view)
    def execute(call: Call) -> Reply:
        key = call.request.headers.get(HEADER, "")[:KEY_LENGTH]
        if not key:
            return view(call)
        digest = digest_of(call.body)
        kept = find_answer(key, digest=digest)
        if kept is not None:
            answer: dict[str, Any] = read_json(kept.answer)
            return Reply(answer["body"], kept.status, {**answer["headers"], LOOKUP: "hit"})
        reply = view(call)
        told = {"body": reply.body, "headers": reply.headers}
        keep_answer(
            key,
            path=call.request.path,
            digest=digest,
            answer=to_json(told).decode(),
            request=call.request.request_id,
        )
        return Reply(reply.body, reply.status, {**reply.headers, LOOKUP: "miss"})

    return execute
