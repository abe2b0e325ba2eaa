"""Ending the sessions of users."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from clones.core.accounts import end_session
from clones.core.models import Session
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.models import User


def sessions_of(user: User | None = None) -> QuerySet[Session]:
    """Return the sessions that go on: of one user, or of all."""
    rows = Session.objects.filter(account__clone="helpdesk", ended_at=None)
    if user is not None:
        rows = rows.filter(account__subject=str(user.id))
    return rows.select_related("account")


def check_sessions(user: User, *, actor: User) -> None:
    """Refuse to let anyone but admins near another's sessions.

    Raises:
        AccessDenied: they are another's and the actor is no admin.
    """
    if user.id != actor.id and actor.role != "admin":
        raise AccessDenied("only admins see and end the sessions of others")


def end_one(session: Session, user: User, *, actor: User) -> None:
    """Sign a user's browser out.

    Raises:
        AccessDenied: it is another's and the actor is no admin.
    """
    check_sessions(user, actor=actor)
    end_session(session)


def end_sessions(users: Iterable[User], *, actor: User) -> None:
    """Sign users out everywhere.

    Raises:
        AccessDenied: one is not the actor, who is no admin.
    """
    for user in users:
        check_sessions(user, actor=actor)
        for session in sessions_of(user).order_by("id"):
            end_session(session)
