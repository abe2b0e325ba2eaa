"""Moving many issues: for each space and type where they go, and what has to fit there.

Two forms: where to, for each group (`target-<space>-<type>`, `parent-<space>-<type>`); and, where
it is needed, what becomes of statuses (`status-<place>-<id>`) and of required fields
(`<place>|<field>`). A place is "KEY,type": as the API's bulk move names it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.bulk.moving import MoveInput
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.fieldset import fields_of
from clones.tracker.models import Group, Issue, IssueType, Project, Status
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.kinds import types_of_projects
from clones.tracker.queries.rights import Rights, find_issue, visible_projects
from clones.tracker.queries.workflows import statuses_by_type
from clones.tracker.web.parts.choices import Choice, Choices
from clones.tracker.web.parts.controls import Control, Typed, control_of, is_controlled, payload
from clones.tracker.web.parts.rich import SUFFIX, read_text
from clones.tracker.web.shell import words

SPACES: Final = 200
# Kinds of fields whose values the bulk move has no words for.
_NOT_SENT: Final = frozenset({"cascade", "timetracking", "parent", "sprint"})


@dataclass(frozen=True, slots=True)
class Movers:
    """Issues of one space and type, and where they are to go ("" while nobody said)."""

    key: str
    project: Project
    issue_type: IssueType
    issues: Sequence[Issue]
    target: str
    parent: str

    @property
    def label(self) -> str:
        """What people read of it."""
        return f"{self.project.name} / {self.issue_type.name}"


@dataclass(frozen=True, slots=True)
class MoveTarget:
    """Where issues go: a space, a type, for sub-tasks a parent."""

    project: Project
    issue_type: IssueType
    parent: Issue | None

    @property
    def key(self) -> str:
        """How the API's bulk move names it."""
        found = f"{self.project.key},{self.issue_type.id}"
        return found if self.parent is None else f"{found},{self.parent.key}"

    @property
    def label(self) -> str:
        """What people read of it."""
        below = "" if self.parent is None else f", below {self.parent.key}"
        return f"{self.project.name} / {self.issue_type.name}{below}"


@dataclass(frozen=True, slots=True)
class MoveRequirements:
    """What has to be said of a place: statuses that it has not, and fields that it requires."""

    place: MoveTarget
    statuses: Sequence[tuple[str, Status, Sequence[Choice]]]
    controls: Sequence[Control]

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.statuses or self.controls)


