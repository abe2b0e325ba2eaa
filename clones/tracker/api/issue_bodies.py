"""What clients send about an issue: its fields, operations on them, and what goes with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.tracker.api.operations import Body
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.fieldset import Planned, fields_of, read_changes
from clones.tracker.domain.issues.editing import plan_type
from clones.tracker.domain.issues.hierarchy import WRONG_TYPE
from clones.tracker.domain.issues.named import key_of
from clones.tracker.domain.richtext import Version
from clones.tracker.models import Issue, IssueType, Project
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights, find_project

NO_PROJECT: Final = "Specify a valid project ID or key"
NO_TYPE: Final = "Specify a valid issue type"


class IssueWrite(Body):
    """An issue to create or to change: its fields, update operations and properties."""

    fields: dict[str, Any] | None = None
    update: dict[str, Any] | None = None
    transition: dict[str, Any] | None = None
    historyMetadata: dict[str, Any] | None = None
    properties: list[Any] | None = None

    def given(self, id: str) -> Any:
        """Return what is to be a field's value, None where nothing is said of it."""
        if self.fields is not None and id in self.fields:
            return self.fields[id]
        for operation in (self.update or {}).get(id) or ():
            if isinstance(operation, Mapping) and "set" in operation:
                return operation["set"]
        return None

    @property
    def says_anything(self) -> bool:
        """Whether there is something to do in it."""
        return bool(self.model_fields_set)

    @property
    def payload(self) -> dict[str, Any]:
        """What `read_changes` takes."""
        return {"fields": self.fields, "update": self.update}

    @property
    def transition_id(self) -> int | None:
        """The transition that a new issue takes at once.

        Raises:
            Invalid: it is no number.
        """
        if not self.transition or self.transition.get("id") in (None, ""):
            return None
        found = key_of(self.transition["id"])
        if found is None:
            raise Invalid("The 'transition' id must be a number.")
        return found


@dataclass(frozen=True, slots=True)
class NewIssue:
    """An issue that is asked for, read and found possible so far."""

    project: Project
    issue_type: IssueType
    planned: Planned
    transition: int | None
    properties: list[Any]


def read_new_issue(body: IssueWrite, *, actor: Rights, version: Version) -> NewIssue:
    """Return the issue that a body asks for.

    Raises:
        Invalid: the space or the type is missing or unknown, or a field is wrong.
    """
    project = _project(body.given("project"), actor)
    issue_type = find_type(body.given("issuetype"), project)
    fieldset = fields_of(project, issue_type)
    planned = read_changes(
        fieldset,
        body.payload,
        None,
        actor=actor,
        version=version,
        screen=fieldset.screen("create"),
    )
    return NewIssue(project, issue_type, planned, body.transition_id, body.properties or [])


def read_edit(
    body: IssueWrite, issue: Issue, *, actor: Rights, version: Version, screened: bool = True
) -> Planned:
    """Return what a body wants of an issue that is there; `screened`: its edit screen counts.

    Raises:
        Invalid: a field is wrong, or the type cannot be.
    """
    issue_type = issue.issue_type
    asked = body.given("issuetype")
    if asked is not None:
        issue_type = find_type(asked, issue.project)
    fieldset = fields_of(issue.project, issue_type)
    moved = body.given("project")
    if moved is not None and _project(moved, actor).id != issue.project_id:
        # Only a move takes an issue elsewhere.
        text = "Field 'project' cannot be set. It is not on the appropriate screen, or unknown."
        raise Invalid(fields={"project": text})
    planned = read_changes(
        fieldset,
        body.payload,
        issue,
        actor=actor,
        version=version,
        screen=fieldset.screen("edit") if screened else None,
    )
    if issue_type.id != issue.issue_type_id:
        plan_type(issue, issue_type, planned)
    return planned


def find_type(asked: Any, project: Project) -> IssueType:
    """Return the type of a space that {"id"} or {"name"} names.

    Raises:
        Invalid: there is no such type, or the space does not offer it.
    """
    if isinstance(asked, Mapping):
        offered = types_of(project)
        if asked.get("id") is not None:
            key = key_of(asked["id"])
            for kind in offered:
                if kind.id == key:
                    return kind
            if IssueType.objects.filter(id=key or 0).exists():
                raise Invalid(fields={"issuetype": WRONG_TYPE})
        elif asked.get("name") is not None:
            name = str(asked["name"])
            for kind in offered:
                if kind.name.casefold() == name.casefold():
                    return kind
            if IssueType.objects.filter(name=name).exists():
                raise Invalid(fields={"issuetype": WRONG_TYPE})
    raise Invalid(fields={"issuetype": NO_TYPE})


def _project(asked: Any, actor: Rights) -> Project:
    named = asked.get("id", asked.get("key")) if isinstance(asked, Mapping) else None
    if named is None:
        raise Invalid(fields={"project": NO_PROJECT})
    try:
        return find_project(actor, str(named))
    except NotFound as error:
        raise Invalid(fields={"project": NO_PROJECT}) from error
