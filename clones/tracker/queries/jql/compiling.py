"""From plans to conditions and orders of issues: every field of the catalogue has its reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Final

from django.db.models import Q

from clones.tracker.models import Vote, Watcher
from clones.tracker.queries.jql.asking import Asking, Field
from clones.tracker.queries.jql.columns import (
    PRIORITY,
    RESOLUTION,
    Category,
    Key,
    Level,
    Moment,
    Share,
    Thing,
    Whole,
)
from clones.tracker.queries.jql.custom import Custom
from clones.tracker.queries.jql.functions import answers
from clones.tracker.queries.jql.links import Linked, LinkType
from clones.tracker.queries.jql.past import Past
from clones.tracker.queries.jql.properties import Property, PropertyOfMany
from clones.tracker.queries.jql.relations import (
    AFFECTED,
    COMPONENTS,
    FIXED,
    LABELS,
    VOTERS,
    WATCHERS,
    Epic,
    Files,
    LastViewed,
    Number,
    Parent,
    ParentSpace,
    Parts,
    Words,
    WorkAuthor,
    WorkDate,
    WorkWords,
)
from clones.tracker.queries.jql.service import Activity, Channel, Unset
from clones.tracker.queries.jql.sight import Sight
from clones.tracker.queries.jql.sorting import SortKey, sort_keys
from clones.tracker.queries.jql.spaces import Saved, SpaceCategory, SpaceType
from clones.tracker.queries.jql_site import DatabaseSite
from clones.tracker.rules.jql import Plan, plan_text
from clones.tracker.rules.jql.plan import All, Any, Blank, Changed, Match, Node, Not, Was


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
    asking = Asking(site.sight, types, answers, _inner)
    where = Q() if plan.where is None else condition(plan.where, asking)
    return Compiled(where, tuple(sort_keys(plan.order_by, asking)))


def _inner(text: str, sight: Sight) -> Q:
    site = DatabaseSite(sight)
    return compile_plan(plan_text(text, site), site).where


def condition(node: Node, asking: Asking) -> Q:
    """Return the condition of the issues that a node holds of."""
    match node:
        case All(nodes):
            return reduce(and_, (condition(part, asking) for part in nodes))
        case Any(nodes):
            return reduce(or_, (condition(part, asking) for part in nodes))
        case Not(inner):
            return ~condition(inner, asking)
        case Match():
            return _matching(node, asking)


def _matching(match: Match, asking: Asking) -> Q:
    field, test = match.field, match.test
    reader: Field = Custom() if field.numbers else SYSTEM[field.key]
    if isinstance(test, Was):
        return Past(field, reader, asking).was(test)
    if isinstance(test, Changed):
        return Past(field, reader, asking).changed(test)
    if isinstance(test, Blank):
        there = reader.present(field, asking)
        return there if match.negated else ~there
    met = reader.meets(field, test, asking)
    return reader.present(field, asking) & ~met if match.negated else met


SYSTEM: Final[Mapping[str, Field]] = {
    "assignee": Thing("assignee", "user"),
    "assignee.property": Property("user", "assignee"),
    "attachment": Files(),
    "category": SpaceCategory(),
    "change-control-type": Unset(),
    "change-gating-type": Unset(),
    "comment": Words(("comment",)),
    "components": COMPONENTS,
    "created": Moment("created"),
    "creator": Thing("creator", "user"),
    "creator.property": Property("user", "creator"),
    "description": Words(("description",), lambda: Q(description__isnull=False)),
    "duedate": Moment("due_date"),
    "environment": Words(("environment",), lambda: Q(environment__isnull=False)),
    "filter": Saved(),
    "fixVersions": FIXED,
    "hierarchyLevel": Level(),
    "issue.property": Property("issue", "pk"),
    "issueBlocks": Linked("blocks", ">"),
    "issueClones": Linked("clones", ">"),
    "issueDuplicates": Linked("duplicates", ">"),
    "issueFormsVersion": Unset(),
    "issueIsBlockedBy": Linked("blocks", "<"),
    "issueIsClonedBy": Linked("clones", "<"),
    "issueIsDuplicatedBy": Linked("duplicates", "<"),
    "issueLink": Linked(),
    "issueLinkType": LinkType(),
    "issueRelatesTo": Linked("relates to"),
    "issuekey": Key(),
    "issuetype": Thing("issue_type", "issue type", nullable=False),
    "jsd-linked-incident-ids": Unset(),
    "jsm-new-issue": Unset(),
    "jsm-primary-incident-issue-id": Unset(),
    "jsm-system-incident-id": Unset(),
    "labels": LABELS,
    "lastViewed": LastViewed(),
    "linkedIssue": Linked(),
    "parent": Parent(),
    "parentEpic": Epic(),
    "parentProject": ParentSpace(),
    "priority": PRIORITY,
    "progress": Share("time_spent", ("time_spent", "remaining_estimate")),
    "project": Thing("project", "project", nullable=False),
    "project.property": Property("project", "project_id"),
    "projectType": SpaceType(),
    "reporter": Thing("reporter", "user"),
    "reporter.property": Property("user", "reporter"),
    "request-channel-type": Channel(),
    "request-last-activity-time": Activity(),
    "resolution": RESOLUTION,
    "resolutiondate": Moment("resolution_date"),
    "sd-kb-shared": Unset(),
    "security": Thing("security_level", "security level"),
    "status": Thing("status", "status", nullable=False),
    "statusCategory": Category(),
    "statusCategoryChangedDate": Moment("status_category_changed"),
    "subtasks": Parts(),
    "summary": Words(("summary",)),
    "text": Words(None),
    "timeestimate": Whole("remaining_estimate"),
    "timeoriginalestimate": Whole("original_estimate"),
    "timespent": Whole("time_spent"),
    "updated": Moment("updated"),
    "versions": AFFECTED,
    "voter": VOTERS,
    "voter.property": PropertyOfMany("user", "", Vote),
    "votes": Number(Vote),
    "watcher": WATCHERS,
    "watcher.property": PropertyOfMany("user", "", Watcher),
    "watchers": Number(Watcher),
    "workratio": Share("time_spent", ("original_estimate",)),
    "worklogAuthor": WorkAuthor(),
    "worklogComment": WorkWords(),
    "worklogDate": WorkDate(),
}
