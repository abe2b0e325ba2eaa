"""The part of a form that says with whom a filter or a dashboard is shared.

    shares = share_fields(thing, data, rights)     what tracker/filters/_sharing.html shows
    shares, editors = read_sharing(thing, data, actor=rights)

Two groups of inputs, for those who may look (`viewers`) and those who may change it (`editors`):
`<group>` once for each share that stays (its id), `<group>_add` for one more: loggedin, global,
project:ID, group:UUID or user:ACCOUNT, and `<group>_role` for a role of the space.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from clones.tracker.domain.sharing import Draft, default_shares, is_lone, read_share
from clones.tracker.models import Dashboard, Filter, Group, ProjectRole, Share, User
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.web.vocabulary import say

GROUPS: Final = {"viewers": "Viewers", "editors": "Editors"}
PEOPLE: Final = 500
Thing = Filter | Dashboard
Options = list[tuple[str, list[tuple[str, str]]]]
WITH: Final = ("project", "role", "group", "user")
LONE: Final = (("loggedin", "My organization"), ("global", "Public on the internet"))
HIDDEN: Final = "Private"  # stands for the name of a space that the reader does not see


@dataclass(frozen=True, slots=True)
class Kept:
    """A share that there is, and whether it is to stay."""

    value: str
    name: str
    stays: bool


@dataclass(frozen=True, slots=True)
class ShareField:
    """The inputs of one group."""

    key: str
    label: str
    kept: list[Kept]
    options: Options
    roles: list[tuple[str, str]]
    added: str
    role: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The spaces that somebody sees, by id, and what the site calls one."""

    ids: Collection[int] = ()
    called: str = ""


def seen_spaces(shares: Iterable[Share], rights: Rights) -> Seen:
    """Return which of the spaces of some shares somebody sees; without any nothing is read."""
    wanted = {share.project_id for share in shares if share.project_id is not None}
    if not wanted:
        return Seen()
    rows = visible_projects(rights).filter(id__in=sorted(wanted)).order_by()
    return Seen(set(rows.values_list("id", flat=True)), say("Space"))


def share_text(share: Share, seen: Seen) -> str:
    """Return a share in words; a space that the reader does not see has no name."""
    if share.type == "global":
        return "Public on the internet"
    if share.project is not None:
        if share.project.id not in seen.ids:
            return f"{seen.called}: {HIDDEN}"
        role = f", role {share.role.name}" if share.role is not None else ""
        return f"{seen.called}: {share.project.name}{role}"
    if share.group is not None:
        return f"Group: {share.group.name}"
    if share.user is not None:
        return share.user.display_name
    return "My organization"


def shares_of(thing: Thing | None, *, edit: bool) -> list[Share]:
    """Return the shares of a thing in their order, those to look or those to change."""
    if thing is None:
        return []
    return list(thing.shares.filter(edit=edit).select_related(*WITH).order_by("id"))


def share_fields(
    thing: Thing | None, data: QueryDict | None, rights: Rights
) -> Sequence[ShareField]:
    """Return the inputs for a thing (None: one yet to be made), as they stand or were sent."""
    if not rights.holds_global("CREATE_SHARED_OBJECTS"):
        return ()
    options, roles = _options(rights), _roles()
    found = []
    shares = {key: shares_of(thing, edit=key == "editors") for key in GROUPS}
    seen = seen_spaces([row for rows in shares.values() for row in rows], rights)
    for key, label in GROUPS.items():
        sent = None if data is None else data.getlist(key)
        kept = [
            Kept(str(row.id), share_text(row, seen), sent is None or str(row.id) in sent)
            for row in shares[key]
        ]
        added = "" if data is None else data.get(f"{key}_add", "")
        if data is None and thing is None and key == "viewers" and default_shares(rights):
            added = "loggedin"
        role = "" if data is None else data.get(f"{key}_role", "")
        found.append(ShareField(key, label, kept, options, roles, added, role))
    return found


def _options(rights: Rights) -> Options:
    spaces = visible_projects(rights).filter(archived_at=None).order_by("name", "id")
    groups = Group.objects.order_by("name", "id")
    if not rights.is_admin:
        groups = groups.filter(id__in=sorted(rights.group_ids))
    users = User.objects.filter(active=True, account_type="atlassian")
    people = users.order_by("display_name", "id").values_list("account_id", "display_name")
    return [
        ("Everybody", list(LONE)),
        (say("Spaces"), [(f"project:{row.id}", row.name) for row in spaces[:PEOPLE]]),
        ("Groups", [(f"group:{row.uuid}", row.name) for row in groups[:PEOPLE]]),
        ("People", [(f"user:{account}", name) for account, name in people[:PEOPLE]]),
    ]


def _roles() -> list[tuple[str, str]]:
    rows = ProjectRole.objects.order_by("name", "id")
    return [(str(row.id), row.name) for row in rows]


def read_sharing(
    thing: Thing | None, data: QueryDict, *, actor: Rights
) -> tuple[list[Draft], list[Draft]]:
    """Return with whom a form shares a thing: who may look, who may change.

    Raises:
        Invalid: a share may not be made.
    """
    viewers = _read(thing, data, "viewers", actor)
    return viewers, _read(thing, data, "editors", actor)


def _read(thing: Thing | None, data: QueryDict, key: str, actor: Rights) -> list[Draft]:
    stays = set(data.getlist(key))
    found = [
        Draft(row.type, row.project, row.role, row.group, row.user)
        for row in shares_of(thing, edit=key == "editors")
        if str(row.id) in stays
    ]
    kind, _, id = data.get(f"{key}_add", "").partition(":")
    if kind:
        added = read_share(
            type=kind,
            project=id if kind == "project" else None,
            role=(data.get(f"{key}_role") or None) if kind == "project" else None,
            group=id if kind == "group" else None,
            user=id if kind == "user" else None,
            actor=actor,
        )
        if is_lone(added):
            return [added]
        found = [draft for draft in found if not is_lone(draft)]
        if added not in found:
            found.append(added)
    return found
