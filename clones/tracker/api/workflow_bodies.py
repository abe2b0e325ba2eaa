"""What is sent of workflows, read into drafts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import ConfigDict, Field

from clones.core.digits import whole_number
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.workflow_problems import Update
from clones.tracker.models import Project
from clones.tracker.rules.workflow.drafts import (
    StatusDraft,
    StatusPlacement,
    TransitionDraft,
    TransitionSource,
    WorkflowDraft,
    approval_properties,
)
from clones.tracker.rules.workflow.rule import Rule, Tree

MOST_WORKFLOWS: Final = 20
MOST_STATUSES: Final = 1000


class Layout(AdminBody):
    """The position of something in a workflow's diagram."""

    x: float
    y: float


class RuleWrite(AdminBody):
    """A rule of a transition: its key and parameters."""

    id: str | None = None
    key: str = Field(alias="ruleKey")
    parameters: dict[str, str] | None = None

    def rule(self) -> Rule:
        """Return the rule."""
        return Rule(self.key, self.parameters or {}, self.id or "")


class Conditions(AdminBody):
    """A group of a transition's conditions, of which any or all must hold."""

    operation: Literal["ANY", "ALL"]
    conditions: list[RuleWrite] | None = None
    groups: list[Conditions] | None = Field(None, alias="conditionGroups")

    def tree(self) -> Tree | None:
        """Return the tree, None if there is nothing in it."""
        rules = tuple(rule.rule() for rule in self.conditions or ())
        groups = tuple(tree for group in self.groups or () if (tree := group.tree()))
        return Tree(self.operation, rules, groups) if rules or groups else None


class LinkWrite(AdminBody):
    """A link of a transition: the status it leads from, and ports of the diagram."""

    source: str | None = Field(None, alias="fromStatusReference")
    from_port: int | None = Field(None, alias="fromPort")
    to_port: int | None = Field(None, alias="toPort")


class TransitionWrite(AdminBody):
    """A transition of a workflow: its name, type, links, screen and rules."""

    id: str = ""
    name: str = ""
    description: str | None = None
    type: str = ""
    to: str | None = Field(None, alias="toStatusReference")
    links: list[LinkWrite] | None = None
    conditions: Conditions | None = None
    validators: list[RuleWrite] | None = None
    actions: list[RuleWrite] | None = None
    triggers: list[RuleWrite] | None = None
    screen: RuleWrite | None = Field(None, alias="transitionScreen")
    event: str | None = Field(None, alias="customIssueEventId")
    properties: dict[str, str] | None = None

    def draft(self) -> TransitionDraft:
        """Return the draft."""
        return TransitionDraft(
            id=self.id,
            name=self.name,
            type=self.type,
            to=self.to or "",
            description=self.description or "",
            links=tuple(
                TransitionSource(link.source, link.from_port, link.to_port)
                for link in self.links or ()
                if link.source
            ),
            conditions=None if self.conditions is None else self.conditions.tree(),
            validators=tuple(rule.rule() for rule in self.validators or ()),
            actions=tuple(rule.rule() for rule in self.actions or ()),
            triggers=tuple(rule.rule() for rule in self.triggers or ()),
            screen=None if self.screen is None else self.screen.rule(),
            event=self.event,
            properties=self.properties or {},
        )


class PlaceWrite(AdminBody):
    """A status of a workflow: its reference, layout and properties."""

    reference: str = Field(alias="statusReference")
    layout: Layout | None = None
    properties: dict[str, str] | None = None
    approval: dict[str, Any] | None = Field(None, alias="approvalConfiguration")

    def draft(self) -> StatusPlacement:
        """Return the draft."""
        properties = dict(self.properties or {}) | approval_properties(self.approval or {})
        return StatusPlacement(self.reference, point(self.layout), properties)


class StatusWrite(AdminBody):
    """A status that workflows refer to: its name, category and reference."""

    id: str | None = None
    name: str
    category: str = Field(alias="statusCategory")
    reference: str = Field(alias="statusReference")
    description: str | None = None

    def draft(self) -> StatusDraft:
        """Return the draft."""
        return StatusDraft(
            self.reference, self.name, self.category, self.id or "", self.description
        )


