"""How customers rate what was done for them."""

from __future__ import annotations

from typing import Final

from clones.core import clock
from clones.tracker.domain.desk_settings import asks_for_ratings
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.events import Event, publish
from clones.tracker.models import Issue, Request
from clones.tracker.queries.requests import works_on
from clones.tracker.queries.rights import Rights

NONE_GIVEN: Final = "No feedback has been given for this request."


def give_feedback(
    issue: Issue, *, actor: Rights, kind: str | None, rating: int | None, comment: str = ""
) -> Request:
    """Rate a request that is resolved, in place of a rating before.

    Args:
        issue: the request.
        actor: its reporter.
        kind: `csat`, the only kind there is.
        rating: 1 to 5.
        comment: what the customer says of it.

    Raises:
        Forbidden: the actor is not the reporter.
        Invalid: another kind or rating, the request is not resolved, or the desk asks for none.
    """
    _require_reporter(issue, actor)
    if not asks_for_ratings(issue.project.desk):
        raise Invalid(
            "Feedback is not enabled for this service desk.",
            i18n_key="sd.feedback.error.disabled",
        )
    if (kind or "csat").lower() != "csat":
        raise Invalid("The feedback type must be 'csat'.", i18n_key="sd.feedback.error.type")
    if rating is None or not 1 <= rating <= 5:
        raise Invalid(
            "The rating must be a whole number between 1 and 5.",
            i18n_key="sd.feedback.error.rating",
        )
    if issue.resolution_id is None:
        raise Invalid(
            "Feedback can only be given for a resolved request.",
            i18n_key="sd.feedback.error.not.resolved",
        )
    found = _request(issue)
    found.rating, found.rating_comment, found.rated_at = rating, comment, clock.now()
    found.save(update_fields=["rating", "rating_comment", "rated_at"])
    publish(Event("request_rated", actor, issue=issue, details={"rating": rating}))
    return found


def delete_feedback(issue: Issue, *, actor: Rights) -> None:
    """Take a rating back.

    Raises:
        Forbidden: the actor is not the reporter.
        NotFound: there is none.
    """
    _require_reporter(issue, actor)
    found = find_feedback(issue, actor=actor)
    found.rating, found.rating_comment, found.rated_at = None, "", None
    found.save(update_fields=["rating", "rating_comment", "rated_at"])


def find_feedback(issue: Issue, *, actor: Rights) -> Request:
    """Return a request that was rated: its reporter and agents see that.

    Raises:
        Forbidden: the actor is neither.
        NotFound: it was not rated.
    """
    mine = actor.user is not None and issue.reporter_id == actor.user.id
    if not mine and not works_on(actor, issue):
        raise Forbidden(
            "You do not have permission to view this feedback.",
            i18n_key="sd.feedback.error.permission",
        )
    found = _request(issue)
    if found.rating is None:
        raise NotFound(NONE_GIVEN, i18n_key="sd.feedback.error.not.found")
    return found


def _request(issue: Issue) -> Request:
    return Request.objects.get(issue=issue)


def _require_reporter(issue: Issue, actor: Rights) -> None:
    if actor.user is None or issue.reporter_id != actor.user.id:
        raise Forbidden(
            "Only the reporter of a request can give feedback on it.",
            i18n_key="sd.feedback.error.not.reporter",
        )
