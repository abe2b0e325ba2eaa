"""Admin Center's macros: the list by search and category, and the editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.helpdesk.domain import macros, rule_batches
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Macro, User
from clones.helpdesk.queries.definitions import action_definitions
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import restrictions
from clones.helpdesk.web.admin.inputs import AdminInput, area, line
from clones.helpdesk.web.admin.rule_editor import Editor, Items, is_id, lines_of
from clones.helpdesk.web.admin.rule_lists import RuleListing, changed_positions
from clones.helpdesk.web.admin.rule_rows import RuleSection
from clones.helpdesk.web.admin.views import access_filter, narrowed, own

PARTS = "::"


class ManagedMacros(RuleListing):
    """The macros that somebody may keep, in order."""

    entry = "admin_macros"
    one = "admin_macro"
    title = "Macros"
    nouns = "macros"
    create_label = "Create macro"
    columns = ("Access",)
    template = "helpdesk/admin/rules/macros.html"
    consequence = "Tickets that it was applied to stay as they are."

    def rows(self, agent: Agent) -> QuerySet[Any]:
        """Return the macros as the ticket page offers them."""
        usable = macros.usable_macros(agent.user)
        return usable.filter(own(agent)).order_by("position", "title", "id")

    def narrowed(self, request: SandboxRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return what is shared or personal, and of one category, if that is asked for."""
        category = request.GET.get("category", "")
        if category:
            rows = rows.filter(title__startswith=f"{category}{PARTS}")
        return narrowed(request, rows)

    def names(self) -> dict[int, str]:
        """Return the names of groups."""
        return restrictions.group_names()

    def cells(self, rule: Any, names: dict[int, str]) -> tuple[str, ...]:
        """Return who may use a macro."""
        return (restrictions.described(rule.restriction, names),)

    def reorder(self, keys: Sequence[Any], actor: User) -> None:
        """Put the macros into an order."""
        standing = dict(Macro.objects.values_list("id", "position"))
        rule_batches.update_macros(changed_positions(keys, standing), actor=actor)

    def switch(self, keys: Sequence[Any], actor: User, *, active: bool) -> None:
        """Make macros active or inactive."""
        items = [{"id": key, "active": active} for key in keys]
        rule_batches.update_macros(items, actor=actor)

    def delete(self, keys: Sequence[Any], actor: User) -> None:
        """Remove macros."""
        rule_batches.delete_macros(keys, actor=actor)

    def context(self, request: SandboxRequest, agent: Agent) -> dict[str, Any]:
        """Return the filters by category and by who may use a macro."""
        titles = self.rows(agent).values_list("title", flat=True)
        found = sorted({title.split(PARTS)[0] for title in titles if PARTS in title})
        return {
            "categories": found,
            "category": request.GET.get("category", ""),
            **access_filter(request, agent),
        }


class MacroEditor(Editor):
    """The editor of macros."""

    entry = "admin_macros"
    one = "admin_macro"
    noun = "macro"
    inputs = {"restriction": "group_ids"}

    def sections(self) -> tuple[RuleSection, ...]:
        """Return the actions of macros."""
        hint = "What the macro puts onto a ticket's form. Nothing is saved until it is submitted."
        return (RuleSection("actions", "Actions", hint, tuple(action_definitions(of_macros=True))),)

    def find(self, key: Any, actor: User) -> Macro:
        """Return a macro that the actor may use and keep."""
        rows = macros.usable_macros(actor)
        found = rows.filter(id=int(key)).first() if is_id(str(key)) else None
        personal = found is not None and (found.restriction or {}).get("type") == "User"
        if found is None or (actor.role != "admin" and not personal):
            raise RecordNotFound("macro", key)
        return found

    def items_of(self, rule: Any) -> Items:
        """Return a macro's actions."""
        return {"actions": rule.actions}

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return name, description and who may use the macro."""
        shown, hint = rule or Macro(), "Category::Name files it under a category"
        return [
            line("title", "Macro name", shown.title, required=True, placeholder=hint),
            area("description", "Description", shown.description),
            *restrictions.fields(shown.restriction, agent),
        ]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set."""
        return {
            "title": sent.text("title"),
            "description": lines_of(sent, "description") or None,
            **items,
            "restriction": restrictions.restriction_of(sent, actor),
        }

    def create(self, changes: dict[str, Any], actor: User) -> Macro:
        """Create a macro."""
        return macros.create_macro(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> Macro:
        """Change a macro."""
        return macros.update_macro(rule, actor=actor, changes=changes)


LIST = ManagedMacros()
EDITOR = MacroEditor()
