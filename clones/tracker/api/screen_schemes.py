"""Screen schemes: what is shown for each operation."""

from __future__ import annotations

from typing import Any

from clones.core import resources
from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody, ListQuery, matching
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import inner_page
from clones.tracker.api.presenters.screens import screen_scheme_body, type_screens_body
from clones.tracker.api.resources import by_id, register_resource
from clones.tracker.domain import screen_schemes as schemes
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import ScreenScheme
from clones.tracker.queries.schemes import classic_screen_schemes, uses_of_screen_schemes


class Screens(AdminBody):
    """The screens of issue operations; null takes one back."""

    default: str | None = None
    create: str | None = None
    edit: str | None = None
    view: str | None = None

    def read(self) -> dict[str, int | None]:
        """Return the screens that were sent, by operation."""
        sent = {name: getattr(self, name) for name in self.model_fields_set}
        return {name: None if id is None else key_of(id) for name, id in sent.items()}


class SchemeWrite(AdminBody):
    """A screen scheme: its name, text, and the screens of issue operations."""

    name: str | None = None
    description: str | None = None
    screens: Screens | None = None


def _values(given: SchemeWrite) -> dict[str, Any]:
    screens = None if given.screens is None else given.screens.read()
    return {"name": given.name, "description": given.description, "screens": screens}


def _list(call: Call) -> dict[str, Any]:
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

    return page_bean(call, matching(classic_screen_schemes(), asked), present, max_results=25)


register_resource(
    resources.ResourceApi(
        resource=schemes.SCREEN_SCHEME,
        path="/rest/api/3/screenscheme",
        one="/{screenSchemeId}",
        find=by_id(schemes.SCREEN_SCHEME, schemes.GONE),
        present=lambda scheme, _: {"id": scheme.id},
        body=SchemeWrite,
        values=_values,
        reads="admin",
    ),
    resources.lists("getScreenSchemes", "List the screen schemes.", query=ListQuery, view=_list),
    resources.creates("createScreenScheme", "Make a screen scheme."),
    resources.updates("updateScreenScheme", "Change a screen scheme.", status=204),
    resources.deletes("deleteScreenScheme", "Remove a screen scheme that is used for no type."),
    module=__name__,
)
