"""Articles: lists by place and author, one, what is changed of it, and what changed since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import F, QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.helpdesk.api.help_center.operations import (
    ROOT,
    SORTED,
    HelpCenterQuery,
    Key,
    at_both,
    authors,
    sorted_page,
)
from clones.helpdesk.api.help_center.places import categories_of, shown_sections
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    SideloadQuery,
    includes,
    list_request,
    show,
)
from clones.helpdesk.api.presenters.help_center import present_article, present_translation
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import articles as domain
from clones.helpdesk.domain.errors import MissingParameter, RecordNotFound, TooManyValues
from clones.helpdesk.domain.help_center import LOCALE
from clones.helpdesk.models import Article, Section
from clones.helpdesk.queries import exports
from clones.helpdesk.queries import help_center as queries
from clones.helpdesk.queries import user as user_of

ARTICLES = "/articles"
ARTICLE = f"{ARTICLES}/{{article_id:int}}"
OF_SECTION = f"/sections/{{section_id:int}}{ARTICLES}"
MOST_LABELS = 10
EXPORTED = 1000
Shown = dict[str, Any]


class ArticlesQuery(HelpCenterQuery):
    """Filters, order and paging of a list of articles."""

    label_names: CommaList[str] = Field([], description="Labels that an article has all of.")


class IncrementalArticlesQuery(PagedQuery, SideloadQuery):
    """The time since which the articles to export have changed."""

    start_time: int | None = Field(None, description="Unix time, at least a minute ago.")


class ArticleUpdate(Body):
    """The attributes of an article that can change; its text is its translation's."""

    author_id: Key | None = None
    comments_disabled: bool | None = None
    label_names: list[str] | None = None
    locale: str | None = Field(None, description="en-us, the one language.")
    permission_group_id: Key | None = None
    position: int | None = None
    promoted: bool | None = None
    section_id: Key | None = None
    user_segment_id: Key | None = Field(None, description="Who may read it; null: everybody.")
    user_segment_ids: list[Key] | None = Field(None, description="The same, of one at most.")


class ArticleUpdateBody(Body):
    """An article to update."""

    article: ArticleUpdate


class ArticleWrite(ArticleUpdate):
    """An article to create: its title, body, locale and attributes."""

    title: str | None = None
    body: str | None = Field(None, description="HTML.")
    draft: bool | None = None


class ArticleBody(Body):
    """An article to create."""

    article: ArticleWrite
    notify_subscribers: bool | None = Field(None, description="Nobody is told either way.")


def article_of(call: Call) -> Article:
    """Return the article that a call is about."""
    return queries.article(call.actor, call.path["article_id"])


def shown_articles(call: Call, rows: Sequence[Article]) -> tuple[list[Shown], Shown]:
    """Return articles as JSON, and what is wanted beside them."""
    wanted, reading = includes(call), show(call)
    bodies = [present_article(row, reading) for row in rows]
    if "translations" in wanted:
        for row, body in zip(rows, bodies, strict=True):
            body["translations"] = [present_translation(row, reading)]
    beside: Shown = {}
    if "users" in wanted:
        beside["users"] = authors(call, (row.author_id for row in rows))
    if wanted & {"sections", "categories"}:
        keys = {row.section_id for row in rows}
        sections = list(Section.objects.filter(id__in=keys).order_by("position", "id"))
        if "sections" in wanted:
            beside["sections"] = shown_sections(sections, wanted, reading)
        beside |= categories_of(call, sections, wanted)
    return bodies, beside


def _one(call: Call, article: Article) -> Shown:
    return {"article": present_article(queries.again(article), show(call, "detail"))}


def _list(call: Call, rows: QuerySet[Article], usual: tuple[str, ...] = ()) -> Shown:
    labels = [name for name in call.query.label_names if name.strip()]
    if len(labels) > MOST_LABELS:
        raise TooManyValues(MOST_LABELS)
    found = queries.whole(queries.labelled(rows, labels))
    page, around = sorted_page(call, found, SORTED, usual)
    bodies, beside = shown_articles(call, page.rows)
    return {"articles": bodies, **beside, **around}


@at_both(
    "ListArticles",
    "GET",
    ARTICLES,
    summary="List the help center's articles.",
    query=ArticlesQuery,
    access="anyone",
)
def list_articles(call: Call) -> Shown:
    """List the articles that the reader may read."""
    return _list(call, queries.readable_articles(call.actor))


@at_both(
    "ListArticlesInCategory",
    "GET",
    f"/categories/{{category_id:int}}{ARTICLES}",
    summary="List the articles of a category.",
    query=ArticlesQuery,
    access="anyone",
)
def list_articles_in_category(call: Call) -> Shown:
    """List the articles of a category that the reader may read."""
    category = queries.category(call.actor, call.path["category_id"])
    return _list(call, queries.readable_articles(call.actor).filter(section__category=category))


