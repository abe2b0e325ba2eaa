"""Fields of profiles, and subscriptions to organizations, as JSON."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import OrganizationSubscription, ProfileField
from clones.helpdesk.rules.profile_fields import WITH_OPTIONS


def present_profile_field(field: ProfileField, show: Show) -> dict[str, Any]:
    """Return a field of users or organizations as JSON, with what its type has besides."""
    show.note(field)
    found: dict[str, Any] = {
        "url": show.url(f"{field.owner}_fields/{field.id}"),
        "id": field.id,
        "type": field.type,
        "key": field.key,
        "title": field.title,
        "description": field.description,
        "raw_title": field.title,
        "raw_description": field.description,
        "position": field.position,
        "active": field.active,
        "system": field.system,
        "regexp_for_validation": field.regexp_for_validation,
        "created_at": when(field.created_at),
        "updated_at": when(field.updated_at),
    }
    if field.type == "checkbox":
        found["tag"] = field.tag
    if field.type in WITH_OPTIONS:
        found["custom_field_options"] = [_option(option) for option in field.options]
    return found


def present_profile_option(
    field: ProfileField, option: dict[str, Any], show: Show
) -> dict[str, Any]:
    """Return one choice of a field as JSON, with its place among the others."""
    url = show.url(f"{field.owner}_fields/{field.id}/options/{option['id']}")
    return {**_option(option), "position": field.options.index(option), "url": url}


def _option(option: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": option["id"],
        "name": option["name"],
        "raw_name": option["name"],
        "value": option["value"],
    }


def present_subscription(subscription: OrganizationSubscription, show: Show) -> dict[str, Any]:
    """Return a user's wish to hear of an organization's tickets as JSON."""
    show.note(subscription)
    return {
        "id": subscription.id,
        "user_id": subscription.user_id,
        "organization_id": subscription.organization_id,
        "created_at": when(subscription.created_at),
    }
