"""Reading workflows: which one an issue goes through, and where that one is used.

A space's scheme names a workflow for some types; the others go through the scheme's default one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.core.digits import is_digits
from clones.core.lookups import key_list
from clones.tracker.models import (
    IssueType,
    IssueTypeSchemeItem,
    Project,
    Status,
    Transition,
    Workflow,
    WorkflowScheme,
    WorkflowSchemeItem,
    WorkflowStatus,
)
from clones.tracker.queries import hot_fields
from clones.tracker.queries.rights import Rights

Pair = tuple[int, int]  # a space's id, a type's id


class Paths:
    """The workflows of some schemes, with the transitions of those that are asked for.

    What is read is read for all of them at once: a fixed number of statements.
    """

    def __init__(self, schemes: Iterable[int]) -> None:
        self._items: dict[int, dict[int, int]] = defaultdict(dict)
        self._defaults: dict[int, int] = {}
        self._transitions: dict[int, list[Transition]] = {}
        keys = key_list(schemes)
        self._defaults.update(hot_fields.DEFAULT_WORKFLOWS.all(keys))
        for scheme, kind, workflow in hot_fields.WORKFLOWS_OF_TYPES.all(keys):
            self._items[scheme][kind] = workflow

    def workflow_id(self, scheme: int, issue_type: int) -> int:
        """Return the workflow of a type in a scheme."""
        return self._items[scheme].get(issue_type, self._defaults[scheme])

    def transitions(self, workflows: Collection[int]) -> dict[int, list[Transition]]:
        """Return the transitions of workflows in the order in which people are offered them."""
        missing = set(workflows) - set(self._transitions)
        if missing:
            for workflow, rows in transitions_of(missing).items():
                self._transitions[workflow] = rows
        return {workflow: self._transitions.get(workflow, []) for workflow in workflows}


def transitions_of(workflows: Collection[int]) -> dict[int, list[Transition]]:
    """Return the transitions of workflows by the workflow's id, with statuses and screens."""
    found: dict[int, list[Transition]] = {workflow: [] for workflow in workflows}
    for transition in hot_fields.TRANSITIONS_OF_WORKFLOWS.all(key_list(found)):
        found[transition.workflow_id].append(transition)
    for transitions in found.values():
        transitions.sort(key=place_of)
    return found


def place_of(transition: Transition) -> tuple[int, int]:
    """Return where a transition stands among others: its `opsbar-sequence`, then its number."""
    text = str(transition.properties.get("opsbar-sequence", ""))
    return (int(text) if is_digits(text) else 10**9, transition.number)


def workflow_of(project: Project, issue_type: IssueType) -> Workflow:
    """Return the workflow that issues of a type go through in a space."""
    paths = Paths([project.workflow_scheme_id])
    return Workflow.objects.get(id=paths.workflow_id(project.workflow_scheme_id, issue_type.id))


def initial_transition(workflow: Workflow | int) -> Transition:
    """Return the transition by which issues come into a workflow."""
    key = workflow if isinstance(workflow, int) else workflow.id
    rows = Transition.objects.filter(workflow=key, type="INITIAL").select_related("to_status")
    return rows.order_by("number")[:1].get()


def first_transition(project: Project, issue_type: IssueType) -> Transition:
    """Return the transition by which issues of a type come into a space, with one statement.

    Raises:
        Transition.DoesNotExist: the workflow has none.
    """
    found = hot_fields.FIRST_TRANSITION.first(project.workflow_scheme_id, issue_type.id)
    if found is None:
        raise Transition.DoesNotExist
    return found


def initial_status(project: Project, issue_type: IssueType) -> Status:
    """Return the status in which issues of a type begin in a space."""
    found = first_transition(project, issue_type)
    assert found.to_status is not None  # noqa: S101 - a workflow without one is never written
    return found.to_status


def statuses_of(workflows: Collection[int]) -> dict[int, list[WorkflowStatus]]:
    """Return the statuses of workflows, in their order, by the workflow's id."""
    found: dict[int, list[WorkflowStatus]] = {workflow: [] for workflow in workflows}
    rows = WorkflowStatus.objects.filter(workflow__in=found).select_related("status__project")
    for place in rows.order_by("position", "id"):
        found[place.workflow_id].append(place)
    return found


