"""The bodies of ticket writes, and what they mean to the domain."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.helpdesk.api.operations import Body
from clones.helpdesk.domain.errors import InvalidAttribute
from clones.helpdesk.domain.people import find_or_create_user
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.models import User


class CommentWrite(Body):
    """Something to say on a ticket."""

    body: str | None = Field(None, description="The text, plain.")
    html_body: str | None = Field(None, description="The text as HTML; wins over body.")
    public: bool = Field(True, description="False for a note that only agents see.")
    author_id: int | None = Field(None, description="Who says it, if not the caller.")
    uploads: list[str] | str | None = Field(None, description="Tokens of uploads to attach.")


class RequesterWrite(Body):
    """The person a new ticket is for, found by e-mail address or made."""

    name: str | None = None
    email: str | None = None
    locale_id: int | None = None


class FieldWrite(Body):
    """One custom field's value."""

    id: int
    value: Any = None


class TicketWrite(Body):
    """What to set on a ticket; attributes left out stay as they are."""

    subject: str | None = None
    description: str | None = Field(None, description="On creation: the first comment.")
    raw_subject: str | None = None
    comment: CommentWrite | str | None = None
    status: str | None = Field(None, description="new, open, pending, hold, solved or closed.")
    custom_status_id: int | None = None
    priority: str | None = Field(None, description="low, normal, high or urgent.")
    type: str | None = Field(None, description="question, incident, problem or task.")
    requester_id: int | None = None
    requester: RequesterWrite | None = None
    submitter_id: int | None = None
    assignee_id: int | None = None
    assignee_email: str | None = None
    group_id: int | None = None
    organization_id: int | None = None
    external_id: str | None = None
    problem_id: int | None = None
    due_at: str | None = None
    recipient: str | None = None
    ticket_form_id: int | None = None
    brand_id: int | None = None
    tags: list[str] | str | None = Field(None, description="Replaces the tags there are.")
    additional_tags: list[str] | str | None = None
    remove_tags: list[str] | str | None = None
    custom_fields: list[FieldWrite] | dict[str, Any] | None = None
    fields: list[FieldWrite] | dict[str, Any] | None = None
    collaborator_ids: list[int] | None = None
    collaborators: list[Any] | None = None
    additional_collaborators: list[Any] | None = None
    email_cc_ids: list[int] | None = None
    email_ccs: list[dict[str, Any]] | None = None
    follower_ids: list[int] | None = None
    followers: list[dict[str, Any]] | None = None
    macro_id: int | None = None
    macro_ids: list[int] | None = None
    via_followup_source_id: int | None = None
    metadata: dict[str, Any] | None = None
    safe_update: bool | None = Field(None, description="Refuse if changed since updated_stamp.")
    updated_stamp: str | None = None
    id: int | None = None


class TicketBody(Body):
    """A ticket to create or update."""

    ticket: TicketWrite


class TicketsBody(Body):
    """Several tickets, or one set of changes for several (`ids` in the query)."""

    tickets: list[TicketWrite] | None = None
    ticket: TicketWrite | None = None


_NO_CHANGES = frozenset({"comment", "requester", "fields", "raw_subject", "description", "id"})


def changes_of(body: TicketWrite) -> dict[str, Any]:
    """Return the attributes that a body sets, as the domain takes them."""
    changes = {
        name: getattr(body, name)
        for name in sorted(body.model_fields_set)
        if name not in _NO_CHANGES and name in type(body).model_fields
    }
    if "raw_subject" in body.model_fields_set and "subject" not in changes:
        changes["subject"] = body.raw_subject
    custom = body.custom_fields if body.custom_fields is not None else body.fields
    changes.pop("custom_fields", None)
    if custom is not None:
        changes["custom_fields"] = (
            {str(item.id): item.value for item in custom} if isinstance(custom, list) else custom
        )
    for name in ("metadata", "safe_update", "updated_stamp"):
        if changes.get(name, 0) is None:
            del changes[name]
    return changes


def comment_of(body: TicketWrite) -> NewComment | None:
    """Return the comment that a body adds, or None.

    Raises:
        InvalidAttribute: its author does not exist.
    """
    given = body.comment
    if given is None:
        return None
    if isinstance(given, str):
        return NewComment(given)
    author = None
    if given.author_id is not None:
        author = User.objects.filter(id=given.author_id, active=True).first()
        if author is None:
            raise InvalidAttribute("author_id", "the id of a user")
    tokens = given.uploads
    uploads = (tokens,) if isinstance(tokens, str) else tuple(tokens or ())
    return NewComment(given.body, given.html_body, given.public, author, uploads)


def first_comment_of(body: TicketWrite) -> NewComment:
    """Return the comment of a new ticket: its comment, else its description."""
    return comment_of(body) or NewComment(body.description)


def requester_of(body: TicketWrite) -> User | None:
    """Return the person that a body's `requester` names, made if need be, or None."""
    given = body.requester
    if given is None or not given.email:
        return None
    return find_or_create_user(email=given.email, name=given.name)
