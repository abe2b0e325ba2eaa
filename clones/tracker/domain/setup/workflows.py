"""Workflows of a fresh site, and those that templates give new spaces.

install_workflows()                                      the classic workflow, the default scheme
workflow_scheme_for(project, template) -> WorkflowScheme what a new space goes by
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from clones.core import clock
from clones.core.rows import insert_row, insert_rows
from clones.tracker.domain.numbering import new_uuid, next_id, next_ids
from clones.tracker.domain.setup.fields import (
    APPROVERS,
    RESOLVE_SCREEN,
    WORKFLOW_SCREEN,
    custom,
)
from clones.tracker.domain.setup.kinds import desk_kinds
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
    Link,
    Place,
    TransitionDraft,
    WorkflowDraft,
)
from clones.tracker.rules.workflow.rule import Rule, Tree

CLASSIC: Final = "jira"
DEFAULT_SCHEME: Final = "Default Workflow Scheme"
RESOLVED: Final = "Done"
UNWANTED: Final = "Won't Do"
KEEP: Final = "="  # the resolution stays what it is


@dataclass(frozen=True, slots=True)
class Step:
    """A transition in short: `sources` are names of statuses, none: from everywhere.

    `resolution` is the name of the resolution that it sets, "" clears it, `KEEP` keeps it.
    `permission` is who may take it: a permission, `assignee`, or `nobody` but rules and the API.
    """

    number: int
    name: str
    target: str
    sources: tuple[str, ...] = ()
    resolution: str = KEEP
    screen: str = ""
    permission: str = ""
    place: int = 0


_OPEN: Final = ("Open", "In Progress", "Reopened")
CLASSIC_STEPS: Final = (
    Step(4, "Start Progress", "In Progress", ("Open", "Reopened"), "", "", "assignee", 20),
    Step(301, "Stop Progress", "Open", ("In Progress",), "", "", "assignee", 20),
    Step(5, "Resolve Issue", "Resolved", _OPEN, KEEP, RESOLVE_SCREEN, "RESOLVE_ISSUES", 40),
    Step(2, "Close Issue", "Closed", _OPEN, KEEP, RESOLVE_SCREEN, "CLOSE_ISSUES", 60),
    Step(701, "Close Issue", "Closed", ("Resolved",), KEEP, WORKFLOW_SCREEN, "CLOSE_ISSUES", 60),
    Step(
        3,
        "Reopen Issue",
        "Reopened",
        ("Resolved", "Closed"),
        "",
        WORKFLOW_SCREEN,
        "RESOLVE_ISSUES",
        80,
    ),
)
BUSINESS_STEPS: Final = (
    Step(11, "Start progress", "In Progress", ("To Do",), ""),
    Step(21, "Done", "Done", ("To Do", "In Progress"), RESOLVED),
    Step(31, "Stop Progress", "To Do", ("In Progress",), ""),
    Step(41, "Reopen", "To Do", ("Done",), ""),
    Step(51, "Reopen and start progress", "In Progress", ("Done",), ""),
)
_SUPPORT, _CUSTOMER = "Waiting for support", "Waiting for customer"
_ACTIVE: Final = (_SUPPORT, _CUSTOMER, "Pending", "In Progress", "Escalated")
REQUEST_STEPS: Final = (
    Step(11, "Respond to customer", _CUSTOMER, (_SUPPORT, "Pending", "In Progress", "Escalated")),
    Step(21, "Respond to support", _SUPPORT, (_CUSTOMER,)),
    Step(31, "In progress", "In Progress", (_SUPPORT, _CUSTOMER, "Pending", "Escalated")),
    Step(41, "Pending", "Pending", (_SUPPORT, "In Progress", "Escalated")),
    Step(51, "Escalate", "Escalated", (_SUPPORT, "In Progress")),
    Step(61, "Back to support", _SUPPORT, ("Pending", "In Progress", "Escalated")),
    Step(71, "Resolve this issue", "Resolved", _ACTIVE, KEEP, RESOLVE_SCREEN),
    Step(81, "Cancel request", "Canceled", _ACTIVE, UNWANTED),
    Step(91, "Reopen", _SUPPORT, ("Resolved", "Closed", "Canceled"), ""),
    Step(101, "Close", "Closed", ("Resolved",)),
)
APPROVAL_STEPS: Final = (
    Step(111, "Approved", _SUPPORT, ("Waiting for approval",), permission="nobody"),
    Step(121, "Declined", "Closed", ("Waiting for approval",), UNWANTED, permission="nobody"),
    Step(131, "Withdraw", "Canceled", ("Waiting for approval",), UNWANTED),
)
INCIDENT_STEPS: Final = (
    Step(11, "Investigate", "In Progress", ("Open", "Pending")),
    Step(21, "Pending", "Pending", ("Open", "In Progress")),
    Step(31, "Escalate", "Escalated", ("Open", "In Progress")),
    Step(41, "Back to in progress", "In Progress", ("Escalated",)),
    Step(
        51,
        "Resolve",
        "Resolved",
        ("Open", "In Progress", "Pending", "Escalated"),
        KEEP,
        RESOLVE_SCREEN,
    ),
    Step(61, "Cancel", "Canceled", ("Open", "In Progress", "Pending", "Escalated"), UNWANTED),
    Step(71, "Close", "Closed", ("Resolved",)),
    Step(81, "Reopen", "Open", ("Resolved", "Closed", "Canceled"), ""),
)
# The statuses of a board's columns, from the left.
SIMPLE: Final = ("To Do", "In Progress", "Done")
KANBAN: Final = ("Backlog", "Selected for Development", "In Progress", "Done")
NEW: Final = {"Backlog": "new", "Selected for Development": "new"}


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
    insert_rows(list(statuses.values()))
    flow = _write_columns("Software workflow", SIMPLE, statuses, project=project)
    return _scheme(f"{project.key}: Software workflow scheme", flow, {})


def _desk(project: Project) -> WorkflowScheme:
    kinds = desk_kinds()
    statuses = {**_site_statuses(), **kinds.statuses}
    suffix = f"for {project.key}"
    plain = _write(f"Service Request Fulfilment {suffix}", REQUEST_STEPS, _SUPPORT, statuses)
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
            row = Status(id=next_id(Status), name=column, category=NEW[column])
            statuses[column] = insert_row(row)
    steps = [
        Step(
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
    steps: Sequence[Step],
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
        name=name,
        description=about,
        places=tuple(Place(status, properties=rights.get(status, {})) for status in used),
        transitions=(create, *(_transition(step, resolutions, screens) for step in steps)),
    )
    return insert_workflow(draft, statuses, project=project, is_system=is_system)


def _transition(
    step: Step, resolutions: Mapping[str, int], screens: Mapping[str, int]
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
        links=tuple(Link(source) for source in step.sources),
        conditions=_conditions(step),
        actions=actions,
        screen=None if screen is None else Rule(SCREEN, {"screenId": str(screen)}),
        properties={"opsbar-sequence": str(step.place)} if step.place else {},
    )


def _conditions(step: Step) -> Tree | None:
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
    scheme = insert_row(
        WorkflowScheme(
            id=next_id(WorkflowScheme),
            name=name,
            is_default=is_default,
            default_workflow=workflow,
            version_uuid=new_uuid(WorkflowScheme),
            updated=clock.now(),
        )
    )
    keys = next_ids(WorkflowSchemeItem, len(types))
    insert_rows(
        [
            WorkflowSchemeItem(id=key, scheme=scheme, issue_type=kind, workflow=flow)
            for key, (kind, flow) in zip(keys, types.items(), strict=True)
        ]
    )
    return scheme
