"""Saved filters: made, changed, shared, starred, handed on and deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.core import clock
from clones.core.digits import whole_number
from clones.tracker.domain import sharing
from clones.tracker.domain.audit import record
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, Unauthenticated
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.sharing import Draft
from clones.tracker.models import Board, Favourite, Filter, Share, User
from clones.tracker.queries.fields import all_fields
from clones.tracker.queries.jql.compiling import compile_plan
from clones.tracker.queries.jql.visibility import VisibilityScope
from clones.tracker.queries.jql_site import DatabaseSite
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.sharing import editable_filters, visible_filters
from clones.tracker.rules.field_catalogue import system_fields
from clones.tracker.rules.jql import plan_text

KIND: Final = "filter"
LONGEST_NAME: Final = 255
FILTER_GONE: Final = (
    "The selected filter is not available to you, perhaps it has been deleted or had its "
    "permissions changed."
)
NO_NAME: Final = "You must specify a name to save this filter as."
SAME_NAME: Final = "Filter with same name already exists."
LONG_NAME: Final = f"The name must not be longer than {LONGEST_NAME} characters."
NOT_YOURS: Final = "You do not have permission to edit this filter."


def find_filter(actor: Rights, id: str | int, *, override: bool = False) -> Filter:
    """Return a filter that somebody sees; `override` lets admins see all.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    number = whole_number(str(id))
    if number is None:
        raise NotFound(FILTER_GONE)
    rows = Filter.objects.all() if override and actor.is_admin else visible_filters(actor)
    found = rows.select_related("owner").filter(id=number).first()
    if found is None:
        raise NotFound(FILTER_GONE)
    return found


def may_edit(saved: Filter, actor: Rights) -> bool:
    """Tell whether somebody may change a filter."""
    return editable_filters(actor).filter(id=saved.id).exists()


def create_filter(
    *,
    name: str | None,
    jql: str = "",
    description: str = "",
    shares: Sequence[Draft] | None = None,
    editors: Sequence[Draft] = (),
    favourite: bool = False,
    actor: Rights,
) -> Filter:
    """Save a query under a name.

    Args:
        name: no other filter of its owner has it.
        jql: the query; empty for all issues.
        description: what it is for.
        shares: who may look at it; None for whom its owner shares new filters with.
        editors: who may change it.
        favourite: whether its owner stars it at once.
        actor: its owner.

    Raises:
        Invalid: the name is missing or taken.
        JqlError: the query cannot be run.
    """
    owner = actor.user
    if owner is None:
        raise Unauthenticated
    checked = _name(name, owner)
    check_query(jql, actor)
    found = Filter.objects.create(
        id=next_id(Filter),
        name=checked,
        description=description,
        owner=owner,
        jql=jql,
        created=clock.now(),
    )
    wanted = sharing.default_shares(actor) if shares is None else shares
    sharing.set_shares(found, wanted, edit=False)
    sharing.set_shares(found, editors, edit=True)
    if favourite:
        star(found, actor=actor)
    return found


def update_filter(
    saved: Filter,
    *,
    name: str | None = None,
    jql: str | None = None,
    description: str | None = None,
    shares: Sequence[Draft] | None = None,
    editors: Sequence[Draft] | None = None,
    favourite: bool | None = None,
    actor: Rights,
) -> Filter:
    """Change a filter: what is None stays as it is.

    Raises:
        Invalid: it is not the actor's to change, or the name is taken.
        JqlError: the query cannot be run.
    """
    if not may_edit(saved, actor):
        raise Invalid(NOT_YOURS)
    if name is not None:
        saved.name = _name(name, saved.owner, besides=saved)
    if jql is not None:
        check_query(jql, actor, saved=saved)
        saved.jql = jql
    if description is not None:
        saved.description = description
    saved.save(update_fields=["name", "jql", "description"])
    if shares is not None:
        sharing.set_shares(saved, shares, edit=False)
    if editors is not None:
        sharing.set_shares(saved, editors, edit=True)
    if favourite is not None:
        (star if favourite else unstar)(saved, actor=actor)
    return saved


def delete_filter(saved: Filter, *, actor: Rights) -> None:
    """Delete a filter: its owner does, or an admin.

    Raises:
        Unauthenticated: the actor is neither. That is how the vendor says so.
        Invalid: a board stands on it.
    """
    if not _owns(saved, actor):
        raise Unauthenticated("You do not have permission to delete this filter.")
    board = Board.objects.filter(filter=saved).order_by("id").first()
    if board is not None:
        raise Invalid(f"The filter cannot be deleted because the board '{board.name}' uses it.")
    Favourite.objects.filter(kind=KIND, entity=saved.id).delete()
    saved.delete()


