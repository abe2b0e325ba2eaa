"""What the fields of users and those of organizations have in common."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import Body, asked, listed, show
from clones.helpdesk.api.paging import paginate
from clones.helpdesk.api.presenters.profiles import present_profile_field
from clones.helpdesk.api.settings import BY_POSITION
from clones.helpdesk.api.ticket_fields import OptionWrite
from clones.helpdesk.models import ProfileField


class ProfileFieldWrite(Body):
    """What to set on a field of users or organizations."""

    id: int | None = None
    key: str | None = Field(None, description="Letters, digits, underscores; set once.")
    type: str | None = None
    title: str | None = None
    description: str | None = None
    position: int | None = None
    active: bool | None = None
    regexp_for_validation: str | None = None
    tag: str | None = Field(None, description="The tag that a ticked checkbox puts on profiles.")
    custom_field_options: list[OptionWrite] | None = Field(
        None, description="All choices: those left out are removed."
    )


def field_page(owner: str, call: Call) -> dict[str, Any]:
    """Return a page of the fields of `user` or `organization`."""
    page = paginate(ProfileField.objects.filter(owner=owner), asked(call), BY_POSITION)
    bodies = [present_profile_field(item, show(call)) for item in page.rows]
    return listed(f"{owner}_fields", bodies, page)


def field_of(owner: str, call: Call) -> ProfileField:
    """Return the field that a call's path names.

    Raises:
        RecordNotFound: there is none.
    """
    rows = ProfileField.objects.filter(owner=owner)
    return queries.one(rows, f"{owner} field", call.path["field_id"])


def field_body(field: ProfileField, call: Call) -> dict[str, Any]:
    """Return the body that shows one field."""
    return {f"{field.owner}_field": present_profile_field(field, show(call, "detail"))}


def made_reply(field: ProfileField, call: Call) -> Reply:
    """Return the answer to a call that made a field."""
    body = field_body(field, call)
    return Reply(body, 201, {"Location": body[f"{field.owner}_field"]["url"]})
