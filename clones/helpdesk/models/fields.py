"""What describes tickets: fields, forms, statuses, brands and addresses."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.rules.system_fields import BY_TYPE


class Brand(Record):
    """A face of the account towards its customers."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    subdomain = models.CharField(max_length=63)
    active = models.BooleanField(default=True)
    default = models.BooleanField(default=False)
    has_help_center = models.BooleanField(default=False)
    signature_template = models.TextField(default="{{agent.signature}}")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class SupportAddress(Record):
    """An e-mail address that customers write to."""

    id = models.BigIntegerField(primary_key=True)
    email = models.CharField(max_length=254)
    name = models.CharField(max_length=255)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE)
    default = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class CustomStatus(Record):
    """A status as agents and customers see it; `status_category` is the ticket's status."""

    id = models.BigIntegerField(primary_key=True)
    status_category = models.CharField(max_length=8)
    agent_label = models.CharField(max_length=48)
    end_user_label = models.CharField(max_length=48)
    description = models.TextField(null=True)
    end_user_description = models.TextField(null=True)
    active = models.BooleanField(default=True)
    default = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class TicketForm(Record):
    """Which fields a ticket has, and which of them depend on others.

    `agent_conditions` is a list of {parent_field_id, value, child_fields: [{id, is_required,
    required_on_statuses: {type, statuses}}]}.
    """

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    display_name = models.CharField(max_length=255)
    position = models.PositiveIntegerField(default=0)
    active = models.BooleanField(default=True)
    default = models.BooleanField(default=False)
    end_user_visible = models.BooleanField(default=True)
    in_all_brands = models.BooleanField(default=True)
    restricted_brand_ids = models.JSONField(default=list)
    ticket_field_ids = models.JSONField(default=list)
    agent_conditions = models.JSONField(default=list)
    end_user_conditions = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class TicketField(Record):
    """A field of tickets: the system's own and the account's.

    `required` means on solve. `options` is a list of {id, name, value, default}.
    """

    SYSTEM_TYPES = ("description", *BY_TYPE)

    id = models.BigIntegerField(primary_key=True)
    type = models.CharField(max_length=20)
    title = models.CharField(max_length=255)
    title_in_portal = models.CharField(max_length=255, default="")
    description = models.TextField(default="")
    agent_description = models.TextField(null=True)
    key = models.CharField(max_length=255, null=True)
    position = models.PositiveIntegerField(default=0)
    active = models.BooleanField(default=True)
    required = models.BooleanField(default=False)
    required_in_portal = models.BooleanField(default=False)
    visible_in_portal = models.BooleanField(default=False)
    editable_in_portal = models.BooleanField(default=False)
    collapsed_for_agents = models.BooleanField(default=False)
    regexp_for_validation = models.CharField(max_length=1024, null=True)
    tag = models.CharField(max_length=255, null=True)
    removable = models.BooleanField(default=True)
    options = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    @property
    def is_system(self) -> bool:
        """Whether the field is one that every account has."""
        return self.type in self.SYSTEM_TYPES
