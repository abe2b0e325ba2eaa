"""The addresses of Admin Center's business rules and agent tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path

from clones.helpdesk.web.admin import (
    automations,
    macros,
    rule_people,
    slas,
    trigger_categories,
    trigger_revisions,
    triggers,
    views,
)
from clones.helpdesk.web.admin.frame import admin_page, own_page
from clones.helpdesk.web.admin.rule_editor import Editor
from clones.helpdesk.web.admin.rule_lists import RuleListing

RULES = "admin/objects-rules/rules"
TOOLS = "admin/workspaces/agent-workspace"
View = Callable[..., HttpResponse]


def rule_urls(
    base: str,
    listing: RuleListing,
    editor: Editor,
    *,
    key: str = "int",
    opens: Callable[[Any], View] = admin_page,
) -> list[URLPattern]:
    """Return the addresses of one kind of rule; `opens` says who may open them."""
    return [
        path(base, opens(listing.show), name=listing.entry),
        path(f"{base}/change", opens(listing.change), name=f"{listing.entry}_change"),
        path(f"{base}/delete", opens(listing.confirm), name=f"{listing.entry}_delete"),
        path(f"{base}/new", opens(editor.new), name=f"{editor.one}_new"),
        path(f"{base}/<{key}:key>", opens(editor.edit), name=editor.one),
    ]


urlpatterns = [
    *trigger_categories.PAGES.urls(f"{RULES}/triggers/categories"),
    *rule_urls(f"{RULES}/triggers", triggers.LIST, triggers.EDITOR),
    path(
        f"{RULES}/triggers/<int:key>/revisions",
        trigger_revisions.revisions,
        name="admin_trigger_revisions",
    ),
    path(
        f"{RULES}/triggers/<int:key>/revisions/<int:number>",
        trigger_revisions.revision,
        name="admin_trigger_revision",
    ),
    *rule_urls(f"{RULES}/automations", automations.LIST, automations.EDITOR),
    *rule_urls(f"{RULES}/slas", slas.LIST, slas.EDITOR),
    *rule_urls(f"{RULES}/group-slas", slas.GROUP_LIST, slas.GROUP_EDITOR, key="str"),
    *rule_urls(f"{TOOLS}/views", views.LIST, views.EDITOR, opens=own_page("admin_views")),
    *rule_urls(f"{TOOLS}/macros", macros.LIST, macros.EDITOR, opens=own_page("admin_macros")),
    path(
        "agent/suggestions/rule-requesters",
        rule_people.requesters,
        name="suggest_rule_requesters",
    ),
]
