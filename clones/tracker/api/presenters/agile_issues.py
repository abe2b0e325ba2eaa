"""Issues as boards show them: as the platform does, with sprint, closed sprints, flag and epic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any, Final

from clones.tracker.api.presenters.agile import AGILE, looks_of, present_epic, short_sprint
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.issues import MANY, ONE, IssueAnswer, fields_of_one
from clones.tracker.api.presenters.selection import ALL, NAVIGABLE
from clones.tracker.models import EpicLook, Issue
from clones.tracker.queries.agile_fields import flag_field

Json = dict[str, Any]
FIELDS: Final = ("sprint", "closedSprints", "flagged", "epic")


class AgileAnswer:
    """Some issues of one answer, read with a constant number of statements.

    `fields` is what the client sent, None for the default: of one issue all fields, of lists those
    that lists of the platform have, and always those of boards.
    """

    def __init__(
        self,
        issues: Sequence[Issue],
        fields: Iterable[str] | None,
        show: Show,
        expand: Collection[str] = (),
        *,
        detail: bool = False,
    ) -> None:
        default = ALL if detail else NAVIGABLE
        wanted = expand if detail else [word for word in expand if word not in ("names", "schema")]
        fields = fields_of_one(fields, wanted) if detail else fields
        self._answer = IssueAnswer(issues, fields, show, wanted, default=default)
        self._words = ONE if detail else MANY
        self._expand = frozenset(expand)
        self._show = show

    def issues(self) -> list[Json]:
        """Return the issues in their order."""
        found = self._answer.issues(self._words)
        wanted = [name for name in FIELDS if self._answer.selection.has(name)]
        for issue, body in zip(self._answer.asked, found, strict=True):
            if "self" in body:
                body["self"] = self._show.at(f"{AGILE}/issue/{issue.id}")
            if "fields" in body:
                body["fields"] |= {name: self._value(name, issue) for name in wanted}
        return found

    def beside(self) -> Json:
        """Return the names and schemas of fields, where a list was asked for them."""
        found: Json = {}
        if "names" in self._expand:
            found["names"] = self._answer.names()
        if "schema" in self._expand:
            found["schema"] = self._answer.schema()
        return found

    def _value(self, name: str, issue: Issue) -> Any:
        if name == "flagged":
            return bool(self._flag and self._answer.rows.values[issue.id][self._flag])
        if name == "epic":
            return self._epic(issue)
        sprints = self._answer.rows.sprints[issue.id]
        if name == "closedSprints":
            return [short_sprint(one, self._show) for one in sprints if one.state == "closed"]
        present = [short_sprint(one, self._show) for one in sprints if one.state != "closed"]
        return present[-1] if present else None

    @cached_property
    def _flag(self) -> int | None:
        field = flag_field()
        return None if field is None else field.id

    @cached_property
    def _looks(self) -> dict[int, EpicLook]:
        return dict(looks_of(self._answer.rows.parents))

    def _epic(self, issue: Issue) -> Json | None:
        parent = self._answer.rows.parents.get(issue.parent_id or 0)
        if parent is None or parent.issue_type.hierarchy_level != 1:
            return None
        return present_epic(parent, self._looks.get(parent.id), self._show)
