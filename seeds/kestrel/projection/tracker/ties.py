"""Links between issues, as rows and in the histories of both ends."""

from __future__ import annotations

from collections.abc import Mapping

from clones.tracker import models as tracker
from seeds.kestrel.engineering.model import Engineering, Move, Work
from seeds.kestrel.projection.tracker.issues import Issues


class Ties:
    """Writes links between issues that are written."""

    def __init__(self, issues: Issues, engineering: Engineering) -> None:
        self.writer, self.numbers, self.site = issues.writer, issues.numbers, issues.site
        self.histories, self.keys = issues.histories, issues.keys
        self.by_index = {item.index: item for item in engineering.work}

    def write(self, engineering: Engineering) -> None:
        """Write the links, with what the histories of both ends say of them."""
        words: Mapping[int, tuple[str, str]] = {
            key: (outward, inward)
            for key, outward, inward in tracker.IssueLinkType.objects.values_list(
                "id", "outward", "inward"
            )
        }
        for tie in engineering.ties:
            kind = self.site.link_types[tie.kind]
            source, target = self.by_index[tie.source], self.by_index[tie.target]
            row = {"id": self.numbers.take(tracker.IssueLink), "type_id": kind}
            row |= {"source_id": self.keys[tie.source], "destination_id": self.keys[tie.target]}
            self.writer.add(tracker.IssueLink, row)
            outward, inward = words[kind]
            actor = source.reporter
            self._told(source, target, outward, Move(tie.at, actor))
            self._told(target, source, inward, Move(tie.at, actor))

    def _told(self, work: Work, other: Work, words: str, move: Move) -> None:
        key = f"{other.space}-{other.number}"
        item = {
            "field": "Link",
            "field_id": "issuelinks",
            "field_type": "jira",
            "old": None,
            "old_string": None,
            "new": key,
            "new_string": f"This work item {words} {key}",
        }
        self.histories.write(self.keys[work.index], move, [item])
