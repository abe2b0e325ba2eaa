"""Admin Center's queues: which tickets wait in each, and whose agents take them."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import queues as domain
from clones.helpdesk.models import Group, Queue, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.conditioned import ConditionEditor, confirm_of, count_of
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, area, checks, line
from clones.helpdesk.web.admin.rule_editor import Items

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

    def items_of(self, rule: Any) -> Items:
        """Return the conditions."""
        return dict(rule.definition)

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return the inputs above the conditions."""
        shown = rule or Queue()
        rows = Group.objects.filter(deleted=False).order_by("name", "id")
        options = list(rows.values_list("id", "name"))
        return [
            line("title", "Queue name", shown.name, required=True),
            area("description", "Description", shown.description),
            line("priority", "Priority: 1 goes first", str(shown.priority), required=True),
            checks("primary_groups", GROUPS["primary_groups"], shown.primary_group_ids, options),
            checks(
                "secondary_groups", GROUPS["secondary_groups"], shown.secondary_group_ids, options
            ),
        ]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set; what is no number is a priority that cannot be."""
        priority = keys.number(sent.text("priority").strip())
        groups = {name: [keys.number(text) for text in sent.several(name)] for name in GROUPS}
        return {
            "name": sent.text("title").strip(),
            "description": sent.text("description").strip() or None,
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
    rows = pages.searched(request, rows, "name")
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
    rows = Queue.objects.order_by("order", "id")
    write = partial(domain.reorder_queues, actor=agent.user)
    return pages.move(request, rows, write, reverse(f"helpdesk:{EDITOR.entry}"))


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
