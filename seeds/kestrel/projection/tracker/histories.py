"""What the histories of issues say: one entry for each update, an item for each field."""

from __future__ import annotations

from typing import Any

from clones.tracker import models as tracker
from seeds.bulk import BulkWriter
from seeds.kestrel.engineering.model import Move
from seeds.kestrel.projection.tracker.site import Numbers, Site

Values = dict[str, Any]


class Histories:
    """Writes entries of histories."""

    def __init__(self, writer: BulkWriter, numbers: Numbers, site: Site) -> None:
        self.writer, self.numbers, self.site = writer, numbers, site

    def write(self, issue: int, move: Move, items: list[Values]) -> None:
        """Write what one update changed; nothing, if it changed nothing."""
        if not items:
            return
        group = self.numbers.take(tracker.ChangeGroup)
        author = self.site.users[move.actor]
        self.writer.add(
            tracker.ChangeGroup,
            {"id": group, "issue_id": issue, "author_id": author, "created": move.at},
        )
        for position, item in enumerate(items):
            self.writer.add(
                tracker.ChangeItem,
                {
                    "id": self.numbers.take(tracker.ChangeItem),
                    "group_id": group,
                    "issue_id": issue,
                    "created": move.at,
                    "position": position,
                    **item,
                },
            )
