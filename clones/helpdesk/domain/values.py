"""The plain values that writes of tickets take and give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clones.core.plaintext import plain_of_html
from clones.core.post import File
from clones.helpdesk.models import User
from clones.helpdesk.rules.system_fields import names_where
from clones.helpdesk.rules.text import kept_of_html

ACCOUNT_ID = 18525119
# Bytes of a comment, however it is written.
BODY_LIMIT = 65_535


@dataclass(frozen=True, slots=True)
class Via:
    """How an update came: the channel, where from and to, and the client that sent it.

    `source` is {"from": {...}, "to": {...}, "rel": name or None}. `metadata` is what the audit
    keeps of it beside: more of `system`, and `flags` with what they mean.
    """

    channel: str
    source: Mapping[str, Any] = field(default_factory=lambda: {"from": {}, "to": {}, "rel": None})
    client: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the stored form."""
        return {"channel": self.channel, "source": dict(self.source)}


@dataclass(frozen=True, slots=True)
class RuleSource:
    """The rule that makes a change: `kind` is trigger or automation."""

    kind: str
    id: int
    title: str
    revision: int = 1

    def via(self) -> dict[str, Any]:
        """Return the `via` of events that the rule caused."""
        source = {
            "id": self.id,
            "title": self.title,
            "deleted": False,
            "revision_id": self.revision,
        }
        return {"channel": "rule", "source": {"from": source, "rel": self.kind}}


@dataclass(frozen=True, slots=True)
class NewComment:
    """A comment to add. `html_body` wins over `body`; `author` is the actor unless given.

    `uploads` are the tokens of uploads whose files it carries. One that is `hidden` is private
    whoever wrote it: end users' are public otherwise. One that is `unsaid` does not tell whether
    it is public: on a ticket of which nothing is public it is private, as what was said before.
    """

    body: str | None
    html_body: str | None = None
    public: bool = True
    author: User | None = None
    uploads: tuple[str, ...] = ()
    hidden: bool = False
    unsaid: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing said and nothing sent along."""
        return not self.html and not (self.body or "").strip() and not self.uploads

    @property
    def html(self) -> str:
        """What is said in HTML; nothing, where its marks have neither text nor a picture."""
        given = (self.html_body or "").strip()
        if len(given) > BODY_LIMIT:
            return given  # it is refused for that
        says = given and ("<img" in kept_of_html(given) or plain_of_html(kept_of_html(given)))
        return given if says else ""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that arrives: `to` is the desk's default address unless given.

    `headers` are those that say what kind of mail it is, such as Auto-Submitted and Precedence, and
    what it answers. `recipients` and `copies` are the lines of its To and Cc, if it has any.
    """

    sender: str
    name: str | None
    subject: str
    text: str
    html: str | None = None
    to: str | None = None
    message_id: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    recipients: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()


FIELD_ORDER = names_where(lambda item: item.audited)
ALWAYS_ON_CREATE = frozenset(names_where(lambda item: item.on_create == "always"))
NEVER_ON_CREATE = frozenset(names_where(lambda item: item.on_create == "never"))
CUSTOM = "custom_fields_"
