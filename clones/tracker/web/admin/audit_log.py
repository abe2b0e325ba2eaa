"""The audit log: what admins did, the latest first."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Cell, ListPage, ListRow, Panel, SearchForm
from clones.core.web.paging import page_from
from clones.tracker.models import AuditRecord
from clones.tracker.queries.audit_records import with_words
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page
from clones.tracker.web.admin.inputs import line, select
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.parts.times import when

HERE: Final = "audit-log"
DAY: Final = "as 2026-06-16"


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List records: with words, of a category, of some days (the vendor's `/auditing/view`)."""
    asked = {
        name: request.GET.get(name, "").strip() for name in ("query", "category", "from", "to")
    }
    rows = _narrowed(asked, who)
    pages = page_from(request, rows.order_by("-created", "-id"))
    kinds = AuditRecord.objects.order_by("category").values_list("category", flat=True).distinct()
    inputs = [
        select("category", "Category", [(one, one.capitalize()) for one in kinds],
               asked["category"], none="All categories"),
        line("from", f"From, {DAY}", asked["from"]),
        line("to", f"To, {DAY}", asked["to"]),
    ]  # fmt: skip
    panel = Panel(
        ["Date", "Author", "Category", "Summary", "Object", "Changes"],
        [_row(row, who) for row in pages.rows],
        empty="No records were found.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Audit log", HERE, [panel], "What admins changed on the site.",
            search=SearchForm("Search records", asked["query"], inputs), pages=pages,
        ),
    )  # fmt: skip


def _narrowed(asked: dict[str, str], who: Visitor) -> QuerySet[AuditRecord]:
    rows = with_words(AuditRecord.objects.select_related("author"), asked["query"])
    if asked["category"]:
        rows = rows.filter(category=asked["category"])
    since, until = _day(asked["from"]), _day(asked["to"])
    zone = who.rights.zone
    if since is not None:
        rows = rows.filter(created__gte=datetime.combine(since, time.min, zone))
    if until is not None:
        end = datetime.combine(until + timedelta(days=1), time.min, zone)
        rows = rows.filter(created__lt=end)
    return rows


def _day(text: str) -> date | None:
    """Return a day that was typed; what is none narrows nothing."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _row(row: AuditRecord, who: Visitor) -> ListRow:
    about: dict[str, Any] = row.object_item or {}
    beside = ", ".join(str(one.get("name", "")) for one in row.associated_items)
    return ListRow(
        [
            Cell(when(row.created, who.rights.zone)),
            Cell("System" if row.author is None else row.author.display_name),
            Cell(row.category.capitalize()),
            Cell(row.summary, below=row.description),
            Cell(str(about.get("name", "")), below=beside),
            Cell("; ".join(_change(one) for one in row.changed_values)),
        ],
        record=row,
    )


def _change(one: dict[str, Any]) -> str:
    before, after = one.get("changedFrom"), one.get("changedTo")
    name = str(one.get("fieldName", ""))
    if before is None:
        return f"{name}: {after}"
    return f"{name}: {before} → {'removed' if after is None else after}"
