"""Admin Center's skills: their types, which tickets get them, and which agents have them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import skills as domain
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.models import AgentValue, RoutingAttribute, RoutingValue, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.conditioned import ConditionEditor, confirm_of, count_of
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, checks, line, select
from clones.helpdesk.web.admin.resources import AdminPages
from clones.helpdesk.web.admin.rule_editor import Items


class SkillEditor(ConditionEditor):
    """The editor of skills. Its input `title` is what the domain calls `name`."""

    entry = "admin_skills"
    one = "admin_skill"
    noun = "skill"
    hint = "New tickets that meet the conditions get the skill. Without conditions none does."
    inputs = {"name": "title"}

    def find(self, key: Any, actor: User) -> RoutingValue:
        """Return a skill."""
        rows = RoutingValue.objects.select_related("attribute").filter(id=str(key))
        return queries.one(rows, "skill", key)

    def title_of(self, rule: Any) -> str:
        """Return a skill's name."""
        return str(rule.name)

    def items_of(self, rule: Any) -> Items:
        """Return the conditions."""
        return dict(rule.conditions or {})

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return the inputs above the conditions."""
        kinds = RoutingAttribute.objects.order_by("name", "id").values_list("id", "name")
        people = User.objects.filter(role__in=("agent", "admin"), active=True)
        held = AgentValue.objects.filter(value=rule) if rule is not None else ()
        return [
            select("attribute", "Skill type", rule.attribute_id if rule else "", kinds),
            line("title", "Skill", rule.name if rule else "", required=True),
            checks(
                "agents",
                "Agents",
                [item.agent_id for item in held],
                people.order_by("name", "id").values_list("id", "name"),
            ),
        ]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set, and who shall have the skill."""
        kind = sent.text("attribute")
        if rule is not None and kind != rule.attribute_id:
            raise RecordInvalid.of("attribute", "Skill type: cannot be changed", "InvalidValue")
        return {
            "name": sent.text("title"),
            "conditions": items,
            "attribute": kind,
            "agents": keys.numbers_in(sent.several("agents")),
        }

    def create(self, changes: dict[str, Any], actor: User) -> RoutingValue:
        """Create a skill of a type, and give it to agents."""
        kind = RoutingAttribute.objects.filter(id=changes["attribute"]).first()
        if kind is None:
            raise RecordInvalid.of("attribute", "Skill type: cannot be blank", "BlankValue")
        own = {name: changes[name] for name in ("name", "conditions")}
        made = domain.create_value(kind, actor=actor, changes=own)
        _give(made, changes["agents"], actor)
        return made

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> RoutingValue:
        """Change a skill, and who has it."""
        own = {name: changes[name] for name in ("name", "conditions")}
        saved = domain.update_value(rule, actor=actor, changes=own)
        _give(saved, changes["agents"], actor)
        return saved


EDITOR = SkillEditor()


def _give(skill: RoutingValue, wanted: list[int], actor: User) -> None:
    """Let these agents have a skill, and no others; what else they can do stays."""
    held = set(AgentValue.objects.filter(value=skill).values_list("agent_id", flat=True))
    people = User.objects.in_bulk([*wanted, *held])
    for key in sorted(held ^ (people.keys() & set(wanted))):
        own = AgentValue.objects.filter(agent_id=key).order_by("created_at", "id")
        skills = [item.value_id for item in own if item.value_id != skill.id]
        now = skills if key in held else [*skills, skill.id]
        domain.set_agent_values(people[key], now, actor=actor)


@admin_page
def skills(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the skills by their types."""
    kinds = RoutingAttribute.objects.order_by("name", "id")
    rows = RoutingValue.objects.select_related("attribute").annotate(people=Count("agents"))
    text = pages.search_text(request)
    kind = keys.filter_of(
        request, "type", "Type", [("", "Any type"), *((item.id, item.name) for item in kinds)]
    )
    if text:
        rows = rows.filter(name__icontains=text)
    if kind.value:
        rows = rows.filter(attribute_id=kind.value)
    types = reverse("helpdesk:admin_skill_types")
    acts = [Action("Skill types", types, test_id="admin-skill-types")]
    if kinds:
        acts.append(pages.creating("Create skill", reverse("helpdesk:admin_skill_new")))
    columns = ("Skill", "Type", "Agents", "Conditions")
    listing = ListPage(
        "Skills",
        EDITOR.entry,
        [Panel(columns, empty="No skills. A skill belongs to a skill type.")],
        acts=acts,
        search=pages.search(request, kind),
    )
    return pages.show_list(
        request, agent, listing, rows.order_by("attribute__name", "name", "id"), _line
    )


@admin_page
def delete_skill(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Ask whether a skill shall go, and let it go."""
    return confirm_of(
        request,
        agent,
        EDITOR,
        "Agents and tickets lose it.",
        lambda found: domain.delete_value(found, actor=agent.user),
    )


class SkillTypePages(AdminPages[RoutingAttribute]):
    """The pages of types of skills."""

    resource = domain.ATTRIBUTE
    order = ("name", "id")
    entry = EDITOR.entry
    list_name = "admin_skill_types"
    page_name = "admin_skill_type"
    key = "<str:key>"
    title = "Skill types"
    noun = "skill type"
    columns = ("Name", "Skills")
    empty = "No skill types."
    create_label = "Create skill type"
    stays = False
    leaves = "Its skills go with it: agents and tickets lose them."

    def rows(self) -> QuerySet[RoutingAttribute]:
        """Return the types with how many skills each has."""
        return super().rows().annotate(number=Count("values"))

    def cells(self, record: Any) -> tuple[object, ...]:
        """Return what the list shows of a type."""
        return record.name, str(record.number)

    def links(self) -> tuple[Action, ...]:
        """Return the way back to the skills."""
        return (Action("Skills", reverse("helpdesk:admin_skills"), test_id="admin-back"),)


TYPES: Final = SkillTypePages()


def _line(found: RoutingValue) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_skill", args=[found.id]),
        found.name,
        found.attribute.name,
        str(getattr(found, "people", 0)),
        count_of(found.conditions),
    )
