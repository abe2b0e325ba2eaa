"""Sharing filters and dashboards: which shares may be made, and making them.

A share says who is let in: everybody, whoever signed in, those of a space, of a role in it, of a
group, or one user. Making any takes the permission to share; it can be made with groups that one is
in, and with spaces and roles that one sees. Admins may share with all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.numbering import next_ids
from clones.tracker.models import (
    Dashboard,
    Filter,
    Group,
    Preference,
    Project,
    ProjectRole,
    Share,
    User,
)
from clones.tracker.queries.rights import Rights, find_project

SCOPES: Final = ("GLOBAL", "AUTHENTICATED", "PRIVATE")
SCOPE_KEY: Final = "default_share_scope"
NOT_ALLOWED: Final = "You do not have permission to share."
_FIELD: Final = "shares"
# What requests call the types, and what they are kept as.
_TYPES: Final = {
    "global": "global",
    "loggedin": "loggedin",
    "authenticated": "loggedin",
    "project": "project",
    "projectRole": "projectRole",
    "group": "group",
    "user": "user",
}
LONE: Final = frozenset({"global", "loggedin"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A share of a filter or dashboard, not stored yet."""

    type: str
    project: Project | None = None
    role: ProjectRole | None = None
    group: Group | None = None
    user: User | None = None

    def is_of(self, share: Share) -> bool:
        """Tell whether a share lets in the same."""
        return (self.type, *self._keys()) == (
            share.type,
            share.project_id,
            share.role_id,
            share.group_id,
            share.user_id,
        )

    def _keys(self) -> tuple[int | None, ...]:
        things = (self.project, self.role, self.group, self.user)
        return tuple(None if thing is None else thing.pk for thing in things)

    def row(self, key: int, of: Filter | Dashboard, *, edit: bool) -> Share:
        """Return the row of the share."""
        kind = "filter" if isinstance(of, Filter) else "dashboard"
        return Share(
            id=key,
            edit=edit,
            type=self.type,
            project=self.project,
            role=self.role,
            group=self.group,
            user=self.user,
            **{kind: of},
        )


def _wrong(text: str) -> Invalid:
    return Invalid(fields={_FIELD: text})


def read_shares(
    given: Iterable[Mapping[str, Any]], *, actor: Rights, override: bool = False
) -> list[Draft]:
    """Return the shares of a list as requests have them: {"type", "project": {"id"}...}.

    `override` lets admins share with what they have no part in.

    Raises:
        Invalid: one is none, or may not be made.
    """
    found: list[Draft] = []
    for one in given:
        draft = read_share(
            type=_text(one.get("type")),
            project=_id(one.get("project"), "id", "key"),
            role=_id(one.get("role"), "id"),
            group=_id(one.get("group"), "groupId"),
            group_name=_id(one.get("group"), "name"),
            user=_id(one.get("user"), "accountId"),
            actor=actor,
            override=override,
        )
        if draft not in found:
            found.append(draft)
    # Who lets everybody in lets nobody else in besides.
    return [draft for draft in found if draft.type in LONE][:1] or found


def _text(given: Any) -> str:
    return given if isinstance(given, str) else ""


def _id(given: Any, *names: str) -> str | None:
    if not isinstance(given, Mapping):
        return None
    values = (given.get(name) for name in names)
    return next((str(value) for value in values if value is not None), None)


def read_share(
    *,
    type: str | None,
    project: str | None = None,
    role: str | None = None,
    group: str | None = None,
    group_name: str | None = None,
    user: str | None = None,
    actor: Rights,
    override: bool = False,
) -> Draft:
    """Return a share that may be made, by the ids of what it is with.

    Raises:
        Invalid: it is none, or may not be made.
    """
    free = override and actor.is_admin
    kind = _TYPES.get(type or "")
    if kind is None:
        raise _wrong(f"The share type '{type or ''}' is invalid.")
    if not free and not actor.holds_global("CREATE_SHARED_OBJECTS"):
        raise _wrong(NOT_ALLOWED)
    if kind == "group":
        return Draft(kind, group=_group(group, group_name, actor, free=free))
    if kind == "user":
        return Draft(kind, user=_user(user))
    if kind in LONE:
        return Draft(kind)
    space = _project(project, actor, free=free)
    if kind == "projectRole" or role is not None:
        return Draft("projectRole", project=space, role=_role(role, space, actor, free=free))
    return Draft(kind, project=space)


