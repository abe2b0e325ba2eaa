"""Views: who may use them, what they show, in which order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import (
    Case,
    F,
    IntegerField,
    OrderBy,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)

from clones.core import clock
from clones.core.prepared import Prepared
from clones.helpdesk import queries
from clones.helpdesk.domain.errors import InvalidAttribute, RecordNotFound
from clones.helpdesk.models import (
    GroupMembership,
    SlaClock,
    Ticket,
    TicketField,
    User,
    View,
)
from clones.helpdesk.queries import routing
from clones.helpdesk.queries.conditions import Asker, question
from clones.helpdesk.rules.system_fields import RANKS, SYSTEM_FIELDS, arranged

# Column name: (title, can be filtered, can be sorted, where it sorts).
_OWN: dict[str, tuple[str, bool, bool, str | None]] = {
    "nice_id": ("ID", True, True, "id"),
    "created": ("Requested", True, True, "created_at"),
    "updated": ("Updated", True, True, "updated_at"),
    "updated_assignee": ("Assignee updated", True, True, "metric__assignee_updated_at"),
    "updated_requester": ("Requester updated", True, True, "metric__requester_updated_at"),
    "assigned": ("Assigned", True, True, "metric__assigned_at"),
    "solved": ("Solved", True, True, "metric__solved_at"),
    "sla_next_breach_at": ("Next SLA breach", False, True, "next_breach_at"),
    "description": ("Latest comment", False, False, None),
}
_OF_FIELDS: dict[str, tuple[str, bool, bool, str | None]] = {
    item.column.name: (item.title, item.column.offered, item.column.offered, item.column.sorted_by)
    for item in SYSTEM_FIELDS
    if item.column is not None
}
_ORDER = """
    nice_id subject requester submitter assignee group organization status priority type
    created updated updated_assignee updated_requester assigned solved due_date brand
    ticket_form satisfaction_score sla_next_breach_at description
""".split()
COLUMNS = arranged({**_OWN, **_OF_FIELDS}, _ORDER)
ALIASES = {
    "id": "nice_id",
    "ticket_id": "nice_id",
    "created_at": "created",
    "updated_at": "updated",
    "assignee_id": "assignee",
    "requester_id": "requester",
    "group_id": "group",
    "due_at": "due_date",
    "ticket_type": "type",
}
_RANKS = {f"{name}_rank": (name, tuple(ranks)) for name, ranks in RANKS.items()}
# The vendor calls this column by one name where it is chosen and by another where it is shown.
SHOWN_AS = {"nice_id": "ticket_id"}
ACCESSES = ("personal", "shared", "account")


_ALL: Prepared[View] = Prepared(lambda: View.objects.order_by("position", "title", "id"))
_GROUPS: Prepared[int] = Prepared(
    lambda key: (
        GroupMembership.objects.filter(user_id=key)
        .order_by("id")
        .values_list("group_id", flat=True)
    ),
    int,
)


def views_at_hand(actor: User) -> list[View]:
    """Return the views that an agent may use, in order: shared ones, their groups', their own.

    Inactive ones are among them.
    """
    groups = set(_GROUPS.all(actor.id))
    return [view for view in _ALL.all() if _may_use(view, actor, groups)]


def usable_views(
    actor: User, *, access: str | None = None, group: int | None = None
) -> QuerySet[View]:
    """Return the views that an agent may use, as rows to ask further.

    With an access only those: `personal` ones, `shared` ones (all others), or those that are the
    whole `account`'s. With a group only those for it.

    Raises:
        InvalidAttribute: there is no such access.
    """
    if access is not None and access not in ACCESSES:
        raise InvalidAttribute("access", "personal, shared or account")
    usable = [
        view.id
        for view in views_at_hand(actor)
        if (access is None or access in _accesses(view))
        and (group is None or group in _groups(view))
    ]
    return View.objects.filter(id__in=usable)


def _accesses(view: View) -> tuple[str, ...]:
    if not view.restriction:
        return ("shared", "account")
    return ("personal",) if view.restriction["type"] == "User" else ("shared",)


def _groups(view: View) -> list[int]:
    rule = view.restriction or {}
    if rule.get("type") != "Group":
        return []
    found: list[int] = rule.get("ids") or [rule["id"]]
    return found


def _may_use(view: View, actor: User, groups: set[int]) -> bool:
    rule = view.restriction
    if not rule:
        return True
    if rule["type"] == "User":
        return bool(rule["id"] == actor.id)
    return bool(groups & set(_groups(view)))


def usable_view(actor: User, key: int) -> View:
    """Return one view that the actor may use.

    Raises:
        RecordNotFound: there is none.
    """
    return view_of(views_at_hand(actor), key)


def view_of(usable: Iterable[View], key: int) -> View:
    """Return the view of a key among those that somebody may use.

    Raises:
        RecordNotFound: there is none.
    """
    for view in usable:
        if view.id == key:
            return view
    raise RecordNotFound("view", key)


Order = tuple[tuple[str, bool], ...]


def view_tickets(
    view: View, actor: User, *, sort_by: str | None = None, descending: bool | None = None
) -> QuerySet[Ticket]:
    """Return the tickets of a view as the actor sees it, grouped and sorted as it says.

    A view that the account filters by skills leaves out what the actor lacks a skill for.

    `sort_by` and `descending` sort otherwise, within the view's groups.
    """
    order = order_of(view, sort_by=sort_by, descending=descending)
    return in_order(ViewAccess(actor).tickets(view), order)


def sorted_tickets(rows: QuerySet[Ticket], name: str, *, descending: bool) -> QuerySet[Ticket]:
    """Return tickets sorted by a column, and by number where that is the same."""
    return in_order(rows, ((name, descending),))


def order_of(view: View, *, sort_by: str | None, descending: bool | None) -> Order:
    """Return the columns that a view's tickets are sorted by, each with whether downwards."""
    output = view.output
    group = output.get("group_by")
    if descending is None:
        descending = output.get("sort_order", "desc") == "desc"
    chosen = (str(sort_by or output.get("sort_by") or "nice_id"), descending)
    return ((str(group), output.get("group_order") == "desc"), chosen) if group else (chosen,)


