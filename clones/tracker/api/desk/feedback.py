"""How customers rate what was done for them."""

from __future__ import annotations

from clones.core.operations import Call
from clones.tracker.api.desk.parts import REQUEST, Json, request_in, require_opt_in
from clones.tracker.api.desk.requests import CommentText
from clones.tracker.api.operations import Body, actor, operation
from clones.tracker.domain import feedback
from clones.tracker.models import Request

PATH = f"{REQUEST}/feedback"


class FeedbackBody(Body):
    """Feedback on a request: a rating of 1 to 5, and a comment."""

    type: str | None = None
    rating: int | None = None
    comment: CommentText | None = None


@operation("desk.getFeedback", "GET", PATH, summary="Show how a request was rated.")
def show_feedback(call: Call) -> Json:
    """Show a rating."""
    require_opt_in(call)
    return _shown(feedback.find_feedback(request_in(call), actor=actor(call)))


@operation(
    "desk.postFeedback",
    "POST",
    PATH,
    summary="Rate a request that is resolved.",
    body=FeedbackBody,
    status=201,
)
def give_feedback(call: Call) -> Json:
    """Rate a request."""
    require_opt_in(call)
    body = call.body
    rated = feedback.give_feedback(
        request_in(call),
        actor=actor(call),
        kind=body.type,
        rating=body.rating,
        comment=(body.comment.body or "") if body.comment else "",
    )
    return _shown(rated)


@operation(
    "desk.deleteFeedback", "DELETE", PATH, summary="Take the rating of a request back.", status=204
)
def delete_feedback(call: Call) -> None:
    """Take a rating back."""
    require_opt_in(call)
    feedback.delete_feedback(request_in(call), actor=actor(call))


def _shown(rated: Request) -> Json:
    found: Json = {"type": "csat", "rating": rated.rating}
    if rated.rating_comment:
        found["comment"] = {"body": rated.rating_comment}
    return found
