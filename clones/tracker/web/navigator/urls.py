"""The addresses of the navigator."""

from __future__ import annotations

from django.urls import path, re_path
from django.views.generic.base import RedirectView

from clones.tracker.web.navigator import bulk, export, keeping, list_page

urlpatterns = [
    path("issues/", list_page.navigator, name="navigator"),
    path("issues", RedirectView.as_view(pattern_name="tracker:navigator", query_string=True)),
    path("issues/suggest", keeping.suggest, name="navigator_suggest"),
    path("issues/columns", keeping.set_columns, name="navigator_columns"),
    path("issues/save", keeping.save_filter, name="navigator_save"),
    path("issues/save/<int:key>", keeping.save_query, name="navigator_save_query"),
    path("issues/bulk", bulk.choose, name="bulk"),
    path("issues/bulk/<int:key>", bulk.progress, name="bulk_progress"),
    re_path(
        r"^sr/jira\.issueviews:searchrequest-csv-(?P<kind>\w+)-fields/(?P<key>\w+)/[\w.-]+\.csv$",
        export.export_csv,
        name="navigator_csv",
    ),
]
