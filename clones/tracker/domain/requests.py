"""Requests: asking a desk, moving a request on as its customer, what type a request is of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from clones.core.digits import is_digits
from clones.tracker.domain.desk_files import find_temporary_files, take_files
from clones.tracker.domain.desks import RESOLUTION, SHOWN
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.fieldset import Planned, fields_of, read_changes
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.organizations import people_of
from clones.tracker.domain.participants import check_participants, join_request
from clones.tracker.domain.request_comments import add_request_comment
from clones.tracker.domain.richtext import Version
from clones.tracker.domain.transitions import Move, available, move
from clones.tracker.models import (
    Issue,
    Organization,
    Request,
    RequestOrganization,
    RequestType,
    RequestTypeField,
    Resolution,
    ServiceDesk,
    User,
)
from clones.tracker.queries.desks import PortalRights, is_agent
from clones.tracker.queries.rights import Rights

FILES: Final = "attachment"
Channel = Literal["portal", "email", "api", "jira"]


def create_request(
    request_type: RequestType,
    values: Mapping[str, Any],
    *,
    actor: Rights,
    on_behalf_of: str | None = None,
    participants: Collection[str] = (),
    channel: Channel = "api",
    version: Version = "2",
) -> Issue:
    """Ask a desk: make the issue, with the form's values, and the request that it is.

    Args:
        request_type: with its desk and space; the actor sees it.
        values: what the form's fields say, as the API has such values; files by the ids of
            temporary ones.
        actor: who asks.
        on_behalf_of: the account id of the customer for whom an agent asks.
        participants: account ids of those who take part.
        channel: by which way the request came.
        version: how rich text is written: 2 is markup, 3 documents, "either" what it is.

    Raises:
        Forbidden: the actor may not ask this desk, or not for others.
        Invalid: the form has no such field, a value is wrong or missing, or somebody named has no
            access to the desk.
        NotFound: an account is unknown.
    """
    desk = request_type.desk
    works = is_agent(actor, desk)
    portal = PortalRights(actor.user)
    if not portal.may("CREATE_ISSUES", desk.project):
        raise Forbidden(
            "You do not have permission to create requests in this service desk.",
            i18n_key="sd.request.create.error.permission",
        )
    reporter = _reporter(desk, on_behalf_of, actor=actor, works=works)
    joined = _joined(desk, participants, works=works)
    form = list(request_type.fields.order_by("position", "id"))
    files = find_temporary_files(desk, _file_ids(values), actor=actor)
    planned = _planned(request_type, form, values, portal, version)
    planned.values["reporter"] = reporter
    issue = create_issue(desk.project, request_type.issue_type, planned, actor=portal, trusted=True)
    make_request(issue, request_type, channel=channel)
    _share(issue, desk, reporter)
    join_request(issue, joined, actor=actor)
    if files:
        take_files(issue, files, actor=actor)
    publish(Event("request_created", actor, issue=issue))
    return issue


def make_request(issue: Issue, request_type: RequestType, *, channel: Channel) -> Request:
    """Write that an issue is a request of a type, or that it is of another type now."""
    found = Request.objects.filter(issue=issue).first()
    if found is None:
        return Request.objects.create(
            id=next_id(Request), issue=issue, request_type=request_type, channel=channel
        )
    found.request_type = request_type
    found.save(update_fields=["request_type_id"])
    return found


def customer_transitions(issues: Sequence[Issue], rights: Rights) -> dict[int, list[Move]]:
    """Return the moves that a portal offers for requests, by the issue's id."""
    found = available(issues, PortalRights(rights.user))
    return {
        issue: [one for one in moves if one.transition.properties.get(SHOWN) == "true"]
        for issue, moves in found.items()
    }


