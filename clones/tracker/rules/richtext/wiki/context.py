"""What wiki markup leaves unsaid, and its reader and printer must be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


def _unknown(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Context:
    """What the site knows of the names in a text.

    `issue_url` gives the address of the issue with a key, None for a key that is none. `names` are
    display names by account id. `files` are media ids by file name: markup names an attachment,
    a document its media id.
    """

    issue_url: Callable[[str], str | None] = _unknown
    names: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    def file_name(self, media_id: str) -> str:
        """Return the name of a file, or its id where no name is known."""
        return next((name for name, known in self.files.items() if known == media_id), media_id)


NOTHING = Context()