def change_owner(saved: Filter, account_id: str, *, actor: Rights) -> None:
    """Hand a filter on to somebody else: its owner does, or an admin.

    Raises:
        Forbidden: the actor is neither.
        NotFound: there is no such user.
        Invalid: the new owner has a filter of that name.
    """
    if not _owns(saved, actor):
        raise Forbidden("You do not have permission to change the owner of this filter.")
    owner = User.objects.filter(account_id=account_id, active=True).first()
    if owner is None:
        raise NotFound(f"The user with account ID '{account_id}' does not exist.")
    before = saved.owner
    if owner.id == before.id:
        return
    _name(saved.name, owner, besides=saved)
    saved.owner = owner
    saved.save(update_fields=["owner_id"])
    if actor.user is None or actor.user.id != before.id:
        record(
            "Filter owner changed",
            "filters",
            actor=actor,
            object=("FILTER", str(saved.id), saved.name),
            changes=[("owner", before.account_id, owner.account_id)],
        )


def share_filter(saved: Filter, draft: Draft, *, actor: Rights) -> None:
    """Share a filter with some more; with everybody, and with nobody else besides.

    Raises:
        Invalid: it is not the actor's.
    """
    if not _is_owner(saved, actor):
        raise Invalid(NOT_YOURS)
    if sharing.is_lone(draft):
        sharing.set_shares(saved, [draft], edit=False)
        return
    saved.shares.filter(edit=False, type__in=sorted(sharing.LONE)).delete()
    sharing.add_shares(saved, [draft], edit=False)


def unshare_filter(saved: Filter, share: Share, *, actor: Rights) -> None:
    """Take a share of a filter back.

    Raises:
        NotFound: the filter is not the actor's.
    """
    if not _is_owner(saved, actor):
        raise NotFound(FILTER_GONE)
    share.delete()


def star(saved: Filter, *, actor: Rights) -> None:
    """Add a filter to somebody's favourites."""
    rows = Favourite.objects.filter(user=actor.user, kind=KIND)
    if rows.filter(entity=saved.id).exists():
        return
    Favourite(
        id=next_id(Favourite),
        user=actor.user,
        kind=KIND,
        entity=saved.id,
        position=rows.count(),
    ).save(force_insert=True)


def unstar(saved: Filter, *, actor: Rights) -> None:
    """Take a filter from somebody's favourites."""
    Favourite.objects.filter(user=actor.user, kind=KIND, entity=saved.id).delete()


def set_columns(
    saved: Filter,
    columns: Sequence[str],
    *,
    actor: Rights,
) -> None:
    """Set which fields the list of a filter's results shows.

    Raises:
        Forbidden: the filter is not the actor's.
        Invalid: a field is none, or no column.
    """
    if not _is_owner(saved, actor):
        raise Forbidden("You do not have permission to set the columns of this filter.")
    known = column_names(actor)
    for column in columns:
        if column not in known:
            raise Invalid(f"Invalid column id, or column is not navigable: {column}.")
    saved.columns = list(dict.fromkeys(columns))
    saved.save(update_fields=["columns"])


def reset_columns(saved: Filter, *, actor: Rights) -> None:
    """Let the list of a filter's results show the usual fields.

    Raises:
        Forbidden: the filter is not the actor's.
    """
    if not _is_owner(saved, actor):
        raise Forbidden("You do not have permission to set the columns of this filter.")
    saved.columns = None
    saved.save(update_fields=["columns"])


def check_query(jql: str, actor: Rights, *, saved: Filter | None = None) -> None:
    """Hold a query to what can be run, and a filter's to not asking for the filter itself.

    Raises:
        JqlError: it does not hold.
    """
    if jql.strip():
        inside = () if saved is None else (saved.id,)
        site = DatabaseSite(VisibilityScope(actor, inside))
        compile_plan(plan_text(jql, site), site)


def column_names(actor: Rights) -> dict[str, str]:
    """Return the fields that a list of issues can show: their names by their ids."""
    found = {field.id: field.name for field in system_fields().values() if field.is_column}
    return found | {field.key: field.name for field in all_fields(actor)}


def _is_owner(saved: Filter, actor: Rights) -> bool:
    return actor.user is not None and saved.owner_id == actor.user.id


def _owns(saved: Filter, actor: Rights) -> bool:
    return actor.is_admin or _is_owner(saved, actor)


def _name(name: str | None, owner: User, *, besides: Filter | None = None) -> str:
    text = (name or "").strip()
    if not text:
        raise Invalid(fields={"filterName": NO_NAME})
    if len(text) > LONGEST_NAME:
        raise Invalid(fields={"filterName": LONG_NAME})
    rows = Filter.objects.filter(owner=owner, name__iexact=text)
    if besides is not None:
        rows = rows.exclude(id=besides.id)
    if rows.exists():
        raise Invalid(fields={"filterName": SAME_NAME})
    return text