def in_order(rows: QuerySet[Ticket], columns: Order) -> QuerySet[Ticket]:
    """Return tickets sorted by columns, and where these are the same by number."""
    order = [_order(name, descending=descending) for name, descending in columns]
    order.append("-id" if columns[-1][1] else "id")
    ranks = {name: rank for name, rank in _RANKS.items() if {name, f"-{name}"} & set(order)}
    rows = rows.annotate(**{name: _rank(*rank) for name, rank in ranks.items()})
    if any(isinstance(item, OrderBy) for item in order):
        rows = rows.annotate(next_breach_at=_next_breach())
    return rows.order_by(*dict.fromkeys(item for item in order if item))


class ViewAccess:
    """What one agent sees in views; what is the same for all of them is read once."""

    def __init__(self, actor: User) -> None:
        self.actor = actor
        self.now = clock.now()
        self._visible = queries.visible_tickets(actor)
        self._by_skill = set(routing.account_routing().skill_based_filtered_views)

    def tickets(self, view: View) -> QuerySet[Ticket]:
        """Return a view's tickets, in no order."""
        rows = tickets_meeting(view, self._visible, Asker(self.now, self.actor))
        return routing.matching_skills(rows, self.actor) if view.id in self._by_skill else rows

    def sees_all_of(self, view: View) -> bool:
        """Tell whether nothing but the view's conditions takes tickets away from the actor."""
        return queries.sees_all(self.actor) and view.id not in self._by_skill


def tickets_meeting(view: View, among: QuerySet[Ticket], asker: Asker) -> QuerySet[Ticket]:
    """Return those of some tickets that meet a view's conditions."""
    return among.filter(question(view.conditions, asker))


def column_name(name: str) -> str:
    """Return a column's own name."""
    return ALIASES.get(name, name)


def _order(name: str, *, descending: bool) -> str | OrderBy:
    known = COLUMNS.get(column_name(name))
    column = known[3] if known is not None else None
    if column is None:
        return ""
    if column == "next_breach_at":
        # Most tickets have none: they come last either way, on every engine.
        by = F(column)
        return by.desc(nulls_last=True) if descending else by.asc(nulls_last=True)
    return f"-{column}" if descending else column


def _next_breach() -> Subquery:
    """Return when the first of a ticket's running targets is breached."""
    running = SlaClock.objects.filter(
        ticket=OuterRef("pk"), state="active", breach_at__isnull=False, target_minutes__isnull=False
    )
    return Subquery(running.order_by("breach_at", "id").values("breach_at")[:1])


def _rank(column: str, names: tuple[str, ...]) -> Case:
    cases = [When(**{column: item}, then=Value(index)) for index, item in enumerate(names)]
    return Case(*cases, default=Value(-1), output_field=IntegerField())


def describe_column(name: str, fields: dict[str, TicketField]) -> dict[str, Any] | None:
    """Return a column as views show it, None for one that does not exist (any more)."""
    name = column_name(name)
    known = COLUMNS.get(name)
    if known is not None:
        title, filterable, sortable, _ = known
        shown = SHOWN_AS.get(name, name)
        return {"id": shown, "title": title, "filterable": filterable, "sortable": sortable}
    field = fields.get(name.removeprefix("custom_fields_"))
    if field is None:
        return None
    return {
        "id": field.id,
        "title": field.title,
        "type": field.type,
        "filterable": True,
        "sortable": True,
        "url": None,
    }
