"""Dashboards: made, copied, changed, shared, handed on and deleted, one or many at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from clones.core import clock
from clones.core.digits import is_digits
from clones.tracker.domain import sharing
from clones.tracker.domain.audit import record
from clones.tracker.domain.errors import Invalid, NotFound, TrackerError, Unauthenticated
from clones.tracker.domain.gadgets import KIND as ITEM
from clones.tracker.domain.gadgets import copy_gadgets
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import forget_properties
from clones.tracker.domain.sharing import Draft
from clones.tracker.models import Dashboard, Favourite, Gadget, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.sharing import editable_dashboards, visible_dashboards

KIND: Final = "dashboard"
LONGEST_NAME: Final = 255
MOST_AT_ONCE: Final = 100
GONE: Final = (
    "The dashboard you requested either does not exist or you don't have the required permissions "
    "to perform this action."
)
NOT_EDITOR: Final = "Only owner or editors of the dashboard can change permissions."
Action = Literal["changeOwner", "changePermission", "addPermission", "removePermission"]


@dataclass(frozen=True, slots=True)
class DashboardsChange:
    """What many dashboards are to become: for a new owner, or with other shares."""

    action: Action
    shares: Sequence[Draft] = ()
    editors: Sequence[Draft] = ()
    new_owner: str = ""
    fixes_name: bool = False


def find_dashboard(actor: Rights, id: str | int, *, to_edit: bool = False) -> Dashboard:
    """Return a dashboard that somebody sees, or may change.

    Raises:
        NotFound: there is none, or they may not.
    """
    digits = str(id)
    found: Dashboard | None = None
    if is_digits(digits):
        rows = editable_dashboards(actor) if to_edit else visible_dashboards(actor)
        found = rows.select_related("owner").filter(id=int(digits)).first()
    if found is None:
        raise NotFound(GONE)
    return found


def create_dashboard(
    *,
    name: str | None,
    description: str = "",
    shares: Sequence[Draft] | None = None,
    editors: Sequence[Draft] = (),
    actor: Rights,
) -> Dashboard:
    """Make a dashboard without gadgets.

    Args:
        name: no other dashboard of its owner has it.
        description: what it is for.
        shares: who may look at it; None for whom its owner shares new dashboards with.
        editors: who may change it.
        actor: its owner.

    Raises:
        Invalid: the name is missing or taken.
    """
    owner = actor.user
    if owner is None:
        raise Unauthenticated
    checked = _name(name, owner)
    found = Dashboard.objects.create(
        id=next_id(Dashboard),
        name=checked,
        description=description,
        owner=owner,
        rank=Dashboard.objects.filter(owner=owner).count(),
        created=clock.now(),
    )
    wanted = sharing.default_shares(actor) if shares is None else shares
    sharing.set_shares(found, wanted, edit=False)
    sharing.set_shares(found, editors, edit=True)
    return found


def copy_dashboard(
    source: Dashboard,
    *,
    name: str | None,
    description: str | None,
    shares: Sequence[Draft],
    editors: Sequence[Draft],
    actor: Rights,
) -> Dashboard:
    """Make a dashboard of the actor's with the gadgets of another and their settings.

    Raises:
        Invalid: the name is missing or taken.
    """
    made = create_dashboard(
        name=name,
        description=source.description if description is None else description,
        shares=shares,
        editors=editors,
        actor=actor,
    )
    made.layout, made.refresh_ms = source.layout, source.refresh_ms
    made.save(update_fields=["layout", "refresh_ms"])
    copy_gadgets(source, made)
    return made


def update_dashboard(
    dashboard: Dashboard,
    *,
    name: str | None,
    description: str | None,
    shares: Sequence[Draft] | None,
    editors: Sequence[Draft] | None,
) -> Dashboard:
    """Change a dashboard that the caller may change: shares and editors stay where None is given.

    Raises:
        Invalid: the name is missing or taken.
    """
    dashboard.name = _name(name, dashboard.owner, besides=dashboard)
    dashboard.description = description or ""
    dashboard.save(update_fields=["name", "description"])
    for wanted, edit in ((shares, False), (editors, True)):
        if wanted is not None:
            sharing.set_shares(dashboard, wanted, edit=edit)
    return dashboard


def delete_dashboard(dashboard: Dashboard, *, actor: Rights) -> None:
    """Delete a dashboard with its gadgets: its owner does, or an admin.

    Raises:
        Invalid: the actor is neither, or it is the system's.
    """
    if dashboard.is_system or not _owns(dashboard, actor):
        raise Invalid(GONE)
    gadgets = Gadget.objects.filter(dashboard=dashboard).values_list("id", flat=True)
    forget_properties(ITEM, [str(id) for id in gadgets])
    Favourite.objects.filter(kind=KIND, entity=dashboard.id).delete()
    dashboard.delete()


def change_dashboards(
    ids: Collection[int], change: DashboardsChange, *, actor: Rights, as_admin: bool = False
) -> dict[int, TrackerError]:
    """Change many dashboards; return what kept the others from it, by id.

    Raises:
        Invalid: they are too many, or none.
    """
    if not ids or len(ids) > MOST_AT_ONCE:
        raise Invalid(f"Between 1 and {MOST_AT_ONCE} dashboards can be edited at once.")
    wrong: dict[int, TrackerError] = {}
    free = as_admin and actor.is_admin
    found = Dashboard.objects.select_related("owner").in_bulk(list(ids))
    seen = set(visible_dashboards(actor).filter(id__in=ids).values_list("id", flat=True))
    mine = set(editable_dashboards(actor).filter(id__in=ids).values_list("id", flat=True))
    for id in dict.fromkeys(ids):
        row = found.get(id)
        if row is None or not (free or id in seen):
            wrong[id] = NotFound(GONE)
        elif not (free or id in mine):
            wrong[id] = Invalid(NOT_EDITOR)
        else:
            try:
                _change(row, change, actor=actor, as_admin=free)
            except TrackerError as error:
                wrong[id] = error
    return wrong


def _change(row: Dashboard, change: DashboardsChange, *, actor: Rights, as_admin: bool) -> None:
    if change.action == "changeOwner":
        if not as_admin and not _owns(row, actor):
            raise Invalid("Only the owner of the dashboard can change its owner.")
        _hand_on(row, change, actor=actor)
        return
    act = {
        "changePermission": sharing.set_shares,
        "addPermission": sharing.add_shares,
        "removePermission": sharing.remove_shares,
    }[change.action]
    act(row, change.shares, edit=False)
    act(row, change.editors, edit=True)


def _hand_on(row: Dashboard, change: DashboardsChange, *, actor: Rights) -> None:
    owner = User.objects.filter(account_id=change.new_owner, active=True).first()
    if owner is None:
        raise Invalid(f"The user with account ID '{change.new_owner}' does not exist.")
    before = row.owner
    try:
        row.name = _name(row.name, owner, besides=row)
    except Invalid:
        if not change.fixes_name:
            raise
        row.name = _free_name(row, owner)
    row.owner = owner
    row.save(update_fields=["owner_id", "name"])
    if before is None or actor.user is None or actor.user.id != before.id:
        record(
            "Dashboard owner changed",
            "dashboards",
            actor=actor,
            object=("DASHBOARD", str(row.id), row.name),
            changes=[("owner", before.account_id if before else None, owner.account_id)],
        )


def _free_name(row: Dashboard, owner: User) -> str:
    taken = set(Dashboard.objects.filter(owner=owner).values_list("name", flat=True))
    low = {name.lower() for name in taken}
    number = 1
    while f"{row.name} ({number})".lower() in low:
        number += 1
    return f"{row.name} ({number})"[:LONGEST_NAME]


def _owns(dashboard: Dashboard, actor: Rights) -> bool:
    if actor.user is None:
        return False
    return actor.is_admin or dashboard.owner_id == actor.user.id


def _name(name: str | None, owner: User | None, *, besides: Dashboard | None = None) -> str:
    text = (name or "").strip()
    if not text:
        raise Invalid(fields={"name": "You must specify a name to save this dashboard as."})
    if len(text) > LONGEST_NAME:
        sentence = f"The name must not be longer than {LONGEST_NAME} characters."
        raise Invalid(fields={"name": sentence})
    rows = Dashboard.objects.filter(owner=owner, name__iexact=text)
    if besides is not None:
        rows = rows.exclude(id=besides.id)
    if rows.exists():
        raise Invalid(fields={"name": "Dashboard with same name already exists."})
    return text
