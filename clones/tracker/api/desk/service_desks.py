"""Service desks, what the product is, and what of it this site has not: assets and articles."""

from __future__ import annotations

from datetime import UTC, datetime

from clones.core.operations import Call
from clones.tracker.api.desk.parts import DESK, Json, PageQuery, desk_in
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.desk.basics import present_date, self_link
from clones.tracker.api.presenters.desk.desks import present_desk
from clones.tracker.domain.errors import Invalid
from clones.tracker.queries.desks import visible_desks

VERSION = "1001.0.0-SNAPSHOT"
BUILT = datetime(2026, 1, 12, 9, 30, tzinfo=UTC)
CHANGE_SET = "0000000000000000000000000000000000000000"
ARTICLE_LIMIT = 100


class ArticleQuery(PageQuery):
    """Text and paging of a search of knowledge base articles."""

    query: str | None = None
    highlight: str | None = None
    cursor: str | None = None
    prev: str | None = None


@operation(
    "desk.getInfo",
    "GET",
    "/rest/servicedeskapi/info",
    summary="Tell which version of the service desk this is.",
    access="anyone",
)
def show_info(call: Call) -> Json:
    """Show the product's version."""
    view = show(call)
    return {
        "version": VERSION,
        "platformVersion": VERSION,
        "buildDate": present_date(BUILT, view),
        "buildChangeSet": CHANGE_SET,
        "isLicensedForUse": True,
        "_links": self_link("info", view),
    }


@operation(
    "desk.getServiceDesks",
    "GET",
    "/rest/servicedeskapi/servicedesk",
    summary="List the service desks at which the caller can ask or work.",
    query=PageQuery,
)
def list_desks(call: Call) -> Json:
    """List service desks."""
    return desk_page(call, visible_desks(actor(call)), each(present_desk, show(call)))


@operation(
    "desk.getServiceDeskById", "GET", DESK, summary="Show a service desk: by its id or its key."
)
def show_desk(call: Call) -> Json:
    """Show a service desk."""
    return present_desk(desk_in(call), show(call))


@operation(
    "desk.getArticles",
    "GET",
    "/rest/servicedeskapi/knowledgebase/article",
    summary="Find articles of knowledge bases. This site has none.",
    query=ArticleQuery,
)
def list_articles(call: Call) -> Json:
    """Find articles: there are none."""
    return _no_articles(call)


@operation(
    "desk.getServiceDeskArticles",
    "GET",
    f"{DESK}/knowledgebase/article",
    summary="Find articles of a desk's knowledge base. This site has none.",
    query=ArticleQuery,
)
def list_desk_articles(call: Call) -> Json:
    """Find articles of a desk: there are none."""
    desk_in(call)
    return _no_articles(call)


def _no_articles(call: Call) -> Json:
    if not (call.query.query or "").strip():
        raise Invalid(
            "The query parameter 'query' is required.", i18n_key="sd.kb.error.query.missing"
        )
    return desk_page(call, [], list, limit=ARTICLE_LIMIT)


@operation(
    "desk.getAssetsWorkspaces",
    "GET",
    "/rest/servicedeskapi/assets/workspace",
    summary="List workspaces of assets. This site has none.",
    query=PageQuery,
)
def list_assets_workspaces(call: Call) -> Json:
    """List workspaces: there are none."""
    return desk_page(call, [], list)


@operation(
    "desk.getInsightWorkspaces",
    "GET",
    "/rest/servicedeskapi/insight/workspace",
    summary="List workspaces of assets under their former name. This site has none.",
    query=PageQuery,
)
def list_insight_workspaces(call: Call) -> Json:
    """List workspaces: there are none."""
    return desk_page(call, [], list)
