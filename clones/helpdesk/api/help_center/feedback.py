"""What readers say of articles: votes and comments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.helpdesk.api.help_center.articles import ARTICLE, article_of, shown_articles
from clones.helpdesk.api.help_center.operations import ROOT, Key, at_both, authors, plain_page
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedSideloadQuery,
    SideloadQuery,
    includes,
    show,
)
from clones.helpdesk.api.presenters.help_center import present_article_comment, present_vote
from clones.helpdesk.domain import article_feedback as domain
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Article, ArticleComment, ArticleVote, User
from clones.helpdesk.queries import help_center as queries
from clones.helpdesk.queries import one
from clones.helpdesk.queries import user as user_of

VOTE = f"{ROOT}/votes/{{vote_id:int}}"
COMMENTS = f"{ARTICLE}/comments"
COMMENT = f"{COMMENTS}/{{comment_id:int}}"
OF_USER = f"{ROOT}/users/{{user_id}}"
Shown = dict[str, Any]


class ArticleCommentWrite(Body):
    """A comment on an article: its body, author and locale."""

    body: str | None = None
    author_id: Key | None = Field(None, description="Somebody else, named by a manager.")
    locale: str | None = Field(None, description="en-us, the one language.")


class ArticleCommentBody(Body):
    """A comment to write or change."""

    comment: ArticleCommentWrite
    notify_subscribers: bool | None = Field(None, description="Nobody is told either way.")


def _person(call: Call) -> User:
    """Return whom a call names: others than oneself are for agents to ask of."""
    text, actor = call.path["user_id"], call.actor
    if text == "me" or text == str(actor.id):
        found: User = actor
        return found
    key = whole_number(text)
    if not actor.is_agent or key is None:
        raise RecordNotFound("user", text)
    return user_of(key)


def _vote(call: Call) -> ArticleVote:
    rows = ArticleVote.objects.select_related("article")
    if not call.actor.is_agent:
        rows = rows.filter(user=call.actor)
    return one(rows, "vote", call.path["vote_id"])


def _beside(call: Call, people: Iterable[int | None], articles: Iterable[int]) -> Shown:
    """Return what is wanted beside votes or comments: who gave them, and on which articles."""
    wanted, found = includes(call), Shown()
    if "users" in wanted:
        found["users"] = authors(call, people)
    if "articles" in wanted:
        rows = queries.readable_articles(call.actor).filter(id__in=set(articles)).order_by("id")
        found["articles"], _ = shown_articles(call, list(queries.whole(rows)))
    return found


def _beside_votes(call: Call, votes: Sequence[ArticleVote]) -> Shown:
    return _beside(call, (row.user_id for row in votes), (row.article_id for row in votes))


def _beside_comments(call: Call, comments: Sequence[ArticleComment]) -> Shown:
    return _beside(call, (row.author_id for row in comments), (row.article_id for row in comments))


def _list_votes(call: Call, rows: Any) -> Shown:
    page, around = plain_page(call, rows.filter(article__archived_at=None))
    bodies = [present_vote(vote, show(call)) for vote in page.rows]
    return {"votes": bodies, **_beside_votes(call, page.rows), **around}


@at_both(
    "ListArticleVotes",
    "GET",
    f"{ARTICLE}/votes",
    summary="List the votes on an article.",
    query=PagedSideloadQuery,
)
def list_article_votes(call: Call) -> Shown:
    """List the votes on an article, the oldest first."""
    return _list_votes(call, ArticleVote.objects.filter(article=article_of(call)))


@OPERATIONS.operation(
    "ListUserVotes",
    "GET",
    f"{OF_USER}/votes",
    summary="List somebody's votes; `me` for one's own.",
    query=PagedSideloadQuery,
    access="end-user",
)
def list_user_votes(call: Call) -> Shown:
    """List somebody's votes, the oldest first."""
    return _list_votes(call, ArticleVote.objects.filter(user=_person(call)))


@OPERATIONS.operation(
    "ShowVote",
    "GET",
    VOTE,
    summary="Show a vote.",
    query=SideloadQuery,
    access="end-user",
)
def show_vote(call: Call) -> Shown:
    """Show a vote."""
    vote = _vote(call)
    return {"vote": present_vote(vote, show(call, "detail")), **_beside_votes(call, [vote])}


