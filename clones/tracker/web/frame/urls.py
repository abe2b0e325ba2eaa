"""The addresses of what is reached from every page."""

from __future__ import annotations

from django.urls import path

from clones.tracker.web.frame import create, search

urlpatterns = [
    path("secure/QuickSearch.jspa", search.quick_search, name="search"),
    path("secure/QuickSearchOffers", search.offers, name="search_offers"),
    path("secure/CreateIssue", create.create, name="create"),
    path("secure/CreateIssue.jspa", create.create),
]
