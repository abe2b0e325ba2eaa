"""The addresses of Admin Center's pages about people, objects, channels and integrations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path

from clones.helpdesk.web.admin import (
    account,
    api_tokens,
    brands,
    custom_object_fields,
    custom_objects,
    dynamic_content,
    form_conditions,
    oauth_clients,
    profile_fields,
    queues,
    roles,
    routing,
    schedules,
    skills,
    tags,
    team_members,
    ticket_fields,
    ticket_forms,
    ticket_statuses,
    webhooks,
    workspaces,
)
from clones.helpdesk.web.admin.frame import admin_page

PEOPLE = "admin/people"
TICKETS = "admin/objects-rules/tickets"
ACCOUNT = "admin/account"
AGENTS = "admin/workspaces/agent-workspace"
APPS = "admin/apps-integrations"
OBJECTS = "admin/objects-rules/custom-objects/objects"
ROUTING = "admin/objects-rules/omnichannel-routing"
View = Callable[..., HttpResponse]


def _at(base: str, *pages: tuple[str, View, str]) -> list[URLPattern]:
    """Return the addresses below one."""
    return [
        path(f"{base}/{rest}" if rest else base, view, name=f"admin_{name}")
        for rest, view, name in pages
    ]


def _profile_fields(owner: str) -> list[URLPattern]:
    base, own = f"{PEOPLE}/configuration/{owner}_fields", {"owner": owner}
    pages: tuple[tuple[str, Any, str], ...] = (
        ("", profile_fields.fields, "s"),
        ("/order", profile_fields.order, "s_order"),
        ("/new", profile_fields.new_field, "_new"),
        ("/<int:key>", profile_fields.field, ""),
        ("/<int:key>/status", profile_fields.switch, "_switch"),
        ("/<int:key>/delete", profile_fields.delete_field, "_delete"),
    )
    return [
        path(f"{base}{rest}", view, own, name=f"admin_{owner}_field{name}")
        for rest, view, name in pages
    ]


urlpatterns = [
    *_at(
        f"{PEOPLE}/team/members",
        ("", team_members.members, "members"),
        ("new", team_members.new_member, "member_new"),
        ("<int:key>", team_members.member, "member"),
        ("<int:key>/suspend", team_members.suspend, "member_suspend"),
        ("<int:key>/downgrade", team_members.downgrade, "member_downgrade"),
    ),
    *_at(
        f"{PEOPLE}/team/roles",
        ("", roles.roles, "roles"),
        ("new", roles.role, "role_new"),
        ("<int:key>", roles.role, "role"),
        ("<int:key>/clone", roles.clone_role, "role_clone"),
        ("<int:key>/delete", roles.delete_role, "role_delete"),
    ),
    *_profile_fields("user"),
    *_profile_fields("organization"),
    *_at(
        f"{TICKETS}/ticket-fields",
        ("", ticket_fields.fields, "ticket_fields"),
        ("order", ticket_fields.order, "ticket_fields_order"),
        ("new", ticket_fields.new_field, "ticket_field_new"),
        ("<int:key>", ticket_fields.field, "ticket_field"),
        ("<int:key>/status", ticket_fields.switch, "ticket_field_switch"),
        ("<int:key>/delete", ticket_fields.delete_field, "ticket_field_delete"),
    ),
    *_at(
        f"{TICKETS}/ticket-forms",
        ("", ticket_forms.ticket_forms, "ticket_forms"),
        ("order", ticket_forms.order, "ticket_forms_order"),
        ("new", ticket_forms.ticket_form, "ticket_form_new"),
        ("<int:key>", ticket_forms.ticket_form, "ticket_form"),
        ("<int:key>/clone", ticket_forms.clone_form, "ticket_form_clone"),
        ("<int:key>/delete", ticket_forms.delete_form, "ticket_form_delete"),
        ("<int:key>/conditions/<str:audience>", form_conditions.conditions, "form_conditions"),
        (
            "<int:key>/conditions/<str:audience>/new/<int:parent>",
            form_conditions.new_condition,
            "form_condition_new",
        ),
        (
            "<int:key>/conditions/<str:audience>/<int:place>",
            form_conditions.condition,
            "form_condition",
        ),
        (
            "<int:key>/conditions/<str:audience>/<int:place>/delete",
            form_conditions.delete_condition,
            "form_condition_delete",
        ),
    ),
    *_at(
        f"{TICKETS}/ticket-statuses",
        ("", ticket_statuses.statuses, "ticket_statuses"),
        ("new", ticket_statuses.status, "ticket_status_new"),
        ("<int:key>", ticket_statuses.status, "ticket_status"),
        ("<int:key>/default", ticket_statuses.make_default, "ticket_status_default"),
    ),
    *_at(
        OBJECTS,
        ("", custom_objects.custom_objects, "custom_objects"),
        ("new", custom_objects.new_object, "custom_object_new"),
        ("<slug:key>", custom_objects.custom_object, "custom_object"),
        ("<slug:key>/delete", custom_objects.delete_object, "custom_object_delete"),
        ("<slug:key>/fields", custom_object_fields.fields, "custom_object_fields"),
        ("<slug:key>/fields/order", custom_object_fields.order, "custom_object_fields_order"),
        ("<slug:key>/fields/new", custom_object_fields.new_field, "custom_object_field_new"),
        ("<slug:key>/fields/<int:field_key>", custom_object_fields.field, "custom_object_field"),
        (
            "<slug:key>/fields/<int:field_key>/status",
            custom_object_fields.switch,
            "custom_object_field_switch",
        ),
        (
            "<slug:key>/fields/<int:field_key>/delete",
            custom_object_fields.delete_field,
            "custom_object_field_delete",
        ),
    ),
    *_at(f"{TICKETS}/tags", ("", tags.tags, "tags")),
    *_at(
        "admin/objects-rules/rules/schedules",
        ("", schedules.schedules, "schedules"),
        ("new", schedules.schedule, "schedule_new"),
        ("<int:key>", schedules.schedule, "schedule"),
        ("<int:key>/delete", schedules.delete_schedule, "schedule_delete"),
    ),
    *_at(
        ROUTING,
        ("routing-configuration", routing.configuration, "routing"),
        ("capacity", routing.capacity, "capacity"),
        ("queues", queues.queues, "queues"),
        ("queues/order", queues.order, "queues_order"),
        ("queues/delete", queues.delete_queue, "queues_delete"),
        ("queues/new", admin_page(queues.EDITOR.new), "queue_new"),
        ("queues/<str:key>", admin_page(queues.EDITOR.edit), "queue"),
    ),
    *skills.TYPES.urls(f"{PEOPLE}/configuration/skills/types"),
    *_at(
        f"{PEOPLE}/configuration/skills",
        ("", skills.skills, "skills"),
        ("delete", skills.delete_skill, "skills_delete"),
        ("new", admin_page(skills.EDITOR.new), "skill_new"),
        ("<str:key>", admin_page(skills.EDITOR.edit), "skill"),
    ),
    *_at(
        f"{AGENTS}/contextual-workspaces",
        ("", workspaces.workspaces, "workspaces"),
        ("order", workspaces.order, "workspaces_order"),
        ("delete", workspaces.delete_workspace, "workspaces_delete"),
        ("new", admin_page(workspaces.EDITOR.new), "workspace_new"),
        ("<int:key>", admin_page(workspaces.EDITOR.edit), "workspace"),
    ),
    *brands.BRANDS.urls(f"{ACCOUNT}/brand-management/brands"),
    *brands.ADDRESSES.urls("admin/channels/talk-and-email/email"),
    *_at(ACCOUNT, ("settings", account.settings, "account")),
    *_at(
        f"{PEOPLE}/configuration/satisfaction",
        ("", account.satisfaction, "satisfaction"),
    ),
    *_at(
        f"{AGENTS}/dynamic-content",
        ("", dynamic_content.items, "dynamic_content"),
        ("new", dynamic_content.new_item, "content_new"),
        ("<int:key>", dynamic_content.item, "content"),
        ("<int:key>/delete", dynamic_content.delete_item, "content_delete"),
        ("<int:key>/variants/new", dynamic_content.variant, "variant_new"),
        ("<int:key>/variants/<int:variant_key>", dynamic_content.variant, "variant"),
        (
            "<int:key>/variants/<int:variant_key>/delete",
            dynamic_content.delete_variant,
            "variant_delete",
        ),
    ),
    *_at(
        f"{APPS}/webhooks/webhooks",
        ("", webhooks.webhooks, "webhooks"),
        ("new", webhooks.webhook, "webhook_new"),
        ("<str:key>", webhooks.webhook, "webhook"),
        ("<str:key>/delete", webhooks.delete_webhook, "webhook_delete"),
        ("<str:key>/secret", webhooks.secret, "webhook_secret"),
        ("<str:key>/secret/reset", webhooks.reset_secret, "webhook_secret_reset"),
        ("<str:key>/activity", webhooks.invocations, "webhook_invocations"),
        ("<str:key>/activity/<str:invocation>", webhooks.attempts, "webhook_attempts"),
    ),
    *_at(
        f"{APPS}/apis/api-tokens",
        ("", api_tokens.tokens, "api_tokens"),
        ("new", api_tokens.new_token, "api_token_new"),
        ("<int:key>", api_tokens.token, "api_token"),
        ("<int:key>/status", api_tokens.switch, "api_token_switch"),
        ("<int:key>/delete", api_tokens.delete_token, "api_token_delete"),
    ),
    *_at(
        f"{APPS}/apis/oauth-clients",
        ("", oauth_clients.clients, "oauth_clients"),
        ("new", oauth_clients.client, "oauth_client_new"),
        ("<int:key>", oauth_clients.client, "oauth_client"),
        ("<int:key>/secret", oauth_clients.renew_secret, "oauth_client_secret"),
        ("<int:key>/delete", oauth_clients.delete_client, "oauth_client_delete"),
        (
            "<int:key>/tokens/<int:token>/revoke",
            oauth_clients.revoke_token,
            "oauth_token_revoke",
        ),
    ),
]
