"""Priorities."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import priority_body
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain import priorities
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import Priority, PrioritySchemeItem, Project

PATH = "/rest/api/3/priority"
SCHEMES_SHOWN = 15


class PriorityWrite(AdminBody):
    """What a priority is to be."""

    name: str | None = None
    description: str | None = None
    color: str | None = Field(None, alias="statusColor")
    icon: str | None = Field(None, alias="iconUrl")
    avatar: Id | None = Field(None, alias="avatarId")


class Chosen(AdminBody):
    """The one to be the default; null takes the default back."""

    id: str | None = None


class Order(AdminBody):
    """Which ones go where."""

    ids: list[str] = []
    after: str | None = None
    position: str | None = None


class PrioritySearch(Query):
    """Which priorities."""

    id: CommaList[str] | None = None
    projects: CommaList[str] | None = Field(None, alias="projectId")
    name: str | None = Field(None, alias="priorityName")
    only_default: str | None = Field(None, alias="onlyDefault")
    expand: CommaList[str] = []


def priority_of(text: str | None) -> Priority:
    """Return the priority with an id.

    Raises:
        NotFound: there is none.
    """
    found = Priority.objects.filter(id=key_of(text)).first()
    if found is None:
        raise NotFound(priorities.GONE.format(id=text))
    return found


@operation("getPriorities", "GET", PATH, summary="List the priorities.")
def list_priorities(call: Call) -> list[Any]:
    """List priorities, the highest first."""
    reading = show(call)
    return [priority_body(row, reading) for row in Priority.objects.order_by("position", "id")]


@operation(
    "createPriority",
    "POST",
    PATH,
    summary="Make a priority, below the others.",
    body=PriorityWrite,
    access="admin",
    status=201,
)
def create_priority(call: Call) -> dict[str, Any]:
    """Make a priority."""
    given: PriorityWrite = call.body
    made = priorities.create_priority(
        given.name,
        given.color,
        actor=actor(call),
        description=given.description,
        icon=given.icon,
        avatar=given.avatar,
    )
    return {"id": str(made.id)}


@operation(
    "setDefaultPriority",
    "PUT",
    PATH + "/default",
    summary="Set the priority that new issues get.",
    body=Chosen,
    access="admin",
    status=204,
)
def set_default(call: Call) -> None:
    """Set the default priority."""
    given: Chosen = call.body
    if "id" not in given.model_fields_set:
        raise Invalid("The id has to be provided.")
    chosen = None if given.id is None else priority_of(given.id)
    priorities.set_default_priority(chosen, actor=actor(call))


@operation(
    "movePriorities",
    "PUT",
    PATH + "/move",
    summary="Change the order of the priorities.",
    body=Order,
    access="admin",
    status=204,
)
def move(call: Call) -> None:
    """Move priorities."""
    given: Order = call.body
    priorities.move_priorities(
        given.ids, after=given.after, position=given.position, actor=actor(call)
    )


@operation(
    "searchPriorities",
    "GET",
    PATH + "/search",
    summary="Search priorities by id, name and space.",
    query=PrioritySearch,
)
def search(call: Call) -> dict[str, Any]:
    """Search priorities; ids of nothing are passed over."""
    asked: PrioritySearch = call.query
    rows = Priority.objects.order_by("position", "id")
    if asked.id is not None:
        rows = rows.filter(id__in=[key_of(text) for text in asked.id])
    if asked.projects is not None:
        spaces = Project.objects.filter(id__in=[key_of(text) for text in asked.projects])
        offered = PrioritySchemeItem.objects.filter(scheme__in=spaces.values("priority_scheme"))
        rows = rows.filter(id__in=offered.values("priority"))
    if asked.name:
        rows = rows.filter(name__icontains=asked.name)
    if flag(asked.only_default):
        rows = rows.filter(is_default=True)
    with_schemes = "schemes" in frozenset(asked.expand)
    reading = show(call)

    def present(found: list[Priority]) -> list[Any]:
        bodies = [priority_body(row, reading) for row in found]
        if with_schemes:
            schemes = _schemes([row.id for row in found])
            for row, body in zip(found, bodies, strict=True):
                body["schemes"] = schemes[row.id]
        return bodies

    return page_bean(call, rows, present)


def _schemes(ids: list[int]) -> dict[int, dict[str, Any]]:
    """Return the schemes that have priorities, by the priority's id: the first fifteen of each."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    items = PrioritySchemeItem.objects.filter(priority__in=ids).select_related("scheme")
    for item in items.order_by("scheme_id"):
        found[item.priority_id].append({"id": str(item.scheme_id), "name": item.scheme.name})
    return {
        id: {
            "maxResults": SCHEMES_SHOWN,
            "startAt": 0,
            "total": len(found[id]),
            "isLast": len(found[id]) <= SCHEMES_SHOWN,
            "values": found[id][:SCHEMES_SHOWN],
        }
        for id in ids
    }


@operation(
    "deletePriority",
    "DELETE",
    PATH + "/{id}",
    summary="Begin to remove a priority.",
    access="admin",
    status=303,
)
def delete_priority(call: Call) -> Reply:
    """Begin to remove a priority; the answer leads to the task."""
    task = priorities.start_deletion(priority_of(call.path["id"]), actor=actor(call))
    return task_reply(call, task)


@operation("getPriority", "GET", PATH + "/{id}", summary="Show a priority.")
def show_priority(call: Call) -> dict[str, Any]:
    """Show a priority."""
    return priority_body(priority_of(call.path["id"]), show(call))


@operation(
    "updatePriority",
    "PUT",
    PATH + "/{id}",
    summary="Change a priority.",
    body=PriorityWrite,
    access="admin",
    status=204,
)
def update_priority(call: Call) -> None:
    """Change a priority."""
    given: PriorityWrite = call.body
    priorities.update_priority(
        priority_of(call.path["id"]),
        actor=actor(call),
        name=given.name,
        description=given.description,
        color=given.color,
        icon=given.icon,
        avatar=given.avatar,
    )
