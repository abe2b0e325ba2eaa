"""The addresses of users' and organizations' pages."""

from __future__ import annotations

from django.urls import path

from clones.helpdesk.web import new_profiles, organization_page, user_actions, user_page

urlpatterns = [
    path("agent/users/new", new_profiles.new_user, name="new_user"),
    path("agent/users/<int:key>", user_page.profile, name="profile"),
    path("agent/users/<int:key>/requested_tickets", user_page.user, name="user"),
    path("agent/users/<int:key>/identities", user_page.identities, name="user_identities"),
    path(
        "agent/users/<int:key>/identities/change",
        user_actions.change_identities,
        name="user_identities_change",
    ),
    path("agent/users/<int:key>/organizations", user_page.organizations, name="user_organizations"),
    path(
        "agent/users/<int:key>/organizations/change",
        user_actions.change_organizations,
        name="user_organizations_change",
    ),
    path("agent/users/<int:key>/security", user_page.security, name="user_security"),
    path(
        "agent/users/<int:key>/security/change",
        user_actions.change_security,
        name="user_security_change",
    ),
    path("agent/users/<int:key>/access", user_actions.change_access, name="user_access"),
    path("agent/users/<int:key>/notes", user_actions.change_notes, name="user_notes"),
    path("agent/users/<int:key>/merge", user_actions.merge, name="user_merge"),
    path("agent/users/<int:key>/delete", user_actions.delete, name="user_delete"),
    path("agent/users/<int:key>/erase", user_actions.erase, name="user_erase"),
    path("agent/organizations/new", new_profiles.new_organization, name="new_organization"),
    path("agent/organizations/<int:key>", organization_page.organization, name="organization"),
    path("agent/organizations/<int:key>/tickets", organization_page.organization),
    path("agent/organizations/<int:key>/users", organization_page.users, name="organization_users"),
    path(
        "agent/organizations/<int:key>/delete",
        organization_page.delete,
        name="organization_delete",
    ),
    path("agent/organizations/<int:key>/merge", organization_page.merge, name="organization_merge"),
]
