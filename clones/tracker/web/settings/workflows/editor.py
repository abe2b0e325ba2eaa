"""A workflow and its editor: the diagram, statuses, transitions; publishing what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.numbering import new_uuid
from clones.tracker.domain.workflow_drafts import (
    discard_draft,
    faults_of,
    losses,
    publish_draft,
)
from clones.tracker.models import Screen, Status
from clones.tracker.queries.workflows import uses_of
from clones.tracker.rules.workflow.drafts import (
    CATEGORIES,
    SCREEN,
    StatusDraft,
    TransitionDraft,
    TransitionSource,
)
from clones.tracker.rules.workflow.editing import (
    FAMILIES,
    Drafted,
    add_status,
    put_transition,
    remove_status,
    remove_transition,
    rules_of,
)
from clones.tracker.rules.workflow.rule import Rule
from clones.tracker.web.access import Visitor
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of
from clones.tracker.web.settings.workflows.diagram import diagram_of
from clones.tracker.web.settings.workflows.seat import (
    Seat,
    ask,
    editing,
    flow_page,
    keep,
    page_of_workflow,
)

EITHER: Final = "Choose a status, or New status with a name: not both."
OF_ITS_OWN: Final = "A status that there is keeps its category: {}."
ANY: Final = "ANY"  # what a form calls every status
_CATEGORIES: Final = {"TODO": "To Do", "IN_PROGRESS": "In Progress", "DONE": "Done"}


@dataclass(frozen=True, slots=True)
class TransitionItem:
    """A transition as the list has it."""

    item: TransitionDraft
    sources: str
    target: str
    screen: str
    rules: int

    @property
    def removable(self) -> bool:
        """Whether it can be taken out: the one by which issues are created stays."""
        return self.item.type != "INITIAL"


def ways_of(drafted: Drafted) -> list[TransitionItem]:
    """Return the transitions of a workflow in their order, with the names that they need."""
    names = {one.reference: one.name for one in drafted.statuses}
    keys = {
        int(item.screen.text("screenId"))
        for item in drafted.workflow.transitions
        if item.screen is not None and is_digits(item.screen.text("screenId"))
    }
    screens = dict(Screen.objects.filter(id__in=keys).values_list("id", "name"))
    found = []
    for item in drafted.workflow.transitions:
        if item.type == "DIRECTED":
            sources = ", ".join(names.get(link.reference, "") for link in item.links)
        else:
            sources = "Create" if item.type == "INITIAL" else "Any status"
        key = "" if item.screen is None else item.screen.text("screenId")
        found.append(
            TransitionItem(
                item,
                sources,
                names.get(item.to, "Itself"),
                screens.get(int(key), "") if is_digits(key) else "",
                sum(len(rules_of(item, family)) for family in FAMILIES),
            )
        )
    return found


@page_of_workflow
def show(request: SandboxRequest, who: Visitor, seat: Seat) -> HttpResponse:
    """Show a workflow: its diagram, and lists of the same for who does not see it."""
    drafted = seat.drafted
    uses = uses_of([seat.workflow.id])[seat.workflow.id]
    context = {
        "drafted": drafted,
        "diagram": diagram_of(drafted),
        "ways": ways_of(drafted),
        "statuses": [
            (one, _CATEGORIES[one.category])
            for place in drafted.workflow.places
            if (one := drafted.status(place.reference)) is not None
        ],
        "schemes": uses.schemes,
        "spaces": uses.projects if who.rights.is_admin else [],
        "warnings": [one.message for one in faults_of(seat.workflow, drafted)],
    }
    return flow_page(
        request, who, seat, "tracker/settings/workflow/editor.html", context, title="Workflow"
    )


@editing
def new_status(request: SandboxRequest, who: Visitor, seat: Seat) -> HttpResponse:
    """Show the form that adds a status, or take it: one of the site's, or a new one."""
    drafted = seat.drafted
    have = {one.id for one in drafted.statuses}
    rows = Status.objects.filter(project=seat.workflow.project).order_by("name", "id")
    offered = {str(row.id): row for row in rows if str(row.id) not in have}
    sheet = FormPage(
        "Add status",
        request.path,
        seat.root,
        [
            Input(
                "status",
                "Status",
                "select",
                choices=chosen(((one, row.name) for one, row in offered.items()), ()),
                none="New status",
            ),
            Input("name", "Name of the new status"),
            Input(
                "category",
                "Category of the new status",
                "select",
                choices=chosen(_CATEGORIES.items(), ["TODO"]),
            ),
            Input("any", "Let all statuses transition to this one", "check", "on"),
        ],
        button="Add",
    )

    def write(sent: PageForm) -> str:
        name, category = sent.text("name"), sent.text("category") or "TODO"
        row = offered.get(sent.text("status"))
        if row is not None and name:
            raise Invalid(fields={"name": EITHER})
        if row is not None and category not in ("TODO", CATEGORIES[row.category]):
            own = OF_ITS_OWN.format(_CATEGORIES[CATEGORIES[row.category]])
            raise Invalid(fields={"category": own})
        if row is None:
            made = StatusDraft(new_uuid(Status), name, category)
        else:
            key = str(row.id)
            made = StatusDraft(key, row.name, CATEGORIES[row.category], key, row.description)
        keep(who, seat, add_status(drafted, made, from_any=made.name if sent.ticked("any") else ""))
        return f"Status {made.name} added to the draft"

    return ask(request, who, seat, sheet, write)


