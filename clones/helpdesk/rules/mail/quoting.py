"""What of a reply to the desk's mail is new: `core.quoting`, with the desk's own line."""

from __future__ import annotations

from clones.core import quoting
from clones.core.quoting import Split

DELIMITER = "##- Please type your reply above this line -##"


def split_text(text: str, delimiter: str = DELIMITER) -> Split:
    """Return what of a plain text is new."""
    return quoting.split_text(text, delimiter)


def split_html(html: str, delimiter: str = DELIMITER) -> Split:
    """Return what of HTML is new."""
    return quoting.split_html(html, delimiter)