def transition_request(
    issue: Issue, number: str | None, *, actor: Rights, comment: dict[str, Any] | None = None
) -> Issue:
    """Take a request through a transition that its portal offers.

    Args:
        issue: the request.
        number: the transition's id.
        actor: who moves it.
        comment: a document, said to customers too.

    Raises:
        Forbidden: the actor may not comment.
        Invalid: the portal offers no such transition, or a validator refuses it.
    """
    offered = customer_transitions([issue], actor)[issue.id]
    chosen = next((one for one in offered if str(one.number) == str(number)), None)
    if chosen is None:
        raise Invalid(
            f"The transition with id '{number}' is not available for this request.",
            i18n_key="sd.customer.transition.error.not.available",
        )
    planned = None
    resolution = chosen.transition.properties.get(RESOLUTION, "")
    if is_digits(resolution):
        row = Resolution.objects.filter(id=int(resolution)).first()
        fieldset = fields_of(issue.project, issue.issue_type)
        planned = Planned(fieldset, values={"resolution": row}) if row is not None else None
    if comment is not None:
        add_request_comment(issue, comment, actor=actor)
    return move(issue, chosen.number, actor=PortalRights(actor.user), planned=planned)


def _reporter(desk: ServiceDesk, account: str | None, *, actor: Rights, works: bool) -> User | None:
    """Return for whom is asked: the actor themselves, or the customer that an agent names."""
    if not account or (actor.user is not None and account == actor.user.account_id):
        return actor.user
    if not works:
        raise Forbidden(
            "You do not have permission to raise a request on behalf of another customer.",
            i18n_key="sd.request.create.error.raise.on.behalf.permission",
        )
    found = people_of([account])
    check_participants(desk, found)
    return found[0]


def _joined(desk: ServiceDesk, accounts: Collection[str], *, works: bool) -> Sequence[User]:
    if not accounts:
        return ()
    if not works:
        raise Forbidden(
            "You do not have permission to add participants to a request.",
            i18n_key="sd.request.create.error.participants.permission",
        )
    found = people_of(accounts)
    check_participants(desk, found)
    return found


def _file_ids(values: Mapping[str, Any]) -> list[str]:
    found = values.get(FILES)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise Invalid(
            "The value of 'attachment' must be a list of temporary attachment ids.",
            i18n_key="sd.request.create.error.attachment",
        )
    return found


def _planned(
    request_type: RequestType,
    form: Sequence[RequestTypeField],
    values: Mapping[str, Any],
    actor: Rights,
    version: Version,
) -> Planned:
    """Read the values of a form; a hidden field takes its preset, whatever is sent."""
    shown = {field.field: field for field in form if field.visible}
    unknown = [name for name in values if name not in shown]
    if unknown:
        raise Invalid(
            f"The field '{unknown[0]}' is not part of this request type, or cannot be set.",
            i18n_key="sd.request.create.error.field.unknown",
        )
    given = {name: value for name, value in values.items() if not _is_blank(value)}
    missing = missing_fields(form, given)
    if missing:
        raise Invalid(
            " ".join(f"{field.display_name or field.field} is required." for field in missing),
            i18n_key="sd.request.create.error.field.required",
        )
    given |= {
        field.field: field.preset
        for field in form
        if not field.visible and field.preset is not None
    }
    given.pop(FILES, None)
    fieldset = fields_of(request_type.desk.project, request_type.issue_type)
    return read_changes(
        fieldset, {"fields": given}, None, actor=actor, version=version, screen=None, trusted=True
    )


def missing_fields(
    form: Iterable[RequestTypeField], values: Mapping[str, Any]
) -> list[RequestTypeField]:
    """Return the fields of a form that must be filled in and are not."""
    return [
        field
        for field in form
        if field.visible and field.required and _is_blank(values.get(field.field))
    ]


def _is_blank(value: Any) -> bool:
    return value is None or value in ("", [], {}) or (isinstance(value, str) and not value.strip())


def _share(issue: Issue, desk: ServiceDesk, reporter: User | None) -> None:
    """Share a request with its reporter's organization, if just one of theirs is the desk's."""
    if reporter is None:
        return
    rows = Organization.objects.filter(members__user=reporter, desks__desk=desk).order_by("id")
    found = list(rows[:2])
    if len(found) == 1:
        share_request(issue, found)


def share_request(issue: Issue, organizations: Sequence[Organization]) -> None:
    """Let the people of organizations see a request; twice is once."""
    rows = RequestOrganization.objects.filter(issue=issue, organization__in=organizations)
    already = set(rows.values_list("organization_id", flat=True))
    missing = [one for one in organizations if one.id not in already]
    keys = next_ids(RequestOrganization, len(missing))
    RequestOrganization.objects.bulk_create(
        [
            RequestOrganization(id=key, issue=issue, organization=one)
            for key, one in zip(keys, missing, strict=True)
        ]
    )
