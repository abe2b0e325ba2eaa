"""From nodes to a plan: every name resolved against a site, or said to be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.tracker.rules.jql.errors import JqlError, Message, MessageKind
from clones.tracker.rules.jql.expecting import expected_names
from clones.tracker.rules.jql.fields import resolve_field, typed_name
from clones.tracker.rules.jql.history import remembered
from clones.tracker.rules.jql.matching import compared
from clones.tracker.rules.jql.nodes import (
    And,
    Clause,
    Comparison,
    Field,
    Not,
    Or,
    Query,
)
from clones.tracker.rules.jql.parser import parse
from clones.tracker.rules.jql.plan import All, Any, Node, OrderedBy, Plan
from clones.tracker.rules.jql.plan import Not as Denied
from clones.tracker.rules.jql.site import ResolvedField, SiteView
from clones.tracker.rules.jql.usage import misuse, nameless

MOST_SORTS: Final = 7  # fields that a search may be ordered by
# Fields that are ordered from the last to the first unless the query says how.
_LAST_FIRST: Final = frozenset(
    {"created", "updated", "resolutiondate", "lastViewed", "priority", "votes", "watchers"}
)
UNBOUNDED: Final = (
    "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a query: its plan, None if something is wrong, and all there is to say."""

    plan: Plan | None
    messages: tuple[Message, ...]

    @property
    def errors(self) -> tuple[Message, ...]:
        """What keeps the query from being run."""
        return tuple(message for message in self.messages if message.kind is not MessageKind.USER)

    @property
    def warnings(self) -> tuple[Message, ...]:
        """What does not."""
        return tuple(message for message in self.messages if message.kind is MessageKind.USER)


def plan_text(text: str, site: SiteView, *, bounded: bool = False) -> Plan:
    """Return the plan of a text.

    Args:
        text: JQL.
        site: what the viewer sees.
        bounded: whether it must narrow the search, and order it by few fields, as the service's
            newer search wants it.

    Raises:
        JqlError: it is no query, or not one for this site.
    """
    query = parse(text)
    verdict = plan_query(query, site)
    if verdict.plan is None:
        raise JqlError(verdict.errors)
    if bounded:
        require_bounds(query)
    return verdict.plan


def require_bounds(query: Query) -> None:
    """Refuse a query that finds everything, or that is ordered by too many fields.

    Raises:
        JqlError: it is one.
    """
    if query.where is None:
        raise JqlError((Message(MessageKind.OPERAND, UNBOUNDED),))
    if len(query.order_by) > MOST_SORTS:
        text = f"The ORDER BY clause can contain a maximum of {MOST_SORTS} fields."
        raise JqlError((Message(MessageKind.SORT, text),))


def plan_query(query: Query, site: SiteView) -> Verdict:
    """Return the verdict on a query: a plan if nothing but warnings is to be said."""
    planning = _Planning(site)
    site.expect(expected_names(query, site))
    where = planning.clause(query.where) if query.where is not None else None
    order_by = planning.sorts(query)
    messages = tuple(dict.fromkeys(planning.messages))
    verdict = Verdict(None, messages)
    return verdict if verdict.errors else Verdict(Plan(where, order_by), messages)


class _Planning:
    def __init__(self, site: SiteView) -> None:
        self.site = site
        self.messages: list[Message] = []

    def clause(self, clause: Clause) -> Node | None:
        """Return the node of a clause; None if something is wrong with it, which is then told."""
        match clause:
            case Comparison():
                return self.comparison(clause)
            case Not(inner):
                node = self.clause(inner)
                return None if node is None else Denied(node)
            case And(clauses) | Or(clauses):
                found = [self.clause(part) for part in clauses]
                nodes = tuple(node for node in found if node is not None)
                if len(nodes) != len(found):
                    return None
                return All(nodes) if isinstance(clause, And) else Any(nodes)

    def comparison(self, comparison: Comparison) -> Node | None:
        """Return the node of a comparison; None if something is wrong with it."""
        wrong = misuse(comparison, self.site.viewer.products)
        if any(message.kind is MessageKind.SYNTAX for message in wrong):
            self.messages += wrong
            return None
        field = self.field(comparison.field)
        if field is None:
            return None
        if not wrong and comparison.operator not in field.type.operators:
            name, operator = field.typed, comparison.operator
            text = f"The operator '{operator}' is not supported by the '{name}' field."
            wrong = [Message(MessageKind.OPERATOR, text)]
        if wrong:
            self.messages += wrong
            return None
        past = comparison.operator == "changed" or comparison.operator.startswith("was")
        node = remembered if past else compared
        return node(comparison, field, self.site, self.messages.append)

    def field(self, field: Field) -> ResolvedField | None:
        """Return the field that is meant; None if there is none, which is then told."""
        found = resolve_field(field, self.site)
        if found is None:
            whose = (
                "you do not have permission to view it"
                if self.site.viewer.account_id is not None
                else "this field cannot be viewed by anonymous users"
            )
            text = f"Field '{typed_name(field)}' does not exist or {whose}."
            self.messages.append(Message(MessageKind.FIELD, text))
        return found

    def sorts(self, query: Query) -> tuple[OrderedBy, ...]:
        """Return what to order by; what cannot be is told."""
        found: dict[str, OrderedBy] = {}
        for sort in query.order_by:
            if wrong := list(nameless(sort.field)):
                self.messages += wrong
                continue
            name = typed_name(sort.field)
            field = resolve_field(sort.field, self.site)
            if field is None:
                text = f"Not able to sort using field '{name}'."
            elif not field.type.orderable:
                text = f"Field '{name}' does not support sorting."
            elif field.key in found:
                text = f"The sort field '{name}' is referenced multiple times in the JQL sort."
            else:
                descending = sort.direction == "desc" or (
                    sort.direction is None and field.key in _LAST_FIRST
                )
                found[field.key] = OrderedBy(field, descending)
                continue
            self.messages.append(Message(MessageKind.SORT, text))
        return tuple(found.values())
