"""Who sees and who may change filters and dashboards: owners, and those they are shared with.

A share lets in everybody (`global`), whoever signed in (`loggedin`), those who see a space, who
fill a role in it, the members of a group, or one user. Who may change a thing sees it, too.
"""

from __future__ import annotations

from typing import Literal

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.tracker.models import Dashboard, Filter, Share
from clones.tracker.queries.rights import Rights, visible_projects

Kind = Literal["filter", "dashboard"]


def letting_in(rights: Rights) -> Q:
    """Return the condition of the shares that let somebody in."""
    found = Q(type="global")
    spaces = visible_projects(rights).order_by().values("id")
    found |= Q(type="project", project__in=spaces)
    if rights.user is None:
        return found
    if rights.user.account_type != "customer":
        found |= Q(type="loggedin")
    found |= Q(type="user", user=rights.user)
    found |= Q(type="group", group__in=sorted(rights.group_ids))
    for space, roles in sorted(rights.roles_by_project.items()):
        found |= Q(type="projectRole", project=space, role__in=sorted(roles))
    return found


def _shared(rights: Rights, kind: Kind, *, edit: bool | None = None) -> Q:
    shares = Share.objects.filter(letting_in(rights), **{kind: OuterRef("pk")})
    return Q(Exists(shares if edit is None else shares.filter(edit=edit)))


def _owned(rights: Rights) -> Q:
    return Q(pk__in=[]) if rights.user is None else Q(owner=rights.user)


def visible_filters(rights: Rights) -> QuerySet[Filter]:
    """Return the filters that somebody sees, in no order."""
    return Filter.objects.filter(_owned(rights) | _shared(rights, "filter"))


def visible_dashboards(rights: Rights) -> QuerySet[Dashboard]:
    """Return the dashboards that somebody sees, in no order; the system's is seen by all."""
    found = _owned(rights) | Q(is_system=True) | _shared(rights, "dashboard")
    return Dashboard.objects.filter(found)


def editable_filters(rights: Rights) -> QuerySet[Filter]:
    """Return the filters that somebody may change, in no order: theirs, and those shared for it."""
    return Filter.objects.filter(_owned(rights) | _shared(rights, "filter", edit=True))


def editable_dashboards(rights: Rights) -> QuerySet[Dashboard]:
    """Return the dashboards that somebody may change, in no order; the system's, admins."""
    found = _owned(rights) | _shared(rights, "dashboard", edit=True)
    if rights.is_admin:
        found |= Q(is_system=True)
    return Dashboard.objects.filter(found)