def _group(uuid: str | None, name: str | None, actor: Rights, *, free: bool) -> Group:
    if not uuid and not name:
        raise _wrong("The group must be provided for a share of the type 'group'.")
    found = Group.objects.filter(**({"uuid": uuid} if uuid else {"name": name})).first()
    if found is None:
        raise _wrong(f"The group '{uuid or name}' does not exist.")
    if not free and found.id not in actor.group_ids and not actor.is_admin:
        raise _wrong(f"You do not have permission to share with Group: '{found.name}'.")
    return found


def _user(account: str | None) -> User:
    if not account:
        raise _wrong("The user must be provided for a share of the type 'user'.")
    found = User.objects.filter(account_id=account, active=True).first()
    if found is None:
        raise _wrong(f"The user with account ID '{account}' does not exist.")
    return found


def _project(id_or_key: str | None, actor: Rights, *, free: bool) -> Project:
    if not id_or_key:
        raise _wrong("The project must be provided for a share of this type.")
    try:
        return find_project(actor, id_or_key)
    except NotFound:
        text = f"You do not have permission to share with Project: '{id_or_key}'."
        raise _wrong(text) from None


def _role(id: str | None, space: Project, actor: Rights, *, free: bool) -> ProjectRole:
    number = int(id) if id is not None and is_digits(id) else -1
    found = ProjectRole.objects.filter(id=number).first()
    if found is None:
        raise _wrong(f"The project role with ID '{id or ''}' does not exist.")
    return found


def default_shares(actor: Rights) -> list[Draft]:
    """Return the shares of what somebody makes without saying with whom it is shared."""
    shared = default_scope(actor) != "PRIVATE" and actor.holds_global("CREATE_SHARED_OBJECTS")
    return [Draft("loggedin")] if shared else []


def default_scope(actor: Rights) -> str:
    """Return with whom somebody shares new filters and dashboards: AUTHENTICATED or PRIVATE."""
    rows = Preference.objects.filter(user=actor.user, key=SCOPE_KEY)
    found = rows.values_list("value", flat=True).first()
    return "PRIVATE" if found in {None, "PRIVATE"} else "AUTHENTICATED"


def set_default_scope(scope: str, *, actor: Rights) -> str:
    """Set with whom somebody shares new filters and dashboards.

    Raises:
        Invalid: there is no such scope.
    """
    if scope not in SCOPES:
        raise Invalid(f"The scope '{scope}' is invalid. Valid scopes are: {', '.join(SCOPES)}.")
    assert actor.user is not None  # noqa: S101 - whoever has preferences signed in
    row = Preference.objects.filter(user=actor.user, key=SCOPE_KEY).first()
    if row is None:
        (key,) = next_ids(Preference, 1)
        row = Preference(id=key, user=actor.user, key=SCOPE_KEY)
    row.value = scope
    row.save()
    return default_scope(actor)


def set_shares(of: Filter | Dashboard, drafts: Sequence[Draft], *, edit: bool) -> None:
    """Let these in, and nobody else, to look at a thing or (`edit`) to change it.

    Shares that stay keep their ids.
    """
    rows = list(of.shares.filter(edit=edit).order_by("id"))
    gone = [row.id for row in rows if not any(draft.is_of(row) for draft in drafts)]
    Share.objects.filter(id__in=gone).delete()
    add_shares(of, drafts, edit=edit)


def add_shares(of: Filter | Dashboard, drafts: Sequence[Draft], *, edit: bool) -> None:
    """Let these in, too."""
    rows = list(of.shares.filter(edit=edit))
    new = [draft for draft in drafts if not any(draft.is_of(row) for row in rows)]
    keys = next_ids(Share, len(new))
    Share.objects.bulk_create(
        [draft.row(key, of, edit=edit) for key, draft in zip(keys, new, strict=True)]
    )


def remove_shares(of: Filter | Dashboard, drafts: Sequence[Draft], *, edit: bool) -> None:
    """Let these in no longer."""
    rows = of.shares.filter(edit=edit)
    gone = [row.id for row in rows if any(draft.is_of(row) for draft in drafts)]
    Share.objects.filter(id__in=gone).delete()


def is_lone(draft: Draft) -> bool:
    """Tell whether a share lets in so many that all others go when it is made."""
    return draft.type in LONE
