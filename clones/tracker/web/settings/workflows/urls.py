"""The addresses of workflows: in the settings of a space, and in the site's administration."""

from __future__ import annotations

from typing import Final

from django.urls import path

from clones.core.web.access import View
from clones.tracker.web.settings.navigation import everywhere
from clones.tracker.web.settings.workflows import editor, rules, scheme
from clones.tracker.web.settings.workflows.seat import ADMIN

# What stands below a workflow's own page.
_BELOW: Final[tuple[tuple[str, View], ...]] = (
    ("", editor.show),
    ("/statuses/add", editor.new_status),
    ("/statuses/<str:status>/remove", editor.drop_status),
    ("/transitions/add", editor.new_transition),
    ("/transitions/<str:transition>", rules.show),
    ("/transitions/<str:transition>/edit", editor.edit_transition),
    ("/transitions/<str:transition>/delete", editor.drop_transition),
    ("/transitions/<str:transition>/operation", rules.combine),
    ("/transitions/<str:transition>/<str:family>/add", rules.add),
    ("/transitions/<str:transition>/<str:family>/<int:at>", rules.edit),
    ("/transitions/<str:transition>/<str:family>/<int:at>/remove", rules.remove),
    ("/publish", editor.publish),
    ("/discard", editor.discard),
)
urlpatterns = [
    *everywhere("workflows", scheme.show),
    *everywhere("workflows/scheme", scheme.use),
    *(
        pattern
        for rest, view in _BELOW
        for pattern in everywhere(f"workflows/<str:workflow>{rest}", view)
    ),
    *(path(f"{ADMIN[1:]}/<str:workflow>/edit{rest}", view) for rest, view in _BELOW),
]
