"""Searching articles."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.helpdesk.api.help_center.articles import ARTICLES
from clones.helpdesk.api.help_center.operations import ROOT, page_asked, page_envelope
from clones.helpdesk.api.operations import OPERATIONS, Ids, Query, show
from clones.helpdesk.api.paging import offset_page
from clones.helpdesk.api.presenters.help_center import present_article
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter
from clones.helpdesk.queries.help_center import ArticleFilter, ArticleHit, search_articles
from clones.helpdesk.rules.article_search import ArticleQuery

USUAL = 25
MOST = 1000
SORTS = ("created_at", "updated_at")
DAY = timedelta(days=1)
Span = tuple[datetime | None, datetime | None]


class ArticleSearchQuery(Query):
    """Text, filters, order and paging of a search of articles."""

    query: str | None = Field(None, description='Words, or phrases in quotes: "beam splitter".')
    category: Ids | None = Field(None, description="Categories to look in, between commas.")
    section: Ids | None = Field(None, description="Sections to look in, between commas.")
    label_names: CommaList[str] = Field([], description="Labels that an article has one of.")
    locale: str | None = Field(None, description="Another language is taken for the one there is.")
    created_after: str | None = Field(None, description="A day, as 2026-01-31.")
    created_at: str | None = None
    created_before: str | None = None
    updated_after: str | None = None
    updated_at: str | None = None
    updated_before: str | None = None
    sort_by: str | None = Field(None, description="created_at or updated_at; else what fits best.")
    sort_order: str | None = None
    page: str | None = None
    per_page: str | None = None


def _day(query: ArticleSearchQuery, name: str) -> datetime | None:
    text = getattr(query, name)
    if not text:
        return None
    try:
        return datetime.combine(date.fromisoformat(text[:10]), time(), UTC)
    except ValueError as error:
        raise InvalidAttribute(name, "a date as YYYY-MM-DD") from error


def _span(query: ArticleSearchQuery, kind: str) -> Span:
    """Return from when to when articles were created or updated."""
    on, after, before = (_day(query, f"{kind}_{name}") for name in ("at", "after", "before"))
    try:
        starts = [found for found in (on, after and after + DAY) if found is not None]
        ends = [found for found in (on and on + DAY, before) if found is not None]
    except OverflowError as error:
        raise InvalidAttribute(kind, "a date as YYYY-MM-DD") from error
    return max(starts, default=None), min(ends, default=None)


def _sorted(found: list[ArticleHit], query: ArticleSearchQuery) -> list[ArticleHit]:
    if query.sort_by not in SORTS:
        return found
    name, falls = query.sort_by, query.sort_order != "asc"

    def key(item: ArticleHit) -> tuple[datetime, int]:
        return getattr(item.article, name), item.article.id

    return sorted(found, key=key, reverse=falls)


def _texts(names: Iterable[str]) -> list[str]:
    return [name.strip() for name in names if name.strip()]


@OPERATIONS.operation(
    "ArticleSearch",
    "GET",
    f"{ROOT}{ARTICLES}/search",
    summary="Search the articles of the help center.",
    query=ArticleSearchQuery,
    access="anyone",
)
def search(call: Call) -> dict[str, Any]:
    """Find articles by words, places and labels, what fits best first."""
    query: ArticleSearchQuery = call.query
    labels = _texts(query.label_names)
    if not (query.query or query.category or query.section or labels):
        raise MissingParameter("query")
    text = (query.query or "").replace("\0", "")
    among = ArticleFilter(
        categories=query.category or (),
        sections=query.section or (),
        labels=labels,
        created=_span(query, "created"),
        updated=_span(query, "updated"),
    )
    words_nothing = bool(text.strip()) and ArticleQuery.of(text).is_empty
    found = [] if words_nothing else search_articles(call.actor, text, among)
    request = page_asked(call, USUAL)
    page = offset_page(_sorted(found, query)[:MOST], request)
    bodies = [
        {
            **present_article(item.article, show(call)),
            "result_type": "article",
            "snippet": item.snippet,
        }
        for item in page.rows
    ]
    return {"results": bodies, **page_envelope(page, request)}
