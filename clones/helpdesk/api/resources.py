"""How the helpdesk's API offers resources that admins configure.

Bodies hold a record under its name. The domain's functions get what was sent as `changes`, and the
actor. What makes a record answers 201 with it and its address; an order is a list of ids. Agents
may list and show, and admins do the rest, where a resource does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pydantic import BaseModel, create_model

from clones.core.operations import Call, Reply
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
from clones.core.resources.operations import Handler, Registering
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, list_request, listed, show
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.views import rule_changes

# How a list is told: whole, whole with what pages have around them, or in pages by offset alone.
# Any other is in pages of both kinds.
WHOLE: Final = "whole"
COUNTED: Final = "counted"
BY_OFFSET: Final = "by offset"


def register_resource(
    offered: ResourceApi[Row],
    *operations: ResourceOperation,
    register: Registering = OPERATIONS.operation,
    module: str,
) -> None:
    """Register the operations of a resource, as `core.resources.register_operations` takes them."""
    register_operations(
        offered,
        *operations,
        register=register,
        does=_DOES,
        usual=_USUAL,
        bodies=_body,
        reads="agent",
        writes="admin",
        module=module,
    )


def by_key(resource: Resource[Row], name: str = "") -> Callable[[object], Row]:
    """Return what finds a resource's record by its key, or tells that there is no such thing."""
    return lambda key: queries.one(resource.records(), name or resource.name, key)


def _body(offered: ResourceApi[Any], name: str, module: str) -> type[BaseModel] | None:
    """Return the model of a body: of the `Write` model of the fields, under the record's name."""
    if not name:
        return None
    fields, base = offered.resource.fields, offered.base or Body
    inner = body_of(fields, f"{name}Write", offered.about, base=base, module=module)
    one = offered.resource.name
    about = f"{'An' if one[0] in 'aeiou' else 'A'} {one} to create or update."
    wrapped: dict[str, Any] = {offered.singular: (inner, ...)}
    made: type[BaseModel] = create_model(
        f"{name}Body", __base__=base, __doc__=about, __module__=module, **wrapped
    )
    return made


def _list(offered: ResourceApi[Any], how: Overrides, call: Call) -> dict[str, Any]:
    rows = how["rows"](call) if "rows" in how else offered.resource.rows()
    manner, name, reading = how.get("manner", ""), offered.several, show(call)
    if manner in {WHOLE, COUNTED}:
        bodies = [offered.shown(row, reading, how) for row in rows]
        around = {"next_page": None, "previous_page": None, "count": len(bodies)}
        return {name: bodies} if manner == WHOLE else {name: bodies, **around}
    order = Order(offered.resource.order)
    page = paginate(rows, list_request(call), order, cursor=manner != BY_OFFSET)
    return listed(name, [offered.shown(row, reading, how) for row in page.rows], page)


def _one(offered: ResourceApi[Any], how: Overrides, call: Call, record: Any) -> dict[str, Any]:
    return {offered.singular: offered.shown(record, show(call, "detail"), how)}


def _changes(offered: ResourceApi[Any], how: Overrides, call: Call) -> dict[str, Any]:
    return offered.read(getattr(call.body, offered.singular), how, rule_changes)


def _create(offered: ResourceApi[Any], how: Overrides, call: Call) -> Any:
    owner, changes = offered.owner(call), _changes(offered, how, call)
    made = offered.resource.writer("create")(*owner, actor=call.actor, changes=changes)
    body = _one(offered, how, call, made)
    if call.operation.status != 201:
        return body
    return Reply(body, 201, {"Location": body[offered.singular]["url"]})


def _show(offered: ResourceApi[Any], how: Overrides, call: Call) -> dict[str, Any]:
    return _one(offered, how, call, offered.record(call))


def _update(offered: ResourceApi[Any], how: Overrides, call: Call) -> dict[str, Any] | None:
    record, update = offered.record(call), offered.resource.writer("update")
    found = update(record, actor=call.actor, changes=_changes(offered, how, call))
    return None if call.operation.status == 204 else _one(offered, how, call, found)


def _delete(offered: ResourceApi[Any], _: Overrides, call: Call) -> None:
    offered.resource.writer("delete")(offered.record(call), actor=call.actor)


def _reorder(offered: ResourceApi[Any], _: Overrides, call: Call) -> None:
    """Put records into an order: the body's one field has their ids."""
    (ids,) = [getattr(call.body, name) for name in type(call.body).model_fields]
    offered.resource.writer("move")(*offered.owner(call), ids, actor=call.actor)


_DOES: Final[dict[OperationKind, Handler]] = {
    "list": _list,
    "create": _create,
    "show": _show,
    "update": _update,
    "delete": _delete,
    "move": _reorder,
}
_USUAL: Final[dict[OperationKind, Overrides]] = {"move": {"path": "/reorder"}}