@at_both(
    "ListArticlesInSection",
    "GET",
    OF_SECTION,
    summary="List the articles of a section.",
    query=ArticlesQuery,
    access="anyone",
)
def list_articles_in_section(call: Call) -> Shown:
    """List the articles of a section that the reader may read, in the section's own order."""
    section = queries.section(call.actor, call.path["section_id"])
    rows = queries.readable_articles(call.actor).filter(section=section)
    return _list(call, rows, queries.ORDERS[section.sorting])


@OPERATIONS.operation(
    "ListArticlesByUser",
    "GET",
    f"{ROOT}/users/{{user_id:int}}{ARTICLES}",
    summary="List the articles that an agent wrote.",
    query=ArticlesQuery,
)
def list_articles_by_user(call: Call) -> Shown:
    """List the articles of an author that the reader may read."""
    author = user_of(call.path["user_id"])
    return _list(call, queries.readable_articles(call.actor).filter(author=author))


@OPERATIONS.operation(
    "ListArticlesIncremental",
    "GET",
    f"{ROOT}/incremental{ARTICLES}",
    summary="List the articles that changed since a time.",
    query=IncrementalArticlesQuery,
)
def list_changed_articles(call: Call) -> Shown:
    """List the articles that changed since a time, in the order of their changes."""
    if call.query.start_time is None:
        raise MissingParameter("start_time")
    start = exports.start_moment(call.query.start_time)
    limit = min(EXPORTED, max(1, list_request(call).number("per_page", EXPORTED)))
    rows = queries.readable_articles(call.actor).annotate(changed=F("updated_at"))
    found = exports.export_by_time(queries.whole(rows), start, limit)
    bodies, beside = shown_articles(call, found.rows)
    following = (
        None if found.end_of_stream else list_request(call).link(start_time=found.next_start)
    )
    return {
        "articles": bodies,
        **beside,
        "count": len(bodies),
        "next_page": following,
        "end_time": found.next_start,
    }


@at_both(
    "ShowArticle",
    "GET",
    ARTICLE,
    summary="Show an article.",
    query=SideloadQuery,
    access="anyone",
)
def show_article(call: Call) -> Shown:
    """Show an article."""
    article = article_of(call)
    [body], beside = shown_articles(call, [article])
    show(call, "detail").note(article)
    return {"article": body, **beside}


def _create(call: Call) -> Reply:
    section = queries.section(call.actor, call.path["section_id"])
    changes = rule_changes(call.body.article)
    made = domain.create_article(section, actor=call.actor, changes=changes)
    body = _one(call, made)
    return Reply(body, 201, {"Location": body["article"]["url"]})


@OPERATIONS.operation(
    "CreateArticle",
    "POST",
    f"{ROOT}/{{locale}}{OF_SECTION}",
    summary="Write an article in a section, in a language.",
    body=ArticleBody,
    status=201,
)
def create_article(call: Call) -> Reply:
    """Create an article in the language of the address."""
    if call.path["locale"].lower() != LOCALE:
        raise RecordNotFound("locale", call.path["locale"])
    return _create(call)


@OPERATIONS.operation(
    "CreateArticleBySection",
    "POST",
    f"{ROOT}{OF_SECTION}",
    summary="Write an article in a section.",
    body=ArticleBody,
    status=201,
)
def create_article_by_section(call: Call) -> Reply:
    """Create an article."""
    return _create(call)


@at_both(
    "UpdateArticle",
    "PUT",
    ARTICLE,
    summary="Change an article's place, readers or labels; its text is its translation's.",
    body=ArticleUpdateBody,
)
def update_article(call: Call) -> Shown:
    """Change what is told about an article."""
    changes = rule_changes(call.body.article)
    return _one(call, domain.update_article(article_of(call), actor=call.actor, changes=changes))


@at_both(
    "ArchiveArticle",
    "DELETE",
    ARTICLE,
    summary="Archive an article: nobody finds it any more.",
    status=204,
)
def archive_article(call: Call) -> None:
    """Archive an article."""
    domain.archive_article(article_of(call), actor=call.actor)


@at_both(
    "ListArticleAttachments",
    "GET",
    f"{ARTICLE}/attachments",
    summary="List an article's files: none has any.",
    query=PagedQuery,
    access="anyone",
)
def list_attachments(call: Call) -> Shown:
    """List an article's files."""
    article_of(call)
    around = {"page": 1, "per_page": 30, "page_count": 1, "next_page": None, "previous_page": None}
    return {"article_attachments": [], "count": 0, **around}
