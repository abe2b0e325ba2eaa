"""The bodies of ticket writes, and what they mean to the domain."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from pydantic import Field, create_model

from clones.helpdesk.api.operations import Body
from clones.helpdesk.domain.errors import InvalidAttribute
from clones.helpdesk.domain.people import find_or_create_user
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.models import User
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS, SystemField, arranged

Written = TypeVar("Written", bound=Body)


class CommentWrite(Body):
    """A comment to add to a ticket: its body, author, whether it is public, its files."""

    body: str | None = Field(None, description="The text, plain.")
    value: str | None = Field(None, description="The same as body, as older clients write it.")
    html_body: str | None = Field(None, description="The text as HTML; wins over body.")
    public: bool | None = Field(
        None, description="False for a note that only agents see; else as the ticket began."
    )
    author_id: int | None = Field(None, description="Who says it, if not the caller.")
    uploads: list[str] | str | None = Field(None, description="Tokens of uploads to attach.")

    @property
    def text(self) -> str | None:
        """The plain text, under whichever of its two names."""
        return self.value if self.body is None else self.body

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the uploads that it carries."""
        return (self.uploads,) if isinstance(self.uploads, str) else tuple(self.uploads or ())


class RequesterWrite(Body):
    """The requester of a new ticket, found by e-mail address or created."""

    name: str | None = None
    email: str | None = None
    locale_id: int | None = None


class FieldWrite(Body):
    """A custom field of a ticket: its id and its value."""

    id: int
    value: Any = None


# As the vendor documents a ticket's attributes; those that are not named here follow.
_ORDER = """
    subject description raw_subject comment status custom_status_id priority type requester_id
    requester submitter_id assignee_id assignee_email group_id organization_id external_id
    problem_id due_at recipient ticket_form_id brand_id tags
""".split()


def _attribute(item: SystemField) -> tuple[Any, Any]:
    """Return a field's type in bodies, and what is said of it."""
    *first, last = item.choices or [""]
    said = f"{', '.join(first)} or {last}." if item.choices else None
    return int | None if item.kind == "reference" else str | None, Field(None, description=said)


def with_system_fields(declared: type[Written]) -> type[Written]:
    """Return a body with the fields that every ticket has beside those it declares, in order."""
    fields: dict[str, Any] = {item.name: _attribute(item) for item in SYSTEM_FIELDS if item.written}
    fields |= {name: (item.annotation, item) for name, item in declared.model_fields.items()}
    made = create_model(
        declared.__name__,
        __base__=Body,
        __doc__=declared.__doc__,
        __module__=declared.__module__,
        **arranged(fields, _ORDER),
    )
    return cast("type[Written]", made)


@with_system_fields
class TicketWrite(Body):
    """The attributes of a ticket that can be set; those left out stay as they are."""

    description: str | None = Field(None, description="On creation: the first comment.")
    raw_subject: str | None = None
    comment: CommentWrite | str | None = None
    requester: RequesterWrite | None = None
    assignee_email: str | None = None
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
        return NewComment(given, unsaid=True)
    author = None
    if given.author_id is not None:
        author = User.objects.filter(id=given.author_id, active=True).first()
        if author is None:
            raise InvalidAttribute("author_id", "the id of a user")
    public = given.public is not False
    unsaid = given.public is None
    return NewComment(given.text, given.html_body, public, author, given.tokens, unsaid=unsaid)


def first_comment_of(body: TicketWrite) -> NewComment:
    """Return the comment of a new ticket: its comment, else its description."""
    return comment_of(body) or NewComment(body.description)


def requester_of(body: TicketWrite) -> User | None:
    """Return the person that a body's `requester` names, made if need be, or None."""
    given = body.requester
    if given is None or not given.email:
        return None
    return find_or_create_user(email=given.email, name=given.name)
