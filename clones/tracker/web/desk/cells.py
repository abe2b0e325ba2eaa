"""What stands in the columns of queues: as in lists of issues, and what only requests have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from clones.tracker.models import Issue, Request, RequestOrganization, SlaMetric
from clones.tracker.queries.fields import all_fields
from clones.tracker.queries.requests import participants_of
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_kinds.kinds import kind_of
from clones.tracker.rules.jql.catalogue import custom_types
from clones.tracker.web.desk.sla_status import SlaStatus, standings_by_issue
from clones.tracker.web.navigator.cells import Cells, IssueCell
from clones.tracker.web.navigator.columns import IssueColumn, all_columns

KINDS: Final = frozenset({"sla", "request_type", "participants", "organizations"})


def desk_columns(rights: Rights) -> dict[str, IssueColumn]:
    """Return the columns that queues can have, by id."""
    found = all_columns(rights)
    for custom in all_fields(rights):
        if kind_of(custom.type).name in KINDS:
            known = custom_types().get(custom.type)
            orderable = known is not None and known.type.orderable
            sort = f"cf[{custom.id}]" if orderable else ""
            found[custom.key] = IssueColumn(custom.key, custom.name, sort, custom)
    return found


class DeskCells(Cells):
    """The cells of the requests of one page of a queue."""

    def __init__(
        self, issues: Sequence[Issue], rights: Rights, metrics: Sequence[SlaMetric]
    ) -> None:
        super().__init__(issues, rights)
        self._issues = issues
        self._metrics = metrics

    def cell(self, issue: Issue, column: IssueColumn) -> IssueCell:
        """Return what a request shows in a column."""
        if column.kind not in KINDS or column.custom is None:
            return super().cell(issue, column)
        if column.kind == "sla":
            shown = self._standing(issue, column.custom.id)
            values = () if shown is None else (shown.text,)
            return IssueCell(column.id, "sla", values, shown)
        texts = self._texts(column.kind).get(issue.id, ())
        return IssueCell(column.id, "text", tuple(texts))

    def _texts(self, kind: str) -> Mapping[int, Sequence[str]]:
        if kind == "request_type":
            return self._types
        return self._people if kind == "participants" else self._organizations

    @cached_property
    def _standings(self) -> dict[int, dict[int, SlaStatus]]:
        ids = [issue.id for issue in self._issues]
        return standings_by_issue(ids, self._metrics, self.rights)

    def _standing(self, issue: Issue, field: int) -> SlaStatus | None:
        found = self._standings.get(issue.id, {})
        of_field = (found.get(one.id) for one in self._metrics if one.field_id == field)
        return next((one for one in of_field if one is not None), None)

    @cached_property
    def _types(self) -> Mapping[int, Sequence[str]]:
        rows = Request.objects.filter(issue__in=[issue.id for issue in self._issues])
        named = rows.exclude(request_type=None).values_list("issue_id", "request_type__name")
        return {issue: (name or "",) for issue, name in named}

    @cached_property
    def _people(self) -> Mapping[int, Sequence[str]]:
        found = participants_of(self._issues)
        return {issue: [user.display_name for user in users] for issue, users in found.items()}

    @cached_property
    def _organizations(self) -> Mapping[int, Sequence[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        rows = RequestOrganization.objects.filter(issue__in=[one.id for one in self._issues])
        for issue, name in rows.order_by("issue_id", "id").values_list(
            "issue_id", "organization__name"
        ):
            found[issue].append(name)
        return found


def named_columns(ids: Sequence[str], known: Mapping[str, IssueColumn]) -> list[IssueColumn]:
    """Return the columns of a queue; one whose field is gone is left out."""
    found = [known[id] for id in ids if id in known]
    return found or [known["issuekey"], known["summary"]]
