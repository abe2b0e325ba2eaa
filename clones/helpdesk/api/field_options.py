"""Choices of fields of tickets and of users, which lie in the field's own row in their order."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.resources import (
    Overrides,
    ResourceApi,
    ResourceOperation,
    register_operations,
)
from clones.helpdesk.api.operations import OPERATIONS, Body, list_request, listed, show
from clones.helpdesk.api.paging import list_page
from clones.helpdesk.domain.errors import RecordNotFound


class OptionWrite(Body):
    """The attributes of a ticket field's option that can be set."""

    id: int | None = None
    name: str | None = None
    raw_name: str | None = None
    value: str | None = Field(None, description="The tag that the choice puts on tickets.")
    default: bool | None = None
    position: int | None = None


class OptionBody(Body):
    """A ticket field's option to create, or to update if its id is given."""

    custom_field_option: OptionWrite


def register_options(
    offered: ResourceApi[Any], *operations: ResourceOperation, module: str
) -> None:
    """Register operations on choices, as `core.resources.register_operations` takes them.

    They are `within` the field; what is presented is the field and a choice of it.
    """
    register_operations(
        offered,
        *operations,
        register=OPERATIONS.operation,
        does={"list": _list, "show": _show, "update": _save, "delete": _delete},
        usual={"update": {"method": "POST", "path": ""}},
        bodies=lambda *_: None,
        reads="agent",
        writes="admin",
        module=module,
    )


def _list(offered: ResourceApi[Any], how: Overrides, call: Call) -> dict[str, Any]:
    """List the choices of a field."""
    (field,) = offered.owner(call)
    bodies = [offered.shown((field, option), show(call), how) for option in field.options]
    page = list_page(bodies, list_request(call), name="position,id")
    return listed(offered.several, page.rows, page)


def _show(offered: ResourceApi[Any], how: Overrides, call: Call) -> dict[str, Any]:
    """Show a choice of a field."""
    (field,) = offered.owner(call)
    for option in field.options:
        if option["id"] == call.path["option_id"]:
            return {offered.singular: offered.shown((field, option), show(call), how)}
    raise RecordNotFound("option", call.path["option_id"])


def _save(offered: ResourceApi[Any], how: Overrides, call: Call) -> Reply:
    """Create or update a choice: 201 for a new one, 200 for one there was."""
    (field,) = offered.owner(call)
    given = getattr(call.body, offered.singular).model_dump(exclude_unset=True)
    option, created = offered.resource.writer("update")(field, actor=call.actor, changes=given)
    place = offered.path.replace("{field_id:int}", str(field.id))
    body = {offered.singular: offered.shown((field, option), show(call), how)}
    return Reply(body, 201 if created else 200, {"Location": f"/api/v2{place}.json"})


def _delete(offered: ResourceApi[Any], _: Overrides, call: Call) -> None:
    """Remove a choice of a field."""
    remove = offered.resource.writer("delete")
    remove(*offered.owner(call), call.path["option_id"], actor=call.actor)
