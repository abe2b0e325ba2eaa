"""The account's settings: those that follow from what it holds and how it works."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, Body
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import brands
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.routing_settings import update_routing_settings
from clones.helpdesk.domain.uploads import SIZE_LIMIT
from clones.helpdesk.models import (
    Brand,
    CustomStatus,
    SatisfactionRating,
    Schedule,
    SupportAddress,
    TicketForm,
    User,
)
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.queries.routing import account_routing


class BrandSettings(Body):
    """Which brand is the default one."""

    default_brand_id: int | None = None


class RoutingWrite(Body):
    """How tickets are routed to agents."""

    enabled: bool | None = None
    autorouting_tag: str | None = Field(
        None, description="The tag of tickets that are routed without a queue."
    )
    max_email_capacity: int | None = Field(
        None, description="How many open tickets an agent may have who is to get another."
    )
    max_messaging_capacity: int | None = None


class RuleSettings(Body):
    """How views go by skills."""

    skill_based_filtered_views: list[int] | None = Field(
        None, description="The ids of views that show an agent what their skills match."
    )
    using_skill_based_routing: bool | None = None


class SettingsWrite(Body):
    """The settings that can be changed here."""

    brands: BrandSettings | None = None
    routing: RoutingWrite | None = None
    rule: RuleSettings | None = None


class SettingsBody(Body):
    """Settings to change."""

    settings: SettingsWrite


@OPERATIONS.operation(
    "ShowAccountSettings", "GET", "/account/settings", summary="Show the account's settings."
)
def show_settings(call: Call) -> dict[str, Any]:
    """Show the account's settings."""
    return {"settings": _settings()}


@OPERATIONS.operation(
    "UpdateAccountSettings",
    "PUT",
    "/account/settings",
    summary="Change the account's default brand, and how it routes.",
    body=SettingsBody,
    access="admin",
)
def update_settings(call: Call) -> dict[str, Any]:
    """Change the settings that the account keeps."""
    given = call.body.settings.brands
    if given is not None and given.default_brand_id is not None:
        found = Brand.objects.filter(id=given.default_brand_id).first()
        if found is None:
            raise RecordInvalid.of("default_brand_id", "Brand: is invalid", "InvalidValue")
        brands.update_brand(found, actor=call.actor, changes={"default": True})
    for part in (call.body.settings.routing, call.body.settings.rule):
        if part is not None:
            update_routing_settings(actor=call.actor, changes=rule_changes(part))
    return {"settings": _settings()}


def _settings() -> dict[str, Any]:
    default = Brand.objects.filter(default=True).order_by("id").first()
    addresses = SupportAddress.objects.order_by("id").values_list("email", flat=True)
    route = account_routing()
    hold = CustomStatus.objects.filter(status_category="hold", active=True).exists()
    return {
        "active_features": _features(hold=hold),
        "brands": {
            "default_brand_id": default.id if default is not None else None,
            "require_brand_on_new_tickets": False,
        },
        "groups": {"check_group_name_uniqueness": True},
        "limits": {"attachment_size": SIZE_LIMIT},
        "localization": {"locale_ids": [locale.id for locale in account_locales()]},
        "routing": {
            "autorouting_tag": route.autorouting_tag,
            "enabled": route.enabled,
            "max_email_capacity": route.max_email_capacity,
            "max_messaging_capacity": route.max_messaging_capacity,
        },
        "rule": {
            "skill_based_filtered_views": route.skill_based_filtered_views,
            "using_skill_based_routing": route.using_skill_based_routing,
        },
        "ticket_sharing_partners": {"support_addresses": list(addresses)},
        "tickets": {
            "agent_ticket_deletion": True,
            "assign_default_organization": True,
            "collaboration": True,
            "comments_public_by_default": True,
            "follower_and_email_cc_collaborations": True,
            "rich_text_comments": True,
            "status_hold": hold,
            "tagging": True,
            "using_skill_based_routing": route.using_skill_based_routing,
        },
        "user": {"multiple_organizations": True, "tagging": True},
    }


def _features(*, hold: bool) -> dict[str, bool]:
    return {
        "allow_ccs": True,
        "business_hours": Schedule.objects.exists(),
        "customer_satisfaction": SatisfactionRating.objects.exists(),
        "light_agents": User.objects.filter(active=True, only_private_comments=True).exists(),
        "on_hold_status": hold,
        "ticket_forms": TicketForm.objects.filter(active=True).exists(),
        "ticket_tagging": True,
        "user_tagging": True,
    }
