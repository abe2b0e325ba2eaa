"""From plans to conditions and orders of issues: every field of the catalogue has its reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Final

from django.db.models import Q

from clones.tracker.models import Vote, Watcher
from clones.tracker.queries.jql.asking import FieldPredicates, PredicateContext
from clones.tracker.queries.jql.columns import (
    PRIORITY,
    RESOLUTION,
    CategoryColumn,
    KeyColumn,
    LevelColumn,
    MomentColumn,
    NumberColumn,
    ReferenceColumn,
    ShareColumn,
)
from clones.tracker.queries.jql.custom import Custom
from clones.tracker.queries.jql.functions import answers
from clones.tracker.queries.jql.history_predicates import Past
from clones.tracker.queries.jql.links import LinkedIssues, LinkType
from clones.tracker.queries.jql.properties import PropertyOfMany, PropertyPath
from clones.tracker.queries.jql.relations import (
    AFFECTED,
    COMPONENTS,
    FIXED,
    LABELS,
    VOTERS,
    WATCHERS,
    EpicOfIssue,
    Files,
    LastViewed,
    Number,
    Parent,
    ParentSpace,
    Subtasks,
    TextSearch,
    WorkAuthor,
    WorkDate,
    WorkWords,
)
from clones.tracker.queries.jql.service import Channel, LastActivity, Unset
from clones.tracker.queries.jql.sorting import SortKey, sort_keys
from clones.tracker.queries.jql.spaces import Saved, SpaceCategory, SpaceType
from clones.tracker.queries.jql.visibility import VisibilityScope
from clones.tracker.queries.jql_site import DatabaseSite
from clones.tracker.rules.jql import JqlError, Message, MessageKind, Plan, plan_text
from clones.tracker.rules.jql.plan import (
    All,
    Any,
    Blank,
    Call,
    Changed,
    Like,
    Match,
    Node,
    Not,
    OneOf,
    Was,
)

MOST_CONDITIONS: Final = 400
DEEPEST: Final = 25
# Kinds whose values are compared one by one.
_FREE: Final = frozenset({"label", "string", "property"})


@dataclass(frozen=True, slots=True)
class Compiled:
    """A query as a database takes it: a condition of issues, and what they are ordered by."""

    where: Q
    keys: tuple[SortKey, ...]


def compile_plan(plan: Plan, site: DatabaseSite) -> Compiled:
    """Return what a plan comes to.

    Raises:
        JqlError: a filter in it is looked through inside itself, or an argument is wrong.
    """
    types = {custom.number: custom.type for custom in site.custom_fields()}
    asking = PredicateContext(site.sight, types, answers, _inner)
    if not site.sight.inside:
        site.sight.made[0] = 0
    where = Q() if plan.where is None else condition(plan.where, asking)
    if _depth(where) > DEEPEST:
        text = f"The query is too complex: it is nested more than {DEEPEST} levels deep."
        raise JqlError((Message(MessageKind.OPERAND, text),))
    return Compiled(where, tuple(sort_keys(plan.order_by, asking)))


def _inner(text: str, sight: VisibilityScope) -> Q:
    site = DatabaseSite(sight)
    return compile_plan(plan_text(text, site), site).where


def condition(node: Node, asking: PredicateContext, *, denied: bool = False) -> Q:
    """Return the condition of the issues that a node holds of, or does not hold of (`denied`).

    What is denied is said of the parts, and the deepest part comes first: engines read shallow
    statements, and those that go down at once.
    """
    match node:
        case All(nodes) | Any(nodes):
            parts = [condition(part, asking, denied=denied) for part in nodes]
            parts.sort(key=_depth, reverse=True)
            return reduce(and_ if isinstance(node, All) is not denied else or_, parts)
        case Not(inner):
            return condition(inner, asking, denied=not denied)
        case Match():
            found = _matching(node, asking)
            return ~found if denied else found


def _depth(found: Q) -> int:
    return 1 + max((_depth(part) for part in found.children if isinstance(part, Q)), default=0)


def _matching(match: Match, asking: PredicateContext) -> Q:
    field, test = match.field, match.test
    asking.sight.made[0] += _size(match)
    if asking.sight.made[0] > MOST_CONDITIONS:
        text = f"The query is too complex: it has more than {MOST_CONDITIONS} conditions."
        raise JqlError((Message(MessageKind.OPERAND, text),))
    reader: FieldPredicates = Custom() if field.numbers else SYSTEM[field.key]
    if isinstance(test, Was):
        return Past(field, reader, asking).was(test)
    if isinstance(test, Changed):
        return Past(field, reader, asking).changed(test)
    if isinstance(test, Blank):
        there = reader.present(field, asking)
        return there if match.negated else ~there
    met = reader.meets(field, test, asking)
    return reader.present(field, asking) & ~met if match.negated else met


def _size(match: Match) -> int:
    """Return how many conditions of its own a match comes to, at most."""
    match match.test:
        case OneOf(items) if match.field.type.kind in _FREE:
            return 1 + len(items)
        case OneOf(items):
            return 1 + sum(isinstance(item, Call) for item in items)
        case Like(query):
            return 1 + sum(map(len, query.groups))
        case Was(items, _, by):
            return 4 + len(by) + 2 * sum(isinstance(item, Call) for item in items)
    return 4


SYSTEM: Final[Mapping[str, FieldPredicates]] = {
    "assignee": ReferenceColumn("assignee", "user"),
    "assignee.property": PropertyPath("user", "assignee"),
    "attachment": Files(),
    "category": SpaceCategory(),
    "change-control-type": Unset(),
    "change-gating-type": Unset(),
    "comment": TextSearch(("comment",)),
    "components": COMPONENTS,
    "created": MomentColumn("created"),
    "creator": ReferenceColumn("creator", "user"),
    "creator.property": PropertyPath("user", "creator"),
    "description": TextSearch(("description",), lambda: Q(description__isnull=False)),
    "duedate": MomentColumn("due_date"),
    "environment": TextSearch(("environment",), lambda: Q(environment__isnull=False)),
    "filter": Saved(),
    "fixVersions": FIXED,
    "hierarchyLevel": LevelColumn(),
    "issue.property": PropertyPath("issue", "pk"),
    "issueBlocks": LinkedIssues("blocks", ">"),
    "issueClones": LinkedIssues("clones", ">"),
    "issueDuplicates": LinkedIssues("duplicates", ">"),
    "issueFormsVersion": Unset(),
    "issueIsBlockedBy": LinkedIssues("blocks", "<"),
    "issueIsClonedBy": LinkedIssues("clones", "<"),
    "issueIsDuplicatedBy": LinkedIssues("duplicates", "<"),
    "issueLink": LinkedIssues(),
    "issueLinkType": LinkType(),
    "issueRelatesTo": LinkedIssues("relates to"),
    "issuekey": KeyColumn(),
    "issuetype": ReferenceColumn("issue_type", "issue type", nullable=False),
    "jsd-linked-incident-ids": Unset(),
    "jsm-new-issue": Unset(),
    "jsm-primary-incident-issue-id": Unset(),
    "jsm-system-incident-id": Unset(),
    "labels": LABELS,
    "lastViewed": LastViewed(),
    "linkedIssue": LinkedIssues(),
    "parent": Parent(),
    "parentEpic": EpicOfIssue(),
    "parentProject": ParentSpace(),
    "priority": PRIORITY,
    "progress": ShareColumn("time_spent", ("time_spent", "remaining_estimate")),
    "project": ReferenceColumn("project", "project", nullable=False),
    "project.property": PropertyPath("project", "project_id"),
    "projectType": SpaceType(),
    "reporter": ReferenceColumn("reporter", "user"),
    "reporter.property": PropertyPath("user", "reporter"),
    "request-channel-type": Channel(),
    "request-last-activity-time": LastActivity(),
    "resolution": RESOLUTION,
    "resolutiondate": MomentColumn("resolution_date"),
    "sd-kb-shared": Unset(),
    "security": ReferenceColumn("security_level", "security level"),
    "status": ReferenceColumn("status", "status", nullable=False),
    "statusCategory": CategoryColumn(),
    "statusCategoryChangedDate": MomentColumn("status_category_changed"),
    "subtasks": Subtasks(),
    "summary": TextSearch(("summary",)),
    "text": TextSearch(None),
    "timeestimate": NumberColumn("remaining_estimate"),
    "timeoriginalestimate": NumberColumn("original_estimate"),
    "timespent": NumberColumn("time_spent"),
    "updated": MomentColumn("updated"),
    "versions": AFFECTED,
    "voter": VOTERS,
    "voter.property": PropertyOfMany("user", "", Vote),
    "votes": Number(Vote),
    "watcher": WATCHERS,
    "watcher.property": PropertyOfMany("user", "", Watcher),
    "watchers": Number(Watcher),
    "workratio": ShareColumn("time_spent", ("original_estimate",)),
    "worklogAuthor": WorkAuthor(),
    "worklogComment": WorkWords(),
    "worklogDate": WorkDate(),
}
