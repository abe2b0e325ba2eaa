"""Admin Center's service-level policies, of tickets and of groups: lists, and the editors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.helpdesk.domain import business_rules, group_slas, rule_batches
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import GroupSlaPolicy, SlaPolicy, User
from clones.helpdesk.queries.definitions import Definition, condition_definitions
from clones.helpdesk.rules import group_sla
from clones.helpdesk.rules.sla import METRICS
from clones.helpdesk.rules.vocabulary import Operator
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import sla_targets
from clones.helpdesk.web.admin.inputs import AdminInput, area, line
from clones.helpdesk.web.admin.rule_editor import Editor, Items, RuleForm, is_id, lines_of
from clones.helpdesk.web.admin.rule_lists import RuleListing
from clones.helpdesk.web.admin.rule_rows import RuleSection
from clones.helpdesk.web.admin.triggers import ALL, ANY

FIRST = "A ticket follows the first policy in the list whose conditions it meets."
MINUTES, SECONDS = 1, 60
SEVERAL = {
    "includes": "Contains at least one of the following",
    "not_includes": "Contains none of the following",
}


class PolicyList(RuleListing):
    """The service-level policies in the order they are tried."""

    entry = "admin_slas"
    one = "admin_sla"
    title = "Service level agreements"
    nouns = "policies"
    create_label = "Create policy"
    consequence = "Tickets that follow it keep their targets until their next update."
    can_be_inactive = False

    def rows(self, agent: Agent) -> QuerySet[Any]:
        """Return the policies as they are tried."""
        return SlaPolicy.objects.order_by("position", "id")

    def reorder(self, keys: Sequence[Any], actor: User) -> None:
        """Put the policies into an order."""
        rule_batches.reorder_policies(keys, actor=actor)

    def delete(self, keys: Sequence[Any], actor: User) -> None:
        """Remove policies."""
        for policy in SlaPolicy.objects.filter(id__in=keys).order_by("id"):
            business_rules.delete_rule(policy, actor=actor)


class GroupPolicyList(PolicyList):
    """The service-level policies of groups in the order they are tried."""

    entry = "admin_group_slas"
    one = "admin_group_sla"
    title = "Group service level agreements"

    def rows(self, agent: Agent) -> QuerySet[Any]:
        """Return the policies of groups as they are tried."""
        return GroupSlaPolicy.objects.order_by("position", "id")

    def key_of(self, text: str) -> Any:
        """Return a policy's key: letters and digits."""
        return text if text.isalnum() and text.isascii() else None

    def reorder(self, keys: Sequence[Any], actor: User) -> None:
        """Put the policies into an order."""
        group_slas.reorder_policies(keys, actor=actor)

    def delete(self, keys: Sequence[Any], actor: User) -> None:
        """Remove policies of groups."""
        for policy in GroupSlaPolicy.objects.filter(id__in=keys).order_by("id"):
            group_slas.delete_policy(policy, actor=actor)


class PolicyEditor(Editor):
    """The editor of service-level policies."""

    entry = "admin_slas"
    one = "admin_sla"
    noun = "policy"
    template = "helpdesk/admin/rules/policy.html"
    metrics: tuple[str, ...] = METRICS
    unit = MINUTES

    def sections(self) -> tuple[RuleSection, ...]:
        """Return the conditions that look at a ticket as it is."""
        found = tuple(condition_definitions("sla"))
        return (RuleSection("all", ALL, FIRST, found), RuleSection("any", ANY, "", found))

    def find(self, key: Any, actor: User) -> Any:
        """Return a policy."""
        found = SlaPolicy.objects.filter(id=int(key)).first() if is_id(str(key)) else None
        if found is None:
            raise RecordNotFound("policy", key)
        return found

    def items_of(self, rule: Any) -> Items:
        """Return a policy's conditions."""
        return dict(rule.filter)

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return name and description."""
        return [
            line("title", "Policy name", rule.title if rule else "", required=True),
            area("description", "Description", rule.description if rule else ""),
        ]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set.

        Raises:
            RecordInvalid: a target is no number.
        """
        before = rule.policy_metrics if rule is not None else []
        given = sla_targets.posted(sent.data)
        targets = sla_targets.targets_of(given, before, self.metrics, unit=self.unit)
        return {
            "title": sent.text("title"),
            "description": lines_of(sent, "description"),
            "filter": items,
            "policy_metrics": targets,
        }

    def create(self, changes: dict[str, Any], actor: User) -> Any:
        """Create a policy."""
        return business_rules.create_sla_policy(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> Any:
        """Change a policy."""
        return business_rules.update_sla_policy(rule, actor=actor, changes=changes)

    def context(
        self, request: SandboxRequest, agent: Agent, sheet: RuleForm, rule: Any
    ) -> dict[str, Any]:
        """Return the table of targets."""
        shown = sheet.rule.policy_metrics if sheet.rule is not None else []
        targets = sla_targets.values_of(shown, unit=self.unit)
        if request.method == "POST":
            targets = sla_targets.posted(request.POST)
        return {"table": sla_targets.table_of(targets, self.metrics)}


class GroupPolicyEditor(PolicyEditor):
    """The editor of service-level policies of groups."""

    entry = "admin_group_slas"
    one = "admin_group_sla"
    metrics = (group_sla.METRIC,)
    unit = SECONDS

    def sections(self) -> tuple[RuleSection, ...]:
        """Return the conditions of policies of groups: of a group they name several at once."""
        found = tuple(_of_groups(item) for item in condition_definitions("sla"))
        return (RuleSection("all", ALL, FIRST, found),)

    def find(self, key: Any, actor: User) -> Any:
        """Return a policy of groups."""
        found = GroupSlaPolicy.objects.filter(id=str(key)).first()
        if found is None:
            raise RecordNotFound("group sla policy", key)
        return found

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set; groups are named by number.

        Raises:
            RecordInvalid: a target is no number.
        """
        found = super().changes(sent, items, rule, actor)
        found["filter"] = {"all": [_numbered(item) for item in items["all"]]}
        return found

    def create(self, changes: dict[str, Any], actor: User) -> Any:
        """Create a policy of groups."""
        return group_slas.create_policy(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> Any:
        """Change a policy of groups."""
        return group_slas.update_policy(rule, actor=actor, changes=changes)


def _of_groups(item: Definition) -> Definition:
    if item.subject != "group_id":
        return item
    operators = tuple(Operator(name, title, False) for name, title in SEVERAL.items())
    values = [(value, title) for value, title in item.values if is_digits(value)]
    return replace(item, operators=operators, values=values)


def _numbered(item: dict[str, Any]) -> dict[str, Any]:
    value = item.get("value")
    if item["field"] != "group_id" or not isinstance(value, list):
        return item
    return {**item, "value": [int(key) if is_digits(str(key)) else key for key in value]}


LIST = PolicyList()
EDITOR = PolicyEditor()
GROUP_LIST = GroupPolicyList()
GROUP_EDITOR = GroupPolicyEditor()
