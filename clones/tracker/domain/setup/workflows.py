"""Workflows of a fresh site, and those that templates give new spaces.

install_workflows()                                      the classic workflow, the default scheme
workflow_scheme_for(project, template) -> WorkflowScheme what a new space goes by
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final

from django.db.models import QuerySet

from clones.core import clock
from clones.tracker.domain.numbering import new_uuid, next_id, next_ids
from clones.tracker.domain.setup.fields import (
    APPROVERS,
    custom,
)
from clones.tracker.domain.setup.kinds import desk_kinds
from clones.tracker.domain.setup.workflow_steps import (
    APPROVAL_STEPS,
    BUSINESS_STEPS,
    CLASSIC_STEPS,
    INCIDENT_STEPS,
    KANBAN,
    KEEP,
    NEW,
    REQUEST_STEPS,
    RESOLVED,
    SIMPLE,
    SUPPORT,
    TransitionStep,
)
from clones.tracker.domain.workflow_writing import insert_workflow
from clones.tracker.models import (
    IssueType,
    Project,
    Resolution,
    Screen,
    Status,
    Workflow,
    WorkflowScheme,
    WorkflowSchemeItem,
)
from clones.tracker.rules.workflow.drafts import (
    SCREEN,
    StatusPlacement,
    TransitionDraft,
    TransitionSource,
    WorkflowDraft,
)
from clones.tracker.rules.workflow.rule import Rule, Tree

CLASSIC: Final = "jira"
DEFAULT_SCHEME: Final = "Default Workflow Scheme"


def install_workflows() -> Workflow:
    """Make the classic workflow and the scheme of spaces that were given no other."""
    classic = _write(
        CLASSIC,
        CLASSIC_STEPS,
        "Open",
        _site_statuses(),
        about="The workflow of types that no scheme names another for.",
        names=("Open", "In Progress", "Resolved", "Reopened", "Closed"),
        is_system=True,
    )
    _scheme(DEFAULT_SCHEME, classic, {}, is_default=True)
    return classic


def workflow_scheme_for(project: Project, template: str = "") -> WorkflowScheme:
    """Return the workflow scheme of a space that is about to be made.

    Company-managed spaces get a scheme with workflows of their own over the site's statuses;
    team-managed ones get statuses of their own, too. `template` is the vendor's key.
    """
    template = template or project.template
    if project.type == "service_desk":
        return _desk(project)
    if project.simplified:
        return _team_managed(project)
    if project.type == "business":
        name = f"{project.key}: Project Management Workflow"
        flow = _write(name, BUSINESS_STEPS, "To Do", _site_statuses(), names=SIMPLE)
        return _scheme(f"{name} Scheme", flow, {})
    if "classic" in template and "simplified" not in template and "gh-" not in template:
        return default_scheme()
    columns = KANBAN if "kanban" in template else SIMPLE
    name = f"Software Simplified Workflow for Project {project.key}"
    flow = _write_columns(name, columns, _site_statuses())
    return _scheme(f"{project.key}: Software Simplified Workflow Scheme", flow, {})


def default_scheme() -> WorkflowScheme:
    """Return the scheme of spaces that were given no other."""
    return WorkflowScheme.objects.get(is_default=True)


def _site_statuses() -> dict[str, Status]:
    """Return the site's own statuses by name; of several of a name, the first."""
    rows = Status.objects.filter(project=None).order_by("-id")
    return {status.name: status for status in rows}


def _team_managed(project: Project) -> WorkflowScheme:
    categories = dict(zip(SIMPLE, ("new", "indeterminate", "done"), strict=True))
    statuses = {
        name: Status(id=key, name=name, category=category, project=project)
        for key, (name, category) in zip(
            next_ids(Status, len(categories)), categories.items(), strict=True
        )
    }
    Status.objects.bulk_create(list(statuses.values()))
    flow = _write_columns("Software workflow", SIMPLE, statuses, project=project)
    return _scheme(f"{project.key}: Software workflow scheme", flow, {})


def _desk(project: Project) -> WorkflowScheme:
    kinds = desk_kinds()
    statuses = {**_site_statuses(), **kinds.statuses}
    suffix = f"for {project.key}"
    plain = _write(f"Service Request Fulfilment {suffix}", REQUEST_STEPS, SUPPORT, statuses)
    approved = _write(
        f"Service Request Fulfilment with Approvals {suffix}",
        (*APPROVAL_STEPS, *REQUEST_STEPS),
        "Waiting for approval",
        statuses,
        approvals={"Waiting for approval": _approval()},
    )
    incident = _write(f"Incident Management {suffix}", INCIDENT_STEPS, "Open", statuses)
    flows = {
        "[System] Service request": plain,
        "[System] Service request with approvals": approved,
        "[System] Change": approved,
        "[System] Incident": incident,
        "[System] Problem": incident,
    }
    named = {kinds.types[name]: flow for name, flow in flows.items() if name in kinds.types}
    return _scheme(f"{project.key}: Jira Service Management Workflow Scheme", plain, named)


