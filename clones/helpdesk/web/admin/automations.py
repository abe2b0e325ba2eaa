"""Admin Center's automations: the list, and the editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from clones.core.web.inputs import PageForm
from clones.helpdesk.domain import business_rules, rule_batches
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Automation, User
from clones.helpdesk.queries.definitions import action_definitions, question_definitions
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin.inputs import AdminInput, line
from clones.helpdesk.web.admin.rule_editor import Editor, Items, is_id
from clones.helpdesk.web.admin.rule_lists import RuleListing, changed_positions
from clones.helpdesk.web.admin.rule_rows import RuleSection
from clones.helpdesk.web.admin.triggers import ALL, ANY

ONCE = (
    "Automations run once an hour. One condition must be true only once, or an action must nullify"
    " one of these conditions."
)


class AutomationList(RuleListing):
    """The automations in the order they run."""

    entry = "admin_automations"
    one = "admin_automation"
    title = "Automations"
    nouns = "automations"
    create_label = "Create automation"
    consequence = "It will not run any more. What it did to tickets stays."

    def rows(self, agent: Agent) -> QuerySet[Any]:
        """Return the automations as they run."""
        return Automation.objects.order_by("position", "id")

    def reorder(self, keys: Sequence[Any], actor: User) -> None:
        """Put the automations into an order."""
        standing = dict(Automation.objects.values_list("id", "position"))
        rule_batches.update_automations(changed_positions(keys, standing), actor=actor)

    def switch(self, keys: Sequence[Any], actor: User, *, active: bool) -> None:
        """Make automations active or inactive."""
        items = [{"id": key, "active": active} for key in keys]
        rule_batches.update_automations(items, actor=actor)

    def delete(self, keys: Sequence[Any], actor: User) -> None:
        """Remove automations."""
        rule_batches.delete_automations(keys, actor=actor)


class AutomationEditor(Editor):
    """The editor of automations."""

    entry = "admin_automations"
    one = "admin_automation"
    noun = "automation"

    def sections(self) -> tuple[RuleSection, ...]:
        """Return conditions, hour counters among them, and actions."""
        conditions = tuple(question_definitions())
        actions = tuple(action_definitions(of_macros=False))
        return (
            RuleSection("all", ALL, ONCE, conditions),
            RuleSection("any", ANY, "", conditions),
            RuleSection("actions", "Actions", "", actions),
        )

    def find(self, key: Any, actor: User) -> Automation:
        """Return an automation."""
        found = Automation.objects.filter(id=int(key)).first() if is_id(str(key)) else None
        if found is None:
            raise RecordNotFound("automation", key)
        return found

    def items_of(self, rule: Any) -> dict[str, list[dict[str, Any]]]:
        """Return an automation's conditions and actions."""
        return {**rule.conditions, "actions": rule.actions}

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return the name."""
        title = rule.title if rule is not None else ""
        return [line("title", "Automation name", title, required=True)]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set."""
        return {"title": sent.text("title"), **items}

    def create(self, changes: dict[str, Any], actor: User) -> Automation:
        """Create an automation."""
        return business_rules.create_automation(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> Automation:
        """Change an automation."""
        return business_rules.update_automation(rule, actor=actor, changes=changes)


LIST = AutomationList()
EDITOR = AutomationEditor()
