"""Comments as the platform shows them; also their restrictions, which work logs have too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.domain.properties import values_of
from clones.tracker.models import Comment
from clones.tracker.queries.comments import names_of

Json = dict[str, Any]
Names = Mapping[tuple[str, str], str]


def present_comments(
    comments: Sequence[Comment], show: Show, *, rendered: bool = False, properties: bool = False
) -> list[Json]:
    """Return comments as JSON, with a constant number of statements.

    Args:
        comments: with their authors.
        show: how.
        rendered: whether their text comes as HTML too.
        properties: whether what integrations keep with them comes too.
    """
    names = names_of(comment.visibility for comment in comments)
    kept = values_of("comment", [str(comment.id) for comment in comments]) if properties else {}
    found = []
    for comment in comments:
        shown = _present(comment, show, names)
        if rendered:
            shown["renderedBody"] = show.html(comment.body)
        if properties:
            pairs = kept.get(str(comment.id), {})
            shown["properties"] = [{"key": key, "value": value} for key, value in pairs.items()]
        found.append(shown)
    return found


def present_comment(comment: Comment, show: Show, *, rendered: bool = False) -> Json:
    """Return one comment as JSON."""
    return present_comments([comment], show, rendered=rendered)[0]


def present_visibility(visibility: Mapping[str, Any], names: Names) -> Json:
    """Return a restriction: by its type, with name and id."""
    kind, identifier = visibility["type"], visibility["identifier"]
    name = names.get((kind, identifier), identifier)
    shown = identifier if kind == "group" else name
    return {"type": kind, "value": name, "identifier": shown}


def _present(comment: Comment, show: Show, names: Names) -> Json:
    show.note(comment)
    found: Json = {
        "self": show.url(f"issue/{comment.issue_id}/comment/{comment.id}"),
        "id": str(comment.id),
    }
    if comment.author is not None:
        found["author"] = user_ref(comment.author, show)
    found["body"] = show.rich(comment.body)
    if comment.update_author is not None:
        found["updateAuthor"] = user_ref(comment.update_author, show)
    found["created"] = show.when(comment.created)
    found["updated"] = show.when(comment.updated)
    if comment.visibility is not None:
        found["visibility"] = present_visibility(comment.visibility, names)
    found["jsdPublic"] = comment.public
    return found
