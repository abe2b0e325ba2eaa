"""Which transitions issues can take: what a move is, and what rules ask about an issue.

For any number of issues, the number of statements is fixed by the rules of their workflows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from clones.tracker.models import Approval, ChangeItem, Issue, Status, Transition
from clones.tracker.queries.fields import Layouts
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.rule_values import Values, name_of, values_of
from clones.tracker.queries.workflows import Paths
from clones.tracker.rules.field_catalogue import custom_number
from clones.tracker.rules.workflow import FactValue, Passage, holds, tree_of


@dataclass(frozen=True, slots=True)
class Move:
    """A transition that an issue could take from where it is; `available` says if it can now."""

    transition: Transition
    to: Status
    available: bool
    looped: bool

    @property
    def number(self) -> int:
        """The transition's id in the API."""
        return self.transition.number

    @property
    def name(self) -> str:
        """The transition's name."""
        return self.transition.name

    @property
    def conditional(self) -> bool:
        """Whether conditions stand before it."""
        return bool(self.transition.conditions)


class Gathered:
    """What rules ask of some issues; each part is read once, when the first rule asks for it."""

    def __init__(self, issues: Sequence[Issue], rights: Rights) -> None:
        self.issues = issues
        self.rights = rights
        self._values: dict[str, Values] = {}
        self._names: dict[str, str] = {}

    def values(self, field: str) -> Values:
        """Return the values of a field by the issue's id."""
        if field not in self._values:
            self._values[field] = values_of(field, self.issues)
        return self._values[field]

    def name(self, field: str) -> str:
        """Return what people call a field."""
        if field not in self._names:
            self._names[field] = name_of(field)
        return self._names[field]

    @cached_property
    def passages(self) -> Mapping[int, list[Passage]]:
        """Where the issues went, oldest first, by the issue's id."""
        found: dict[int, list[Passage]] = defaultdict(list)
        rows = ChangeItem.objects.filter(field_id="status", issue__in=self.issues)
        for issue, old, new, account in rows.order_by("created", "id").values_list(
            "issue_id", "old", "new", "group__author__account_id"
        ):
            found[issue].append(Passage(old or "", new or "", account))
        return found

    @cached_property
    def parents(self) -> Mapping[int, int]:
        """The statuses of the parents of the issues, by the parent's id."""
        keys = {issue.parent_id for issue in self.issues if issue.parent_id is not None}
        rows = Issue.objects.filter(id__in=keys) if keys else Issue.objects.none()
        return dict(rows.values_list("id", "status_id"))

    @cached_property
    def children(self) -> Mapping[int, list[str]]:
        """The statuses of the sub-tasks of the issues, by the parent's id."""
        found: dict[int, list[str]] = defaultdict(list)
        rows = Issue.objects.filter(parent__in=self.issues, issue_type__hierarchy_level__lt=0)
        for parent, status in rows.order_by("id").values_list("parent_id", "status_id"):
            found[int(parent or 0)].append(str(status))
        return found

    @cached_property
    def approvals(self) -> Mapping[int, str]:
        """The state of the latest approval of each issue that has one."""
        rows = Approval.objects.filter(issue__in=self.issues).order_by("id")
        return {
            issue: decision or "pending"
            for issue, decision in rows.values_list("issue", "decision")
        }

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """The names of the statuses of the site, by id."""
        return {str(key): name for key, name in Status.objects.values_list("id", "name")}

    @cached_property
    def layouts(self) -> Layouts:
        """Where fields count in the issues' spaces."""
        return Layouts(list({issue.project_id: issue.project for issue in self.issues}.values()))


