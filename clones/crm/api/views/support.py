"""What help sites read: published articles, their settings, the groups that they are filed in."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, versioned
from clones.crm.api.views.queries import answer_query
from clones.crm.errors import CrmError, NotFound
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id

_VERSIONS: Final = "KnowledgeArticleVersion"
_FILED: Final = (_VERSIONS, "Question")
_COLUMNS: Final = (
    "KnowledgeArticleId",
    "ArticleNumber",
    "Title",
    "UrlName",
    "Summary",
    "LastPublishedDate",
)
_SORTS: Final = {
    "LastPublishedDate": "LastPublishedDate",
    "CreatedDate": "CreatedDate",
    "Title": "Title",
    "ViewScore": "ArticleNumber",
}
_FIRST_SORT: Final = "LastPublishedDate"


class ArticlesQuery(Query):
    """Which articles, in what order, and which page of them."""

    q: str | None = None
    sort: str = _FIRST_SORT
    order: str = "DESC"
    page_size: Annotated[int, Field(ge=1, le=100, alias="pageSize")] = 20
    page_number: Annotated[int, Field(ge=1, le=100, alias="pageNumber")] = 1


class GroupsQuery(Query):
    """Of which object the groups are."""

    of: str | None = Field(None, alias="sObjectName")


@versioned(
    "GetKnowledgeSettings",
    "GET",
    "/knowledgeManagement/settings",
    summary="Tell in which languages articles are written.",
)
def show_settings(_: Call) -> dict[str, Any]:
    """Answer with the languages, and the one that articles begin in."""
    return {
        "defaultLanguage": "en_US",
        "knowledgeEnabled": True,
        "languages": [{"active": True, "name": "en_US"}],
    }


@versioned(
    "GetDataCategoryGroups",
    "GET",
    "/support/dataCategoryGroups",
    summary="List the groups of categories that articles are filed in.",
    query=GroupsQuery,
)
def show_groups(call: Call) -> dict[str, Any]:
    """Answer with none: no article is filed in categories here."""
    if call.query.of is None:
        raise CrmError("The parameter sObjectName is required", code="MISSING_ARGUMENT")
    if call.query.of not in _FILED:
        raise CrmError(f"Invalid sObjectName: {call.query.of[:80]}", code="INVALID_TYPE")
    return {"categoryGroups": []}


@versioned(
    "GetKnowledgeArticles",
    "GET",
    "/support/knowledgeArticles",
    summary="List published articles.",
    query=ArticlesQuery,
)
def list_articles(call: Call) -> dict[str, Any]:
    """Answer with a page of the articles that are online."""
    asked = call.query
    if asked.sort not in _SORTS or asked.order.upper() not in ("ASC", "DESC"):
        raise CrmError("Invalid sort or order", code="ILLEGAL_QUERY_PARAMETER_VALUE")
    start = (asked.page_number - 1) * asked.page_size
    words = (asked.q or "").replace("\0", "").replace("\\", "\\\\").replace("'", "\\'").strip()
    found = _versions(
        call,
        f" AND Title LIKE '%{words[:200]}%'" if words else "",
        f"ORDER BY {_SORTS[asked.sort]} {asked.order}, Id"
        f" LIMIT {asked.page_size + 1} OFFSET {start}",
    )
    here = f"{root(call)}/support/knowledgeArticles"

    def page(number: int) -> str:
        return f"{here}?pageNumber={number}&pageSize={asked.page_size}"

    is_last = len(found) <= asked.page_size
    return {
        "articles": [_in_short(call, one) for one in found[: asked.page_size]],
        "currentPageUrl": page(asked.page_number),
        "nextPageUrl": None if is_last else page(asked.page_number + 1),
        "pageNumber": asked.page_number,
    }


@versioned(
    "GetKnowledgeArticle",
    "GET",
    "/support/knowledgeArticles/{id}",
    summary="Show a published article.",
)
def show_article(call: Call) -> dict[str, Any]:
    """Answer with the article, by its id or the name in its address."""
    id = read_id(call.path["id"])
    name = call.path["id"].replace("\0", "").replace("\\", "\\\\").replace("'", "\\'")
    where = f"UrlName = '{name[:255]}'" if id is None else f"KnowledgeArticleId = '{id}'"
    found = _versions(call, f" AND {where}", "ORDER BY Id LIMIT 1")
    if not found:
        raise NotFound
    (one,) = found
    shown = _in_short(call, one)
    items = [
        {"label": "Title", "name": "Title", "type": "TEXT", "value": one["Title"]},
        {"label": "Summary", "name": "Summary", "type": "TEXT_AREA", "value": one["Summary"]},
    ]
    return {**shown, "articleType": "Knowledge", "layoutItems": items}


def _versions(call: Call, more: str, end: str) -> list[dict[str, Any]]:
    """Return the versions of articles that are online.

    Raises:
        NotFound: the caller sees no articles.
    """
    if org_schema().find(_VERSIONS) is None:
        raise NotFound
    columns, online = ", ".join(_COLUMNS), "PublishStatus = 'Online' AND Language = 'en_US'"
    text = " ".join(("SELECT", columns, "FROM", _VERSIONS, "WHERE", online + more, end))
    found: list[dict[str, Any]] = answer_query(call, text)["records"]
    return found


def _in_short(call: Call, one: dict[str, Any]) -> dict[str, Any]:
    id = one["KnowledgeArticleId"]
    return {
        "articleNumber": one["ArticleNumber"],
        "categoryGroups": [],
        "downVoteCount": 0,
        "id": id,
        "lastPublishedDate": one["LastPublishedDate"],
        "summary": one["Summary"],
        "title": one["Title"],
        "upVoteCount": 0,
        "url": f"{root(call)}/support/knowledgeArticles/{id}",
        "urlName": one["UrlName"],
        "viewCount": 0,
        "viewScore": 0.0,
    }
