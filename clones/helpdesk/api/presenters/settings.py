"""Fields, forms, statuses, brands and addresses as JSON."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import Brand, CustomStatus, SupportAddress, TicketField, TicketForm
from clones.helpdesk.rules.system_fields import BY_TYPE

# Agents choose no status of these: a ticket is new once, and rules close it.
UNCHOSEN = frozenset({"new", "closed"})
CHOICES: dict[str, list[tuple[str, str]]] = {
    kind: [(label, value) for value, label in item.choices.items() if value not in UNCHOSEN]
    for kind, item in BY_TYPE.items()
    if item.choices
}


def present_field(field: TicketField, show: Show) -> dict[str, Any]:
    """Return a ticket field as JSON, with what its type has besides."""
    show.note(field)
    found: dict[str, Any] = {
        "url": show.url(f"ticket_fields/{field.id}"),
        "id": field.id,
        "type": field.type,
        "title": show.text(field.title),
        "raw_title": field.title,
        "description": show.text(field.description),
        "raw_description": field.description,
        "position": field.position,
        "active": field.active,
        "required": field.required,
        "collapsed_for_agents": field.collapsed_for_agents,
        "regexp_for_validation": field.regexp_for_validation,
        "title_in_portal": show.text(field.title_in_portal),
        "raw_title_in_portal": field.title_in_portal,
        "visible_in_portal": field.visible_in_portal,
        "editable_in_portal": field.editable_in_portal,
        "required_in_portal": field.required_in_portal,
        "tag": field.tag,
        "created_at": when(field.created_at),
        "updated_at": when(field.updated_at),
        "removable": field.removable,
        "key": field.key,
        "agent_description": field.agent_description,
    }
    if field.type in CHOICES:
        found["system_field_options"] = [
            {"name": name, "value": value} for name, value in CHOICES[field.type]
        ]
        found["sub_type_id"] = 1 if field.type == "status" else 0
    if field.type in ("tagger", "multiselect"):
        found["custom_field_options"] = [present_option(option, show) for option in field.options]
    return found


def present_option(option: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return one choice of a field as JSON."""
    return {
        "id": option["id"],
        "name": show.text(option["name"]),
        "raw_name": option["name"],
        "value": option["value"],
        "default": option.get("default", False),
    }


def present_form(form: TicketForm, show: Show) -> dict[str, Any]:
    """Return a ticket form as JSON."""
    show.note(form)
    return {
        "url": show.url(f"ticket_forms/{form.id}"),
        "id": form.id,
        "name": show.text(form.name),
        "raw_name": form.name,
        "display_name": show.text(form.display_name),
        "raw_display_name": form.display_name,
        "end_user_visible": form.end_user_visible,
        "position": form.position,
        "ticket_field_ids": form.ticket_field_ids,
        "active": form.active,
        "default": form.default,
        "created_at": when(form.created_at),
        "updated_at": when(form.updated_at),
        "in_all_brands": form.in_all_brands,
        "restricted_brand_ids": form.restricted_brand_ids,
        "end_user_conditions": form.end_user_conditions,
        "agent_conditions": form.agent_conditions,
    }


def present_custom_status(status: CustomStatus, show: Show) -> dict[str, Any]:
    """Return a status of the account as JSON."""
    show.note(status)
    return {
        "url": show.url(f"custom_statuses/{status.id}"),
        "id": status.id,
        "status_category": status.status_category,
        "agent_label": show.text(status.agent_label),
        "raw_agent_label": status.agent_label,
        "end_user_label": show.text(status.end_user_label),
        "raw_end_user_label": status.end_user_label,
        "description": show.text(status.description),
        "raw_description": status.description,
        "end_user_description": show.text(status.end_user_description),
        "raw_end_user_description": status.end_user_description,
        "active": status.active,
        "default": status.default,
        "created_at": when(status.created_at),
        "updated_at": when(status.updated_at),
    }


def present_brand(brand: Brand, form_ids: list[int], show: Show) -> dict[str, Any]:
    """Return a brand as JSON."""
    show.note(brand)
    return {
        "url": show.url(f"brands/{brand.id}"),
        "id": brand.id,
        "name": brand.name,
        "brand_url": show.root,
        "subdomain": brand.subdomain,
        "host_mapping": None,
        "has_help_center": brand.has_help_center,
        "help_center_state": "enabled" if brand.has_help_center else "disabled",
        "active": brand.active,
        "default": brand.default,
        "is_deleted": False,
        "logo": None,
        "ticket_form_ids": form_ids,
        "signature_template": brand.signature_template,
        "created_at": when(brand.created_at),
        "updated_at": when(brand.updated_at),
    }


def present_address(address: SupportAddress, show: Show) -> dict[str, Any]:
    """Return a support address as JSON."""
    show.note(address)
    return {
        "url": show.url(f"recipient_addresses/{address.id}"),
        "id": address.id,
        "brand_id": address.brand_id,
        "default": address.default,
        "name": address.name,
        "email": address.email,
        "forwarding_status": "unknown",
        "spf_status": "unknown",
        "cname_status": "unknown",
        "domain_verification_status": "unknown",
        "domain_verification_code": None,
        "created_at": when(address.created_at),
        "updated_at": when(address.updated_at),
    }