def statuses_by_type(project: Project, types: Sequence[IssueType]) -> dict[int, list[Status]]:
    """Return the statuses that issues of each type can have in a space, by the type's id."""
    paths = Paths([project.workflow_scheme_id])
    mine = {kind.id: paths.workflow_id(project.workflow_scheme_id, kind.id) for kind in types}
    places = statuses_of(set(mine.values()))
    return {kind: [place.status for place in places[flow]] for kind, flow in mine.items()}


def projects_of_schemes(schemes: QuerySet[WorkflowScheme]) -> QuerySet[Project]:
    """Return the spaces that use any of these schemes, by id; those in the trash too."""
    return Project.objects.filter(workflow_scheme__in=schemes.order_by().values("id")).order_by(
        "id"
    )


def schemes_using(workflow: Workflow, *, drafts: bool = False) -> QuerySet[WorkflowScheme]:
    """Return the schemes that name a workflow, by id; drafts only where they are wanted."""
    item = WorkflowSchemeItem.objects.filter(scheme=OuterRef("pk"), workflow=workflow)
    rows = WorkflowScheme.objects.filter(Q(default_workflow=workflow) | Exists(item))
    return (rows if drafts else rows.filter(draft_of=None)).order_by("id")


@dataclass(slots=True)
class Uses:
    """Where a workflow is used: schemes and live spaces, by id; and whether drafts name it."""

    schemes: list[WorkflowScheme] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)
    in_drafts: bool = False


def uses_of(workflows: Collection[int]) -> dict[int, Uses]:
    """Return where workflows are used, by the workflow's id, with three statements."""
    found = {key: Uses() for key in workflows}
    flows: dict[int, set[int]] = defaultdict(set)
    items = WorkflowSchemeItem.objects.filter(workflow__in=found)
    for key, flow in items.values_list("scheme_id", "workflow_id"):
        flows[key].add(flow)
    rows = WorkflowScheme.objects.filter(Q(default_workflow__in=found) | Q(id__in=list(flows)))
    for scheme in rows.order_by("id"):
        mine = flows[scheme.id] | ({scheme.default_workflow_id} & set(found))
        flows[scheme.id] = mine
        for flow in mine:
            if scheme.draft_of_id is None:
                found[flow].schemes.append(scheme)
            else:
                found[flow].in_drafts = True
    spaces = Project.objects.filter(workflow_scheme__in=list(flows), deleted_at=None)
    for project in spaces.select_related("category").order_by("id"):
        for flow in flows[project.workflow_scheme_id]:
            found[flow].projects.append(project)
    return found


def projects_using(workflow: Workflow) -> QuerySet[Project]:
    """Return the spaces some of whose issues go through a workflow, by id."""
    return projects_of_schemes(schemes_using(workflow)).filter(deleted_at=None)


def types_using(workflow: Workflow, project: Project) -> list[IssueType]:
    """Return the types whose issues go through a workflow in a space, by id."""
    paths = Paths([project.workflow_scheme_id])
    offered = IssueTypeSchemeItem.objects.filter(scheme=project.issue_type_scheme_id)
    kinds = IssueType.objects.filter(id__in=offered.values("issue_type")).order_by("id")
    scheme = project.workflow_scheme_id
    return [kind for kind in kinds if paths.workflow_id(scheme, kind.id) == workflow.id]


def active_workflows() -> Q:
    """Return the condition of the workflows that some space uses."""
    live = Project.objects.filter(deleted_at=None)
    item = WorkflowSchemeItem.objects.filter(
        workflow=OuterRef("pk"), scheme__in=live.values("workflow_scheme")
    )
    by_default = WorkflowScheme.objects.filter(
        default_workflow=OuterRef("pk"), id__in=live.values("workflow_scheme")
    )
    return Q(Exists(item)) | Q(Exists(by_default))


def visible_workflows(rights: Rights) -> QuerySet[Workflow]:
    """Return the workflows that somebody may read, by id.

    An admin of the site reads all; others those of team-managed spaces that they administer or in
    which they may look at workflows.
    """
    rows = Workflow.objects.select_related("project").order_by("id")
    if rights.is_admin:
        return rows
    spaces = rights.projects_with("ADMINISTER_PROJECTS")
    return rows.filter(project__in=spaces | rights.projects_with("VIEW_READONLY_WORKFLOW"))
