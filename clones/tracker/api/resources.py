"""How the tracker's API offers resources that admins configure.

The domain's functions get the body's fields by their names, and the actor. What makes a record
answers 201 with it, what changes one 200, or 204 without; what begins a task leads to it. Whoever
signed in may list and show, and admins do the rest, where a resource does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pydantic import BaseModel

from clones.core.operations import Call
from clones.core.resources import (
    OperationKind,
    Overrides,
    Resource,
    ResourceApi,
    ResourceOperation,
    body_of,
    register_operations,
)
from clones.core.resources.declaration import Row
from clones.core.resources.operations import Handler
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Task

# How a list is told: in a page of the first kind (P1). Any other word is the name of a whole list.
PAGED: Final = "page"


def register_resource(
    offered: ResourceApi[Row], *operations: ResourceOperation, module: str
) -> None:
    """Register the operations of a resource, as `core.resources.register_operations` takes them."""
    register_operations(
        offered,
        *operations,
        register=operation,
        does=_DOES,
        usual=_USUAL,
        bodies=_body,
        reads="user",
        writes="admin",
        module=module,
    )


class DefaultChoice(AdminBody):
    """The record that becomes the default one; null takes the default back."""

    id: str | None = None


class Order(AdminBody):
    """Records to move, and where they go."""

    ids: list[str] = []
    after: str | None = None
    position: str | None = None


def by_id(resource: Resource[Row], message: str) -> Callable[[str | None], Row]:
    """Return what finds the record of an id, or refuses with a message, which may name the id."""
    return lambda id: one_of(resource.records(), id, message.format(id=id))


def id_only(record: Any, _: Show) -> dict[str, str]:
    """Show a record that was made by its id alone."""
    return {"id": str(record.pk)}


def values_of(body: BaseModel) -> dict[str, Any]:
    """Return the values of a body's fields, by the names that the domain gives them."""
    return {name: getattr(body, name) for name in type(body).model_fields}


def _body(offered: ResourceApi[Any], name: str, module: str) -> type[BaseModel] | None:
    fields, base = offered.resource.fields, offered.base or AdminBody
    return body_of(fields, name, offered.about, base=base, module=module) if name else None


def _list(offered: ResourceApi[Any], how: Overrides, call: Call) -> Any:
    reading, manner = show(call), how.get("manner", "")
    rows = how["rows"](call) if "rows" in how else offered.resource.rows()
    if manner == PAGED:
        return page_bean(
            call, rows, lambda found: [offered.shown(row, reading, how) for row in found]
        )
    found = [offered.shown(row, reading, how) for row in rows]
    return {manner: found} if manner else found


def _create(offered: ResourceApi[Any], how: Overrides, call: Call) -> Any:
    owner, values = offered.owner(call), offered.read(call.body, how, values_of)
    made = offered.resource.writer("create")(*owner, **values, actor=actor(call))
    return offered.shown(made, show(call), how)


def _show(offered: ResourceApi[Any], how: Overrides, call: Call) -> Any:
    return offered.shown(offered.record(call), show(call), how)


def _update(offered: ResourceApi[Any], how: Overrides, call: Call) -> Any:
    record = offered.record(call)
    values = offered.read(call.body, how, values_of)
    offered.resource.writer("update")(record, **values, actor=actor(call))
    return None if how.get("status") == 204 else offered.shown(record, show(call), how)


def _delete(offered: ResourceApi[Any], how: Overrides, call: Call) -> Any:
    begun = offered.resource.writer("delete")(offered.record(call), actor=actor(call))
    return task_reply(call, begun) if isinstance(begun, Task) else None


def _move(offered: ResourceApi[Any], _: Overrides, call: Call) -> None:
    given: Order = call.body
    offered.resource.writer("move")(
        given.ids, after=given.after, position=given.position, actor=actor(call)
    )


def _set_default(offered: ResourceApi[Any], _: Overrides, call: Call) -> None:
    given: DefaultChoice = call.body
    if "id" not in given.model_fields_set:
        raise Invalid("The id has to be provided.")
    chosen = None if given.id is None else offered.of_key(given.id)
    offered.resource.writer("default")(chosen, actor=actor(call))


_DOES: Final[dict[OperationKind, Handler]] = {
    "list": _list,
    "create": _create,
    "show": _show,
    "update": _update,
    "delete": _delete,
    "move": _move,
    "default": _set_default,
}
_USUAL: Final[dict[OperationKind, Overrides]] = {
    "move": {"path": "/move", "body": Order, "status": 204},
    "default": {"path": "/default", "body": DefaultChoice, "status": 204},
}
