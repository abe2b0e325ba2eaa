"""What is done to queues: new ones, other queries and columns, their order, stars, their end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_lines, posted_text
from clones.tracker.domain import queues
from clones.tracker.models import Queue, ServiceDesk
from clones.tracker.queries.desks import find_queue
from clones.tracker.rules.jql import JqlError
from clones.tracker.rules.ordering import stepped
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.access import (
    desk_address,
    desk_page,
    form_of_desk,
    page_of_manager,
)
from clones.tracker.web.desk.cells import desk_columns, named_columns
from clones.tracker.web.desk.queues import queue_address
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.shell import from_script, go, page


@page_of_manager
def new_queue(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the form of a new queue, or make it."""
    jql = f"project = {desk.project.key} AND resolution = Unresolved ORDER BY created DESC"
    sheet = _sheet(request, "New queue", desk_address(desk, "queues/new"), desk, ("", jql))
    if request.method != "POST":
        return _form(request, who, desk, sheet)
    name, typed = _typed(request)
    made, refusal = _try(lambda: queues.create_queue(desk, actor=who.rights, name=name, jql=typed))
    if made is None:
        return _form(request, who, desk, sheet.refused(refusal or FormErrors()))
    return from_script(request, go(queue_address(desk, made), f"Queue “{made.name}” created"))


@page_of_manager
def edit_queue(request: SandboxRequest, who: Visitor, desk: ServiceDesk, id: str) -> HttpResponse:
    """Show the form of a queue and its columns, or take another name and query."""
    queue = find_queue(desk, id)
    action = queue_address(desk, queue, "edit")
    sheet = _sheet(request, "Edit queue", action, desk, (queue.name, queue.jql), queue)
    if request.method != "POST":
        return _edit(request, who, queue, sheet)
    name, jql = _typed(request)
    _, refusal = _try(lambda: queues.change_queue(queue, actor=who.rights, name=name, jql=jql))
    if refusal is not None:
        return _edit(request, who, find_queue(desk, id), sheet.refused(refusal))
    return go(queue_address(desk, queue), f"Queue “{queue.name}” updated")


@form_of_desk
def set_columns(request: SandboxRequest, who: Visitor, desk: ServiceDesk, id: str) -> HttpResponse:
    """Add a column to a queue, take one away, or let one change places with its neighbour."""
    queue = find_queue(desk, id)
    known = desk_columns(who.rights)
    present = [column.id for column in named_columns(queue.columns, known)]
    chosen, way = posted_text(request, "column"), posted_text(request, "way")
    if chosen in known:
        columns = _columns(present, chosen, way)
        _try(lambda: queues.change_queue(queue, actor=who.rights, columns=columns))
    return go(queue_address(desk, queue, "edit"))


def _columns(present: Sequence[str], chosen: str, way: str) -> list[str]:
    """Return the columns of a queue after something was done to one of them."""
    if way == "add":
        return list(dict.fromkeys([*present, chosen]))
    if chosen not in present:
        return list(present)
    if way == "remove":
        left = [one for one in present if one != chosen]
        return left or list(present)
    places = stepped(range(len(present)), present.index(chosen), down=way == "down")
    return [present[place] for place in places]


@page_of_manager
def delete_queue(request: SandboxRequest, who: Visitor, desk: ServiceDesk, id: str) -> HttpResponse:
    """Ask whether a queue is to be deleted; then delete it."""
    queue = find_queue(desk, id)
    if request.method == "POST":
        name = queue.name
        queues.delete_queue(queue, actor=who.rights)
        return from_script(request, go(desk_address(desk), f"Queue “{name}” deleted"))
    context = {
        "heading": f"Delete {queue.name}?",
        "said": "The queue is deleted for everybody. The requests in it stay.",
        "action": queue_address(desk, queue, "delete"),
        "button": "Delete",
        "cancel": queue_address(desk, queue),
    }
    return page(
        request, who, "tracker/parts/confirm.html", context,
        title="Delete queue", active="queues", project=desk.project,
    )  # fmt: skip


@form_of_desk
def move_queue(request: SandboxRequest, who: Visitor, desk: ServiceDesk, id: str) -> HttpResponse:
    """Let a queue change places with its neighbour."""
    queue = find_queue(desk, id)
    queues.move_queue(queue, actor=who.rights, down=posted_text(request, "way") == "down")
    return go(queue_address(desk, queue))


@form_of_desk
def star_queue(request: SandboxRequest, who: Visitor, desk: ServiceDesk, id: str) -> HttpResponse:
    """Star a queue, or take the star away."""
    queue = find_queue(desk, id)
    queues.star_queue(queue, actor=who.rights, on=posted_text(request, "on") == "1")
    return go(queue_address(desk, queue))


def _typed(request: SandboxRequest) -> tuple[str, str]:
    text = posted_lines(request, "jql", strip=False)
    return posted_text(request, "name", strip=False), text


def _sheet(  # noqa: PLR0917 - what the form of a queue is made of
    request: SandboxRequest,
    heading: str,
    action: str,
    desk: ServiceDesk,
    kept: tuple[str, str],
    queue: Queue | None = None,
) -> FormPage:
    name, jql = _typed(request) if request.method == "POST" else kept
    back = desk_address(desk) if queue is None else queue_address(desk, queue)
    inputs = [
        Input("name", "Name", value=name, required=True),
        Input(
            "jql",
            "Issues to show (JQL)",
            shape="area",
            value=jql,
            required=True,
            hint="Which requests are in the queue, and in what order.",
        ),
    ]
    return FormPage(heading, action, back, inputs, button="Create" if queue is None else "Save")


def _try(write: Callable[[], Queue]) -> tuple[Queue | None, FormErrors | None]:
    """Carry out a write; a query that cannot be run is refused beside its input."""
    try:
        return attempt(write)
    except JqlError as error:
        return None, FormErrors((), {"jql": " ".join(error.texts)})


def _form(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, sheet: FormPage, **more: Any
) -> HttpResponse:
    return desk_page(
        request, who, desk, "tracker/desk/queue_form.html", {"sheet": sheet, **more},
        title=sheet.heading, status=422 if sheet.is_refused else 200,
    )  # fmt: skip


def _edit(request: SandboxRequest, who: Visitor, queue: Queue, sheet: FormPage) -> HttpResponse:
    known = desk_columns(who.rights)
    columns = named_columns(queue.columns, known)
    present = {column.id for column in columns}
    others = sorted(
        (column for column in known.values() if column.id not in present),
        key=lambda column: column.label.lower(),
    )
    return _form(
        request,
        who,
        queue.desk,
        sheet,
        queue=queue,
        address=queue_address(queue.desk, queue),
        columns=columns,
        others=[Choice(column.id, column.label) for column in others],
    )
