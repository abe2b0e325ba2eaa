"""Factories of the helpdesk's models."""

from __future__ import annotations

from typing import Any

from factory.django import DjangoModelFactory

from clones.core import ids
from clones.helpdesk import models
from clones.helpdesk.rules.text import html_of_plain
from seeds.factories.values import (
    drawn,
    firm_name,
    fresh,
    full_name,
    lazy,
    now,
    same,
    stamp,
    sub,
)
from seeds.kestrel.story.people import slug

WEB: dict[str, Any] = {"channel": "web", "source": {"from": {}, "to": {}, "rel": None}}


class GroupFactory(DjangoModelFactory[models.Group]):
    """A team of agents."""

    class Meta:
        model = models.Group

    id = stamp(models.Group)
    name = drawn("group", lambda chance: f"Team {chance.randrange(2, 99)}")
    created_at = now()
    updated_at = same("created_at")


class OrganizationFactory(DjangoModelFactory[models.Organization]):
    """A customer's firm."""

    class Meta:
        model = models.Organization

    id = stamp(models.Organization)
    name = drawn("firm", firm_name)
    domain_names = lazy(lambda row: [f"{slug(row.name)}.example"])
    created_at = now()
    updated_at = same("created_at")


class UserFactory(DjangoModelFactory[models.User]):
    """An end user; `role="agent"` makes an agent."""

    class Meta:
        model = models.User

    id = stamp(models.User)
    name = drawn("person", full_name)
    email = lazy(lambda row: f"{slug(row.name)}.{row.id % 10_000}@postbox.example")
    role = "end-user"
    verified = True
    created_at = now()
    updated_at = same("created_at")


class IdentityFactory(DjangoModelFactory[models.Identity]):
    """An address of a user."""

    class Meta:
        model = models.Identity

    id = stamp(models.Identity)
    user = sub(UserFactory)
    value = lazy(lambda row: row.user.email)
    primary = True
    verified = True
    created_at = now()
    updated_at = same("created_at")


class GroupMembershipFactory(DjangoModelFactory[models.GroupMembership]):
    """An agent's place in a group."""

    class Meta:
        model = models.GroupMembership

    id = stamp(models.GroupMembership)
    user = sub(UserFactory, role="agent")
    group = sub(GroupFactory)
    default = True
    created_at = now()
    updated_at = same("created_at")


class TicketFieldFactory(DjangoModelFactory[models.TicketField]):
    """A text field of tickets."""

    class Meta:
        model = models.TicketField

    id = stamp(models.TicketField)
    type = "text"
    title = drawn("field", lambda chance: f"Field {chance.randrange(2, 999)}")
    created_at = now()
    updated_at = same("created_at")


class MacroFactory(DjangoModelFactory[models.Macro]):
    """A prepared answer."""

    class Meta:
        model = models.Macro

    id = stamp(models.Macro)
    title = drawn("macro", lambda chance: f"Macro {chance.randrange(2, 999)}")
    actions = fresh(lambda: [{"field": "status", "value": "pending"}])
    created_at = now()
    updated_at = same("created_at")


class TicketFactory(DjangoModelFactory[models.Ticket]):
    """A new ticket. It has no audit: `domain.create_ticket` makes real ones."""

    class Meta:
        model = models.Ticket

    id = fresh(lambda: ids.next_serial(models.Ticket))
    subject = drawn(
        "subject", lambda chance: chance.choice(("No beam", "Charged twice", "Where is my order?"))
    )
    description = same("subject")
    status = "new"
    requester = sub(UserFactory)
    submitter = same("requester")
    via = fresh(lambda: dict(WEB))
    created_at = now()
    updated_at = same("created_at")


class AuditFactory(DjangoModelFactory[models.Audit]):
    """An update of a ticket, without events."""

    class Meta:
        model = models.Audit

    id = stamp(models.Audit)
    ticket = sub(TicketFactory)
    author = lazy(lambda row: row.ticket.requester)
    via = fresh(lambda: dict(WEB))
    created_at = now()


class CommentFactory(DjangoModelFactory[models.Comment]):
    """A public comment by the requester."""

    class Meta:
        model = models.Comment

    id = stamp(models.AuditEvent)
    ticket = sub(TicketFactory)
    audit = sub(AuditFactory, ticket=same("..ticket"))
    author = lazy(lambda row: row.ticket.requester)
    body = "Any news?"
    html_body = lazy(lambda row: html_of_plain(row.body))
    via = fresh(lambda: dict(WEB))
    created_at = now()


class CustomObjectFactory(DjangoModelFactory[models.CustomObject]):
    """A kind of records; its standard fields come with `domain.create_object`."""

    class Meta:
        model = models.CustomObject

    id = fresh(lambda: ids.next_ulid(models.CustomObject))
    key = drawn("object", lambda chance: f"thing_{chance.randrange(2, 99_999)}")
    title = "Thing"
    title_pluralized = "Things"
    created_by = 1
    updated_by = 1
    created_at = now()
    updated_at = same("created_at")


class CustomObjectFieldFactory(DjangoModelFactory[models.CustomObjectField]):
    """A text field of a custom object's records."""

    class Meta:
        model = models.CustomObjectField

    id = stamp(models.CustomObjectField)
    custom_object = sub(CustomObjectFactory)
    key = drawn("object field", lambda chance: f"field_{chance.randrange(2, 99_999)}")
    type = "text"
    title = "Field"
    created_at = now()
    updated_at = same("created_at")


class CustomObjectRecordFactory(DjangoModelFactory[models.CustomObjectRecord]):
    """A record of a custom object, without values."""

    class Meta:
        model = models.CustomObjectRecord

    id = fresh(lambda: ids.next_ulid(models.CustomObjectRecord))
    custom_object = sub(CustomObjectFactory)
    name = drawn("record", lambda chance: f"Thing {chance.randrange(2, 99_999)}")
    created_by = 1
    updated_by = 1
    created_at = now()
    updated_at = same("created_at")
