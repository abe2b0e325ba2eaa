"""What the fields of users and those of organizations have in common."""

from __future__ import annotations

from pydantic import Field

from clones.core import resources
from clones.helpdesk.api.field_options import OptionWrite
from clones.helpdesk.api.operations import Body
from clones.helpdesk.api.presenters.profiles import present_profile_field
from clones.helpdesk.api.resources import by_key
from clones.helpdesk.models import ProfileField


class ProfileFieldWrite(Body):
    """The attributes of a user or organization field that can be set."""

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


def fields_offer(
    resource: resources.Resource[ProfileField], owner: str, body: type[Body]
) -> resources.ResourceApi[ProfileField]:
    """Return how the API offers the fields of `user` or `organization`."""
    return resources.ResourceApi(
        resource=resource,
        path=f"/{owner}_fields",
        one="/{field_id:int}",
        find=by_key(resource),
        present=present_profile_field,
        body=body,
    )