class IssueFacts:
    """What rules ask about one issue; `clones.tracker.rules.workflow.Facts` says what it all is."""

    def __init__(
        self,
        issue: Issue,
        gathered: Gathered,
        *,
        remote: bool,
        changed: Collection[str] = (),
        status: int | None = None,
    ) -> None:
        self.issue = issue
        self.remote = remote
        self.status = str(issue.status_id if status is None else status)
        self._gathered = gathered
        self._rights = gathered.rights
        self._changed = frozenset(changed)

    @property
    def account(self) -> str | None:
        """Who would move it."""
        return self._rights.account_id

    @property
    def groups(self) -> frozenset[str]:
        """Their groups."""
        return self._rights.group_uuids

    @property
    def roles(self) -> frozenset[str]:
        """Their roles."""
        return frozenset(str(role) for role in self._rights.role_ids(self.issue.project_id))

    @property
    def assignee(self) -> str | None:
        """The assignee."""
        return self._person("assignee")

    @property
    def reporter(self) -> str | None:
        """The reporter."""
        return self._person("reporter")

    def _person(self, field: str) -> str | None:
        values = self.values(field)
        return values[0].id if values else None

    @property
    def is_subtask(self) -> bool:
        """Whether it is part of another."""
        return self.issue.issue_type.subtask

    @property
    def passages(self) -> Sequence[Passage]:
        """Where it went."""
        return self._gathered.passages.get(self.issue.id, [])

    @property
    def parent_status(self) -> str | None:
        """Its parent's status."""
        found = self._gathered.parents.get(self.issue.parent_id or 0)
        return None if found is None else str(found)

    @property
    def child_statuses(self) -> Sequence[str]:
        """Its sub-tasks' statuses."""
        return self._gathered.children.get(self.issue.id, [])

    @property
    def approval(self) -> str | None:
        """Its latest approval."""
        return self._gathered.approvals.get(self.issue.id)

    def may(self, permission: str) -> bool:
        """Tell whether they may do something with it."""
        return self._rights.may_on(permission, self.issue)

    def values(self, field: str) -> Sequence[FactValue]:
        """Return the values of a field; of `comment`, what this transition says."""
        if field == "comment":
            return [FactValue(field)] if field in self._changed else ()
        if field == "status":
            return [FactValue(self.name_of_status(self.status), self.status)]
        if field == "issuetype":
            kind = self.issue.issue_type
            return [FactValue(kind.name, str(kind.id))]
        if field == "project":
            return [FactValue(self.issue.project.name, str(self.issue.project_id))]
        return self._gathered.values(field).get(self.issue.id, [])

    def changed(self, field: str) -> bool:
        """Tell whether this transition changes a field."""
        return field in self._changed

    def has_field(self, field: str) -> bool:
        """Tell whether a field counts for it."""
        number = custom_number(field)
        layouts, issue = self._gathered.layouts, self.issue
        if number is not None and layouts.context(number, issue.project, issue.issue_type) is None:
            return False
        item = layouts.items(issue.project, issue.issue_type).get(field)
        return item is None or not item.is_hidden

    def name_of(self, field: str) -> str:
        """Return a field's name."""
        return self._gathered.name(field)

    def name_of_status(self, status: str) -> str:
        """Return a status's name."""
        return self._gathered.statuses.get(status, status)


def available(
    issues: Sequence[Issue],
    rights: Rights,
    *,
    remote: bool = True,
    hidden: bool = False,
) -> dict[int, list[Move]]:
    """Return the moves of issues by the issue's id, in the order in which people are offered them.

    Without the permission to move an issue on there are none.

    Args:
        issues: with their spaces, types and statuses loaded (`select_related`).
        rights: of who would move them.
        remote: whether what is kept from people, and left to rules and the API, counts too.
        hidden: whether moves whose conditions do not hold are shown as well, as not available.
    """
    movable = [issue for issue in issues if rights.may_on("TRANSITION_ISSUES", issue)]
    found: dict[int, list[Move]] = {issue.id: [] for issue in issues}
    paths = Paths(issue.project.workflow_scheme_id for issue in movable)
    flows = {
        issue.id: paths.workflow_id(issue.project.workflow_scheme_id, issue.issue_type_id)
        for issue in movable
    }
    transitions = paths.transitions(set(flows.values()))
    gathered = Gathered(movable, rights)
    for issue in movable:
        facts = IssueFacts(issue, gathered, remote=remote)
        for transition in transitions[flows[issue.id]]:
            if not leads_from(transition, issue.status_id):
                continue
            may = holds(tree_of(transition.conditions), facts)
            if may or hidden:
                target = transition.to_status or issue.status
                looped = target.id == issue.status_id
                found[issue.id].append(Move(transition, target, may, looped))
    return found


def leads_from(transition: Transition, status: int) -> bool:
    """Tell whether a transition can be taken in a status.

    A global one to the status in which an issue is already is offered too, as the vendor does.
    """
    if transition.type == "INITIAL":
        return False
    if transition.type == "GLOBAL":
        return True
    return any(int(source["status"]) == status for source in transition.sources)
