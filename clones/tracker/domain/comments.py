"""Comments: adding, changing and deleting them, and who may.

    add_comment(issue, body, *, actor, visibility=None, public=True, properties=()) -> Comment
    edit_comment(comment, body, *, actor, visibility=..., ...) -> Comment
    delete_comment(comment, *, actor) -> None

`body` is a document of the third version. Comments stand in no history: the vendor's do not.
"""

from __future__ import annotations

from typing import Any, Final

from clones.core import clock
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, TooLarge
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import (
    checked_properties,
    forget_properties,
    set_properties,
)
from clones.tracker.domain.richtext import plain_of, shows_nothing
from clones.tracker.domain.texts import drop_text, keep_text
from clones.tracker.domain.visibility import read_visibility
from clones.tracker.domain.watching import keep_watching
from clones.tracker.models import Comment, Issue
from clones.tracker.queries.rights import Rights

EMPTY: Final = "Comment body can not be empty!"
# The vendor's limit on what one issue holds.
LIMIT: Final = 5000
KEPT: Final = object()  # what is not to be changed


def add_comment(
    issue: Issue,
    body: dict[str, Any] | None,
    *,
    actor: Rights,
    visibility: Any = None,
    public: bool = True,
    properties: Any = (),
    notify: bool = True,
    permitted: bool = False,
) -> Comment:
    """Add a comment to an issue.

    Args:
        issue: with its space.
        body: a document.
        actor: who says it.
        visibility: the restriction as clients send it: {"type", "identifier" or "value"}.
        public: whether customers of a service desk see it.
        properties: a list of {"key", "value"}.
        notify: whether people are told.
        permitted: whether the caller has seen to the permission (customers may comment on their
            requests without it).

    Raises:
        Invalid: no permission (the vendor answers 400), an empty body, a restriction that is none.
        TooLarge: the issue has as many comments as it may have.
    """
    if not permitted:
        _require_comment(issue, actor)
    text = _checked_text(body)
    restriction = read_visibility(visibility, issue, actor)
    pairs = checked_properties(properties)
    if Comment.objects.filter(issue=issue).count() >= LIMIT:
        raise TooLarge(f"The limit of {LIMIT} comments for this issue has been reached.")
    now = clock.now()
    comment = Comment.objects.create(
        id=next_id(Comment),
        issue=issue,
        author=actor.user,
        update_author=actor.user,
        body=body,
        visibility=restriction,
        public=_shown_to_customers(issue, pairs, public=public),
        created=now,
        updated=now,
    )
    set_properties("comment", str(comment.id), pairs)
    keep_text(issue, "comment", comment.id, text)
    _touch(issue)
    if actor.user is not None and actor.user.account_type != "customer":
        keep_watching(issue, actor.user)
    publish(Event("comment_created", actor, issue=issue, comment=comment, notify=notify))
    return comment


def edit_comment(
    comment: Comment,
    body: dict[str, Any] | None,
    *,
    actor: Rights,
    visibility: Any = KEPT,
    public: bool | None = None,
    properties: Any = (),
    notify: bool = True,
) -> Comment:
    """Change a comment. Its body is replaced; its restriction too, unless it is `KEPT`.

    Raises:
        Invalid: no permission (the vendor answers 400), an empty body, a restriction that is none.
    """
    issue = comment.issue
    if not _may_touch("EDIT", comment, actor):
        raise Invalid(_not_permitted(actor, "edit this comment"))
    text = _checked_text(body)
    if visibility is not KEPT:
        comment.visibility = read_visibility(visibility, issue, actor)
    pairs = checked_properties(properties)
    comment.body = body
    comment.update_author = actor.user
    comment.updated = clock.now()
    if public is not None or "sd.public.comment" in pairs:
        was = comment.public if public is None else public
        comment.public = _shown_to_customers(issue, pairs, public=was)
    comment.save(update_fields=["body", "update_author_id", "updated", "visibility", "public"])
    set_properties("comment", str(comment.id), pairs)
    keep_text(issue, "comment", comment.id, text)
    _touch(issue)
    publish(Event("comment_updated", actor, issue=issue, comment=comment, notify=notify))
    return comment


def delete_comment(comment: Comment, *, actor: Rights) -> None:
    """Delete a comment.

    Raises:
        Invalid: no permission (the vendor answers 400).
    """
    issue = comment.issue
    if not _may_touch("DELETE", comment, actor):
        raise Invalid(_not_permitted(actor, "delete this comment"))
    publish(Event("comment_deleted", actor, issue=issue, comment=comment))
    drop_text(issue, "comment", comment.id)
    forget_properties("comment", [str(comment.id)])
    comment.delete()
    _touch(issue)


def require_editable(comment: Comment, *, actor: Rights) -> None:
    """Hold somebody to the permission that a comment's properties are changed with.

    Raises:
        Forbidden: they may not change the comment.
    """
    if not _may_touch("EDIT", comment, actor):
        raise Forbidden(_not_permitted(actor, "edit this comment"))


def require_commented(comment: Comment, issue: Issue) -> None:
    """Hold a comment to be of an issue.

    Raises:
        NotFound: it is of another.
    """
    if comment.issue_id != issue.id:
        raise NotFound(f"Can not find a comment for the id: {comment.id}.")


def _require_comment(issue: Issue, actor: Rights) -> None:
    if not actor.may_on("ADD_COMMENTS", issue):
        raise Invalid(_not_permitted(actor, "comment on this issue"))


def _may_touch(verb: str, comment: Comment, actor: Rights) -> bool:
    """Tell whether somebody may EDIT or DELETE a comment."""
    mine = actor.user is not None and comment.author_id == actor.user.id
    if mine and actor.may_on(f"{verb}_OWN_COMMENTS", comment.issue):
        return True
    return actor.may_on(f"{verb}_ALL_COMMENTS", comment.issue)


def _not_permitted(actor: Rights, what: str) -> str:
    if actor.user is None:
        return f"You do not have the permission to {what}."
    return f"{actor.user.display_name}, you do not have the permission to {what}."


def _checked_text(body: dict[str, Any] | None) -> str:
    """Return the words of a body, which has to show something: words, files or cards."""
    if body is None or shows_nothing(body):
        raise Invalid(fields={"comment": EMPTY})
    return plain_of(body)


def _shown_to_customers(issue: Issue, pairs: dict[str, Any], *, public: bool) -> bool:
    """Return whether customers see a comment: the vendor's property says so too."""
    said = pairs.get("sd.public.comment")
    if issue.project.type == "service_desk" and isinstance(said, dict) and "internal" in said:
        return said["internal"] not in (True, "true")
    return public


def _touch(issue: Issue) -> None:
    issue.updated = clock.now()
    issue.save(update_fields=["updated"])
