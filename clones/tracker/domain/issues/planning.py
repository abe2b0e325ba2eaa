"""What a request wants to change in an issue: read whole, and refused whole, before any write.

The sentences are the vendor's as clients report them (issues of public clients, examples of the
API's description).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.issues.resolving import BadValue, Resolver
from clones.tracker.domain.issues.values import Stored
from clones.tracker.domain.richtext import Version, read_rich_text
from clones.tracker.models import Issue
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_kinds.kinds import Estimates
from clones.tracker.rules.field_kinds.system import UNSCREENED

# Permissions without which a field is as if it were not on the screen.
PERMISSIONS: Final = {
    "assignee": "ASSIGN_ISSUES",
    "reporter": "MODIFY_REPORTER",
    "security": "SET_ISSUE_SECURITY",
    "duedate": "SCHEDULE_ISSUES",
    "fixVersions": "RESOLVE_ISSUES",
    "issuelinks": "LINK_ISSUES",
}
ACTS: Final = frozenset({"comment", "worklog", "issuelinks"})
# Where a field is set is somebody else's business: a screen does not keep it away.
_BY_AGILE: Final = frozenset({"sprint", "epic_link", "epic_name"})
NO_SUMMARY: Final = "You must specify a summary of the issue."
INHERITED: Final = "issuetype", "project"


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """Something to do besides setting values: `field` is comment, worklog or issuelinks."""

    field: str
    verb: str
    value: Any


@dataclass(slots=True)
class Planned:
    """What is to become of an issue: whole values by field id, and acts."""

    fieldset: Fieldset
    values: dict[str, Any] = field(default_factory=dict)
    acts: list[PlannedAction] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.values or self.acts)

    @property
    def comments(self) -> list[PlannedAction]:
        """The comments that are to be added."""
        return [act for act in self.acts if act.field == "comment" and act.verb == "add"]


def cannot_set(id: str) -> str:
    """Return the sentence about a field that nobody can set there."""
    return f"Field '{id}' cannot be set. It is not on the appropriate screen, or unknown."


def read_changes(
    fieldset: Fieldset,
    payload: Mapping[str, Any],
    issue: Issue | None,
    *,
    actor: Rights,
    version: Version,
    screen: Iterable[str] | None,
    trusted: bool = False,
) -> Planned:
    """Return what a request's `fields` and `update` ask for.

    Args:
        fieldset: the fields that count.
        payload: {"fields": {id: value}, "update": {id: [{verb: value}]}}; issue type and space are
            the caller's business and passed over.
        issue: what is to change, None if it is yet to be made.
        actor: who asks.
        version: in which version of the API rich text is written.
        screen: the fields that may be set; None: all.
        trusted: whether permissions of single fields do not count (desks act for customers).

    Raises:
        Invalid: with a sentence for each field that is wrong.
    """
    return _RequestReading(fieldset, issue, actor, version, screen, trusted=trusted).read(payload)


class _RequestReading:
    """Reads one request."""

    def __init__(
        self,
        fieldset: Fieldset,
        issue: Issue | None,
        actor: Rights,
        version: Version,
        screen: Iterable[str] | None,
        *,
        trusted: bool,
    ) -> None:
        self.fieldset = fieldset
        self.issue = issue
        self.actor = actor
        self.version = version
        self.screen = None if screen is None else frozenset(screen)
        self.trusted = trusted
        self.planned = Planned(fieldset)
        self.wrong: dict[str, str] = {}
        self.resolver = Resolver(fieldset, issue, actor, version)
        self.stored = None if issue is None else Stored(issue)

    def read(self, payload: Mapping[str, Any]) -> Planned:
        """Read all of it."""
        fields = _mapping(payload.get("fields"), "fields")
        update = _mapping(payload.get("update"), "update")
        for id in fields:
            if id in update and id not in INHERITED:
                self.wrong[id] = f"Field '{id}' cannot appear in both 'fields' and 'update'"
        for id, value in fields.items():
            if id not in INHERITED and id not in self.wrong:
                self._operate(id, [("set", value)])
        for id, operations in update.items():
            if id not in INHERITED and id not in self.wrong:
                self._operate(id, self._operations(id, operations))
        if self.wrong:
            raise Invalid(fields=self.wrong)
        return self.planned

    def _operations(self, id: str, operations: Any) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for operation in operations if isinstance(operations, list) else [operations]:
            if not isinstance(operation, Mapping) or len(operation) != 1:
                self.wrong[id] = "Field operations must be objects with one operation each."
                return []
            found.extend(operation.items())
        return found

    def _operate(self, id: str, operations: list[tuple[str, Any]]) -> None:
        field = self._settable(id)
        if field is None:
            if operations:
                self.wrong.setdefault(id, cannot_set(id))
            return
        for verb, value in operations:
            if verb not in field.kind.operations:
                if field.id in ACTS and verb == "set" and not value:
                    continue
                known = ",".join(f"'{one}'" for one in field.kind.operations)
                self.wrong[id] = (
                    f"Field '{id}' does not support operation '{verb}'"
                    f" Supported operation(s) are: {known}"
                )
                return
            try:
                self._apply(field, verb, value)
            except BadValue as error:
                self.wrong.update(error.by_field or {id: error.text})
                return

    def _settable(self, id: str) -> IssueField | None:
        field = self.fieldset.fields.get(id)
        if field is None or not field.kind.operations:
            return None
        off = self.screen is not None and id not in self.screen
        if off and id not in UNSCREENED and field.kind.name not in _BY_AGILE:
            return None
        return field if self._permitted(field) else None

    def _permitted(self, field: IssueField) -> bool:
        permission = PERMISSIONS.get(field.id)
        if field.kind.name == "sprint":
            permission = "SCHEDULE_ISSUES"
        if permission is None or self.trusted:
            return True
        if self.issue is None:
            return self.actor.may(permission, self.fieldset.project)
        return self.actor.may_on(permission, self.issue)

    def _apply(self, field: IssueField, verb: str, value: Any) -> None:
        if field.id in ACTS:
            self._plan_act(field, verb, value)
            return
        if field.kind.name == "attachment":
            raise BadValue(cannot_set(field.id))
        if verb in ("add", "remove"):
            one = self.resolver.one(field, value)
            held = [item for item in self._present(field) or () if item != one]
            self.planned.values[field.id] = tuple([*held, one] if verb == "add" else held)
            return
        found = self.resolver.value(field, value)
        if field.kind.name == "timetracking":
            found = self._estimates(self._present(field) or Estimates(), found)
        target = "parent" if field.kind.name == "epic_link" else field.id
        self.planned.values[target] = found

    def _estimates(self, present: Estimates, said: Mapping[str, int | None]) -> Estimates:
        original = said.get("original", present.original)
        remaining = said.get("remaining", present.remaining)
        if self.issue is None:  # of a new issue the one stands for the other
            original = remaining if original is None else original
            remaining = original if remaining is None else remaining
        return Estimates(original, remaining)

    def _present(self, field: IssueField) -> Any:
        """Return what a field holds by now, earlier operations of the request included."""
        if field.id in self.planned.values:
            return self.planned.values[field.id]
        return None if self.stored is None else self.stored.value(field)

    def _plan_act(self, field: IssueField, verb: str, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise BadValue("Operation value must be an object")
        found = dict(value)
        text = "body" if field.id == "comment" else "comment"
        if field.id != "issuelinks" and text in found:
            found[text] = self._rich(found[text])
        self.planned.acts.append(PlannedAction(field.id, verb, found))

    def _rich(self, value: Any) -> dict[str, Any] | None:
        try:
            return read_rich_text(value, self.version, "comment")
        except Invalid as error:
            raise BadValue(error.fields.get("comment") or error.messages[0]) from error


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Invalid(fields={what: "data was not an object"})
    return value


def is_empty(value: Any) -> bool:
    """Tell whether a field with this value counts as not filled."""
    return value is None or value in ("", ()) or value == Estimates()


def check_required(
    planned: Planned, issue: Issue | None, screen: Iterable[str] | None = None
) -> None:
    """Hold an issue to the fields that its configuration requires.

    Of a new issue all are asked for, whether they are on the screen or not; of one that is, only
    those that the request empties, and with `screen` all that are on it (transitions).

    Raises:
        Invalid: some are empty.
    """
    wrong: dict[str, str] = {}
    stored = None if issue is None else Stored(issue)
    asked = frozenset(screen or ())
    for id, known in planned.fieldset.fields.items():
        if not known.required or id in INHERITED or not known.kind.operations:
            continue
        if id in ACTS:
            missing = (issue is None or id in asked) and not any(
                act.field == id for act in planned.acts
            )
        elif id in planned.values:
            missing = is_empty(planned.values[id])
        elif stored is None:
            missing = True
        else:
            missing = id in asked and is_empty(stored.value(known))
        if missing:
            wrong[id] = NO_SUMMARY if id == "summary" else f"{known.name} is required."
    if wrong:
        raise Invalid(fields=wrong)
