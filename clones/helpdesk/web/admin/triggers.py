"""Admin Center's triggers: the list by category, and the editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.helpdesk.domain import business_rules, rule_batches
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Trigger, TriggerCategory, User
from clones.helpdesk.queries.definitions import action_definitions, condition_definitions
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin.inputs import AdminInput, area, line, select
from clones.helpdesk.web.admin.rule_editor import Editor, Items, is_id, lines_of
from clones.helpdesk.web.admin.rule_lists import RuleListing
from clones.helpdesk.web.admin.rule_rows import RuleSection

ALL = "Meet ALL of the following conditions"
ANY = "Meet ANY of the following conditions"


class TriggerList(RuleListing):
    """The triggers in the order they run, under their categories."""

    entry = "admin_triggers"
    one = "admin_trigger"
    title = "Triggers"
    nouns = "triggers"
    create_label = "Create trigger"
    template = "helpdesk/admin/rules/triggers.html"
    consequence = "It will not run any more. What it did to tickets stays."

    def rows(self, agent: Agent) -> QuerySet[Any]:
        """Return the triggers as they run."""
        return Trigger.objects.order_by("category__position", "category", "position", "id")

    def part_of(self, rule: Any) -> str:
        """Return a trigger's category."""
        return str(rule.category_id)

    def parts(self) -> list[tuple[str, str]]:
        """Return the categories in order."""
        rows = TriggerCategory.objects.order_by("position", "id").values_list("id", "name")
        return [(str(key), name) for key, name in rows]

    def reorder(self, keys: Sequence[Any], actor: User) -> None:
        """Put a category's triggers into an order."""
        business_rules.reorder_triggers(list(keys), actor=actor)

    def switch(self, keys: Sequence[Any], actor: User, *, active: bool) -> None:
        """Make triggers active or inactive."""
        items = [{"id": key, "active": active} for key in keys]
        rule_batches.update_triggers(items, actor=actor)

    def delete(self, keys: Sequence[Any], actor: User) -> None:
        """Remove triggers."""
        rule_batches.delete_triggers(keys, actor=actor)

    def context(self, request: SandboxRequest, agent: Agent) -> dict[str, Any]:
        """Return the way to the categories."""
        return {"categories_url": reverse("helpdesk:admin_trigger_categories")}


class TriggerEditor(Editor):
    """The editor of triggers."""

    entry = "admin_triggers"
    one = "admin_trigger"
    noun = "trigger"

    def sections(self) -> tuple[RuleSection, ...]:
        """Return conditions and actions of triggers."""
        conditions = tuple(condition_definitions())
        actions = tuple(action_definitions(of_macros=False))
        return (
            RuleSection("all", ALL, "", conditions),
            RuleSection("any", ANY, "", conditions),
            RuleSection("actions", "Actions", "", actions),
        )

    def find(self, key: Any, actor: User) -> Trigger:
        """Return a trigger."""
        found = Trigger.objects.filter(id=int(key)).first() if is_id(str(key)) else None
        if found is None:
            raise RecordNotFound("trigger", key)
        return found

    def links(self, rule: Any) -> list[tuple[str, str]]:
        """Return the way to a trigger's revisions."""
        return [(reverse("helpdesk:admin_trigger_revisions", args=[rule.pk]), "Revision history")]

    def items_of(self, rule: Any) -> dict[str, list[dict[str, Any]]]:
        """Return a trigger's conditions and actions."""
        return {**rule.conditions, "actions": rule.actions}

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return name, description and category."""
        shown = rule or Trigger()
        rows = TriggerCategory.objects.order_by("position", "id").values_list("id", "name")
        return [
            line("title", "Trigger name", shown.title, required=True),
            area("description", "Description", shown.description),
            select("category_id", "Category", shown.category_id, rows),
        ]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set."""
        return {
            **{name: sent.text(name) for name in ("title", "category_id")},
            "description": lines_of(sent, "description") or None,
            **items,
        }

    def create(self, changes: dict[str, Any], actor: User) -> Trigger:
        """Create a trigger."""
        return business_rules.create_trigger(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> Trigger:
        """Change a trigger."""
        return business_rules.update_trigger(rule, actor=actor, changes=changes)


LIST = TriggerList()
EDITOR = TriggerEditor()