@editing
def drop_status(request: SandboxRequest, who: Visitor, seat: Seat, status: str) -> HttpResponse:
    """Ask whether a status is to be taken out with its transitions, or do it."""
    drafted = seat.drafted
    found = drafted.status(status)
    if found is None:
        raise NotFound("There is no such status in the workflow.")
    sheet = FormPage(
        f"Remove status {found.name}?",
        request.path,
        seat.root,
        button="Remove",
        said="The transitions to it, and those from it alone, go with it.",
        danger=True,
    )

    def write(_sent: PageForm) -> str:
        keep(who, seat, remove_status(drafted, status))
        return f"Status {found.name} removed from the draft"

    return ask(request, who, seat, sheet, write)


def transition_of(seat: Seat, id: str) -> TransitionDraft:
    """Return a transition of the working copy.

    Raises:
        NotFound: there is none.
    """
    found = seat.drafted.transition(id)
    if found is None:
        raise NotFound("There is no such transition in the workflow.")
    return found


@editing
def new_transition(request: SandboxRequest, who: Visitor, seat: Seat) -> HttpResponse:
    """Show the form of a new transition, or take it."""
    made = TransitionDraft(seat.drafted.next_id, "", "DIRECTED", "")
    return _transition(request, who, seat, made, heading="Add transition")


@editing
def edit_transition(
    request: SandboxRequest, who: Visitor, seat: Seat, transition: str
) -> HttpResponse:
    """Show the form of a transition, or take it."""
    found = transition_of(seat, transition)
    return _transition(request, who, seat, found, heading=f"Edit transition {found.name}")


def _transition(
    request: SandboxRequest, who: Visitor, seat: Seat, item: TransitionDraft, *, heading: str
) -> HttpResponse:
    drafted = seat.drafted
    back = f"{seat.root}/transitions/{item.id}" if drafted.transition(item.id) else seat.root
    sheet = FormPage(heading, request.path, back, _inputs(drafted, item))

    def write(sent: PageForm) -> tuple[str, str]:
        changed = _sent(sent, item)
        if changed.type == "DIRECTED" and not changed.to:
            raise Invalid(fields={"to": "Choose a status."})
        keep(who, seat, put_transition(drafted, changed))
        said = f"Transition {changed.name} saved in the draft"
        return said, f"{seat.root}/transitions/{item.id}"

    return ask(request, who, seat, sheet, write)