class WorkflowWrite(AdminBody):
    """A workflow to create: its name, statuses and transitions."""

    name: str = ""
    description: str | None = None
    start: Layout | None = Field(None, alias="startPointLayout")
    loop: Layout | None = Field(None, alias="loopedTransitionContainerLayout")
    statuses: list[PlaceWrite]
    transitions: list[TransitionWrite]

    def draft(self, id: str = "", version: tuple[str, int] = ("", 0)) -> WorkflowDraft:
        """Return the draft."""
        return WorkflowDraft(
            name=self.name,
            places=tuple(place.draft() for place in self.statuses),
            transitions=tuple(item.draft() for item in self.transitions),
            description=self.description or "",
            start=point(self.start),
            loop=point(self.loop),
            id=id,
            version=version,
        )


class ProjectRef(AdminBody):
    """The space of a scope, by its id."""

    id: str


class ScopeWrite(AdminBody):
    """The scope of workflows and statuses: the site's, or a space's own."""

    type: Literal["PROJECT", "GLOBAL"] = "GLOBAL"
    project: ProjectRef | None = None


class Creation(AdminBody):
    """Workflows to create, with the statuses that they refer to, and their scope."""

    scope: ScopeWrite
    statuses: list[StatusWrite]
    workflows: list[WorkflowWrite]


class DocumentVersion(AdminBody):
    """The version of a workflow that was read, so that no newer one is overwritten."""

    id: str
    number: int = Field(alias="versionNumber")


class Migration(AdminBody):
    """The new status of issues in a status that a workflow loses."""

    old: str = Field(alias="oldStatusReference")
    new: str = Field(alias="newStatusReference")


class PairMigration(AdminBody):
    """The new statuses of a space's issues of one type."""

    project: str = Field(alias="projectId")
    issue_type: str = Field(alias="issueTypeId")
    migrations: list[Migration] = Field(alias="statusMigrations")


class WorkflowChange(WorkflowWrite):
    """A workflow to change: its statuses, transitions, and issues' new statuses."""

    id: str
    version: DocumentVersion
    defaults: list[Migration] | None = Field(None, alias="defaultStatusMappings")
    mappings: list[PairMigration] | None = Field(None, alias="statusMappings")

    def update(self) -> Update:
        """Return the update."""
        return Update(
            self.draft(self.id, (self.version.id, self.version.number)),
            {pair.old: pair.new for pair in self.defaults or ()},
            {
                (item.project, item.issue_type): {pair.old: pair.new for pair in item.migrations}
                for item in self.mappings or ()
            },
        )


class WorkflowChanges(AdminBody):
    """Workflows to change, with the statuses that they refer to."""

    statuses: list[StatusWrite]
    workflows: list[WorkflowChange]


class Levels(AdminBody):
    """The levels of problems that a validation lists: errors, warnings."""

    model_config = ConfigDict(extra="ignore")
    levels: list[Literal["WARNING", "ERROR"]] | None = None


def point(layout: Layout | None) -> dict[str, float] | None:
    """Return a point of a diagram."""
    return None if layout is None else {"x": layout.x, "y": layout.y}


def project_of(scope: ScopeWrite) -> Project | None:
    """Return whose something is to be, None for the site's.

    Raises:
        Invalid: a space is wanted, and none is named.
        NotFound: there is no such space.
    """
    if scope.type == "GLOBAL":
        return None
    if scope.project is None:
        raise Invalid("A project must be given for the scope PROJECT.")
    id = scope.project.id
    known = whole_number(id) is not None
    found = Project.objects.filter(id=int(id), deleted_at=None).first() if known else None
    if found is None:
        raise NotFound(f"No project could be found with id '{id}'.")
    return found


def hold_limits(statuses: Sequence[Any], workflows: Sequence[Any], prefix: str = "") -> None:
    """Hold a request to how much it may carry; `prefix` is where it stands in its body.

    Raises:
        Invalid: there is nothing, or too much.
    """
    for name, items, most in (
        ("statuses", statuses, MOST_STATUSES),
        ("workflows", workflows, MOST_WORKFLOWS),
    ):
        if not items:
            raise Invalid(f"{prefix}{name} : must not be empty")
        if len(items) > most:
            raise Invalid(f"{prefix}{name} : size must be between 0 and {most}")
