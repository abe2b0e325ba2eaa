"""The addresses of automation."""

from __future__ import annotations

from django.urls import path

from clones.tracker.web.automation import building, hooks, lists, logs, manual, rule_pages
from clones.tracker.web.automation.places import routes

RULE = "/rule/<str:uuid>"
urlpatterns = [
    *routes("", lists.show),
    *routes("/create", lists.create),
    *routes("/import", lists.bring_in),
    *routes("/export", lists.export),
    *routes("/audit", logs.of_place),
    *routes(RULE, building.show),
    *routes(f"{RULE}/trigger", building.change_trigger),
    *routes(f"{RULE}/add", building.add),
    *routes(f"{RULE}/part/<str:part>", building.save),
    *routes(f"{RULE}/part/<str:part>/<str:act>", building.rearrange),
    *routes(f"{RULE}/details", rule_pages.details),
    *routes(f"{RULE}/state", rule_pages.turn),
    *routes(f"{RULE}/copy", rule_pages.copy),
    *routes(f"{RULE}/delete", rule_pages.delete),
    *routes(f"{RULE}/export", rule_pages.export),
    *routes(f"{RULE}/audit", logs.of_rule),
    path("jira/automation/run/<str:uuid>/<str:key>", manual.run),
    path("automation/webhooks/jira/a/<str:uuid>", hooks.receive),
]
