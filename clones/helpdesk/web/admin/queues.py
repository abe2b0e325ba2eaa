"""Admin Center's queues: which tickets wait in each, and whose agents take them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import queues as domain
from clones.helpdesk.models import Group, Queue, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages
from clones.helpdesk.web.admin.conditioned import ConditionEditor, confirm_of, count_of
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.rule_editor import Items, RuleForm
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.properties import FieldView

GROUPS = {"primary_groups": "Primary groups", "secondary_groups": "Secondary groups"}


class QueueEditor(ConditionEditor):
    """The editor of queues. Its input `title` is what the domain calls `name`."""

    entry = "admin_queues"
    one = "admin_queue"
    noun = "queue"
    hint = "A new ticket waits in the first queue whose conditions it meets."
    inputs = {"name": "title"}

    def find(self, key: Any, actor: User) -> Queue:
        """Return a queue."""
        return queries.one(Queue.objects.filter(id=str(key)), "queue", key)

    def title_of(self, rule: Any) -> str:
        """Return a queue's name."""
        return str(rule.name)

    def values_of(self, rule: Any, agent: Agent) -> dict[str, Any]:
        """Return what the fields hold."""
        shown = rule or Queue()
        return {
            "title": shown.name,
            "description": shown.description or "",
            "priority": str(shown.priority),
            "primary_groups": keys.ids_as_text(shown.primary_group_ids),
            "secondary_groups": keys.ids_as_text(shown.secondary_group_ids),
        }

    def items_of(self, rule: Any) -> Items:
        """Return the conditions."""
        return dict(rule.definition)

    def posted(self, post: QueryDict, agent: Agent) -> dict[str, Any]:
        """Return what was sent of the fields."""
        texts = {name: post.get(name, "").strip() for name in ("title", "description", "priority")}
        return {**texts, **{name: post.getlist(name) for name in GROUPS}}

    def fields(self, sheet: RuleForm, agent: Agent) -> list[FieldView]:
        """Return the fields above the conditions."""
        values, complaints = sheet.values, sheet.complaints
        rows = Group.objects.filter(deleted=False).order_by("name", "id")
        options = [(str(key), name) for key, name in rows.values_list("id", "name")]
        fields = [
            forms.field(
                "title", "Queue name", values["title"], required=True, complaints=complaints
            ),
            forms.field(
                "description",
                "Description",
                values["description"],
                kind="textarea",
                complaints=complaints,
            ),
            forms.field(
                "priority",
                "Priority: 1 goes first",
                values["priority"],
                required=True,
                complaints=complaints,
            ),
        ]
        return fields + [
            forms.select(name, label, values[name], options, many=True, complaints=complaints)
            for name, label in GROUPS.items()
        ]

    def changes(
        self, values: dict[str, Any], items: Items, rule: Any, actor: User
    ) -> dict[str, Any]:
        """Return what the domain is to set; what is no number is a priority that cannot be."""
        priority = keys.number(values["priority"])
        groups = {name: [keys.number(text) for text in values[name]] for name in GROUPS}
        return {
            "name": values["title"],
            "description": values["description"] or None,
            "priority": 0 if priority is None else priority,
            "definition": items,
            **groups,
        }

    def create(self, changes: dict[str, Any], actor: User) -> Queue:
        """Create a queue."""
        return domain.create_queue(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> Queue:
        """Change a queue."""
        return domain.update_queue(rule, actor=actor, changes=changes)


EDITOR = QueueEditor()


@admin_page
def queues(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the queues in the order in which they are asked."""
    names = dict(Group.objects.filter(deleted=False).values_list("id", "name"))
    rows = Queue.objects.all()
    text = pages.search_text(request)
    if text:
        rows = rows.filter(name__icontains=text)
    listing = ListPage(
        "Queues",
        EDITOR.entry,
        [
            Panel(
                ("Name", "Priority", "Conditions", "Primary groups", "Secondary groups"),
                empty="No queues: tickets are routed by their group.",
                order=reverse("helpdesk:admin_queues_order"),
            )
        ],
        acts=[pages.creating("Create queue", reverse("helpdesk:admin_queue_new"))],
        search=pages.search(request),
    )

    def groups(found: list[int]) -> str:
        return ", ".join(names[key] for key in found if key in names)

    def line(found: Queue) -> ListRow:
        return linked_row(
            reverse("helpdesk:admin_queue", args=[found.id]),
            found.name,
            str(found.priority),
            count_of(found.definition),
            groups(found.primary_group_ids),
            groups(found.secondary_group_ids),
        )

    return pages.show_list(request, agent, listing, rows.order_by("order", "id"), line)


@admin_page
def order(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Move a queue up or down in the list."""
    standing = list(Queue.objects.order_by("order", "id").values_list("id", flat=True))
    if request.method == "POST":
        domain.reorder_queues(pages.moved(standing, request.POST), actor=agent.user)
    return secured(HttpResponseRedirect(reverse(f"helpdesk:{EDITOR.entry}")))


@admin_page
def delete_queue(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Ask whether a queue shall go, and let it go."""
    return confirm_of(
        request,
        agent,
        EDITOR,
        "Tickets that wait in it are looked at anew.",
        lambda found: domain.delete_queue(found, actor=agent.user),
    )
