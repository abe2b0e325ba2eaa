"""The fields of an issue as its page shows them, each with the control that changes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.utils.safestring import SafeString

from clones.tracker.domain.fieldset import Fieldset, IssueField, fields_of
from clones.tracker.domain.issues.editing import is_editable
from clones.tracker.domain.issues.planning import PERMISSIONS
from clones.tracker.domain.issues.values import Stored
from clones.tracker.models import Issue, User
from clones.tracker.queries.rights import BROWSE, Rights
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import text_of
from clones.tracker.web.issue.access import IssuePageState
from clones.tracker.web.parts.choices import Choices
from clones.tracker.web.parts.controls import Control, control_of, initial, is_controlled
from clones.tracker.web.parts.texts import names_in, shown
from clones.tracker.web.parts.times import day_text, when

# Shown elsewhere on the page, or by the controls of other fields.
APART: Final = frozenset(
    {"summary", "description", "attachment", "issuelinks", "comment", "worklog", "project"}
    | {"status", "created", "updated", "creator", "resolutiondate", "subtasks", "votes", "watches"}
)
FIRST: Final = ("assignee", "reporter", "issuetype", "priority", "labels", "parent", "duedate")
_BY_MOVES: Final = frozenset({"resolution"})  # set on the way through transitions


@dataclass(frozen=True, slots=True)
class Detail:
    """A field: what it holds, and its control while it is being changed."""

    field: IssueField
    texts: Sequence[str] = ()
    people: Sequence[User] = ()
    links: Sequence[tuple[str, str]] = ()
    html: SafeString | None = None
    picture: Any = None
    editable: bool = False
    control: Control | None = None
    none: str = "None"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.texts or self.people or self.links or self.html)


class Details:
    """The fields of one issue for one who looks."""

    def __init__(self, issue: Issue, rights: Rights, asked: IssuePageState) -> None:
        self.issue = issue
        self.rights = rights
        self.asked = asked
        self.fieldset: Fieldset = fields_of(issue.project, issue.issue_type)
        self._stored = Stored(issue)

    @cached_property
    def may_edit(self) -> bool:
        """Whether they may change its fields at all."""
        return self.rights.may_on("EDIT_ISSUES", self.issue) and is_editable(self.issue)

    @cached_property
    def may_assign(self) -> bool:
        """Whether they may give it to somebody."""
        return self.rights.may_on("ASSIGN_ISSUES", self.issue)

    @cached_property
    def _screen(self) -> frozenset[str]:
        return frozenset(self.fieldset.screen("edit"))

    @cached_property
    def _choices(self) -> Choices:
        return Choices(self.fieldset, self.rights, self.issue)

    def is_editable(self, field: IssueField) -> bool:
        """Tell whether they can change a field in its place."""
        if field.id == "assignee":
            return self.may_assign
        if field.id == "issuetype":
            return self.may_edit and len(self._choices.types) > 1
        if not self.may_edit or field.id in _BY_MOVES or not is_controlled(field):
            return False
        if field.id not in self._screen and field.id != "parent" and field.kind.name != "sprint":
            return False
        permission = PERMISSIONS.get(field.id)
        if field.kind.name == "sprint":
            permission = "SCHEDULE_ISSUES"
        return permission is None or self.rights.may_on(permission, self.issue)

    @cached_property
    def panel(self) -> list[Detail]:
        """The fields of the panel in their order: people first, then as on the screens."""
        fields = self.fieldset.fields
        order = [*FIRST, *self.fieldset.screen("view"), *self.fieldset.screen("edit")]
        if self.issue.resolution_id is not None:
            order.append("resolution")
        if "timetracking" in fields and "timetracking" not in order:
            order.append("timetracking")
        found = []
        for id in dict.fromkeys(order):
            field = fields.get(id)
            if field is None or id in APART or not self._is_shown(field):
                continue
            found.append(self.detail(id))
        return found

    def _is_shown(self, field: IssueField) -> bool:
        if field.kind.name in ("epic_link", "rank", "unknown"):
            return False
        if field.kind.name == "epic_name":
            return self.issue.issue_type.hierarchy_level == 1
        if field.id == "parent":
            return self.issue.issue_type.hierarchy_level < 1 or self.issue.parent_id is not None
        return field.id == "issuetype" or is_controlled(field)

    def detail(self, id: str) -> Detail:
        """Return one field."""
        field = self.fieldset.fields[id]
        editable = self.is_editable(field)
        value = self._stored.value(field)
        control = None
        if editable and self.asked.edit == id:
            typed = self.asked.typed or initial(field, value, self.rights)
            control = control_of(field, typed, self._choices, self._error(id))
        none = "Unassigned" if id == "assignee" else "None"
        return Detail(
            field, **self._shown(field, value), editable=editable, control=control, none=none
        )

    def _error(self, id: str) -> str:
        said = self.asked.refusal
        return " ".join(said.sentences) if self.asked.edit == id else ""

    def _shown(self, field: IssueField, value: Any) -> dict[str, Any]:
        """Return what a value is shown as."""
        if value is None or value == ():
            return {}
        kind = field.kind.name
        if kind in ("user", "users"):
            return {"people": value if isinstance(value, tuple) else (value,)}
        if kind == "rich":
            return {"html": shown(value, names_in([value]))}
        if kind == "parent":
            if not self.rights.may_on(BROWSE, value):
                return {}
            return {"links": [(f"/browse/{value.key}", f"{value.key} {value.summary}")]}
        if kind == "url":
            safe = value.startswith(("http://", "https://", "mailto:"))
            return {"links": [(value, value)]} if safe else {"texts": [value]}
        if kind in ("priority", "issuetype"):
            return {"texts": [value.name], "picture": value}
        return {"texts": self._texts(kind, value)}

    def _texts(self, kind: str, value: Any) -> list[str]:
        match kind:
            case "day":
                return [day_text(value)]
            case "moment":
                return [when(value, self.rights.zone)]
            case "number":
                return [f"{value:.15g}"]
            case "cascade":
                above = value.parent
                return [f"{above.value} - {value.value}" if above is not None else value.value]
            case "timetracking":
                return estimates(self.issue)
        values = value if isinstance(value, tuple) else (value,)
        return [_name(one) for one in values]


def estimates(issue: Issue) -> list[str]:
    """Return what is known of an issue's time: estimated, spent, left."""
    work = work_time()
    parts = (
        (issue.original_estimate, "{} estimated"),
        (issue.time_spent, "{} logged"),
        (issue.remaining_estimate, "{} remaining"),
    )
    return [text.format(text_of(value, work)) for value, text in parts if value is not None]


def _name(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(getattr(value, "name", None) or getattr(value, "value", ""))
