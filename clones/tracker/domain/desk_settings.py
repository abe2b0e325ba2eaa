"""What a desk's administrators decide: its portal, who may ask, what customers are told."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from clones.tracker.domain import audit
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.request_types import require_manager
from clones.tracker.models import ServiceDesk
from clones.tracker.queries.request_forms import MAIL_TYPE, types_for_mail
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.desk.notices import NOTICES, SILENT

ACCESS: Final = {
    "restricted": "Customers who were added, and the people of the desk's organizations",
    "open": "Anyone who has an account on this site",
}
SATISFACTION: Final = "satisfaction"


def change_portal(
    desk: ServiceDesk, *, actor: Rights, name: str, description: str = "", announcement: str = ""
) -> ServiceDesk:
    """Change what a desk's portal says of itself.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty or too long.
    """
    require_manager(actor, desk)
    called = name.strip()
    if not called or len(called) > 255:
        raise Invalid(fields={"name": "The portal name must have between 1 and 255 characters."})
    desk.portal_name = called
    desk.portal_description = description.strip()
    desk.announcement = announcement.strip()
    desk.save()
    _record("Service desk portal changed", desk, actor)
    return desk


def set_access(desk: ServiceDesk, access: str, *, actor: Rights) -> ServiceDesk:
    """Say who may ask a desk: `restricted` or `open`.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: another word.
    """
    require_manager(actor, desk)
    if access not in ACCESS:
        raise Invalid(fields={"access": "Choose who can raise requests."})
    if desk.access != access:
        before, desk.access = desk.access, access
        desk.save(update_fields=["access"])
        _record("Customer permissions changed", desk, actor, ("access", before, access))
    return desk


def set_satisfaction(desk: ServiceDesk, *, on: bool, actor: Rights) -> ServiceDesk:
    """Say whether customers are asked to rate what was done for them.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, desk)
    desk.settings = {**desk.settings, SATISFACTION: on}
    desk.save(update_fields=["settings"])
    return desk


def set_notices(desk: ServiceDesk, told: Collection[str], *, actor: Rights) -> ServiceDesk:
    """Say of what customers are mailed; `told` are keys of `rules.desk.notices.NOTICES`.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, desk)
    desk.settings = {**desk.settings, SILENT: sorted(set(NOTICES) - set(told))}
    desk.save(update_fields=["settings"])
    return desk


def set_mail_type(desk: ServiceDesk, key: int | None, *, actor: Rights) -> ServiceDesk:
    """Say what mails to a desk become: requests of a type, by its id; None leaves it to the forms.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the desk has no such type, or its form wants more than a mail has.
    """
    require_manager(actor, desk)
    if key is not None and key not in {one.id for one in types_for_mail(desk)}:
        raise Invalid(fields={"type": "Choose a request type whose form a mail fills."})
    before = desk.settings.get(MAIL_TYPE)
    if key == before:
        return desk
    kept = {name: value for name, value in desk.settings.items() if name != MAIL_TYPE}
    desk.settings = kept if key is None else {**kept, MAIL_TYPE: key}
    desk.save(update_fields=["settings"])
    was, now = ("" if one is None else str(one) for one in (before, key))
    _record("Email requests changed", desk, actor, (MAIL_TYPE, was, now))
    return desk


def asks_for_ratings(desk: ServiceDesk) -> bool:
    """Tell whether customers are asked to rate what was done for them: they are unless told not."""
    return bool(desk.settings.get(SATISFACTION, True))


def _record(
    summary: str, desk: ServiceDesk, actor: Rights, *changes: tuple[str, str | None, str | None]
) -> None:
    space = ("PROJECT", str(desk.project_id), desk.project.name)
    audit.record(summary, "projects", actor=actor, object=space, changes=changes)