def _cast(call: Call, value: int) -> Shown:
    vote = domain.vote_on_article(article_of(call), actor=call.actor, value=value)
    return {"vote": present_vote(vote, show(call, "detail"))}


@at_both(
    "CreateArticleUpVote",
    "POST",
    f"{ARTICLE}/up",
    summary="Vote for an article.",
    access="end-user",
)
def vote_up(call: Call) -> Shown:
    """Vote for an article, or change one's vote."""
    return _cast(call, domain.UP)


@at_both(
    "CreateArticleDownVote",
    "POST",
    f"{ARTICLE}/down",
    summary="Vote against an article.",
    access="end-user",
)
def vote_down(call: Call) -> Shown:
    """Vote against an article, or change one's vote."""
    return _cast(call, domain.DOWN)


@OPERATIONS.operation(
    "DeleteVote",
    "DELETE",
    VOTE,
    summary="Take one's vote back.",
    access="end-user",
    status=204,
)
def delete_vote(call: Call) -> None:
    """Withdraw a vote."""
    domain.withdraw_vote(_vote(call), actor=call.actor)


def _list_comments(call: Call, rows: Any) -> Shown:
    page, around = plain_page(call, rows.select_related("article"))
    bodies = [present_article_comment(comment, show(call)) for comment in page.rows]
    return {"comments": bodies, **_beside_comments(call, page.rows), **around}


def _comment(call: Call) -> tuple[Article, ArticleComment]:
    article = article_of(call)
    return article, queries.comment(article, call.path["comment_id"])


@at_both(
    "ListArticleComments",
    "GET",
    COMMENTS,
    summary="List the comments below an article.",
    query=PagedSideloadQuery,
    access="anyone",
)
def list_article_comments(call: Call) -> Shown:
    """List the comments of an article, the oldest first."""
    return _list_comments(call, article_of(call).comments.all())


@OPERATIONS.operation(
    "ListUserComments",
    "GET",
    f"{OF_USER}/comments",
    summary="List somebody's comments on articles; `me` for one's own.",
    query=PagedSideloadQuery,
    access="end-user",
)
def list_user_comments(call: Call) -> Shown:
    """List somebody's comments on articles that the reader may read, the oldest first."""
    rows = ArticleComment.objects.filter(author=_person(call))
    return _list_comments(
        call, rows.filter(article__in=queries.readable_articles(call.actor).values("id"))
    )


@at_both(
    "ShowArticleComment",
    "GET",
    COMMENT,
    summary="Show a comment.",
    query=SideloadQuery,
    access="anyone",
)
def show_comment(call: Call) -> Shown:
    """Show a comment."""
    _, found = _comment(call)
    body = present_article_comment(found, show(call, "detail"))
    return {"comment": body, **_beside_comments(call, [found])}


@at_both(
    "ListArticleCommentVotes",
    "GET",
    f"{COMMENT}/votes",
    summary="List the votes on a comment: nobody votes on comments.",
    query=PagedSideloadQuery,
)
def list_comment_votes(call: Call) -> Shown:
    """List the votes on a comment."""
    _comment(call)
    return _list_votes(call, ArticleVote.objects.none())


@at_both(
    "CreateArticleComment",
    "POST",
    COMMENTS,
    summary="Write a comment below an article.",
    body=ArticleCommentBody,
    access="end-user",
    status=201,
)
def create_comment(call: Call) -> Reply:
    """Comment on an article."""
    said = call.body.comment
    made = domain.comment_on_article(
        article_of(call), actor=call.actor, body=said.body, author_id=said.author_id
    )
    body = present_article_comment(made, show(call, "detail"))
    return Reply({"comment": body}, 201, {"Location": body["url"]})


@at_both(
    "UpdateArticleComment",
    "PUT",
    COMMENT,
    summary="Change what a comment says.",
    body=ArticleCommentBody,
    access="end-user",
)
def update_comment(call: Call) -> Shown:
    """Change a comment."""
    _, found = _comment(call)
    said = call.body.comment.body
    changed = domain.edit_comment(found, actor=call.actor, body=said)
    return {"comment": present_article_comment(changed, show(call, "detail"))}


@at_both(
    "DeleteArticleComment",
    "DELETE",
    COMMENT,
    summary="Delete a comment.",
    access="end-user",
    status=204,
)
def delete_comment(call: Call) -> None:
    """Delete a comment."""
    _, found = _comment(call)
    domain.delete_comment(found, actor=call.actor)
