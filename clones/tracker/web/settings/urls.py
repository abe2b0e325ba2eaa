"""The addresses of the settings of spaces; `navigation.ENTRIES` says which pages are listed."""

from __future__ import annotations

from django.urls import include, path

from clones.tracker.web.settings import details, kinds, people, pictures, schemes
from clones.tracker.web.settings.navigation import everywhere

urlpatterns = [
    *everywhere("", details.show),
    *everywhere("details", details.show),
    *everywhere("details/key", details.change_key),
    *everywhere("details/picture", pictures.load),
    *everywhere("details/picture/<int:key>/remove", pictures.remove),
    *everywhere("details/archive", details.archive),
    *everywhere("details/trash", details.trash),
    *everywhere("features", details.show_features),
    *everywhere("features/toggle", details.toggle_feature),
    *everywhere("access", people.show),
    *everywhere("access/add", people.add),
    *everywhere("access/<str:key>", people.edit),
    *everywhere("access/<str:key>/remove", people.remove),
    *everywhere("permissions", schemes.permissions),
    *everywhere("permissions/scheme", schemes.use_permissions),
    *everywhere("notifications", schemes.notifications),
    *everywhere("notifications/scheme", schemes.use_notifications),
    *everywhere("issuesecurity", schemes.security),
    *everywhere("issuesecurity/scheme", schemes.use_security),
    *everywhere("issuetypes", kinds.types),
    *everywhere("issuetypes/scheme", kinds.use_types),
    *everywhere("screens", kinds.screens),
    *everywhere("screens/scheme", kinds.use_screens),
    *everywhere("fields", kinds.fields),
    *everywhere("fields/scheme", kinds.use_fields),
    path("", include("clones.tracker.web.settings.workflows.urls")),
]
