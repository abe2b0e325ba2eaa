"""Texts in several languages, contextual workspaces, and policies of groups."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.automation import no_conditions
from clones.helpdesk.models.fields import TicketForm


def no_filter() -> dict[str, list[object]]:
    """Return the filter that every ticket passes."""
    return {"all": []}


class ContentItem(Record):
    """A text that others name as {{dc.identifier}}. The identifier stays when the name changes."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    identifier = models.CharField(max_length=255, unique=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    @property
    def placeholder(self) -> str:
        """What other texts write where this one shall stand."""
        return f"{{{{dc.{self.identifier}}}}}"


class ContentVariant(Record):
    """An item's text in one language; `outdated` since the default one's text changed."""

    id = models.BigIntegerField(primary_key=True)
    item = models.ForeignKey(
        ContentItem, on_delete=models.CASCADE, related_name="variants", db_index=False
    )
    locale_id = models.PositiveIntegerField()
    content = models.TextField()
    default = models.BooleanField(default=False)
    active = models.BooleanField(default=True)
    outdated = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "locale_id"], name="helpdesk_contentvariant_locale"
            )
        ]


class ContextualWorkspace(Record):
    """What agents find on the tickets that meet its conditions: a form, macros, apps.

    `apps` is a list of {id, expand, position}.
    """

    id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=255)
    description = models.TextField(null=True)
    position = models.PositiveIntegerField(default=0)
    activated = models.BooleanField(default=True)
    conditions = models.JSONField(default=no_conditions)
    ticket_form = models.ForeignKey(TicketForm, on_delete=models.SET_NULL, null=True)
    macro_ids = models.JSONField(default=list)
    apps = models.JSONField(default=list)
    prefer_workspace_app_order = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class GroupSlaPolicy(Record):
    """How long groups may own tickets that its filter matches.

    `policy_metrics` is [{priority, metric, target (seconds), business_hours}].
    """

    id = models.CharField(primary_key=True, max_length=26)
    title = models.CharField(max_length=255)
    description = models.TextField(default="")
    position = models.PositiveIntegerField(default=0)
    filter = models.JSONField(default=no_filter)
    policy_metrics = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