class BulkMoving:
    """One bulk move as its forms say it so far."""

    def __init__(self, issues: Sequence[Issue], typed: Typed, rights: Rights) -> None:
        self.typed = typed
        self.rights = rights
        spaces = rights.projects_with("CREATE_ISSUES")
        rows = visible_projects(rights).filter(id__in=sorted(spaces), archived_at=None)[:SPACES]
        self._spaces = {row.key: row for row in rows}
        self._types = types_of_projects(list(self._spaces.values()))
        self.groups = self._groups(issues)

    def _first(self, name: str) -> str:
        return (self.typed.get(name) or [""])[0].strip()

    def _groups(self, issues: Sequence[Issue]) -> list[Movers]:
        chosen = {issue.id for issue in issues}
        found: dict[str, list[Issue]] = defaultdict(list)
        for issue in issues:
            # A part goes where what it is a part of goes.
            if not (issue.issue_type.subtask and issue.parent_id in chosen):
                found[f"{issue.project_id}-{issue.issue_type_id}"].append(issue)
        groups: list[Movers] = []
        for key, members in found.items():
            one = members[0]
            target, parent = self._first(f"target-{key}"), self._first(f"parent-{key}")
            if self._first("same") and groups and not one.issue_type.subtask:
                target = groups[0].target
            groups.append(Movers(key, one.project, one.issue_type, members, target, parent))
        return groups

    def choices(self, group: Movers) -> list[tuple[str, list[Choice]]]:
        """Return the places that a group can go to, by space."""
        found = []
        for space in sorted(self._spaces.values(), key=lambda row: (row.name.casefold(), row.id)):
            rows = [
                Choice(value, kind.name, value == group.target)
                for kind in self._types[space.id]
                if kind.subtask == group.issue_type.subtask
                for value in [f"{space.key},{kind.id}"]
            ]
            found.append((f"{space.name} ({space.key})", rows))
        return found

    def place(self, group: Movers) -> MoveTarget:
        """Return where a group goes.

        Raises:
            Invalid: nobody said, or there is no such place, or no such parent.
        """
        key, _, kind = group.target.partition(",")
        space = self._spaces.get(key)
        kinds = self._types[space.id] if space is not None else []
        found = next((one for one in kinds if str(one.id) == kind), None)
        if space is None or found is None or found.subtask != group.issue_type.subtask:
            said = words()
            raise Invalid(f"Please choose a {said.space} and a type for {group.label}.")
        if not found.subtask:
            return MoveTarget(space, found, None)
        if not group.parent:
            raise Invalid(f"Please name a parent for {group.label}.")
        try:
            return MoveTarget(space, found, find_issue(self.rights, group.parent))
        except NotFound as error:
            raise Invalid(f"{group.parent}: {error}") from error

    def askings(self) -> list[MoveRequirements]:
        """Return what has to be said of the places, of each once.

        Raises:
            Invalid: a group has no place.
        """
        by_place: dict[str, tuple[MoveTarget, list[Issue]]] = {}
        for group in self.groups:
            place = self.place(group)
            by_place.setdefault(place.key, (place, []))[1].extend(group.issues)
        return [self._asking(place, members) for place, members in by_place.values()]

    def _asking(self, place: MoveTarget, members: Sequence[Issue]) -> MoveRequirements:
        there = statuses_by_type(place.project, [place.issue_type])[place.issue_type.id]
        known = {status.id for status in there}
        missing = {one.status.id: one.status for one in members if one.status_id not in known}
        statuses = []
        for id, status in sorted(missing.items()):
            name = f"status-{place.key}-{id}"
            wanted = self._first(name) or next(
                (str(one.id) for one in there if one.name.casefold() == status.name.casefold()),
                str(there[0].id),
            )
            rows = [Choice(str(one.id), one.name, str(one.id) == wanted) for one in there]
            statuses.append((name, status, rows))
        fieldset = fields_of(place.project, place.issue_type)
        choices = Choices(fieldset, self.rights)
        controls = []
        for asked in self._required(fieldset, members):
            names = (asked.id, asked.id + SUFFIX)
            typed = {id: one for id, one in self._typed_of(place).items() if id in names}
            control = control_of(asked, typed, choices)
            named = f"{place.key}|{asked.id}"
            controls.append(replace(control, id=named, required=False))
        return MoveRequirements(place, statuses, controls)

    def _required(self, fieldset: Fieldset, members: Sequence[Issue]) -> list[IssueField]:
        """Return the fields that are required there and were not where some come from."""
        found = []
        before = {(one.project_id, one.issue_type_id): one for one in members}
        former = [fields_of(one.project, one.issue_type) for one in before.values()]
        for id, asked in fieldset.fields.items():
            sent = is_controlled(asked) and asked.kind.name not in _NOT_SENT
            if not asked.required or id == "summary" or not sent:
                continue
            if not all(id in one.fields and one.fields[id].required for one in former):
                found.append(asked)
        return found

    def _typed_of(self, place: MoveTarget) -> dict[str, list[str]]:
        """Return what was typed for the fields of a place, by the fields' ids."""
        start = f"{place.key}|"
        return {
            name.removeprefix(start): list(values)
            for name, values in self.typed.items()
            if name.startswith(start)
        }

    def inputs(self) -> dict[str, MoveInput]:
        """Return what the domain's bulk move takes.

        Raises:
            Invalid: a group has no place.
        """
        names: dict[str, list[str]] = defaultdict(list)
        for group in self.groups:
            names[self.place(group).key] += [issue.key for issue in group.issues]
        found = {}
        for asking in self.askings():
            key = asking.place.key
            statuses = {
                status.id: int(value)
                for name, status, rows in asking.statuses
                for value in [self._first(name) or next(row.value for row in rows if row.chosen)]
                if is_digits(value)
            }
            found[key] = MoveInput(names[key], statuses, fields=self._values(asking.place))
        return found

    def _values(self, place: MoveTarget) -> dict[str, Mapping[str, Any]]:
        """Return the values for a place's fields; they count where an issue has none."""
        fieldset = fields_of(place.project, place.issue_type)
        typed = self._typed_of(place)
        found: dict[str, Mapping[str, Any]] = {}
        for id in typed:
            known = fieldset.fields.get(id)
            if known is None or known.kind.name in _NOT_SENT or not any(typed[id]):
                continue
            if known.kind.name == "rich":
                value = read_text(typed, id, None, id)
                found[id] = {"retain": True, "type": "adf", "value": value}
            else:
                texts = _texts(payload(known, typed))
                found[id] = {"retain": True, "type": "raw", "value": texts}
        return found

    def summary(self) -> list[tuple[str, str]]:
        """Return what is about to be done, in pairs of words.

        Raises:
            Invalid: a group has no place.
        """
        found = [
            (f"{group.label} ({len(group.issues)})", self.place(group).label)
            for group in self.groups
        ]
        inputs = self.inputs()
        for asking in self.askings():
            mapped = inputs[asking.place.key].statuses
            for _, status, rows in asking.statuses:
                named = {row.value: row.label for row in rows}
                found.append((f"Status {status.name}", named.get(str(mapped[status.id]), "")))
        return found


def _texts(value: Any) -> list[str]:
    """Return a value of the second version of the API as the list of texts of a bulk move."""
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    if isinstance(value, Mapping):
        if "groupId" in value:
            rows = Group.objects.filter(uuid=value["groupId"]).values_list("name", flat=True)
            return list(rows)
        return [str(one) for one in value.values()]
    return [] if value is None else [str(value)]
