"""Admin Center's views: the list, and the editor with a look at the tickets a view would show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.helpdesk.domain import business_rules, rule_batches
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import TicketField, User, View
from clones.helpdesk.queries import views as view_queries
from clones.helpdesk.queries.definitions import question_definitions
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import restrictions
from clones.helpdesk.web.admin.inputs import AdminInput, area, depending, line, select
from clones.helpdesk.web.admin.rule_editor import Editor, Items, RuleForm, is_id, lines_of
from clones.helpdesk.web.admin.rule_lists import RuleListing, changed_positions
from clones.helpdesk.web.admin.rule_rows import RuleSection
from clones.helpdesk.web.admin.triggers import ALL, ANY
from clones.helpdesk.web.ticket_rows import MOST_COLUMNS, columns_named, ticket_rows
from clones.helpdesk.web.times import Times

ORDERS = (("asc", "Ascending"), ("desc", "Descending"))
SHOWN = 10
NEEDS = "At least one condition must be on status, type, group, assignee or requester."
OUTPUT = ("group_by", "group_order", "sort_by", "sort_order")


def own(agent: Agent) -> Q:
    """Return the question for what somebody may keep: all for admins, their own for agents."""
    if agent.user.role == "admin":
        return Q()
    return Q(restriction__type="User", restriction__id=agent.user.id)


class ManagedViews(RuleListing):
    """The views that somebody may keep, in order."""

    entry = "admin_views"
    one = "admin_view"
    title = "Views"
    nouns = "views"
    create_label = "Create view"
    columns = ("Access",)
    template = "helpdesk/admin/rules/shared.html"
    consequence = "Its tickets stay as they are."

    def rows(self, agent: Agent) -> QuerySet[Any]:
        """Return the views as their pane lists them."""
        usable = view_queries.usable_views(agent.user)
        return usable.filter(own(agent)).order_by("position", "title", "id")

    def narrowed(self, request: SandboxRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return shared views, or personal ones, if only those are asked for."""
        return narrowed(request, rows)

    def names(self) -> dict[int, str]:
        """Return the names of groups."""
        return restrictions.group_names()

    def cells(self, rule: Any, names: dict[int, str]) -> tuple[str, ...]:
        """Return who may use a view."""
        return (restrictions.described(rule.restriction, names),)

    def reorder(self, keys: Sequence[Any], actor: User) -> None:
        """Put the views into an order."""
        standing = dict(View.objects.values_list("id", "position"))
        rule_batches.update_views(changed_positions(keys, standing), actor=actor)

    def switch(self, keys: Sequence[Any], actor: User, *, active: bool) -> None:
        """Make views active or inactive."""
        items = [{"id": key, "active": active} for key in keys]
        rule_batches.update_views(items, actor=actor)

    def delete(self, keys: Sequence[Any], actor: User) -> None:
        """Remove views."""
        rule_batches.delete_views(keys, actor=actor)

    def context(self, request: SandboxRequest, agent: Agent) -> dict[str, Any]:
        """Return the filter by who may use a view."""
        return access_filter(request, agent)


