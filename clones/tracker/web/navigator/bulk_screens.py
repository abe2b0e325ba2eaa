"""Transitions of many issues: which were chosen, and the fields of their screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.fieldset import fields_of
from clones.tracker.domain.transitions import screen_of
from clones.tracker.models import Issue
from clones.tracker.queries.bulk_moves import TogetherMoves, moves_together
from clones.tracker.queries.fieldsets import IssueField
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.transitions import Move
from clones.tracker.web.parts.choices import Choices
from clones.tracker.web.parts.controls import Control, Typed, control_of, is_controlled, payload

Json = dict[str, Any]
ALWAYS: Final = "resolution"  # who sees it on a screen must choose one


@dataclass(frozen=True, slots=True)
class ChosenTransition:
    """A transition that was chosen for the issues of one workflow."""

    keys: Sequence[str]
    move: Move


class BulkTransition:
    """One bulk transition as its forms say it so far."""

    def __init__(self, issues: Sequence[Issue], typed: Typed, rights: Rights) -> None:
        self.typed = typed
        self.rights = rights
        self.issues = {issue.key: issue for issue in issues}
        self.groups: list[TogetherMoves] = moves_together(issues, rights, screens=True)

    def _first(self, name: str) -> str:
        return (self.typed.get(name) or [""])[0]

    def rows(self) -> list[tuple[int, TogetherMoves, str]]:
        """Return the groups with their places and what is chosen for each."""
        return [(at, group, self._first(f"move-{at}")) for at, group in enumerate(self.groups)]

    def chosen(self) -> list[ChosenTransition]:
        """Return the transitions that were chosen.

        Raises:
            Invalid: none was.
        """
        found = [
            ChosenTransition(list(group.keys), move)
            for _, group, wanted in self.rows()
            for move in group.moves
            if str(move.number) == wanted
        ]
        if not found:
            raise Invalid("Please choose a transition.")
        return found

    def fields(self) -> dict[str, tuple[IssueField, Choices]]:
        """Return the fields of the screens of what was chosen, by id."""
        found: dict[str, tuple[IssueField, Choices]] = {}
        for one in self.chosen():
            issue = self.issues[one.keys[0]]
            fieldset = fields_of(issue.project, issue.issue_type)
            choices = Choices(fieldset, self.rights)
            for id in fieldset.shown(screen_of(one.move)):
                if is_controlled(fieldset.fields[id]):
                    found.setdefault(id, (fieldset.fields[id], choices))
        return found

    def controls(self) -> list[tuple[Control, bool]]:
        """Return the controls of those fields, each with whether it is to be changed."""
        changed = set(self.typed.get("change", ()))
        found = []
        for id, (field, choices) in self.fields().items():
            control = control_of(field, self.typed, choices)
            if id == ALWAYS:
                control = replace(control, required=True, none="Please select…")
            found.append((control, id in changed or id == ALWAYS))
        return found

    def body(self) -> Json:
        """Return what the screens set, as the second version of the API has it.

        Raises:
            Invalid: no resolution is chosen where one must be.
        """
        changed = set(self.typed.get("change", ()))
        found: Json = {}
        for id, (field, _) in self.fields().items():
            if id not in changed and id != ALWAYS:
                continue
            value = payload(field, self.typed)
            if id == ALWAYS and value is None:
                raise Invalid("Resolution is required.")
            found[id] = value
        return found

    def summary(self) -> list[tuple[str, str]]:
        """Return what is about to be done, in pairs of words.

        Raises:
            Invalid: nothing was chosen, or a field cannot be set so.
        """
        found = [
            (f"{one.move.name} ({', '.join(one.keys)})", one.move.to.name) for one in self.chosen()
        ]
        body = self.body()
        for control, _ in self.controls():
            if control.id in body:
                names = [one.label for one in control.choices if one.chosen]
                found.append((control.label, ", ".join(names) or control.value or "None"))
        return found
