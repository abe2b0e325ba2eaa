"""What the histories of issues say: one entry for each update, an item for each field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from clones.tracker import models as tracker
from clones.tracker.domain.setup.fields import FLAGGED, IMPEDIMENT, SPRINT, STORY_POINTS
from seeds.bulk import BulkWriter
from seeds.kestrel.projection.tracker.site import Numbers, Site
from seeds.kestrel.projection.tracker.states import IssueState

Values = dict[str, Any]
# A value before or after a change: its id and what people read, None for none.
Side = tuple[str | None, str | None]
NOTHING: Side = (None, None)
# The story's names of fields, and the tracker's: what histories call them, and their ids.
NAMES = {
    "sprints": ("Sprint", f"customfield_{SPRINT}"),
    "points": ("Story Points", f"customfield_{STORY_POINTS}"),
    "flag": ("Flagged", f"customfield_{FLAGGED}"),
}


def item(name: str, id: str, old: Side, new: Side) -> Values:
    """Return an item of a history: the field's name and id, its value before and after."""
    return {
        "field": name,
        "field_type": "custom" if id.startswith("customfield_") else "jira",
        "field_id": id,
        "old": old[0],
        "old_string": old[1],
        "new": new[0],
        "new_string": new[1],
    }


class Histories:
    """Writes entries of histories."""

    def __init__(
        self, writer: BulkWriter, numbers: Numbers, site: Site, names: dict[int, str]
    ) -> None:
        self.writer, self.numbers, self.site, self.names = writer, numbers, site, names

    def write(self, state: IssueState, actor: int, at: datetime, items: list[Values]) -> None:
        """Write what one update changed; nothing, if it changed nothing."""
        if not items:
            return
        group, issue = self.numbers.take(tracker.ChangeGroup), state.id
        self.writer.add(
            tracker.ChangeGroup,
            {
                "id": group,
                "issue_id": issue,
                "author_id": self.site.users[actor],
                "created": at,
            },
        )
        for position, found in enumerate(items):
            self.writer.add(
                tracker.ChangeItem,
                {
                    "id": self.numbers.take(tracker.ChangeItem),
                    "group_id": group,
                    "issue_id": issue,
                    "created": at,
                    "position": position,
                    **found,
                },
            )
        state.touch(at)

    def items(self, state: IssueState, before: Values, names: Iterable[str]) -> Iterator[Values]:
        """Yield what a history says of the fields that differ from what they were."""
        for name in names:
            old, new = before.get(name), state.values[name]
            if old == new:
                continue
            if name == "space":
                yield from self._moved(state, str(old), str(new))
            elif name == "release":
                # One item for each version that went or came.
                for gone, come in ((old, None), (None, new)):
                    if gone or come:
                        sides = (self._version(state, gone), self._version(state, come))
                        yield item("Fix Version", "fixVersions", *sides)
            else:
                field, id = NAMES.get(name, (name, name))
                yield item(field, id, self._side(name, old), self._side(name, new))

    def _moved(self, state: IssueState, old: str, new: str) -> Iterator[Values]:
        named = self.site.space_names
        projects = self.site.projects
        sides = ((str(projects[old]), named[old]), (str(projects[new]), named[new]))
        yield item("project", "project", *sides)
        former = state.work.former
        assert former is not None  # noqa: S101 - only moved work comes here
        keys = ((None, f"{former[0]}-{former[1]}"), (None, state.key))
        yield item("Key", "", *keys)

    def _version(self, state: IssueState, name: str | None) -> Side:
        if name is None:
            return NOTHING
        return str(self.site.versions[state.work.space, name]), name

    def _side(self, name: str, value: Any) -> Side:
        site = self.site
        if name == "sprints":
            named = [site.sprints[index] for index in value or ()]
            ids = ", ".join(str(key) for key, _ in named)
            return ids, ", ".join(text for _, text in named)
        if name == "flag":
            return (f"[{IMPEDIMENT}]", "Impediment") if value else ("", "")
        if value is None:
            return NOTHING
        if name in ("summary", "points"):
            return None, str(value)
        if name == "assignee":
            return site.account_ids[value], self.names[value]
        if name == "status":
            return str(site.statuses[value][0]), str(value)
        known = {"priority": site.priorities, "resolution": site.resolutions}
        return str(known[name][value]), str(value)
