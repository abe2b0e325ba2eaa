"""The addresses of the helpdesk's pages."""

from __future__ import annotations

from django.urls import path, re_path

from clones.helpdesk.web import (
    bulk_edit,
    dashboard,
    drafts,
    filters,
    new_ticket,
    original_email,
    people,
    plain_pages,
    search,
    signin,
    suggestions,
    ticket_page,
)
from clones.helpdesk.web.admin import urls as admin_urls

app_name = "helpdesk"
urlpatterns = [
    path("access/unauthenticated", signin.unauthenticated, name="unauthenticated"),
    path("auth/v2/login/signin", signin.signin, name="signin"),
    path("access/logout", signin.signout, name="signout"),
    path("agent/tickets/<int:key>", ticket_page.ticket_page, name="ticket"),
    path("agent/previews/tickets/<int:key>", ticket_page.preview, name="ticket_preview"),
    path("agent/drafts/tickets/<int:key>", drafts.keep_draft, name="draft"),
    path("agent/tickets/<int:key>/close", ticket_page.close_tab, name="close_tab"),
    path("audits/<int:key>/email.eml", original_email.original_email, name="original_email"),
    path("", dashboard.root),
    path("agent", dashboard.root),
    path("agent/dashboard", dashboard.home, name="home"),
    path("agent/filters", filters.first_view, name="filters"),
    path("agent/filters/<int:key>", filters.view_page, name="view"),
    path("agent/bulk/tickets", bulk_edit.bulk_edit, name="bulk_edit"),
    path("agent/tickets/new/1", new_ticket.new_ticket, name="new_ticket"),
    path("agent/previews/tickets/new", new_ticket.preview, name="new_ticket_preview"),
    path("agent/search/1", search.search, name="search"),
    path("agent/customers", people.customers, name="customers"),
    path("agent/organizations", people.organizations, name="organizations"),
    path("agent/organizations/<int:key>", people.organization, name="organization"),
    path("agent/users/<int:key>/requested_tickets", people.user, name="user"),
    path("agent/suggestions/people", suggestions.people, name="suggest_people"),
    path("agent/suggestions/agents", suggestions.agents, name="suggest_agents"),
    path("agent/suggestions/tags", suggestions.tags, name="suggest_tags"),
    *admin_urls.urlpatterns,
    re_path(r"^(?!api/|attachments/)", plain_pages.page_not_found),
]
