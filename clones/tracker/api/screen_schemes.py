"""Screen schemes: what is shown for each operation."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody, ListQuery, matching
from clones.tracker.api.operations import actor, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import inner_page
from clones.tracker.api.presenters.screens import screen_scheme_body, type_screens_body
from clones.tracker.domain import screen_schemes as schemes
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import key_of, one_of
from clones.tracker.models import ScreenScheme
from clones.tracker.queries.schemes import classic_screen_schemes, uses_of_screen_schemes

PATH = "/rest/api/3/screenscheme"


class Screens(AdminBody):
    """The screens of operations; null takes one back."""

    default: str | None = None
    create: str | None = None
    edit: str | None = None
    view: str | None = None

    def read(self) -> dict[str, int | None]:
        """Return the screens that were sent, by operation."""
        sent = {name: getattr(self, name) for name in self.model_fields_set}
        return {name: None if id is None else key_of(id) for name, id in sent.items()}


class SchemeWrite(AdminBody):
    """What a scheme is to be."""

    name: str | None = None
    description: str | None = None
    screens: Screens | None = None


def _scheme(call: Call) -> ScreenScheme:
    return one_of(classic_screen_schemes(), call.path["screenSchemeId"], schemes.GONE)


@operation(
    "getScreenSchemes",
    "GET",
    PATH,
    summary="List the screen schemes.",
    query=ListQuery,
    access="admin",
)
def list_schemes(call: Call) -> dict[str, Any]:
    """List schemes, with what uses them where asked for."""
    asked: ListQuery = call.query
    with_uses = "issueTypeScreenSchemes" in frozenset(asked.expand)

    def present(rows: list[ScreenScheme]) -> list[Any]:
        bodies = [screen_scheme_body(row) for row in rows]
        if with_uses:
            uses = uses_of_screen_schemes([row.id for row in rows])
            for row, body in zip(rows, bodies, strict=True):
                found = [type_screens_body(one) for one in uses.get(row.id, [])]
                body["issueTypeScreenSchemes"] = inner_page(found)
        return bodies

    return page_bean(call, matching(classic_screen_schemes(), asked), present)


@operation(
    "createScreenScheme",
    "POST",
    PATH,
    summary="Make a screen scheme.",
    body=SchemeWrite,
    access="admin",
    status=201,
)
def create_scheme(call: Call) -> dict[str, Any]:
    """Make a scheme."""
    given: SchemeWrite = call.body
    if given.screens is None:
        raise Invalid("The screens have to be provided.")
    made = schemes.create_screen_scheme(
        given.name, given.description, given.screens.read(), actor=actor(call)
    )
    return {"id": made.id}


@operation(
    "updateScreenScheme",
    "PUT",
    PATH + "/{screenSchemeId}",
    summary="Change a screen scheme.",
    body=SchemeWrite,
    access="admin",
    status=204,
)
def update_scheme(call: Call) -> None:
    """Change a scheme."""
    given: SchemeWrite = call.body
    screens = {} if given.screens is None else given.screens.read()
    schemes.update_screen_scheme(
        _scheme(call), given.name, given.description, screens, actor=actor(call)
    )


@operation(
    "deleteScreenScheme",
    "DELETE",
    PATH + "/{screenSchemeId}",
    summary="Remove a screen scheme that is used for no type.",
    access="admin",
    status=204,
)
def delete_scheme(call: Call) -> None:
    """Remove a scheme."""
    schemes.delete_screen_scheme(_scheme(call), actor=actor(call))