def narrowed(request: SandboxRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return what is shared, or personal, if only that is asked for."""
    personal = Q(restriction__type="User")
    wanted = request.GET.get("access", "")
    if wanted == "personal":
        return rows.filter(personal)
    return rows.exclude(personal) if wanted == "shared" else rows


def access_filter(request: SandboxRequest, agent: Agent) -> dict[str, Any]:
    """Return the filter by who may use something; agents see only what is their own."""
    if agent.user.role != "admin":
        return {}
    choices = {"": "Shared and personal", "shared": "Shared", "personal": "Personal"}
    return {"accesses": choices, "access": request.GET.get("access", "")}


class ViewEditor(Editor):
    """The editor of views."""

    entry = "admin_views"
    one = "admin_view"
    noun = "view"
    template = "helpdesk/admin/rules/view.html"
    inputs = {"restriction": "group_ids"}

    def sections(self) -> tuple[RuleSection, ...]:
        """Return the conditions of views."""
        conditions = tuple(question_definitions())
        return (RuleSection("all", ALL, NEEDS, conditions), RuleSection("any", ANY, "", conditions))

    def find(self, key: Any, actor: User) -> View:
        """Return a view that the actor may use and keep."""
        rows = view_queries.usable_views(actor)
        found = rows.filter(id=int(key)).first() if is_id(str(key)) else None
        personal = found is not None and (found.restriction or {}).get("type") == "User"
        if found is None or (actor.role != "admin" and not personal):
            raise RecordNotFound("view", key)
        return found

    def items_of(self, rule: Any) -> dict[str, list[dict[str, Any]]]:
        """Return a view's conditions."""
        return dict(rule.conditions)

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return name, description and who may use the view."""
        shown = rule or View()
        return [
            line("title", "View name", shown.title, required=True),
            area("description", "Description", shown.description),
            *restrictions.fields(shown.restriction, agent),
        ]

    def fields_below(self, rule: Any) -> list[AdminInput]:
        """Return the choices of columns and orders."""
        values = _output_values(rule.output if rule else {})
        known = _known_columns()
        sortable = [(name, title) for name, title, sorts in known if sorts]
        lost = [(name, name) for name in values["columns"] if name not in {k[0] for k in known}]
        titles = [("", "-"), *((name, title) for name, title, _ in known), *lost]
        columns = [*values["columns"], *[""] * MOST_COLUMNS][:MOST_COLUMNS]
        return [
            *(
                select(f"columns-{at}", f"Column {at + 1}", chosen, titles)
                for at, chosen in enumerate(columns)
            ),
            select("group_by", "Group by", values["group_by"], [("", "None"), *sortable]),
            depending(
                select("group_order", "Group order", values["group_order"], ORDERS), "group_by"
            ),
            select("sort_by", "Order by", values["sort_by"], sortable),
            select("sort_order", "Order", values["sort_order"], ORDERS),
        ]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set.

        Raises:
            RecordInvalid: there is no column, or there are too many.
        """
        found = {
            "description": lines_of(sent, "description") or None,
            **items,
            "output": _output(sent),
            "restriction": restrictions.restriction_of(sent, actor),
        }
        # What nobody touched stays as it was written; of a raw title its plain one says nothing.
        if rule is None or sent.text("title") != rule.title:
            found["title"] = sent.text("title")
        if rule is not None and _is_untouched(sent, rule):
            del found["output"]
        return found

    def preview(self, sent: PageForm, items: Items) -> dict[str, Any]:
        """Return a view that is not kept.

        Raises:
            RecordInvalid: there is no condition, or no column.
        """
        view = View(title="Preview", raw_title="Preview", output={**business_rules.DEFAULT_OUTPUT})
        business_rules.set_preview(view, {**items, "output": _output(sent)})
        return {"preview": view}

    def create(self, changes: dict[str, Any], actor: User) -> View:
        """Create a view."""
        return business_rules.create_view(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> View:
        """Change a view."""
        return business_rules.update_view(rule, actor=actor, changes=changes)

    def context(
        self, request: SandboxRequest, agent: Agent, sheet: RuleForm, rule: Any
    ) -> dict[str, Any]:
        """Return the inputs of columns and orders, and the preview if it was asked for."""
        form = sheet.form
        return {
            "columns": [form[f"columns-{at}"] for at in range(MOST_COLUMNS)],
            "column_error": form.refused.get("columns", ""),
            "output": [form[name] for name in OUTPUT],
            **_preview(request, agent, sheet.extra),
        }


def _output_values(output: dict[str, Any]) -> dict[str, Any]:
    whole = {**business_rules.DEFAULT_OUTPUT, **output}
    return {
        "columns": [_column(name) for name in whole["columns"]],
        **{name: _column(whole[name] or "") for name in OUTPUT},
    }


def _column(name: Any) -> str:
    return view_queries.column_name(str(name))


def _sent_output(sent: PageForm) -> dict[str, Any]:
    """Return what was sent of the output; columns stand in the order of their inputs."""
    columns = [sent.text(f"columns-{at}") for at in range(MOST_COLUMNS)]
    return {
        "columns": list(dict.fromkeys(name for name in columns if name)),
        **{name: sent.text(name) for name in OUTPUT},
    }


def _is_untouched(sent: PageForm, rule: View) -> bool:
    """Tell whether the output was sent as it is; of no grouping the order is not sent."""
    told, before = _sent_output(sent), _output_values(rule.output)
    if not told["group_by"]:
        told["group_order"] = before["group_order"]
    return told == before


def _output(sent: PageForm) -> dict[str, Any]:
    """Return a view's output as the domain takes it.

    Raises:
        RecordInvalid: there is no column, or there are too many.
    """
    values = _sent_output(sent)
    if not values["columns"]:
        raise RecordInvalid.of("columns", "Columns: must have at least one column", "BlankValue")
    columns = [int(name) if is_digits(name) else name for name in values["columns"]]
    return {
        "columns": columns[:MOST_COLUMNS],
        "group_by": values["group_by"] or None,
        "group_order": values["group_order"] or "desc",
        "sort_by": values["sort_by"] or "nice_id",
        "sort_order": values["sort_order"] or "desc",
    }


def _known_columns() -> list[tuple[str, str, bool]]:
    """Return what can be a column: its name, its title, and whether tickets can be sorted by it."""
    fields = TicketField.objects.exclude(type__in=TicketField.SYSTEM_TYPES).filter(active=True)
    own_fields = fields.order_by("position", "id").values_list("id", "title")
    return [
        *((name, known[0], known[3] is not None) for name, known in view_queries.COLUMNS.items()),
        *((str(key), title, False) for key, title in own_fields),
    ]


def _preview(request: SandboxRequest, agent: Agent, extra: dict[str, Any]) -> dict[str, Any]:
    view = extra.get("preview")
    if view is None:
        return {}
    columns = columns_named(view.output["columns"])
    tickets = view_queries.view_tickets(view, agent.user)
    shown = list(tickets[:SHOWN])
    return {
        "previewed": True,
        "preview_count": tickets.count(),
        "preview_columns": columns,
        "preview_rows": ticket_rows(shown, Times(agent.user), columns),
    }


LIST = ManagedViews()
EDITOR = ViewEditor()
