"""Whether keys and names of spaces can be had, and others that can."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.tracker.api.operations import Query, operation
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.project_keys import check_key, taken_keys
from clones.tracker.models import Project
from clones.tracker.rules.project_keys import valid_key, valid_name


class KeyQuery(Query):
    """A key for a new space, to check."""

    key: str | None = None


class NameQuery(Query):
    """A name for a new space, to check."""

    name: str | None = None


@operation(
    "validateProjectKey",
    "GET",
    "/rest/api/3/projectvalidate/key",
    summary="Tell what is wrong with a key for a new space.",
    query=KeyQuery,
)
def validate_key(call: Call) -> dict[str, Any]:
    """Tell what is wrong with a key; nothing if it can be had."""
    fault = check_key(call.query.key or "")
    return {"errorMessages": [], "errors": {} if fault is None else {"projectKey": fault}}


@operation(
    "getValidProjectKey",
    "GET",
    "/rest/api/3/projectvalidate/validProjectKey",
    summary="Return a key, or one like it that can be had.",
    query=KeyQuery,
)
def suggest_key(call: Call) -> Any:
    """Return a key that can be had."""
    wanted = call.query.key or ""
    if not wanted:
        return ""
    return wanted if check_key(wanted) is None else valid_key(wanted, taken_keys())


@operation(
    "getValidProjectName",
    "GET",
    "/rest/api/3/projectvalidate/validProjectName",
    summary="Return a name, or one like it that can be had.",
    query=NameQuery,
)
def suggest_name(call: Call) -> Any:
    """Return a name that can be had."""
    wanted = (call.query.name or "").strip()
    if not wanted:
        raise Invalid("The query parameter 'name' must be provided.")
    taken = {name.lower() for name in Project.objects.values_list("name", flat=True)}
    found = valid_name(wanted[:80], taken)
    if found is None:
        raise NotFound("A valid project name could not be generated.")
    return found
