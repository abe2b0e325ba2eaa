"""The list of a space: its issues as a table, whose cells are changed where they stand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.fieldset import fields_of, read_changes
from clones.tracker.domain.issues.editing import assign_issue, edit_issue, require_edit
from clones.tracker.domain.issues.values import Stored
from clones.tracker.domain.transitions import available
from clones.tracker.models import Issue, Project
from clones.tracker.queries.people import find_user
from clones.tracker.queries.space_summary import issues_in
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.actions import transit
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.parts.choices import Choices
from clones.tracker.web.parts.controls import Control, control_of, initial, payload, typed_of
from clones.tracker.web.parts.times import day_text, when
from clones.tracker.web.settings.forms import chosen
from clones.tracker.web.shell import go
from clones.tracker.web.space.access import form_of_space, page_of_space, space_page
from clones.tracker.web.space.dates import issue_of
from clones.tracker.web.space.tabs import space_address

FAMILY: Final = ("project", "issue_type", "status", "priority", "assignee")
EDITED: Final = ("summary", "status", "assignee", "priority", "duedate")
STATUS: Final = "status"


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column: its heading, the columns of rows that it is sorted by, whether it is changed."""

    key: str
    name: str
    by: tuple[str, ...]

    @property
    def edits(self) -> bool:
        """Whether its cells are changed where they stand."""
        return self.key in EDITED


COLUMNS: Final = (
    ListColumn("issuetype", "Type", ("issue_type__name",)),
    ListColumn("issuekey", "Key", ("number",)),
    ListColumn("summary", "Summary", ("summary",)),
    ListColumn("status", "Status", ("status__name",)),
    ListColumn("assignee", "Assignee", ("assignee__display_name",)),
    ListColumn("priority", "Priority", ("priority__position",)),
    ListColumn("duedate", "Due date", ("due_date",)),
    ListColumn("updated", "Updated", ("updated",)),
)


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What the address asks for."""

    contains: str
    done: bool
    sort: str
    start: int
    edit: str

    def query(self, **changes: object) -> str:
        """Return the query of the same with some changes; nothing is left open to change."""
        parts = {
            "contains": self.contains,
            "done": "1" if self.done else "",
            "sort": self.sort,
            "startAt": self.start or "",
            **changes,
        }
        return urlencode({name: value for name, value in parts.items() if value})


@dataclass(frozen=True, slots=True)
class IssueRow:
    """An issue in the list; `control` stands in the cell of `editing`."""

    issue: Issue
    due: str
    updated: str
    editing: str = ""
    control: Control | None = None
    edits: bool = False
    moves: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: where a press on it leads, and how it sorts now."""

    column: ListColumn
    address: str
    sorts: str


def read_list_query(request: HttpRequest) -> ListQuery:
    """Read an address of the list."""
    given = request.GET
    start, sort = given.get("startAt", ""), given.get("sort", "")
    known = {column.key for column in COLUMNS}
    return ListQuery(
        given.get("contains", "").strip(),
        given.get("done") == "1",
        sort if sort.removeprefix("-") in known else "",
        int(start) if is_digits(start, 6) else 0,
        given.get("edit", ""),
    )


