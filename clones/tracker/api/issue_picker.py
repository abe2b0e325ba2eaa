"""Picking an issue by some of its words: from those one had to do with, and from a search."""

from __future__ import annotations

import re
from html import escape
from typing import Any, Final

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.words import asked_words
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import issue_type_ref
from clones.tracker.models import ChangeGroup, Issue, IssueView
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.queries.searching import read_search

Json = dict[str, Any]
MOST: Final = 20
NOTHING_FOUND: Final = "No matching issues found"


class PickerQuery(Query):
    """The text and the query by which issues are suggested, and the issue at hand."""

    query: str | None = None
    jql: str | None = Field(None, alias="currentJQL")
    issue_key: str | None = Field(None, alias="currentIssueKey")
    project_id: str | None = Field(None, alias="currentProjectId")
    with_sub_tasks: str | None = Field(None, alias="showSubTasks")
    with_parent: str | None = Field(None, alias="showSubTaskParent")


@operation(
    "getIssuePickerResource",
    "GET",
    "/rest/api/3/issue/picker",
    summary="Offer issues that have what is typed in their key or summary.",
    query=PickerQuery,
    access="anyone",
)
def pick(call: Call) -> Json:
    """Offer issues of one's history, and of a search if one is given."""
    asked: PickerQuery = call.query
    rights = actor(call)
    condition = _fitting(asked, rights)
    sections = [_section("hs", "History Search", _history(rights).filter(condition), call)]
    if asked.jql is not None:
        found = read_search(asked.jql, rights).issues.filter(condition)
        sections.append(_section("cs", "Current Search", found, call))
    return {"sections": sections}


def _history(rights: Rights) -> QuerySet[Issue]:
    """Return the issues that somebody saw, made or changed, the last seen first."""
    rows = visible_issues(rights)
    if rights.user is None:
        return rows.none()
    seen = IssueView.objects.filter(user=rights.user, issue=OuterRef("pk"))
    changed = ChangeGroup.objects.filter(author=rights.user, issue=OuterRef("pk"))
    mine = rows.filter(Q(Exists(seen)) | Q(Exists(changed)) | Q(creator=rights.user))
    lately = Max("views__at", filter=Q(views__user=rights.user))
    ordered: QuerySet[Issue] = mine.annotate(lately=lately).order_by(
        F("lately").desc(nulls_last=True), "-updated", "-id"
    )
    return ordered


def _fitting(asked: PickerQuery, rights: Rights) -> Q:
    found = Q()
    for word in asked_words(asked.query or ""):
        found &= Q(key__icontains=word) | Q(summary__icontains=word)
    if asked.project_id:
        digits = asked.project_id
        number = int(digits) if whole_number(digits) is not None else -1
        found &= Q(project=number)
    if not flag(asked.with_sub_tasks):
        found &= Q(issue_type__hierarchy_level__gte=0)
    if asked.issue_key:
        current = visible_issues(rights).filter(key=asked.issue_key.upper()).first()
        if current is not None:
            found &= ~Q(pk=current.pk)
            if current.parent_id is not None and not flag(asked.with_parent):
                found &= ~Q(pk=current.parent_id)
    return found


def _section(id: str, label: str, rows: QuerySet[Issue], call: Call) -> Json:
    total = rows.count()
    found: Json = {"label": label, "id": id}
    if total == 0:
        return found | {"msg": NOTHING_FOUND, "issues": []}
    typed = asked_words(call.query.query or "")
    shown = [_issue(issue, typed, show(call)) for issue in rows.select_related("issue_type")[:MOST]]
    return found | {"sub": f"Showing {len(shown)} of {total} matching issues", "issues": shown}


def _issue(issue: Issue, typed: list[str], show: Show) -> Json:
    kind = issue_type_ref(issue.issue_type, show) or {}
    return {
        "id": issue.id,
        "key": issue.key,
        "keyHtml": _marked(issue.key, typed),
        "img": str(kind["iconUrl"]).removeprefix(show.root),
        "summary": _marked(issue.summary, typed),
        "summaryText": issue.summary,
    }


def _marked(text: str, typed: list[str]) -> str:
    """Return a text as HTML, with what was typed in bold."""
    if not typed:
        return escape(text)
    parts = re.split(f"({'|'.join(map(re.escape, typed))})", text, flags=re.IGNORECASE)
    return "".join(
        f"<b>{escape(part)}</b>" if place % 2 else escape(part) for place, part in enumerate(parts)
    )