def _inputs(drafted: Drafted, item: TransitionDraft) -> Sequence[Input]:
    statuses = [(one.reference, one.name) for one in drafted.statuses]
    sources = [ANY] if item.type == "GLOBAL" else [link.reference for link in item.links]
    screen = "" if item.screen is None else item.screen.text("screenId")
    screens = Screen.objects.order_by("name", "id").values_list("id", "name")
    found = [Input("name", "Name", value=item.name, required=True)]
    if item.type != "INITIAL":
        choices = chosen([(ANY, "Any status"), *statuses], sources)
        found.append(Input("from", "From", "multiple", choices=choices, required=True))
    found.append(
        Input("to", "To", "select", choices=chosen(statuses, [item.to]), none="Choose a status")
    )
    if item.type != "INITIAL":
        choices = chosen(screens, [screen])
        found.append(Input("screen", "Screen", "select", choices=choices, none="None"))
    found.append(Input("description", "Description", value=item.description))
    return found


def _sent(sent: PageForm, item: TransitionDraft) -> TransitionDraft:
    """Return a transition as a form sent it."""
    sources = sent.several("from")
    changed = replace(
        item,
        name=sent.text("name"),
        to=sent.text("to"),
        description=sent.text("description"),
    )
    if item.type == "INITIAL":
        return changed
    before = {link.reference: link for link in item.links}
    links = tuple(before.get(one, TransitionSource(one)) for one in sources if one != ANY)
    screen = number_of(sent.text("screen"))
    return replace(
        changed,
        type="GLOBAL" if ANY in sources else "DIRECTED",
        links=() if ANY in sources else links,
        screen=None if screen is None else Rule(SCREEN, {"screenId": str(screen)}),
    )


@editing
def drop_transition(
    request: SandboxRequest, who: Visitor, seat: Seat, transition: str
) -> HttpResponse:
    """Ask whether a transition is to be taken out, or do it."""
    found = transition_of(seat, transition)
    sheet = FormPage(
        f"Delete transition {found.name}?",
        request.path,
        seat.root,
        button="Delete",
        danger=True,
    )

    def write(_sent: PageForm) -> str:
        keep(who, seat, remove_transition(seat.drafted, transition))
        return f"Transition {found.name} deleted from the draft"

    return ask(request, who, seat, sheet, write)


@editing
def publish(request: SandboxRequest, who: Visitor, seat: Seat) -> HttpResponse:
    """Show the form that publishes the draft, or publish it.

    Where issues would lose their status, it asks for the one that they get.
    """
    drafted = seat.drafted
    lost = losses(seat.workflow)
    names = {str(key): name for key, name in _names(lost)}
    statuses = [(one.reference, one.name) for one in drafted.statuses]
    sheet = FormPage(
        "Publish draft?",
        request.path,
        seat.root,
        [
            Input(
                f"status-{key}",
                f"Work items in {names.get(key, key)} get the status",
                "select",
                choices=chosen(statuses, ()),
                required=True,
            )
            for key in lost
        ],
        button="Publish",
        said="All spaces that use the workflow use it as it is in the draft from now on.",
    )

    def write(sent: PageForm) -> str:
        mappings = {key: sent.text(f"status-{key}") for key in lost}
        publish_draft(seat.workflow, mappings, actor=who.rights)
        return "Workflow published"

    return ask(request, who, seat, sheet, write)


def _names(keys: Sequence[str]) -> list[tuple[int, str]]:
    rows = Status.objects.filter(id__in=[int(key) for key in keys])
    return list(rows.values_list("id", "name"))


@editing
def discard(request: SandboxRequest, who: Visitor, seat: Seat) -> HttpResponse:
    """Ask whether the draft is to be discarded, or do it."""
    sheet = FormPage(
        "Discard draft?",
        request.path,
        seat.root,
        button="Discard",
        said="What was changed since the workflow was published last is lost.",
        danger=True,
    )

    def write(_sent: PageForm) -> str:
        discard_draft(seat.workflow, actor=who.rights)
        return "Draft discarded"

    return ask(request, who, seat, sheet, write)
