"""The workflows of a space by type, and the change to another scheme."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.workflow_scheme_switching import switch_scheme
from clones.tracker.domain.workflow_switching import Need, needs_of
from clones.tracker.models import IssueType, Project, Status, Workflow, WorkflowScheme
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.workflow_drafts import has_draft
from clones.tracker.queries.workflows import Paths, statuses_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.access import done, page_of_settings
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of
from clones.tracker.web.settings.schemes import editor_of, scheme_page
from clones.tracker.web.settings.sheets import sheet_page
from clones.tracker.web.settings.workflows.seat import HERE
from clones.tracker.web.vocabulary import say


@dataclass(frozen=True, slots=True)
class SpaceWorkflow:
    """A workflow of the space, with the types that go through it."""

    workflow: Workflow
    types: Sequence[IssueType]
    statuses: Sequence[Status]
    usual: bool
    draft: bool


@page_of_settings
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the workflows of the space."""
    scheme = project.workflow_scheme
    paths = Paths([scheme.id])
    by_flow: dict[int, list[IssueType]] = defaultdict(list)
    for kind in types_of(project):
        by_flow[paths.workflow_id(scheme.id, kind.id)].append(kind)
    places = statuses_of(list(by_flow))
    workflows = Workflow.objects.in_bulk(list(by_flow))
    flows = [
        SpaceWorkflow(
            workflows[key],
            kinds,
            [place.status for place in places[key]],
            key == scheme.default_workflow_id,
            has_draft(workflows[key]),
        )
        for key, kinds in by_flow.items()
    ]
    context = {
        "scheme": scheme,
        "kind": "workflow scheme",
        "flows": flows,
        "editor": "" if project.simplified else editor_of("workflow-schemes", scheme.id, who),
    }
    return scheme_page(request, who, project, context, title="Workflows", current=HERE)


@page_of_settings
def use(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let the space use another scheme; issues get the statuses that are said.

    The scheme is chosen first; where issues would lose their status, the new one is asked then.
    """
    admins_only(who.rights)
    own = Project.objects.filter(style="next-gen").values("workflow_scheme")
    rows = WorkflowScheme.objects.filter(draft_of=None).exclude(id__in=own).order_by("name", "id")
    now = posted_text(request, "scheme") or str(project.workflow_scheme_id)
    switch = Input(
        "scheme",
        "Workflow scheme",
        "select",
        choices=chosen(rows.values_list("id", "name"), [now]),
    )
    sheet = FormPage(
        "Use a different workflow scheme",
        request.path,
        settings_address(project, HERE),
        [switch],
        button="Next",
    )
    if request.method != "POST":
        return sheet_page(request, who, project, sheet, current=HERE)
    scheme = rows.filter(id=number_of(now) or 0).first()
    needs = [] if scheme is None else _needs(project, scheme)
    if needs and not posted_text(request, "mapped"):
        return sheet_page(request, who, project, _mapping(request, sheet, now, needs), current=HERE)

    def write() -> object:
        if scheme is None:
            raise Invalid(fields={"scheme": "Choose a scheme."})
        by_type = {
            (need.issue_type, status): new
            for need in needs
            for status in need.statuses
            if (new := number_of(posted_text(request, f"s-{need.issue_type}-{status}"))) is not None
        }
        return switch_scheme(project, scheme, by_type, actor=who.rights)

    _, refusal = attempt(write)
    if refusal is not None:
        shown = _mapping(request, sheet, now, needs) if needs else sheet
        return sheet_page(request, who, project, shown.refused(refusal), current=HERE)
    return done(request, project, HERE, "The scheme is being changed")


def _needs(project: Project, scheme: WorkflowScheme) -> list[Need]:
    before, after = Paths([project.workflow_scheme_id]), Paths([scheme.id])
    return needs_of(
        [project],
        lambda kind: before.workflow_id(project.workflow_scheme_id, kind),
        lambda kind: after.workflow_id(scheme.id, kind),
    )


def _mapping(request: SandboxRequest, sheet: FormPage, now: str, needs: Sequence[Need]) -> FormPage:
    kinds = IssueType.objects.in_bulk([need.issue_type for need in needs])
    lost = Status.objects.in_bulk({status for need in needs for status in need.statuses})
    places = statuses_of({need.after for need in needs})
    inputs = [Input("scheme", "", "hidden", now), Input("mapped", "", "hidden", "1")]
    for need in needs:
        offered = [(place.status_id, place.status.name) for place in places[need.after]]
        for status in need.statuses:
            name = f"s-{need.issue_type}-{status}"
            inputs.append(
                Input(
                    name,
                    f"{kinds[need.issue_type].name} in {lost[status].name} get the status",
                    "select",
                    choices=chosen(offered, [posted_text(request, name)]),
                    required=True,
                )
            )
    said = say("Work items of this space are in statuses that the new workflows have not.")
    return replace(sheet, inputs=inputs, button="Use scheme", said=said)
