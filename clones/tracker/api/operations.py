"""The registry of the tracker's operations, and what their views share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from pydantic import BaseModel

from clones.core.digits import whole_number
from clones.core.operations import Call, Operation, Operations, inputs
from clones.core.operations.inputs import LARGEST
from clones.core.operations.registry import View
from clones.tracker.api.presenters.context import Show
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.richtext import read_rich_text
from clones.tracker.modules import OPERATING
from clones.tracker.queries.rights import Rights

OPERATIONS: Final = Operations("tracker", modules=OPERATING)
Access = Literal["anyone", "user", "admin"]
JSON: Final = ("application/json",)
ANYTHING: Final = ("*/*",)
# Where a view keeps the media types of its body.
_CONSUMES: Final = "consumes"


class Body(inputs.Body, extra="ignore", populate_by_name=True):
    """A body whose unknown keys are ignored.

    Null is as good as nothing for a field that knows no null: clients that fill in every key, such
    as mcp-atlassian's `fieldIds`, are served by the vendor.
    """

    null_is_absent = True
    largest = LARGEST

    @classmethod
    def too_large(cls, name: str) -> Exception:
        """Return the refusal of a number that no column has room for."""
        return Invalid(fields={name: f"The value of '{name}' is invalid."})


class Query(inputs.Query):
    """Query parameters; unknown ones are ignored."""

    largest = LARGEST

    @classmethod
    def too_large(cls, name: str) -> Exception:
        """Return the refusal of a number that no column has room for."""
        return Invalid(f"The value of the query parameter '{name}' is invalid.")


def operation(
    id: str,
    method: str,
    path: str,
    *,
    summary: str,
    query: type[BaseModel] | None = None,
    body: Any = None,
    access: Access = "user",
    status: int = 200,
    raw_body: bool = False,
    consumes: tuple[str, ...] = JSON,
    writes: bool | None = None,
    keeps_on_error: bool = False,
) -> Callable[[View], View]:
    """Register a view as an operation, under the vendor's operation id.

    Paths of the platform's API are those of its third version; the second and `latest` lead to the
    same view. `access` is `anyone`, `user` (signed in) or `admin` (of the site). `consumes` names
    the media types that a body may have; `ANYTHING` leaves that to the view.

    Raises:
        ValueError: the id, or the method and path, are taken.
    """
    register = OPERATIONS.operation(
        id,
        method,
        path,
        summary=summary,
        query=query,
        body=body,
        access=access,
        status=status,
        raw_body=raw_body,
        writes=writes,
        keeps_on_error=keeps_on_error,
    )

    def keep(view: View) -> View:
        setattr(view, _CONSUMES, consumes)
        return register(view)

    return keep


def consumed(operation: Operation) -> tuple[str, ...]:
    """Return the media types that an operation's body may have."""
    found: tuple[str, ...] = getattr(operation.view, _CONSUMES, JSON)
    return found


def actor(call: Call) -> Rights:
    """Return what the caller may; anonymous ones have rights too."""
    assert isinstance(call.actor, Rights)  # noqa: S101 - the dialect sets it before any view
    return call.actor


def show(call: Call) -> Show:
    """Return the way to show records in the answer to a call."""
    return Show.of(call.request, actor(call), version(call))


def version(call: Call) -> Literal["2", "3"]:
    """Return which version of the platform's API is spoken: `latest` is the second."""
    return "3" if call.request.path.startswith("/rest/api/3/") else "2"


def document(call: Call, value: Any, field: str) -> dict[str, Any] | None:
    """Return the document of rich text that was sent: ADF in version 3, wiki markup in 2.

    Raises:
        Invalid: it is neither, or too long.
    """
    return read_rich_text(value, version(call), field)


def flag(text: str | bool | None, *, default: bool = False) -> bool:  # noqa: FBT001 - a parameter
    """Return what a parameter says: `true` in any case is true, all else is not."""
    if text is None:
        return default
    return text if isinstance(text, bool) else text.strip().lower() == "true"


def csv(text: str | list[str] | None) -> list[str]:
    """Return the parts of a parameter, between commas or given several times."""
    if text is None:
        return []
    parts = [text] if isinstance(text, str) else text
    return [piece.strip() for part in parts for piece in part.split(",") if piece.strip()]


def number(text: str | int, what: str) -> int:
    """Return the number of an id that was sent as text.

    Raises:
        NotFound: it is none: nothing has such an id. `what` begins the sentence.
    """
    digits = str(text)
    found = whole_number(digits)
    if found is None:
        raise NotFound(f"{what} with id '{digits}' does not exist.")
    return found


def positive(text: str | int | None, name: str, default: int) -> int:
    """Return the number of a parameter that counts something.

    Raises:
        Invalid: it is no number, or negative.
    """
    if text is None or text == "":
        return default
    digits = str(text)
    found = whole_number(digits, digits=9)
    if found is None:
        raise Invalid(f"The value '{digits}' is invalid for the parameter '{name}'.")
    return found
