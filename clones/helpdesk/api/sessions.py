"""Who is signed in, and signing them out."""

from __future__ import annotations

from typing import Any

from clones.core.accounts.sessions import csrf_token
from clones.core.models import Session
from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    IdsQuery,
    PagedQuery,
    list_request,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.api.tickets import user_of
from clones.helpdesk.domain import sessions
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import User


def _session(session: Session, call: Call) -> dict[str, Any]:
    """Return a session as JSON. When it was last seen is known to the sign-in at best."""
    user = int(session.account.subject)
    seen = session.account.last_seen_at or session.authenticated_at
    return {
        "id": session.id,
        "user_id": user,
        "authenticated_at": when(session.authenticated_at),
        "last_seen_at": when(max(seen, session.authenticated_at)),
        "url": show(call).url(f"users/{user}/sessions/{session.id}"),
    }


def _current(call: Call) -> Session:
    """Return the session that a call came with.

    Raises:
        RecordNotFound: it came with a token or password.
    """
    found = call.request.authenticated
    if found is None or found.session is None:
        raise RecordNotFound("session")
    return found.session


def _one(call: Call) -> tuple[User, Session]:
    """Return the user and session that a call's path names, if they are the caller's business."""
    user = user_of(call)
    sessions.check_sessions(user, actor=call.actor)
    rows = sessions.sessions_of(user)
    return user, queries.one(rows, "session", call.path["session_id"])


@OPERATIONS.operation(
    "ListSessions",
    "GET",
    "/sessions",
    summary="List who is signed in: admins see all, others their own sessions.",
    query=PagedQuery,
    access="end-user",
)
def list_sessions(call: Call) -> dict[str, Any]:
    """List sessions."""
    everybody = call.actor.role == "admin"
    rows = sessions.sessions_of(None if everybody else call.actor)
    page = paginate(rows, list_request(call), Order(("id",)))
    return listed("sessions", [_session(item, call) for item in page.rows], page)


@OPERATIONS.operation(
    "ListUserSessions",
    "GET",
    "/users/{user_id:int}/sessions",
    summary="List the sessions of a user.",
    query=PagedQuery,
    access="end-user",
)
def list_user_sessions(call: Call) -> dict[str, Any]:
    """List a user's sessions."""
    user = user_of(call)
    sessions.check_sessions(user, actor=call.actor)
    page = paginate(sessions.sessions_of(user), list_request(call), Order(("id",)))
    return listed("sessions", [_session(item, call) for item in page.rows], page)


@OPERATIONS.operation(
    "ShowSession",
    "GET",
    "/users/{user_id:int}/sessions/{session_id:int}",
    summary="Show a session of a user.",
    access="end-user",
)
def show_session(call: Call) -> dict[str, Any]:
    """Show a session."""
    return {"session": _session(_one(call)[1], call)}


@OPERATIONS.operation(
    "DeleteSession",
    "DELETE",
    "/users/{user_id:int}/sessions/{session_id:int}",
    summary="End a session of a user.",
    access="end-user",
    status=204,
)
def delete_session(call: Call) -> None:
    """End a session."""
    user, found = _one(call)
    sessions.end_one(found, user, actor=call.actor)


@OPERATIONS.operation(
    "BulkDeleteSessionsByUserId",
    "DELETE",
    "/users/{user_id:int}/sessions",
    summary="End all sessions of a user.",
    access="end-user",
    status=204,
)
def delete_sessions(call: Call) -> None:
    """End a user's sessions."""
    sessions.end_sessions([user_of(call)], actor=call.actor)


@OPERATIONS.operation(
    "LogoutManyUsers",
    "POST",
    "/users/logout_many",
    summary="End all sessions of up to 100 users.",
    query=IdsQuery,
    access="admin",
    status=202,
)
def logout_many(call: Call) -> dict[str, Any]:
    """End the sessions of some users; ids that are nobody's are left alone."""
    found = User.objects.filter(id__in=many_ids(call)).order_by("id")
    sessions.end_sessions(found, actor=call.actor)
    return {}


@OPERATIONS.operation(
    "ShowCurrentlyAuthenticatedSession",
    "GET",
    "/users/me/session",
    summary="Show the session that you call with.",
    access="end-user",
)
def show_current(call: Call) -> dict[str, Any]:
    """Show the session of the call."""
    return {"session": _session(_current(call), call)}


@OPERATIONS.operation(
    "RenewCurrentSession",
    "GET",
    "/users/me/session/renew",
    summary="Get the token that forms and scripts need for writing in your session.",
    access="end-user",
)
def renew(call: Call) -> dict[str, Any]:
    """Return the session's token. Sessions do not expire: there is nothing else to renew."""
    return {"authenticity_token": csrf_token(_current(call), call.request.sandbox)}


@OPERATIONS.operation(
    "DeleteAuthenticatedSession",
    "DELETE",
    "/users/me/logout",
    summary="End the session that you call with; without one nothing happens.",
    access="end-user",
    status=204,
)
def logout(call: Call) -> None:
    """End the session of the call, if there is one."""
    found = call.request.authenticated
    if found is not None and found.session is not None:
        sessions.end_one(found.session, call.actor, actor=call.actor)
