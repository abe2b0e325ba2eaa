"""The composer: what an agent is about to say, and on which channel."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from clones.helpdesk.models import User

PUBLIC, INTERNAL = "public", "internal"


@dataclass(frozen=True, slots=True)
class Composer:
    """What the composer holds. `html` is set only where the text is formatted; it wins."""

    body: str = ""
    html: str = ""
    public: bool = True
    is_draft: bool = False

    @property
    def channel(self) -> str:
        """The channel's name in forms."""
        return PUBLIC if self.public else INTERNAL

    @property
    def channel_label(self) -> str:
        """The channel in the words of the page."""
        return "Public reply" if self.public else "Internal note"

    @property
    def is_blank(self) -> bool:
        """Whether nothing was written."""
        return not self.body.strip() and not self.html.strip()


def posted(post: QueryDict, author: User) -> Composer:
    """Return the composer as it was sent; light agents write internal notes only."""
    public = post.get("channel", PUBLIC) == PUBLIC and not author.only_private_comments
    body = post.get("comment", "").replace("\r\n", "\n")
    return Composer(body, post.get("comment_html", ""), public)
