"""Issues as the platform shows them, one or many: with a constant number of statements.

    present_issues(issues, fields, show)                      # of lists: search, boards, queues
    present_issue(issue, fields, show, expand=[...])          # one, with all that it can have
    IssueAnswer(issues, fields, show, expand).issues() / .names() / .schema()

`fields` is what the client sent, or None for the default; only what is asked for is read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any, Final

from clones.tracker.api.presenters.changelogs import present_histories
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.createmeta import ALWAYS, FieldMetas
from clones.tracker.api.presenters.custom_values import CustomValues
from clones.tracker.api.presenters.issue_fields import IssueFields
from clones.tracker.api.presenters.opsbar import present_operations
from clones.tracker.api.presenters.rendered import RenderedFields
from clones.tracker.api.presenters.selection import ALL, Selection, select
from clones.tracker.api.presenters.transitions import present_moves
from clones.tracker.domain.properties import values_of
from clones.tracker.domain.transitions import available
from clones.tracker.models import Issue
from clones.tracker.queries.allowed_values import AllowedValues
from clones.tracker.queries.fields import fields_of_screens
from clones.tracker.queries.fieldsets import Fieldset, fieldsets_of
from clones.tracker.queries.issue_rows import IssueRows
from clones.tracker.queries.shown_fields import ShownField, ShownFields
from clones.tracker.queries.transitions import Move
from clones.tracker.rules.field_catalogue import custom_type, system_fields

Json = dict[str, Any]
ONE: Final = (
    "renderedFields,names,schema,transitions,operations,editmeta,changelog,versionedRepresentations"
)
MOVE_FIELDS: Final = "transitions.fields"
MANY: Final = "operations,versionedRepresentations,editmeta,changelog,renderedFields"


class IssueAnswer:
    """Some issues of one answer.

    `expand` has words of `ONE`; names and schema, which lists have once, are asked for apart.
    """

    def __init__(
        self,
        issues: Sequence[Issue],
        fields: Iterable[str] | None,
        show: Show,
        expand: Collection[str] = (),
        *,
        default: str = ALL,
        properties: Collection[str] = (),
    ) -> None:
        self.asked = list(issues)
        self.show = show
        self.expand = frozenset(expand)
        self.properties = list(properties)
        self.selection: Selection = select(fields, default)
        self.rows = IssueRows(self.asked, show.reader)
        self._fields = IssueFields(self.rows, show)
        self._custom = CustomValues(self.rows, show)

    @cached_property
    def _shown(self) -> ShownFields:
        return ShownFields(
            (self.rows.named(issue, "project"), self.rows.named(issue, "issue_type"))
            for issue in self.asked
        )

    def _custom_fields(self, issue: Issue) -> list[ShownField]:
        if not self.selection.has_custom:
            return []
        known = self._shown.of(issue.project_id, issue.issue_type_id)
        return [field for field in known if self.selection.has(field.id)]

    def _system_ids(self, issue: Issue) -> list[str]:
        ids = self.selection.system
        if self.selection.has_custom:
            hidden = self._shown.hidden(issue.project_id, issue.issue_type_id)
            ids = [id for id in ids if id not in hidden or id in _NEVER_HIDDEN]
        return [id for id in ids if id != "parent" or issue.parent_id in self.rows.parents]

    def fields_of(self, issue: Issue) -> Json:
        """Return the fields of one issue that were asked for."""
        found = {id: self._fields.value(id, issue) for id in self._system_ids(issue)}
        for field in self._custom_fields(issue):
            found[field.id] = self._custom.value(field, issue)
        return found

    def issues(self, words: str = MANY) -> list[Json]:
        """Return the issues; `words` is what they say can be expanded.

        A search for ids alone has nothing but ids; an issue by itself has its key in any case.
        """
        if self.selection.only_id and words == MANY and not (self.expand or self.properties):
            return [{"id": str(issue.id)} for issue in self.asked]
        return [self._issue(issue, words) for issue in self.asked]

    def _issue(self, issue: Issue, words: str) -> Json:
        self.show.note(issue, "detail" if words == ONE else "list")
        found: Json = {
            "expand": words,
            "id": str(issue.id),
            "self": self.show.url(f"issue/{issue.id}"),
            "key": issue.key,
        }
        fields = self.fields_of(issue)
        if "renderedFields" in self.expand:
            found["renderedFields"] = self._rendered_of(issue, fields)
        if "names" in self.expand:
            found["names"] = self.names([issue])
        if "schema" in self.expand:
            found["schema"] = self.schema([issue])
        self._expand(issue, found)
        if self.properties:
            found["properties"] = self._properties.get(str(issue.id), {})
        if "versionedRepresentations" in self.expand:
            found["versionedRepresentations"] = {id: {"1": value} for id, value in fields.items()}
        elif not self.selection.only_itself:
            found["fields"] = fields
        return found

    def _expand(self, issue: Issue, found: Json) -> None:
        if {"transitions", MOVE_FIELDS} & self.expand:
            found["transitions"] = self._transitions[issue.id]
        if "operations" in self.expand:
            found["operations"] = present_operations(issue, self.show)
        if "editmeta" in self.expand:
            found["editmeta"] = {"fields": self._edit_meta(issue)}
        if "changelog" in self.expand:
            found["changelog"] = self._histories[issue.id]

    @cached_property
    def _rendered(self) -> RenderedFields:
        return RenderedFields(self.rows, self.show, self._fields.work)

    def _rendered_of(self, issue: Issue, fields: Json) -> Json:
        found = {id: self._rendered.system(id, issue, fields[id]) for id in self._system_ids(issue)}
        for field in self._custom_fields(issue):
            found[field.id] = self._rendered.custom(field, issue)
        return found

    @cached_property
    def _transitions(self) -> dict[int, list[Json]]:
        self._attach()
        moves = available(self.asked, self.show.reader)
        screens = self._screens_of([one for found in moves.values() for one in found])
        return {
            issue.id: present_moves(
                moves[issue.id],
                self.show,
                {
                    one.number: self._fields_on(issue, screens.get(one.transition.screen_id or 0))
                    for one in moves[issue.id]
                },
            )
            for issue in self.asked
        }

    def _screens_of(self, moves: Iterable[Move]) -> dict[int, list[str]]:
        """Return the fields of the screens of moves, if they are asked for, by the screen's id."""
        if MOVE_FIELDS not in self.expand:
            return {}
        ids = {one.transition.screen_id for one in moves if one.transition.screen_id is not None}
        return fields_of_screens(ids) if ids else {}

    def _fields_on(self, issue: Issue, screen: Sequence[str] | None) -> dict[str, Json]:
        if not screen:
            return {}
        return self._metas.of(self._fieldsets[issue.project_id, issue.issue_type_id], screen, issue)

    @cached_property
    def _histories(self) -> dict[int, Json]:
        return present_histories([issue.id for issue in self.asked], self.show)

    @cached_property
    def _properties(self) -> dict[str, Json]:
        wanted = [key for key in self.properties if not key.startswith("-") and key != ALL]
        without = {key[1:] for key in self.properties if key.startswith("-")}
        keys = None if ALL in self.properties or not wanted else wanted
        kept = values_of("issue", [str(issue.id) for issue in self.asked], keys)
        return {
            issue: {key: value for key, value in pairs.items() if key not in without}
            for issue, pairs in kept.items()
        }

    def _attach(self) -> None:
        """Set what issues name from the rows, for what goes by their attributes."""
        for issue in self.asked:
            for relation in ("project", "issue_type", "status"):
                setattr(issue, relation, self.rows.named(issue, relation))

    @cached_property
    def _metas(self) -> FieldMetas:
        self._attach()
        projects = {issue.project_id: issue.project for issue in self.asked}
        return FieldMetas(self.show, AllowedValues(self.show.reader, projects.values()))

    def _edit_meta(self, issue: Issue) -> dict[str, Json]:
        reader = self.show.reader
        if not reader.may_on("EDIT_ISSUES", issue):
            return {}
        fieldset = self._fieldsets[issue.project_id, issue.issue_type_id]
        return self._metas.of(fieldset, dict.fromkeys([*fieldset.screen("edit"), *ALWAYS]), issue)

    @cached_property
    def _fieldsets(self) -> dict[tuple[int, int], Fieldset]:
        self._attach()
        return fieldsets_of((issue.project, issue.issue_type) for issue in self.asked)

    def names(self, issues: Sequence[Issue] | None = None) -> dict[str, str]:
        """Return what the fields of the answer are called, by their ids."""
        known = system_fields()
        found: dict[str, str] = {}
        for issue in self.asked if issues is None else issues:
            found |= {id: known[id].name for id in self._system_ids(issue)}
            found |= {field.id: field.name for field in self._custom_fields(issue)}
        return found

    def schema(self, issues: Sequence[Issue] | None = None) -> Json:
        """Return what the values of the fields of the answer are, by their ids."""
        known = system_fields()
        found: Json = {}
        for issue in self.asked if issues is None else issues:
            found |= {id: known[id].schema for id in self._system_ids(issue) if known[id].schema}
            found |= {
                field.id: custom_type(field.type_key).schema(field.number)
                for field in self._custom_fields(issue)
            }
        return found


_NEVER_HIDDEN: Final = frozenset({"summary", "issuetype", "project", "status", "parent"})


def present_issues(
    issues: Sequence[Issue],
    fields: Iterable[str] | None,
    show: Show,
    expand: Collection[str] = (),
    *,
    default: str = ALL,
    properties: Collection[str] = (),
) -> list[Json]:
    """Return issues as lists show them, in their order."""
    answer = IssueAnswer(issues, fields, show, expand, default=default, properties=properties)
    return answer.issues()


def fields_of_one(fields: Iterable[str] | None, expand: Collection[str]) -> Iterable[str] | None:
    """Return the fields that an answer of one issue has: with their versions, all of them.

    Lists keep to those that were asked for.
    """
    return None if "versionedRepresentations" in expand else fields


def present_issue(
    issue: Issue,
    fields: Iterable[str] | None,
    show: Show,
    expand: Collection[str] = (),
    *,
    properties: Collection[str] = (),
) -> Json:
    """Return one issue, with what was asked for."""
    fields = fields_of_one(fields, expand)
    return IssueAnswer([issue], fields, show, expand, properties=properties).issues(ONE)[0]
