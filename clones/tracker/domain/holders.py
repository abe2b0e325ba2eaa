"""Holders, as they come: a type and what it is about, in the form in which schemes keep them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import CustomField, Group, ProjectRole, User
from clones.tracker.rules.permission_catalogue import HOLDERS

Held = tuple[str, str | None]
# Types as some operations write them.
SPELLINGS: Final = {name.lower(): name for name in HOLDERS} | {"currentassignee": "assignee"}


def checked_holder(kind: Any, *texts: Any) -> Held:
    """Return a holder as schemes keep it: a group by its uuid, a role by its id...

    Args:
        kind: the type, in any case.
        texts: what it is about, in order of preference: an id or a name; the first that says
            something counts.

    Raises:
        Invalid: there is no such type, or nothing that it is about.
    """
    name = SPELLINGS.get(str(kind or "").lower())
    if name is None:
        raise Invalid(f"Invalid permission holder type '{kind}'.")
    text = next((str(text) for text in texts if text not in (None, "")), None)
    if not HOLDERS[name]:
        return name, text if name == "applicationRole" else None
    if text is None:
        raise Invalid(f"The parameter is required for the type '{name}'.")
    return name, _checked(name, text)


def holder_of(value: Mapping[str, Any]) -> Held:
    """Return a holder that came as {"type", "parameter"?, "value"?}.

    Raises:
        Invalid: there is no such type, or nothing that it is about.
    """
    return checked_holder(value.get("type"), value.get("value"), value.get("parameter"))


def _checked(name: str, text: str) -> str:
    match name:
        case "group":
            found = Group.objects.filter(uuid=text).first()
            found = found or Group.objects.filter(name__iexact=text).order_by("id").first()
            if found is None:
                raise Invalid(f"The group '{text}' does not exist.")
            return found.uuid
        case "user":
            if not User.objects.filter(account_id=text).exists():
                raise Invalid(f"The user with account ID '{text}' does not exist.")
            return text
        case "projectRole":
            if not (is_digits(text) and ProjectRole.objects.filter(id=int(text)).exists()):
                raise Invalid(f"The project role with ID '{text}' does not exist.")
            return text
        case _:
            number = text.removeprefix("customfield_")
            if not (is_digits(number) and CustomField.objects.filter(id=int(number)).exists()):
                raise Invalid(f"The custom field '{text}' does not exist.")
            return f"customfield_{number}"
