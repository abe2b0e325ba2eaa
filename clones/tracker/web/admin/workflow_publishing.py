"""Publishing the draft of a workflow scheme, and giving it up.

Work items in a status that the new workflow of their type has not get another one, which the form
asks for; a task moves them.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain import workflow_schemes as schemes
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.domain.workflow_scheme_switching import publish_draft
from clones.tracker.domain.workflow_switching import Need, needs_of
from clones.tracker.models import IssueType, Project, Status, WorkflowScheme
from clones.tracker.queries.workflows import Paths, statuses_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import select
from clones.tracker.web.admin.workflow_schemes import AT, HERE, find
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say


def _draft(scheme: WorkflowScheme) -> WorkflowScheme:
    draft = schemes.find_draft(scheme)
    if draft is None:
        raise NotFound(schemes.NO_DRAFT)
    return draft


def _needs(scheme: WorkflowScheme, draft: WorkflowScheme) -> list[Need]:
    paths = Paths([scheme.id, draft.id])
    projects = Project.objects.filter(workflow_scheme=scheme).order_by("id")
    return needs_of(
        projects,
        lambda kind: paths.workflow_id(scheme.id, kind),
        lambda kind: paths.workflow_id(draft.id, kind),
    )


def status_inputs(needs: Sequence[Need]) -> list[Input]:
    """Return a list for each status that work items of a type must leave: which they get."""
    types = IssueType.objects.in_bulk([need.issue_type for need in needs])
    names = Status.objects.in_bulk({status for need in needs for status in need.statuses})
    places = statuses_of({need.after for need in needs})
    return [
        select(
            f"{need.issue_type}-{status}",
            f"{types[need.issue_type].name}: {names[status].name} becomes",
            [(place.status_id, place.status.name) for place in places[need.after]],
            required=True,
            none="Choose a status",
        )
        for need in needs
        for status in need.statuses
    ]


def chosen_statuses(request: SandboxRequest, needs: Sequence[Need]) -> dict[tuple[int, int], int]:
    """Return the new status of a type's status, as far as the form says it."""
    found = {}
    for need in needs:
        for status in need.statuses:
            value = posted_text(request, f"{need.issue_type}-{status}", strip=False)
            if value:
                found[need.issue_type, status] = key_of(value)
    return found


@admin_page
def publish(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Begin to put a draft in the place of its scheme."""
    scheme = find(key)
    needs = _needs(scheme, _draft(scheme))

    def write(sent: PageForm) -> str:
        wanted = chosen_statuses(request, needs)
        publish_draft(scheme, wanted, validate_only=False, actor=who.rights)
        return f"“{scheme.name}” is being published"

    said = say("The draft takes the place of the scheme in all spaces that use it.")
    if needs:
        said += say(" Some work items are in statuses that their new workflow does not have.")
    sheet = FormPage(
        "Publish draft", request.path, f"{AT}/{scheme.id}", status_inputs(needs), "Publish", said
    )
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def discard(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Give a draft up."""
    scheme = find(key)
    draft = _draft(scheme)

    def write(sent: PageForm) -> str:
        draft.delete()
        return f"The draft of “{scheme.name}” was discarded"

    sheet = FormPage(
        "Discard draft?", request.path, f"{AT}/{scheme.id}", button="Discard",
        said="What was changed since the scheme was published is lost.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
