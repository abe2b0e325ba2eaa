"""The account's settings: those that follow from what it holds and how it works."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.account_features import FEATURES, SETTINGS
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
    """Settings of brands: which one is the default."""

    default_brand_id: int | None = None


class RoutingWrite(Body):
    """Settings of routing: how tickets are assigned to agents."""

    enabled: bool | None = None
    autorouting_tag: str | None = Field(
        None, description="The tag of tickets that are routed without a queue."
    )
    max_email_capacity: int | None = Field(
        None, description="How many open tickets an agent may have who is to get another."
    )
    max_messaging_capacity: int | None = None


class RuleSettings(Body):
    """Settings of rules: skill-based routing, and the views that show tickets by skills."""

    skill_based_filtered_views: list[int] | None = Field(
        None, description="The ids of views that show an agent what their skills match."
    )
    using_skill_based_routing: bool | None = None


class SettingsWrite(Body):
    """The settings of an account that can be changed through the API."""

    brands: BrandSettings | None = None
    routing: RoutingWrite | None = None
    rule: RuleSettings | None = None


class SettingsBody(Body):
    """An account's settings to change."""

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
    own: dict[str, dict[str, Any]] = {
        "active_features": _features(hold=hold),
        "brands": {"default_brand_id": default.id if default is not None else None},
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
            "status_hold": hold,
            "using_skill_based_routing": route.using_skill_based_routing,
        },
    }
    names = sorted(SETTINGS.keys() | own.keys())
    return {name: {**SETTINGS.get(name, {}), **own.get(name, {})} for name in names}


def _features(*, hold: bool) -> dict[str, bool]:
    return {
        **FEATURES,
        "business_hours": Schedule.objects.exists(),
        "customer_satisfaction": SatisfactionRating.objects.exists(),
        "light_agents": User.objects.filter(active=True, only_private_comments=True).exists(),
        "on_hold_status": hold,
        "ticket_forms": TicketForm.objects.filter(active=True).exists(),
    }
