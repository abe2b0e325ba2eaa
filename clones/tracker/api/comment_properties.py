"""What integrations keep with comments."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.tracker.api.entity_properties import drop, keep, keys_of, value_of
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.domain.comments import require_editable
from clones.tracker.models import Comment
from clones.tracker.queries.comments import find_comment

PATH = "/rest/api/3/comment/{id}/properties"


@operation(
    "getCommentPropertyKeys",
    "GET",
    PATH,
    summary="List the keys of a comment's properties.",
    access="anyone",
)
def list_comment_properties(call: Call) -> dict[str, Any]:
    """List the keys."""
    id = str(_found(call).id)
    return keys_of("comment", id, show(call).url(f"comment/{id}/properties"))


@operation(
    "getCommentProperty",
    "GET",
    PATH + "/{property}",
    summary="Show a property of a comment.",
    access="anyone",
)
def show_comment_property(call: Call) -> dict[str, Any]:
    """Show a property."""
    return value_of("comment", str(_found(call).id), call.path["property"])


@operation(
    "setCommentProperty",
    "PUT",
    PATH + "/{property}",
    summary="Set a property of a comment. The body is its value.",
    raw_body=True,
)
def set_comment_property(call: Call) -> Reply:
    """Set a property."""
    return keep("comment", str(_editable(call).id), call.path["property"], call.body)


@operation(
    "deleteCommentProperty",
    "DELETE",
    PATH + "/{property}",
    summary="Delete a property of a comment.",
    status=204,
)
def delete_comment_property(call: Call) -> Reply:
    """Delete a property."""
    return drop("comment", str(_editable(call).id), call.path["property"])


def _found(call: Call) -> Comment:
    return find_comment(actor(call), call.path["id"])


def _editable(call: Call) -> Comment:
    comment = _found(call)
    require_editable(comment, actor=actor(call))
    return comment
