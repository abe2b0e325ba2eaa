"""Writing skills: their kinds, which tickets get them, and who has them.

The vendor calls a kind of skill an attribute, and a skill a value of it. Each change leaves a row
for the exports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet

from clones.core import clock, ids
from clones.core.resources import Resource, ResourceField
from clones.helpdesk.domain import business_rules
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.routing import ask_for_routing
from clones.helpdesk.models import (
    AgentValue,
    RoutingAttribute,
    RoutingChange,
    RoutingValue,
    Ticket,
    TicketValue,
    User,
)
from clones.helpdesk.queries.hot import CONDITIONED_SKILLS
from clones.helpdesk.queries.situations import situation_at_rest
from clones.helpdesk.rules.conditions import matches

NAME = 255
Changes = Mapping[str, Any]
# What tickets can be given of themselves: most accounts have none.


@logged("create")
def create_attribute(*, actor: User, changes: Changes) -> RoutingAttribute:
    """Create a kind of skill.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordInvalid: it has no name, or another one's.
    """
    if not actor.is_agent:
        raise AccessDenied("only agents create kinds of skills")
    now = clock.now()
    attribute = RoutingAttribute(id=ids.next_uuid(RoutingAttribute), created_at=now, updated_at=now)
    attribute.name = _name(changes.get("name"), RoutingAttribute.objects.all())
    attribute.save(force_insert=True)
    _note_attribute("create", attribute)
    return attribute


@logged("update")
def update_attribute(
    attribute: RoutingAttribute, *, actor: User, changes: Changes
) -> RoutingAttribute:
    """Rename a kind of skill.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the name is empty, or another one's.
    """
    _admins_only(actor)
    if "name" in changes:
        others = RoutingAttribute.objects.exclude(id=attribute.id)
        attribute.name = _name(changes["name"], others)
    attribute.updated_at = clock.now()
    attribute.save()
    _note_attribute("update", attribute)
    return attribute


@logged("destroy")
def delete_attribute(attribute: RoutingAttribute, *, actor: User) -> None:
    """Remove a kind of skill with its skills, which agents and tickets lose.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    for value in RoutingValue.objects.filter(attribute=attribute).order_by("created_at", "id"):
        _remove(value)
    _note_attribute("delete", attribute)
    attribute.delete()


def create_value(attribute: RoutingAttribute, *, actor: User, changes: Changes) -> RoutingValue:
    """Create a skill of a kind.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no name, another one's, or conditions that cannot be.
    """
    _admins_only(actor)
    now = clock.now()
    value = RoutingValue(
        id=ids.next_uuid(RoutingValue), attribute=attribute, created_at=now, updated_at=now
    )
    _set_value(value, {"name": None, **changes})
    value.save(force_insert=True)
    _note_value("create", value)
    return value


@logged("update")
def update_value(value: RoutingValue, *, actor: User, changes: Changes) -> RoutingValue:
    """Rename a skill, or change which new tickets get it.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    _set_value(value, changes)
    value.updated_at = clock.now()
    value.save()
    _note_value("update", value)
    return value


@logged("destroy")
def delete_value(value: RoutingValue, *, actor: User) -> None:
    """Remove a skill, which agents and tickets lose.

    Raises:
        AccessDenied: the actor does not work at the desk.
    """
    if not actor.is_agent:
        raise AccessDenied("only agents delete skills")
    _remove(value)


def set_agent_values(agent: User, keys: Sequence[str], *, actor: User) -> None:
    """Give an agent these skills and no others.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: they are no agent, or one is no skill; nothing is changed.
    """
    _admins_only(actor)
    if not agent.is_agent:
        raise RecordNotFound("agent", agent.id)
    wanted = {value.id: value for value in RoutingValue.objects.filter(id__in=keys)}
    for key in keys:
        if key not in wanted:
            raise RecordNotFound("attribute value", key)
    held = AgentValue.objects.filter(agent=agent)
    for gone in held.exclude(value_id__in=keys).order_by("created_at", "id"):
        _note_instance("unassociate_agent", gone, agent.id)
        gone.delete()
    kept = set(held.values_list("value_id", flat=True))
    for key in dict.fromkeys(keys):
        if key not in kept:
            made = AgentValue.objects.create(
                id=ids.next_uuid(AgentValue),
                agent=agent,
                value=wanted[key],
                created_at=clock.now(),
            )
            _note_instance("associate_agent", made, agent.id)
    ask_for_routing()


def set_ticket_values(ticket: Ticket, keys: Sequence[str], *, actor: User) -> None:
    """Give a ticket these skills and no others; what is no skill is left out.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    held = TicketValue.objects.filter(ticket=ticket)
    for gone in held.exclude(value_id__in=keys).order_by("created_at", "id"):
        _note_instance("unassociate_ticket", gone, ticket.id)
        gone.delete()
    kept = set(held.values_list("value_id", flat=True))
    wanted = {value.id: value for value in RoutingValue.objects.filter(id__in=keys)}
    for key in dict.fromkeys(keys):
        if key in wanted and key not in kept:
            _add_to_ticket(ticket, wanted[key])
    ask_for_routing()


