"""Who is on the tracker: the agent's persona, and people of the world that arrangements draw on."""

from __future__ import annotations

from collections.abc import Iterable

from clones.core.models import Account
from clones.tracker.models import Issue, Project, RoleActor, User
from clones.tracker.queries.rights import Rights
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Persona


def persona_on_tracker(
    title: str, *, role: str = "developer", place: int = 0, clones: Iterable[str] = ()
) -> Persona:
    """Return a persona: a listed account of the tracker, and one in each other clone.

    `role` is admin, developer or customer; `place` counts among those of the role.

    Raises:
        CannotArrange: the world lists no such account.
    """
    accounts = list(
        Account.objects.filter(clone="tracker", role=role, listed=True, active=True).order_by("id")
    )
    if len(accounts) <= place:
        raise CannotArrange(f"the world lists no {title} on the tracker")
    found = {"tracker": accounts[place].login}
    for clone in clones:
        other = Account.objects.filter(clone=clone, listed=True).order_by("id").first()
        if other is None:
            raise CannotArrange(f"the world lists no account of {clone}")
        found[clone] = other.login
    return Persona(title, found)


def user_of(persona: Persona) -> User:
    """Return the tracker's user of a persona."""
    account = Account.objects.get(clone="tracker", login=persona.logins["tracker"])
    return User.objects.get(id=int(account.subject))


def listed_users() -> set[int]:
    """Return the keys of users whose accounts are handed out: nobody else is to be them."""
    rows = Account.objects.filter(clone="tracker", listed=True).values_list("subject", flat=True)
    return {int(subject) for subject in rows}


def colleagues(project: Project, *, but: Iterable[int] = ()) -> list[User]:
    """Return the people who can have work of a space, without those handed out, oldest first.

    Their names are theirs alone.
    """
    skipped = listed_users() | set(but)
    rows = User.objects.filter(active=True, account_type="atlassian").exclude(email=None)
    names = list(User.objects.values_list("display_name", flat=True))
    return [
        user
        for user in rows.order_by("id")
        if user.id not in skipped
        and names.count(user.display_name) == 1
        and Rights(user).may("ASSIGNABLE_USER", project)
    ]


def live_spaces(kind: str = "software") -> list[Project]:
    """Return the spaces of a kind that are neither archived nor in the trash, by key."""
    rows = Project.objects.filter(type=kind, archived_at=None, deleted_at=None)
    return list(rows.order_by("key"))


def team_of(project: Project) -> list[User]:
    """Return the active people of a space: its lead first, then who had most of its work."""
    found = [project.lead] if project.lead.active else []
    counts: dict[int, int] = {}
    for assignee in Issue.objects.filter(project=project).values_list("assignee_id", flat=True):
        if assignee is not None:
            counts[assignee] = counts.get(assignee, 0) + 1
    users = User.objects.in_bulk(counts)
    for key in sorted(counts, key=lambda key: (-counts[key], key)):
        user = users[key]
        if user.active and user.account_type == "atlassian" and user not in found:
            found.append(user)
    return found


def in_role(user: User, role: str, project: Project) -> bool:
    """Tell whether somebody fills a role of a space by name, themselves or by a group."""
    keys = Rights(user).role_ids(project)
    rows = RoleActor.objects.filter(project=project, role__name=role, role_id__in=sorted(keys))
    return rows.exists()