@page_of_space
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the list: `contains`, `done`, `sort` (`-updated`), `startAt`, `edit` (a cell).

    A cell is named as `LAS-1.status`.
    """
    return list_page(request, who, project)


def list_page(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    *,
    editing: str = "",
    refusal: FormErrors | None = None,
) -> HttpResponse:
    """Return the list.

    Args:
        request: its address says what is shown.
        who: who looks.
        project: the space.
        editing: the cell that they were changing (`LAS-1.status`).
        refusal: why what they typed there was not taken.
    """
    asked = read_list_query(request)
    if editing:
        asked = replace(asked, edit=editing)
    here = space_address(project, "list")
    listed = page_from(request, _sorted(_found(project, who, asked), asked.sort))
    for issue in listed.rows:
        sightings.note(issue, "list")
    context = {
        "heads": [_head(column, asked, here) for column in COLUMNS],
        "rows": [_row(issue, asked, who, request, refusal) for issue in listed.rows],
        "asked": asked,
        "here": here,
        "query": asked.query(),
        "page": listed,
        "before": "" if listed.before is None else f"{here}?{asked.query(startAt=listed.before)}",
        "after": "" if listed.after is None else f"{here}?{asked.query(startAt=listed.after)}",
    }
    said = "" if refusal is None else " ".join(refusal.sentences)
    return space_page(
        request, who, project, "tracker/space/list.html", context,
        name="List", current="list", refused=said, status=400 if said else 200,
    )  # fmt: skip


def _found(project: Project, who: Visitor, asked: ListQuery) -> QuerySet[Issue]:
    rows = issues_in(project, who.rights).select_related(*FAMILY)
    if not asked.done:
        rows = rows.exclude(status__category="done")
    if asked.contains:
        rows = rows.filter(Q(summary__icontains=asked.contains) | Q(key__iexact=asked.contains))
    return rows


def _sorted(rows: QuerySet[Issue], sort: str) -> QuerySet[Issue]:
    """Return issues in the order of a column, empty values last; without one by rank."""
    column = next((one for one in COLUMNS if one.key == sort.removeprefix("-")), None)
    if column is None:
        return rows.order_by("rank", "id")
    down = sort.startswith("-")
    keys = [
        F(name).desc(nulls_last=True) if down else F(name).asc(nulls_last=True)
        for name in column.by
    ]
    return rows.order_by(*keys, "id")


def _head(column: ListColumn, asked: ListQuery, here: str) -> Head:
    sorts, following = "none", column.key
    if asked.sort == column.key:
        sorts, following = "ascending", f"-{column.key}"
    elif asked.sort == f"-{column.key}":
        sorts = "descending"
    return Head(column, f"{here}?{asked.query(sort=following, startAt=0)}", sorts)


def _row(
    issue: Issue,
    asked: ListQuery,
    who: Visitor,
    request: SandboxRequest,
    refusal: FormErrors | None,
) -> IssueRow:
    rights = who.rights
    key, _, field = asked.edit.partition(".")
    row = IssueRow(
        issue,
        day_text(issue.due_date),
        when(issue.updated, rights.zone),
        edits=rights.may("EDIT_ISSUES", issue.project),
        moves=rights.may("TRANSITION_ISSUES", issue.project),
    )
    if key != issue.key or field not in EDITED:
        return row
    control = _control(issue, field, who, request, refusal)
    if control is None:
        return row
    return IssueRow(row.issue, row.due, row.updated, field, control, row.edits, row.moves)


def _control(
    issue: Issue, field: str, who: Visitor, request: SandboxRequest, refusal: FormErrors | None
) -> Control | None:
    """Return the control of a cell; None where the issue has no such field."""
    error = "" if refusal is None else refusal.fields.get(field, "")
    if field == STATUS:
        ways = available([issue], who.rights, remote=False)[issue.id]
        rows = [(way.number, f"{way.name} → {way.to.name}") for way in ways]
        return Control(
            STATUS, "Status", "select", required=False, choices=chosen(rows, ()),
            error=error, none=issue.status.name,
        )  # fmt: skip
    fieldset = fields_of(issue.project, issue.issue_type)
    known = fieldset.fields.get(field)
    if known is None:
        return None
    if request.method == "POST":
        typed = typed_of(request)
    else:
        typed = initial(known, Stored(issue).value(known), who.rights)
    return control_of(known, typed, Choices(fieldset, who.rights, issue), error)


@form_of_space
def change(
    request: SandboxRequest, who: Visitor, project: Project, key: str, field: str
) -> HttpResponse:
    """Change a cell of the list."""
    issue = issue_of(who, project, key)
    if field not in EDITED:
        raise Forbidden("This field cannot be changed here.")
    _, refusal = attempt(lambda: _write(request, who, issue, field))
    if refusal is not None:
        again = f"{issue.key}.{field}"
        return list_page(request, who, project, editing=again, refusal=refusal)
    query = read_list_query(request).query()
    return go(space_address(project, "list") + (f"?{query}" if query else ""), f"{key} updated")


def _write(request: SandboxRequest, who: Visitor, issue: Issue, field: str) -> None:
    if field == STATUS:
        number = posted_text(request, STATUS)
        if number:
            transit(issue, (), who.rights, _number(number))
        return
    fieldset = fields_of(issue.project, issue.issue_type)
    known = fieldset.fields.get(field)
    if known is None:
        raise Invalid("This issue has no such field.")
    value = payload(known, typed_of(request))
    if field == "assignee":
        person = find_user(value["accountId"]) if value else None
        assign_issue(issue, person, actor=who.rights)
        return
    require_edit(issue, who.rights)
    sent: dict[str, Any] = {"fields": {field: value}}
    screen = fieldset.screen("edit")
    planned = read_changes(fieldset, sent, issue, actor=who.rights, version="2", screen=screen)
    edit_issue(issue, planned, actor=who.rights, trusted=True)


def _number(text: str) -> int:
    if not is_digits(text):
        raise Invalid("There is no such transition.")
    return int(text)
