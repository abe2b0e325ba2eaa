"""The addresses of filters."""

from __future__ import annotations

from django.urls import path

from clones.tracker.web.filters import pages, subscriptions

urlpatterns = [
    path("jira/filters", pages.filter_list, name="filters"),
    path("jira/filters/<int:key>", pages.details, name="filter"),
    path("jira/filters/<int:key>/owner", pages.change_owner, name="filter_owner"),
    path("jira/filters/<int:key>/delete", pages.delete, name="filter_delete"),
    path("jira/filters/<int:key>/star", pages.star, name="filter_star"),
    path("jira/filters/<int:key>/subscriptions", subscriptions.show),
    path("jira/filters/<int:key>/subscriptions/<int:number>/remove", subscriptions.remove),
]
