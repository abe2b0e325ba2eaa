"""The addresses of the helpdesk's pages."""

from __future__ import annotations

from django.urls import path, re_path

from clones.helpdesk.web import (
    bulk_edit,
    custom_records,
    dashboard,
    drafts,
    filters,
    merging,
    new_ticket,
    original_email,
    people,
    plain_pages,
    playing,
    presence,
    profile_urls,
    reporting,
    search,
    side_conversations,
    signin,
    suggestions,
    suspended_pages,
    ticket_card,
    ticket_page,
)
from clones.helpdesk.web.admin import urls as admin_urls
from clones.helpdesk.web.portal import entrance, lists, profile, request_page
from clones.helpdesk.web.portal import new_request as new_portal_request

app_name = "helpdesk"
urlpatterns = [
    path("access/unauthenticated", signin.unauthenticated, name="unauthenticated"),
    path("auth/v2/login/signin", signin.signin, name="signin"),
    path("access/logout", signin.signout, name="signout"),
    path("agent/tickets/<int:key>", ticket_page.ticket_page, name="ticket"),
    path("agent/previews/tickets/<int:key>", ticket_page.preview, name="ticket_preview"),
    path("agent/drafts/tickets/<int:key>", drafts.keep_draft, name="draft"),
    path("agent/presence/tickets/<int:key>", presence.presence, name="presence"),
    path("agent/cards/tickets/<int:key>", ticket_card.ticket_card, name="ticket_card"),
    path("agent/tickets/<int:key>/skip", playing.skip, name="skip"),
    path("agent/tickets/<int:key>/close", ticket_page.close_tab, name="close_tab"),
    path("audits/<int:key>/email.eml", original_email.original_email, name="original_email"),
    path(
        "agent/tickets/<int:key>/side_conversations",
        side_conversations.side_list,
        name="side_conversations",
    ),
    path(
        "agent/tickets/<int:key>/side_conversations/new",
        side_conversations.new_side_conversation,
        name="new_side_conversation",
    ),
    path(
        "agent/tickets/<int:key>/side_conversations/<slug:thread_key>",
        side_conversations.side_conversation,
        name="side_conversation",
    ),
    path(
        "agent/tickets/<int:key>/side_conversations/<slug:thread_key>/state",
        side_conversations.set_state,
        name="side_conversation_state",
    ),
    path("", dashboard.root),
    path("agent", dashboard.root),
    path("agent/dashboard", dashboard.home, name="home"),
    path("agent/filters", filters.first_view, name="filters"),
    path("agent/filters/<int:key>", filters.view_page, name="view"),
    path("agent/filters/<int:key>/play", playing.play, name="play"),
    path("agent/play/stop", playing.stop, name="stop_play"),
    path("agent/bulk/merge", merging.merge, name="merge"),
    path("agent/bulk/tickets", bulk_edit.bulk_edit, name="bulk_edit"),
    path("agent/tickets/new/1", new_ticket.new_ticket, name="new_ticket"),
    path("agent/previews/tickets/new", new_ticket.preview, name="new_ticket_preview"),
    path("agent/search/1", search.search, name="search"),
    path("agent/customers", people.customers, name="customers"),
    path("agent/organizations", people.organizations, name="organizations"),
    *profile_urls.urlpatterns,
    path("agent/custom-objects", custom_records.first_object, name="objects"),
    path("agent/custom-objects/<slug:key>/records", custom_records.records, name="records"),
    path(
        "agent/custom-objects/<slug:key>/records/new",
        custom_records.new_record,
        name="new_record",
    ),
    path(
        "agent/custom-objects/<slug:key>/records/<slug:record_key>",
        custom_records.record_page,
        name="record",
    ),
    path(
        "agent/custom-objects/<slug:key>/records/<slug:record_key>/delete",
        custom_records.delete,
        name="record_delete",
    ),
    path("agent/filters/suspended", suspended_pages.suspended, name="suspended"),
    path(
        "agent/filters/suspended/<int:key>",
        suspended_pages.suspended_one,
        name="suspended_one",
    ),
    path("agent/reporting", reporting.reporting, name="reporting"),
    path(
        "agent/suggestions/organizations",
        suggestions.organizations,
        name="suggest_organizations",
    ),
    path("agent/suggestions/people", suggestions.people, name="suggest_people"),
    path("agent/suggestions/agents", suggestions.agents, name="suggest_agents"),
    path("agent/suggestions/problems", suggestions.problems, name="suggest_problems"),
    path("agent/suggestions/records/<slug:key>", suggestions.records, name="suggest_records"),
    path("agent/suggestions/tags", suggestions.tags, name="suggest_tags"),
    *admin_urls.urlpatterns,
    path("hc", entrance.portal),
    path("hc/en-us", entrance.portal, name="portal"),
    path("hc/en-us/requests", lists.my_requests, name="requests"),
    path("hc/en-us/requests/ccd", lists.ccd_requests, name="ccd_requests"),
    path(
        "hc/en-us/requests/organization", lists.organization_requests, name="organization_requests"
    ),
    path("hc/en-us/requests/new", new_portal_request.new_request, name="new_request"),
    path("hc/en-us/previews/requests/new", new_portal_request.preview, name="new_request_preview"),
    path("hc/en-us/requests/<int:key>", request_page.request_page, name="request"),
    path("hc/en-us/requests/<int:key>/satisfaction", request_page.rate, name="rate"),
    path("hc/en-us/profiles/<int:key>", profile.profile, name="portal_profile"),
    path("hc/en-us/profiles/<int:key>/password", profile.password, name="portal_password"),
    path("hc/requests/<int:key>", entrance.request_link),
    path("requests/<int:key>/satisfaction/new", entrance.satisfaction_link, name="survey"),
    re_path(r"^(?!api/|attachments/)", plain_pages.page_not_found),
]
