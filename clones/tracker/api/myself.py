"""The caller, and their preferences."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.core.strict_json import read_json
from clones.tracker.api.operations import JSON, Body, Query, actor, operation, show
from clones.tracker.api.presenters.people import present_profile
from clones.tracker.api.query_params import ExpandQuery
from clones.tracker.domain import people
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import User

PATH = "/rest/api/3/mypreferences"


class KeyQuery(Query):
    """The key of a preference of the caller's."""

    key: str | None = None


class LocaleBody(Body):
    """The caller's locale, such as `en_US`."""

    locale: str | None = None


def _me(call: Call) -> User:
    found = actor(call).user
    assert found is not None  # noqa: S101 - the operations ask for somebody signed in
    return found


def _key(call: Call) -> str:
    key: str | None = call.query.key
    if not key:
        raise NotFound("key not provided")
    return key


@operation(
    "getCurrentUser", "GET", "/rest/api/3/myself", summary="Show the caller.", query=ExpandQuery
)
def show_me(call: Call) -> dict[str, Any]:
    """Show the caller."""
    return present_profile(_me(call), show(call), frozenset(call.query.expand))


@operation(
    "getPreference", "GET", PATH, summary="Show one of the caller's preferences.", query=KeyQuery
)
def show_preference(call: Call) -> Any:
    """Show a preference."""
    return str(people.preference(_me(call), _key(call)))


@operation(
    "setPreference",
    "PUT",
    PATH,
    summary="Set one of the caller's preferences to a text, bare or as JSON.",
    query=KeyQuery,
    raw_body=True,
    consumes=(*JSON, "text/plain"),
    status=204,
)
def set_preference(call: Call) -> None:
    """Set a preference."""
    key = _key(call)
    text = call.body.decode("utf-8", "replace").strip()
    if not text or "\0" in text:
        raise NotFound("value not provided")
    if text.startswith('"'):
        try:
            text = str(read_json(text))
        except ValueError as error:
            raise NotFound("value not valid") from error
    people.set_preference(_me(call), key, text)


@operation(
    "removePreference",
    "DELETE",
    PATH,
    summary="Forget one of the caller's preferences.",
    query=KeyQuery,
    status=204,
)
def remove_preference(call: Call) -> None:
    """Forget a preference."""
    people.remove_preference(_me(call), _key(call))


@operation(
    "getLocale",
    "GET",
    PATH + "/locale",
    summary="Show the caller's language, the site's to who has not signed in.",
    access="anyone",
)
def show_locale(call: Call) -> dict[str, str]:
    """Show the caller's language."""
    user = actor(call).user
    return {"locale": people.site_locale() if user is None else user.locale}


@operation(
    "setLocale",
    "PUT",
    PATH + "/locale",
    summary="Set the caller's language; none gives them the site's.",
    body=LocaleBody,
    status=204,
)
def set_locale(call: Call) -> None:
    """Set the caller's language."""
    people.set_locale(_me(call), call.body.locale)
