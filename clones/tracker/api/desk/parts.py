"""What the operations of service desks share: parameters, bodies, opting in."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.tracker.api.operations import Body, Query, actor
from clones.tracker.domain.errors import Invalid, TrackerError
from clones.tracker.models import Issue, ServiceDesk
from clones.tracker.queries.desks import find_desk
from clones.tracker.queries.requests import find_request

Json = dict[str, Any]
DESK = "/rest/servicedeskapi/servicedesk/{serviceDeskId}"
REQUEST = "/rest/servicedeskapi/request/{issueIdOrKey}"


class PageQuery(Query):
    """Paging of a service desk's list."""

    start: str | None = None
    limit: str | None = None


class PeopleBody(Body):
    """The account ids of people; names of users are refused, as the vendor does."""

    accountIds: list[str] | None = None
    usernames: list[str] | None = None


class NotOptedIn(TrackerError):
    """Raised where an experimental operation is called without saying so."""

    status = 412
    i18n_key = "sd.rest.experimental.api.opt.in"


def people_in(body: PeopleBody) -> list[str]:
    """Return the account ids of a body.

    Raises:
        Invalid: it names users as the vendor did once.
    """
    if body.usernames and not body.accountIds:
        raise Invalid(
            "The 'usernames' property is no longer supported. Use 'accountIds' instead.",
            i18n_key="sd.user.error.usernames.unsupported",
        )
    return body.accountIds or []


def require_opt_in(call: Call) -> None:
    """Hold a caller to the header by which experimental operations are asked for.

    Raises:
        NotOptedIn: it is missing.
    """
    if call.request.headers.get("X-ExperimentalApi", "").strip().lower() != "opt-in":
        raise NotOptedIn(
            "This is an experimental API. Set the header 'X-ExperimentalApi: opt-in' to use it."
        )


def desk_in(call: Call) -> ServiceDesk:
    """Return the desk that a path names.

    Raises:
        NotFound: the caller sees none such.
    """
    return find_desk(actor(call), call.path["serviceDeskId"])


def request_in(call: Call) -> Issue:
    """Return the request that a path names.

    Raises:
        NotFound: the caller sees none such.
    """
    return find_request(actor(call), call.path["issueIdOrKey"])
