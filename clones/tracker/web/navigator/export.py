"""Lists of issues as files of comma separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.filters import find_filter
from clones.tracker.models import Issue
from clones.tracker.queries.searching import read_search
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.navigator.cells import Cells
from clones.tracker.web.navigator.columns import IssueColumn, all_columns, shown_columns
from clones.tracker.web.plain_pages import not_found, plain_page, secured

MOST: Final = 1000  # issues in a file, as the vendor's
KINDS: Final = ("all", "current")
# What a program that opens the file could take for a formula.
_DANGEROUS: Final = ("=", "+", "@", "\t", "\r")
_FIRST: Final = ("summary", "issuekey", "issuetype", "status", "project", "priority", "resolution")
# The vendor's heads of files that differ from those of lists.
_HEADS: Final = {"issuetype": "Issue Type", "issuekey": "Issue key", "project": "Project name"}


@page_of_staff
def export_csv(request: SandboxRequest, who: Visitor, kind: str, key: str) -> HttpResponse:
    """Send the issues of a query, or of a filter, as a file."""
    if kind not in KINDS:
        return not_found()
    saved = find_filter(who.rights, key) if is_digits(key) else None
    jql = request.GET.get("jqlQuery", saved.jql if saved is not None else "")
    try:
        issues = read_search(jql, who.rights).some(MOST)
    except JqlError as error:
        context = {"title": "The query cannot be run", "said": " ".join(error.texts)}
        return plain_page("tracker/refused.html", context, status=400)
    known = all_columns(who.rights)
    if kind == "all":
        rest = sorted(known.keys() - set(_FIRST), key=lambda id: known[id].label.lower())
        columns = [known[id] for id in (*_FIRST, *rest) if id in known]
    else:
        columns, _ = shown_columns(known, saved, who.rights)
    response = HttpResponse(written(issues, columns, who), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="Tracker.csv"'
    return secured(response)


def written(issues: Sequence[Issue], columns: Sequence[IssueColumn], who: Visitor) -> str:
    """Return issues as text: a field with several values has as many columns as the most have."""
    cells = Cells(issues, who.rights)
    table = [[cell.values for cell in cells.row(issue, columns)] for issue in issues]
    widths = [max([1, *(len(row[at]) for row in table)]) for at in range(len(columns))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(
        _HEADS.get(column.id, column.label)
        for column, width in zip(columns, widths, strict=True)
        for _ in range(width)
    )
    for row in table:
        writer.writerow(
            harmless(values[at]) if at < len(values) else ""
            for values, width in zip(row, widths, strict=True)
            for at in range(width)
        )
    return out.getvalue()


def harmless(text: str) -> str:
    """Return a text that no program takes for a formula."""
    return f"'{text}" if text.startswith(_DANGEROUS) else text
