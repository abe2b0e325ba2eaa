"""The headings of a desk's portal, under which request types stand."""

from __future__ import annotations

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.request_types import require_manager
from clones.tracker.domain.scheme_parts import set_positions
from clones.tracker.models import RequestType, RequestTypeGroup, ServiceDesk
from clones.tracker.queries.desks import groups_of
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.ordering import stepped


def create_group(desk: ServiceDesk, name: str, *, actor: Rights) -> RequestTypeGroup:
    """Make a heading at the end of a portal's.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty, too long or taken.
    """
    require_manager(actor, desk)
    called = _name(desk, name)
    last = groups_of(desk).order_by("-position").values_list("position", flat=True).first()
    return RequestTypeGroup.objects.create(
        id=next_id(RequestTypeGroup),
        desk=desk,
        name=called,
        position=0 if last is None else last + 1,
    )


def rename_group(group: RequestTypeGroup, name: str, *, actor: Rights) -> RequestTypeGroup:
    """Give a heading another name.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty, too long or taken.
    """
    require_manager(actor, group.desk)
    group.name = _name(group.desk, name, besides=group)
    group.save(update_fields=["name"])
    return group


def move_group(group: RequestTypeGroup, *, actor: Rights, down: bool) -> None:
    """Let a heading change places with the next one, down or up; at an end it stays.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, group.desk)
    rows = list(groups_of(group.desk))
    set_positions(rows, stepped([row.id for row in rows], group.id, down=down))


def delete_group(group: RequestTypeGroup, *, actor: Rights) -> None:
    """Delete a heading; request types that stand under no other are no longer shown.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, group.desk)
    for row in RequestType.objects.filter(desk=group.desk).order_by("id"):
        if str(group.id) in map(str, row.groups):
            row.groups = [one for one in row.groups if str(one) != str(group.id)]
            row.save(update_fields=["groups"])
    group.delete()


def _name(desk: ServiceDesk, name: str, *, besides: RequestTypeGroup | None = None) -> str:
    called = name.strip()
    if not called or len(called) > 255:
        raise Invalid(fields={"name": "The group name must have between 1 and 255 characters."})
    rows = groups_of(desk).filter(name__iexact=called)
    if besides is not None:
        rows = rows.exclude(id=besides.id)
    if rows.exists():
        raise Invalid(fields={"name": f"A group with the name '{called}' already exists."})
    return called