def _approval() -> dict[str, str]:
    return {
        "approval.active": "true",
        "approval.condition.type": "number",
        "approval.condition.value": "1",
        "approval.field.id": custom(APPROVERS)[0],
        "approval.transition.approved": "111",
        "approval.transition.rejected": "121",
    }


def _write_columns(
    name: str,
    columns: Sequence[str],
    statuses: dict[str, Status],
    *,
    project: Project | None = None,
) -> Workflow:
    """Write a workflow in which everything leads everywhere; only what is done is resolved."""
    for column in columns:
        if column not in statuses:
            statuses[column] = Status.objects.create(
                id=next_id(Status), name=column, category=NEW[column]
            )
    steps = [
        TransitionStep(
            11 + 10 * position,
            column,
            column,
            (),
            RESOLVED if statuses[column].category == "done" else "",
        )
        for position, column in enumerate(columns)
    ]
    return _write(name, steps, columns[0], statuses, names=columns, project=project)


def _write(
    name: str,
    steps: Sequence[TransitionStep],
    start: str,
    statuses: Mapping[str, Status],
    *,
    about: str = "",
    names: Sequence[str] = (),
    project: Project | None = None,
    is_system: bool = False,
    approvals: Mapping[str, Mapping[str, str]] | None = None,
) -> Workflow:
    """Write a workflow from its steps; its statuses are named by their names."""
    used = dict.fromkeys(
        [*names, start, *(s for step in steps for s in (*step.sources, step.target))]
    )
    rights = approvals or {}
    create = TransitionDraft(id="1", name="Create", type="INITIAL", to=start)
    resolutions = dict(Resolution.objects.order_by("-id").values_list("name", "id"))
    screens = dict(Screen.objects.order_by("-id").values_list("name", "id"))
    draft = WorkflowDraft(
        name=_free_name(name, Workflow.objects.filter(project=project)),
        description=about,
        places=tuple(StatusPlacement(status, properties=rights.get(status, {})) for status in used),
        transitions=(create, *(_transition(step, resolutions, screens) for step in steps)),
    )
    return insert_workflow(draft, statuses, project=project, is_system=is_system)


def _free_name(name: str, rows: QuerySet[Any]) -> str:
    """Return a name that none of the rows has: a key may be that of a space long gone."""
    taken = set(rows.filter(name__startswith=name).values_list("name", flat=True))
    numbered = (f"{name} {number}" for number in count(2))
    return name if name not in taken else next(one for one in numbered if one not in taken)


def _transition(
    step: TransitionStep, resolutions: Mapping[str, int], screens: Mapping[str, int]
) -> TransitionDraft:
    actions: tuple[Rule, ...] = ()
    if step.resolution != KEEP:
        # An empty value clears the field.
        value = str(resolutions.get(step.resolution, "")) if step.resolution else ""
        parameters = {"field": "resolution", "value": value, "mode": "replace"}
        actions = (Rule("system:update-field", parameters),)
    screen = screens.get(step.screen)
    return TransitionDraft(
        id=str(step.number),
        name=step.name,
        type="DIRECTED" if step.sources else "GLOBAL",
        to=step.target,
        links=tuple(TransitionSource(source) for source in step.sources),
        conditions=_conditions(step),
        actions=actions,
        screen=None if screen is None else Rule(SCREEN, {"screenId": str(screen)}),
        properties={"opsbar-sequence": str(step.place)} if step.place else {},
    )


def _conditions(step: TransitionStep) -> Tree | None:
    if not step.permission:
        return None
    if step.permission == "nobody":
        return Tree("ALL", (Rule("system:restrict-from-all-users", {"restrictMode": "users"}),))
    key = "system:restrict-issue-transition"
    if step.permission == "assignee":
        return Tree("ALL", (Rule(key, {"accountIds": "allow-assignee"}),))
    return Tree("ALL", (Rule(key, {"permissionKeys": step.permission}),))


def _scheme(
    name: str,
    workflow: Workflow,
    types: Mapping[IssueType, Workflow],
    *,
    is_default: bool = False,
) -> WorkflowScheme:
    scheme = WorkflowScheme.objects.create(
        id=next_id(WorkflowScheme),
        name=_free_name(name, WorkflowScheme.objects.filter(draft_of=None)),
        is_default=is_default,
        default_workflow=workflow,
        version_uuid=new_uuid(WorkflowScheme),
        updated=clock.now(),
    )
    keys = next_ids(WorkflowSchemeItem, len(types))
    WorkflowSchemeItem.objects.bulk_create(
        [
            WorkflowSchemeItem(id=key, scheme=scheme, issue_type=kind, workflow=flow)
            for key, (kind, flow) in zip(keys, types.items(), strict=True)
        ]
    )
    return scheme
