"""What end users do with requests: ask for help by the portal's form, answer, call them solved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.core.models import Account
from clones.core.post import File
from clones.helpdesk.domain import inbound, people, suspended
from clones.helpdesk.domain.errors import AccessDenied, Problem, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import Mail, NewComment, Via
from clones.helpdesk.models import Audit, SuspendedTicket, Ticket, TicketField, TicketForm, User
from clones.helpdesk.queries.portal import default_brand, editable_fields, portal_forms
from clones.helpdesk.queries.requests import may_write
from clones.helpdesk.rules import form_conditions
from clones.helpdesk.rules.required import FIELD_CLASSES
from clones.helpdesk.rules.system_fields import BY_TYPE

# By the type that accounts configure: the system fields that the portal's form can have.
SYSTEM = {kind: item.name for kind, item in BY_TYPE.items() if item.input is not None}


def submit_request(
    *,
    actor: User,
    changes: Mapping[str, Any],
    comment: NewComment,
    via: Via,
    closed: Ticket | None = None,
) -> Audit:
    """Create a request from the portal's form, or the follow-up of a `closed` one.

    Values of fields that the form does not show to end users are left out.

    Raises:
        RecordInvalid: the form is none of the portal's, or a field that it requires is empty.
        InvalidAttribute: a value has the wrong shape.
    """
    allowed = _allowed(changes, comment)
    if closed is not None:
        return inbound.follow_up(closed, actor=actor, comment=comment, via=via, changes=allowed)
    return create_ticket(actor=actor, changes=allowed, comment=comment, via=via)


def submit_as_stranger(
    *,
    name: str,
    email: str,
    changes: Mapping[str, Any],
    comment: NewComment,
    via: Via,
    files: tuple[File, ...] = (),
) -> User | SuspendedTicket:
    """Check the form of somebody who has not signed in, and return who they are from now on.

    Nobody can speak for those who could have signed in, or who are suspended: what comes in their
    name is held back, with its files.

    Raises:
        RecordInvalid: the address is none, or a field that the form requires is empty.
    """
    try:
        address = people.check_email(email)
    except RecordInvalid as error:
        raise RecordInvalid.of("requester", str(error), "InvalidValue") from error
    allowed = _allowed(changes, comment)
    known = people.user_of_email(address)
    if known is None or not _is_registered(known):
        return people.find_or_create_user(email=address, name=name or None)
    text = comment.body or ""
    mail = Mail(address, name or known.name, allowed.get("subject", ""), text, files=files)
    source = {
        "from": {"address": address, "name": mail.name},
        "to": {"address": None, "name": None},
        "rel": None,
    }
    return suspended.hold_mail(
        mail,
        actor=known,
        cause="spam" if known.suspended else "registered_user_logged_out",
        via=Via(via.channel, source, via.client),
    )


def answer_request(
    ticket: Ticket,
    *,
    actor: User,
    comment: NewComment | None,
    changes: Mapping[str, Any],
    solved: bool,
    via: Via,
) -> Audit:
    """Add to a request, copy others on it, or call it solved, as far as the actor may.

    A comment on a closed request makes a follow-up, as a mail would.

    Raises:
        AccessDenied: the actor may read the request and not write on it.
        RecordNotFound: it is closed, and nothing is said that a follow-up could begin with.
        RecordInvalid: values break rules.
    """
    if not may_write(ticket, actor):
        raise AccessDenied("only those who have a part in a request write on it")
    if ticket.status == "closed":
        if comment is None:
            raise RecordNotFound("request", ticket.id)
        return inbound.follow_up(ticket, actor=actor, comment=comment, via=via)
    wanted = dict(changes)
    if solved and inbound.can_solve(ticket, actor):
        wanted["status"] = "solved"
    return update_ticket(ticket, actor=actor, changes=wanted, comment=comment, via=via)


def _allowed(changes: Mapping[str, Any], comment: NewComment) -> dict[str, Any]:
    """Return what of a form's values the portal takes.

    Raises:
        RecordInvalid: the form is none of the portal's, or a field that it requires is empty.
    """
    form = _form(changes.get("ticket_form_id"))
    fields = editable_fields(form)
    values = {item.id: _value(item, changes, comment) for item in fields}
    conditions = form.end_user_conditions if form is not None else []
    shown = form_conditions.shown_ids(list(values), conditions, values)
    needed = form_conditions.required_ids(list(values), conditions, values)
    problems: dict[str, list[Problem]] = {}
    for item in fields:
        required = item.required_in_portal or item.type == "description" or item.id in needed
        if item.id in shown and required and _is_empty(item, values[item.id]):
            problem = Problem(
                f"{item.title_in_portal or item.title}: cannot be blank",
                "BlankValue",
                item.id,
                FIELD_CLASSES.get(item.type),
            )
            problems.setdefault("base", []).append(problem)
    if problems:
        raise RecordInvalid(problems)
    allowed = {"email_ccs": changes["email_ccs"]} if changes.get("email_ccs") else {}
    if form is not None:
        allowed["ticket_form_id"] = form.id
    for item in fields:
        if item.id in shown and item.type in SYSTEM and values[item.id]:
            allowed[SYSTEM[item.type]] = values[item.id]
    allowed["custom_fields"] = {
        str(item.id): values[item.id]
        for item in fields
        if item.id in shown and not item.is_system and values[item.id] not in (None, "", [])
    }
    return allowed


def _form(key: Any) -> TicketForm | None:
    forms = portal_forms(default_brand())
    if key in (None, ""):
        return forms[0] if forms else None
    found = next((form for form in forms if str(form.id) == str(key)), None)
    if found is None:
        raise RecordInvalid.of("ticket_form_id", "Ticket form: is invalid", "InvalidValue")
    return found


def _value(item: TicketField, changes: Mapping[str, Any], comment: NewComment) -> Any:
    if item.type == "description":
        return comment.html or (comment.body or "").strip()
    if item.type in SYSTEM:
        return changes.get(SYSTEM[item.type])
    found = (changes.get("custom_fields") or {}).get(str(item.id))
    return found in (True, "true") if item.type == "checkbox" else found


def _is_empty(item: TicketField, value: Any) -> bool:
    if item.type == "checkbox":
        return value is not True
    return value in (None, [], "") or not str(value).strip()


def _is_registered(user: User) -> bool:
    return (
        user.is_agent
        or user.suspended
        or Account.objects.filter(clone="helpdesk", subject=str(user.id)).exists()
    )