def apply_values(ticket: Ticket, values: Mapping[str, Any]) -> None:
    """Give a new ticket the skills whose conditions it meets; `values` are its `snapshot`."""
    found = CONDITIONED_SKILLS.all()
    if not found:
        return
    standing = situation_at_rest(ticket, values)
    for value in found:
        if value.conditions and matches(value.conditions, standing):
            _add_to_ticket(ticket, value)


def _add_to_ticket(ticket: Ticket, value: RoutingValue) -> None:
    made = TicketValue.objects.create(
        id=ids.next_uuid(TicketValue), ticket=ticket, value=value, created_at=clock.now()
    )
    _note_instance("associate_ticket", made, ticket.id)


def _remove(value: RoutingValue) -> None:
    for agent_value in AgentValue.objects.filter(value=value).order_by("created_at", "id"):
        _note_instance("unassociate_agent", agent_value, agent_value.agent_id)
    for ticket_value in TicketValue.objects.filter(value=value).order_by("created_at", "id"):
        _note_instance("unassociate_ticket", ticket_value, ticket_value.ticket_id)
    _note_value("delete", value)
    value.delete()


def _set_value(value: RoutingValue, changes: Changes) -> None:
    if "name" in changes:
        others = RoutingValue.objects.filter(attribute_id=value.attribute_id).exclude(id=value.id)
        value.name = _name(changes["name"], others)
    if "conditions" in changes:
        value.conditions = _conditions(changes["conditions"] or {})


def _conditions(given: Changes) -> dict[str, Any] | None:
    """Return conditions as kept; the vendor's definitions call a field a subject."""
    named = {
        name: [
            {**item, "field": item.get("field") or item.get("subject") or ""}
            for item in given.get(name) or []
        ]
        for name in ("all", "any")
    }
    if not any(named.values()):
        return None
    return business_rules.checked_conditions(named, {})


def _name(given: Any, others: QuerySet[RoutingAttribute] | QuerySet[RoutingValue]) -> str:
    name = (plain_text("name", given, NAME) or "").strip()
    if not name:
        raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    if others.filter(name__iexact=name).exists():
        raise RecordInvalid.of("name", f"Name: {name} is already in use", "DuplicateValue")
    return name


def _note_attribute(kind: str, attribute: RoutingAttribute) -> None:
    _note("attributes", kind, attribute.id, name=attribute.name)


def _note_value(kind: str, value: RoutingValue) -> None:
    _note("attribute_values", kind, value.id, name=value.name, attribute_id=value.attribute_id)


def _note_instance(kind: str, held: AgentValue | TicketValue, owner: int) -> None:
    _note(
        "instance_values",
        kind,
        held.id,
        attribute_value_id=held.value_id,
        instance_id=str(owner),
    )


def _note(stream: str, kind: str, key: str, **body: str) -> None:
    RoutingChange.objects.create(
        id=ids.next_stamp(RoutingChange),
        stream=stream,
        type=kind,
        key=key,
        body=body,
        time=clock.now(),
    )


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep skills")


ATTRIBUTE: Final = Resource(
    RoutingAttribute,
    "attribute",
    (ResourceField("name", limit=NAME, required=True),),
    order=("created_at", "id"),
    create=create_attribute,
    update=update_attribute,
    delete=delete_attribute,
)
VALUE: Final = Resource(
    RoutingValue,
    "attribute value",
    order=("created_at", "id"),
    update=update_value,
    delete=delete_value,
)
