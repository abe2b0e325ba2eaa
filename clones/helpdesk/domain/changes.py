"""From changes as the API names them to a ticket's new values: look up, check, set.

Nothing is written here: `apply_changes` alters the ticket in memory and collects every problem.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime

from clones.core.digits import is_digits
from clones.helpdesk.domain import people
from clones.helpdesk.domain.errors import InvalidAttribute, Problem, RecordInvalid
from clones.helpdesk.domain.follow_ups import take_up
from clones.helpdesk.domain.values import CUSTOM, FIELD_ORDER
from clones.helpdesk.models import (
    Brand,
    CustomStatus,
    Group,
    GroupMembership,
    Organization,
    Ticket,
    TicketField,
    TicketForm,
    User,
)
from clones.helpdesk.rules import fields as field_rules
from clones.helpdesk.rules.required import FIELD_CLASSES
from clones.helpdesk.rules.system_fields import (
    BY_NAME,
    SYSTEM_FIELDS,
    Kind,
    SystemField,
    arranged,
)
from clones.helpdesk.rules.tags import add_tags, drop_tags, field_tags, split_tags


@dataclass(slots=True)
class Applied:
    """What `apply_changes` found out besides the ticket's new values."""

    asked_status: str | None = None
    macros: list[int] = field(default_factory=list)
    problems: dict[str, list[Problem]] = field(default_factory=dict)

    def refuse(self, attribute: str, description: str, error: str | None = None) -> None:
        """Note a problem."""
        self.problems.setdefault(attribute, []).append(Problem(description, error))


def snapshot(ticket: Ticket) -> dict[str, Any]:
    """Return the ticket's values under the names that audits use."""
    found: dict[str, Any] = {name: getattr(ticket, name) for name in FIELD_ORDER}
    found["tags"] = list(ticket.tags)
    for key, value in ticket.custom_fields.items():
        found[CUSTOM + key] = value
    return found


def apply_changes(ticket: Ticket, changes: Mapping[str, Any], *, actor: User | None) -> Applied:
    """Set the changed values on `ticket` in memory.

    `actor` is None for the system's own rules. The status asked for is returned, not set: what
    follows from it is decided after everything else is known.

    Raises:
        RecordInvalid: values name no record, or are none that the field can hold.
        InvalidAttribute: a value has the wrong shape.
    """
    applied = Applied()
    for name in changes:
        if name not in _SETTERS and name not in _TAG_KEYS and name not in IGNORED:
            raise InvalidAttribute(name, "a ticket attribute")
    for name, setter in _SETTERS.items():
        if name in changes:
            setter(ticket, changes[name], applied, actor)
    _settle_group(ticket, changes, applied)
    _settle_tags(ticket, changes)
    if applied.problems:
        raise RecordInvalid(applied.problems)
    return applied


Setter = Callable[[Ticket, Any, Applied, "User | None"], None]
_TAG_KEYS = ("tags", "additional_tags", "remove_tags")
IGNORED = frozenset({"safe_update", "updated_stamp", "description", "metadata", "id"})


def identifier(name: str, value: Any) -> int | None:
    """Return an id given as a number or digits.

    Raises:
        InvalidAttribute: it is neither.
    """
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not is_digits(str(value)):
        raise InvalidAttribute(name, "an integer")
    number = int(value)
    if number >= 2**63:
        raise InvalidAttribute(name, "an integer")
    return number


def storable(keys: Collection[int]) -> list[int]:
    """Return the keys that a row can have: databases refuse larger ones."""
    return [key for key in keys if -(2**63) <= key < 2**63]


def plain_text(name: str, value: Any, limit: int) -> str | None:
    """Return a text within its limit.

    Raises:
        InvalidAttribute: it is no text, or holds NUL.
        RecordInvalid: it is too long.
    """
    if value is None:
        return None
    text = str(value) if isinstance(value, (str, int, float)) else None
    if text is None or "\0" in text:
        raise InvalidAttribute(name, "a string")
    if len(text) > limit:
        label = name.replace("_", " ").capitalize()
        raise RecordInvalid.of(
            name, f"{label}: is too long (maximum is {limit} characters)", "ValueTooLong"
        )
    return text


