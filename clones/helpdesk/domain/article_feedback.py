"""What readers say of articles: votes and comments."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Count, Sum

from clones.core import clock, ids
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, InvalidAttribute, RecordInvalid
from clones.helpdesk.models import Article, ArticleComment, ArticleVote, User
from clones.helpdesk.queries.help_center import manages
from clones.helpdesk.rules.text import html_of_plain, kept_of_html

UP: Final = 1
DOWN: Final = -1
COMMENT: Final = 65_535


def vote_on_article(article: Article, *, actor: User, value: int) -> ArticleVote:
    """Vote an article up or down: who voted already changes their vote.

    Raises:
        InvalidAttribute: the value is neither 1 nor -1.
    """
    if value not in (UP, DOWN):
        raise InvalidAttribute("value", "1 or -1")
    now = clock.now()
    vote = ArticleVote.objects.filter(article=article, user=actor).first()
    if vote is None:
        vote = ArticleVote.objects.create(
            id=ids.next_stamp(ArticleVote),
            article=article,
            user=actor,
            value=value,
            created_at=now,
            updated_at=now,
        )
    elif vote.value != value:
        vote.value, vote.updated_at = value, now
        vote.save(update_fields=["value", "updated_at"])
    _count_votes(article)
    return vote


def withdraw_vote(vote: ArticleVote, *, actor: User) -> None:
    """Remove a vote.

    Raises:
        AccessDenied: it is somebody else's.
    """
    if vote.user_id != actor.id:
        raise AccessDenied("votes are their voters'")
    article = vote.article
    vote.delete()
    _count_votes(article)


def comment_on_article(
    article: Article, *, actor: User, body: Any, author_id: int | None = None
) -> ArticleComment:
    """Write a comment below an article; managers may name its author.

    Raises:
        AccessDenied: the article takes none, or the author is another and the actor no manager.
        RecordInvalid: it is blank, or nobody is its author.
    """
    if article.comments_disabled:
        raise AccessDenied("comments on this article are disabled")
    author = actor
    if author_id is not None and author_id != actor.id:
        author = _named_author(author_id, actor)
    now = clock.now()
    return ArticleComment.objects.create(
        id=ids.next_stamp(ArticleComment),
        article=article,
        author=author,
        body=_comment_html(body),
        created_at=now,
        updated_at=now,
    )


def edit_comment(comment: ArticleComment, *, actor: User, body: Any) -> ArticleComment:
    """Change what a comment says; one that somebody else changed tells who did.

    Raises:
        AccessDenied: the actor neither wrote it nor manages the help center.
        RecordInvalid: it is blank.
    """
    _check_own(comment, actor)
    now = clock.now()
    comment.body, comment.updated_at = _comment_html(body), now
    if comment.author_id != actor.id:
        comment.non_author_editor, comment.non_author_updated_at = actor, now
    comment.save()
    return comment


def delete_comment(comment: ArticleComment, *, actor: User) -> None:
    """Remove a comment.

    Raises:
        AccessDenied: the actor neither wrote it nor manages the help center.
    """
    _check_own(comment, actor)
    comment.delete()


def _count_votes(article: Article) -> None:
    found = article.votes.aggregate(total=Sum("value"), number=Count("id"))
    article.vote_sum, article.vote_count = found["total"] or 0, found["number"]
    article.save(update_fields=["vote_sum", "vote_count"])


def _check_own(comment: ArticleComment, actor: User) -> None:
    if comment.author_id != actor.id and not manages(actor):
        raise AccessDenied("comments are their authors'")


def _named_author(key: int, actor: User) -> User:
    if not manages(actor):
        raise AccessDenied("only managers of the help center write for others")
    found = User.objects.filter(id=key, active=True).first()
    if found is None:
        raise RecordInvalid.of("author_id", "Author: is invalid", "InvalidValue")
    return found


def _comment_html(value: Any) -> str:
    text = plain_text("body", value, COMMENT) or ""
    html = kept_of_html(text) if "<" in text else html_of_plain(text)
    if not text.strip() or not html.strip():
        raise RecordInvalid.of("body", "Body: cannot be blank", "BlankValue")
    return html
