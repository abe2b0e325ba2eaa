"""Where rules are managed: in the settings of a space, or of the site. The pages are the same.

`routes("/rule/<str:uuid>", view)` serves a view at both; it gets a `RuleScope` after the visitor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse
from django.urls import URLPattern, path

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import AutomationRule, Project
from clones.tracker.queries.automation import (
    RULE_GONE,
    counts_for,
    find_rule,
    may_change_rule,
    rules_seen,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page
from clones.tracker.web.admin.side import side_of
from clones.tracker.web.settings.access import page_of_settings, settings_page
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.navigation import everywhere
from clones.tracker.web.shell import page

ROOT: Final = "/jira/settings/automation"
View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class RuleScope:
    """A place where rules are managed: of a space, or (None) of the site."""

    project: Project | None = None

    @property
    def address(self) -> str:
        """Where its list is."""
        return ROOT if self.project is None else settings_address(self.project, "automate")

    def rule_address(self, rule: AutomationRule) -> str:
        """Return where a rule's pages begin."""
        return f"{self.address}/rule/{rule.uuid}"

    def rules(self, who: Visitor) -> list[AutomationRule]:
        """Return the rules that somebody sees here, by name."""
        return rules_seen(who.rights, self.project)

    def find(self, who: Visitor, uuid: str) -> AutomationRule:
        """Return a rule that somebody sees here.

        Raises:
            NotFound: there is none.
        """
        if self.project is None:
            return find_rule(who.rights, uuid)
        found = next((rule for rule in self.rules(who) if rule.uuid == uuid), None)
        if found is None or not counts_for(found, self.project.id):
            raise NotFound(RULE_GONE)
        return found

    def show(
        self,
        request: SandboxRequest,
        who: Visitor,
        template: str,
        context: dict[str, Any],
        *,
        title: str,
        status: int = 200,
    ) -> HttpResponse:
        """Return a page in the frame of the place's settings."""
        whole = {"place": self, "base": self.address, **context}
        if self.project is None:
            frame = {"groups": side_of("automation"), "frame": "tracker/automation/_site.html"}
            return page(
                request, who, template, {**frame, **whole},
                title=title, active="settings", status=status,
            )  # fmt: skip
        return settings_page(
            request, who, self.project, template,
            {"frame": "tracker/automation/_space.html", **whole},
            title=title, current="automate", status=status,
        )  # fmt: skip


def changes(who: Visitor, rule: AutomationRule) -> bool:
    """Tell whether somebody may change a rule."""
    return may_change_rule(who.rights, rule)


def routes(rest: str, view: View) -> list[URLPattern]:
    """Return the addresses of a page, in the settings of spaces and of the site."""

    def in_space(
        request: SandboxRequest, who: Visitor, project: Project, /, **given: Any
    ) -> HttpResponse:
        return view(request, who, RuleScope(project), **given)

    def on_site(request: SandboxRequest, who: Visitor, /, **given: Any) -> HttpResponse:
        return view(request, who, RuleScope(), **given)

    return [
        *everywhere(f"automate{rest}", page_of_settings(in_space)),
        path(f"{ROOT.lstrip('/')}{rest}", admin_page(on_site)),
    ]