def _set_subject(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    ticket.subject = (plain_text("subject", value, BY_NAME["subject"].limit) or "").strip()


def _text(item: SystemField) -> Setter:
    """Return the setter of a text."""

    def set_text(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
        setattr(ticket, item.name, plain_text(item.name, value, item.limit))

    return set_text


def _moment(item: SystemField) -> Setter:
    """Return the setter of a time."""

    def set_moment(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
        setattr(ticket, item.name, moment(item.name, value))

    return set_moment


def _choice(item: SystemField) -> Setter:
    """Return the setter of a choice, or of nothing."""
    # A tuple: rules may ask for lists, which have no place among keys.
    name, values = item.name, tuple(item.choices)

    def set_choice(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
        if value in (None, "", "-"):
            setattr(ticket, name, None)
        elif value in values:
            setattr(ticket, name, str(value))
        else:
            problem = f"{name.capitalize()}: {value} is not a valid {name}"
            applied.refuse(name, problem, "InvalidValue")

    return set_choice


def _reference(
    name: str,
    rows: Callable[[Ticket], QuerySet[Any]],
    *,
    label: str,
    refused: str | None = None,
    stays: bool = False,
) -> Setter:
    """Return the setter of a reference, `rows` being what a ticket may refer to.

    An empty id takes the record away; where each ticket must have one, it `stays`. `refused` is
    the attribute that a problem is told of, if it is not `name`.
    """

    def set_reference(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
        key = identifier(name, value)
        if key is None and stays:
            return
        found = rows(ticket).filter(id=key).first() if key is not None else None
        if key is not None and found is None:
            applied.refuse(refused or name, f"{label}: is invalid", "InvalidValue")
        else:
            setattr(ticket, name.removesuffix("_id"), found)

    return set_reference


def _set_status(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    if value not in (None, ""):
        applied.asked_status = str(value)


def _set_custom_status(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    key = identifier("custom_status_id", value)
    # Clients send a ticket whole: the status it has already asks for nothing.
    if key is None or key == ticket.custom_status_id:
        return
    found = CustomStatus.objects.filter(id=key, active=True).first()
    if found is None:
        applied.refuse("custom_status_id", "Custom status: is invalid", "InvalidValue")
        return
    ticket.custom_status = found
    applied.asked_status = found.status_category


def _set_assignee_email(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    found = people.user_of_email(str(value or ""))
    if found is None or not found.is_agent:
        applied.refuse("assignee", "Assignee: is invalid", "InvalidValue")
    else:
        ticket.assignee = found


def _set_requester(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    key = identifier("requester_id", value)
    if key is None:
        return
    found = User.objects.filter(id=key, active=True).first()
    if found is None:
        applied.refuse("requester", "Requester: is invalid", "InvalidValue")
    elif found.id != ticket.requester_id:
        ticket.requester = found
        ticket.organization_id = found.organization_id


def _set_submitter(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    key = identifier("submitter_id", value)
    found = User.objects.filter(id=key, active=True).first() if key else None
    if found is not None and ticket._state.adding and (actor is None or actor.is_agent):
        ticket.submitter = found


def _set_organization(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    key = identifier("organization_id", value)
    if key is None:
        ticket.organization = None
        return
    found = Organization.objects.filter(id=key).first()
    member = found is not None and people.is_member(ticket.requester_id, key)
    if found is None or not member:
        applied.refuse(
            "organization", "Organization: is not one of the requester's", "InvalidValue"
        )
    else:
        ticket.organization = found


def _set_followup(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    take_up(ticket, identifier("via_followup_source_id", value))


def _set_custom_fields(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise InvalidAttribute("custom_fields", "an object")
    wanted = {str(key): item for key, item in value.items()}
    # What no field's id can be names none.
    keys = [key for key in wanted if is_digits(key)]
    known = TicketField.objects.filter(id__in=keys)
    values = dict(ticket.custom_fields)
    tags = set(ticket.tags)
    for found in known.order_by("id"):
        if found.is_system or not found.active:
            continue
        key = str(found.id)
        options = [option["value"] for option in found.options]
        try:
            new = field_rules.field_value(found.type, wanted[key], options)
        except ValueError:
            applied.problems.setdefault("base", []).append(
                Problem(
                    f"{found.title}: is invalid",
                    "InvalidValue",
                    found.id,
                    FIELD_CLASSES.get(found.type),
                )
            )
            continue
        tags -= field_tags(found.type, values.get(key), found.tag)
        tags |= field_tags(found.type, new, found.tag)
        values[key] = new
    ticket.custom_fields = {key: item for key, item in values.items() if item is not None}
    ticket.tags = sorted(tags)


def _set_email_ccs(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    ticket.email_cc_ids = _people_list(ticket.email_cc_ids, value, "email_ccs", agents_only=False)


def _set_followers(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    ticket.follower_ids = _people_list(ticket.follower_ids, value, "followers", agents_only=True)


def _set_collaborators(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    ticket.email_cc_ids = _people_list([], value, "collaborators", agents_only=False)


def _add_collaborators(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    ticket.email_cc_ids = _people_list(
        ticket.email_cc_ids, value, "additional_collaborators", agents_only=False
    )


def _set_macros(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    items = value if isinstance(value, list) else [value]
    applied.macros = [key for key in (identifier("macro_ids", item) for item in items) if key]


def _set_score(ticket: Ticket, value: Any, applied: Applied, actor: User | None) -> None:
    ticket.satisfaction_score = str(value)


def moment(name: str, value: Any) -> datetime | None:
    """Return a time given as ISO 8601 text (a bare date is its noon UTC).

    Raises:
        InvalidAttribute: it is none.
    """
    if value in (None, ""):
        return None
    if isinstance(value, datetime):
        return value
    try:
        found = parse_datetime(str(value))
        if found is None:
            day = parse_date(str(value))
            found = parse_datetime(f"{day}T12:00:00Z") if day is not None else None
    except ValueError:
        found = None
    if found is None:
        raise InvalidAttribute(name, "a date")
    return found if found.tzinfo is not None else parse_datetime(f"{found.isoformat()}Z")


def _people_list(current: list[int], value: Any, name: str, *, agents_only: bool) -> list[int]:
    """Return the ids of `current` with `value`'s people put in or taken out."""
    if not isinstance(value, list):
        raise InvalidAttribute(name, "an array")
    found = list(current)
    for item in value:
        entry = item if isinstance(item, Mapping) else {"user_id": item}
        user = _person(entry, name, make=not agents_only)
        if user is None or (agents_only and not user.is_agent):
            continue
        if entry.get("action") == "delete":
            found = [key for key in found if key != user.id]
        elif user.id not in found:
            found.append(user.id)
    return found


def _person(entry: Mapping[str, Any], name: str, *, make: bool) -> User | None:
    given = entry.get("user_id")
    email = entry.get("user_email") or entry.get("email")
    if email is None and isinstance(given, str) and "@" in given:
        email, given = given, None
    if given is not None:
        key = identifier(name, given)
        return User.objects.filter(id=key, active=True).first() if key is not None else None
    if not email or entry.get("action") == "delete" or not make:
        return people.user_of_email(str(email or ""))
    label = entry.get("user_name") or entry.get("name")
    return people.find_or_create_user(email=str(email), name=str(label) if label else None)


def _settle_group(ticket: Ticket, changes: Mapping[str, Any], applied: Applied) -> None:
    """Make group and assignee agree: an assignee brings a group, a new group may drop one."""
    if ticket.assignee_id is None or not {"assignee_id", "assignee_email", "group_id"} & set(
        changes
    ):
        return
    groups = list(
        GroupMembership.objects.filter(user_id=ticket.assignee_id, group__deleted=False)
        .order_by("-default", "id")
        .values_list("group_id", flat=True)
    )
    named = "assignee_id" in changes or "assignee_email" in changes
    if ticket.group_id in groups:
        return
    if changes.get("group_id"):
        if named:
            applied.refuse("assignee", "Assignee: is not a member of the group", "InvalidValue")
        else:
            ticket.assignee = None
    elif groups:
        default = ticket.assignee.default_group_id if ticket.assignee else None
        ticket.group_id = default if default in groups else groups[0]


def _settle_tags(ticket: Ticket, changes: Mapping[str, Any]) -> None:
    if "tags" in changes:
        ticket.tags = split_tags(changes["tags"])
        for found in TicketField.objects.filter(type__in=("tagger", "multiselect", "checkbox")):
            kept = ticket.custom_fields.get(str(found.id))
            if not field_tags(found.type, kept, found.tag) <= set(ticket.tags):
                left = field_rules.without_missing_tags(found.type, kept, ticket.tags)
                ticket.custom_fields = {**ticket.custom_fields, str(found.id): left}
        ticket.custom_fields = {
            key: item for key, item in ticket.custom_fields.items() if item is not None
        }
        if "custom_fields" in changes:
            tags = set(ticket.tags)
            for found in TicketField.objects.filter(type__in=("tagger", "multiselect", "checkbox")):
                value = ticket.custom_fields.get(str(found.id))
                tags |= field_tags(found.type, value, found.tag)
            ticket.tags = sorted(tags)
    if "additional_tags" in changes:
        ticket.tags = add_tags(ticket.tags, changes["additional_tags"])
    if "remove_tags" in changes:
        ticket.tags = drop_tags(ticket.tags, changes["remove_tags"])


_PLAIN: dict[Kind, Callable[[SystemField], Setter]] = {
    "text": _text,
    "choice": _choice,
    "moment": _moment,
}
# Those that have a rule of their own, and what is no field.
_OWN: dict[str, Setter] = {
    "subject": _set_subject,
    "requester_id": _set_requester,
    "submitter_id": _set_submitter,
    "organization_id": _set_organization,
    "status": _set_status,
    "custom_status_id": _set_custom_status,
    "assignee_id": _reference(
        "assignee_id",
        lambda _: User.objects.filter(active=True, role__in=("agent", "admin")),
        label="Assignee",
        refused="assignee",
    ),
    "assignee_email": _set_assignee_email,
    "group_id": _reference(
        "group_id",
        lambda _: Group.objects.filter(deleted=False),
        label="Group",
        refused="group",
    ),
    "problem_id": _reference(
        "problem_id",
        lambda ticket: Ticket.objects.filter(type="problem", deleted_at=None).exclude(id=ticket.id),
        label="Problem",
    ),
    "ticket_form_id": _reference(
        "ticket_form_id",
        lambda _: TicketForm.objects.filter(active=True),
        label="Ticket form",
        stays=True,
    ),
    "brand_id": _reference(
        "brand_id", lambda _: Brand.objects.filter(active=True), label="Brand", stays=True
    ),
    "via_followup_source_id": _set_followup,
    "custom_fields": _set_custom_fields,
    "collaborators": _set_collaborators,
    "collaborator_ids": _set_collaborators,
    "additional_collaborators": _add_collaborators,
    "email_ccs": _set_email_ccs,
    "email_cc_ids": _set_collaborators,
    "followers": _set_followers,
    "follower_ids": _set_followers,
    "macro_id": _set_macros,
    "macro_ids": _set_macros,
    "satisfaction_score": _set_score,
}
# Attributes are set, and refused, in this order: whom a ticket is for before the organization.
_ORDER = """
    subject external_id recipient requester_id submitter_id organization_id priority type
    status custom_status_id assignee_id assignee_email group_id due_at
""".split()
_SETTERS = arranged(
    {
        **{item.name: _PLAIN[item.kind](item) for item in SYSTEM_FIELDS if item.kind in _PLAIN},
        **_OWN,
    },
    _ORDER,
)
