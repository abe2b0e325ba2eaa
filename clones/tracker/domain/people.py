"""Users of the site: their accounts, profiles, preferences and columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import available_timezones

from clones.core import accounts, clock
from clones.core.models import Account
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.numbering import new_uuid, next_id
from clones.tracker.domain.settings import setting
from clones.tracker.models import Group, GroupMember, Preference, RoleActor, User
from clones.tracker.queries.rights import Rights

EMAIL: Final = re.compile(r"[^@\s<>\"(),;:]+@[A-Za-z0-9.-]+\.[A-Za-z0-9-]{2,}")
KINDS: Final = ("password", "api_token")
# What a product is called when access to it is given, and its group here.
PRODUCTS: Final = {
    "jira-software": "jira-software-users",
    "jira-core": "jira-core-users",
    "jira-servicedesk": "jira-servicedesk-users",
    "jira-product-discovery": "jira-users",
}
COLUMNS: Final = "user.issue.columns"
NO_ACCESS: Final = "The user exists and has no access to the site."
LOCALE: Final = "jira.user.locale"
ZONE: Final = "jira.user.timezone"
ONLY_ADMINS: Final = "Only Jira administrators can perform this operation."
NOBODY: Final = Rights(None)


def create_user(
    display_name: str,
    email: str | None,
    *,
    actor: Rights = NOBODY,
    account_type: str = "atlassian",
    groups: Iterable[str] = (),
    time_zone: str = "America/New_York",
    locale: str = "en_US",
    active: bool = True,
    created: datetime | None = None,
) -> User:
    """Make a user and put them into groups, given by name; nobody signs in before `open_account`.

    Args:
        display_name: what they are called.
        email: their address; apps have none.
        actor: who makes them; admins make staff, others (desks) customers only.
        account_type: atlassian, app or customer.
        groups: names of groups.
        time_zone: an IANA name.
        locale: such as `en_US`.
        active: whether they may do anything.
        created: since when they are here, now if not given.

    Raises:
        Invalid: the address is none or another's.
    """
    address = None if email is None else _address(email)
    material = new_uuid(User)
    prefix = "qm:" + new_uuid(User) if account_type == "customer" else "712020"
    user = User.objects.create(
        id=next_id(User),
        account_id=f"{prefix}:{material}",
        account_type=account_type,
        email=address,
        display_name=display_name.strip()[:255] or (address or "").partition("@")[0],
        active=active,
        time_zone=time_zone,
        locale=locale,
        created=created or clock.now(),
    )
    for name in groups:
        join_group(user, Group.objects.get(name=name))
    if actor.user is not None:
        _record("User created", user, actor=actor)
        publish(Event("user_created", actor, user=user))
    return user


def join_group(user: User, group: Group) -> GroupMember:
    """Write a user's place in a group, or return the one there is."""
    found = GroupMember.objects.filter(user=user, group=group).first()
    return found or GroupMember.objects.create(id=next_id(GroupMember), user=user, group=group)


def open_account(
    user: User, *, role: str, listed: bool = False, kinds: Sequence[str] = KINDS
) -> Account:
    """Let a user sign in, with one credential of each kind, or return the account there is.

    Args:
        user: who signs in.
        role: admin, developer or customer: under what their secrets are handed out.
        listed: whether they are handed out with the sandbox.
        kinds: kinds of credentials.

    Raises:
        ValueError: the user has no address.
    """
    return accounts.open_account(
        "tracker", user.id, user.email, role=role, kinds=kinds, listed=listed, active=user.active
    )


def invite_user(
    email: str,
    products: Sequence[str],
    *,
    display_name: str | None,
    returning: bool = True,
    actor: Rights,
) -> User:
    """Give somebody access to products: a new user, or the one who has the address.

    Args:
        email: their address.
        products: keys of products; none is no access.
        display_name: what a new user is called; the name of one who is here stays.
        returning: whether one who is here without access may be let in again.
        actor: an admin.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the address is none, a product unknown, or they may not return.
    """
    admins_only(actor, ONLY_ADMINS)
    unknown = [name for name in products if name not in PRODUCTS]
    if unknown:
        raise Invalid(f"Invalid product keys: {', '.join(unknown)}")
    address = _address(email, new=False)
    user = User.objects.filter(email__iexact=address).order_by("id").first()
    if user is not None and not returning and not _has_access(user):
        raise Invalid(fields={"emailAddress": NO_ACCESS})
    if user is None:
        user = create_user(display_name or address.partition("@")[0], address, actor=actor)
        open_account(user, role="developer")
    elif not user.active:
        user.active = True
        user.save(update_fields=["active"])
        Account.objects.filter(clone="tracker", subject=str(user.id)).update(active=True)
    for name in products:
        join_group(user, Group.objects.get(name=PRODUCTS[name]))
    return user


def _has_access(user: User) -> bool:
    groups = Group.objects.filter(name__in=PRODUCTS.values())
    return user.active and GroupMember.objects.filter(user=user, group__in=groups).exists()


def remove_user(user: User, *, actor: Rights) -> None:
    """Take somebody's access to the site; what they wrote keeps their name.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is themselves, or they lead a space or component.
    """
    admins_only(actor, ONLY_ADMINS)
    if actor.user == user:
        raise Invalid("You cannot delete your own account.")
    spaces = user.led_projects.filter(deleted_at=None).order_by("key")
    led = list(spaces.values_list("key", flat=True))
    if led:
        raise Invalid(f"Cannot delete the user because they lead projects: {', '.join(led)}")
    GroupMember.objects.filter(user=user).delete()
    RoleActor.objects.filter(user=user).delete()
    user.led_components.update(lead=None)
    user.active = False
    user.save(update_fields=["active"])
    Account.objects.filter(clone="tracker", subject=str(user.id)).update(active=False)
    _record("User deleted", user, actor=actor)
    publish(Event("user_deleted", actor, user=user))


def _address(email: str, *, new: bool = True) -> str:
    text = email.strip().lower()
    if len(text) > 254 or not EMAIL.fullmatch(text):
        raise Invalid(fields={"emailAddress": "You must specify a valid email address"})
    if new and User.objects.filter(email__iexact=text).exists():
        raise Invalid(fields={"emailAddress": "A user with that email address already exists."})
    return text


def _record(
    summary: str,
    user: User,
    *,
    actor: Rights,
    changes: Sequence[tuple[str, str | None, str | None]] = (),
) -> None:
    about = ("USER", user.account_id, user.display_name)
    audit.record(summary, "user management", actor=actor, object=about, changes=changes)


def _himself_or_admin(user: User, actor: Rights) -> None:
    if actor.user != user and not actor.is_admin:
        raise Forbidden(ONLY_ADMINS)


# Preferences

# What the system's own preferences are until they are set.
DEFAULTS: Final = {
    "user.notifications.mimetype": "html",
    "user.default.share.private": "true",
    "user.keyboard.shortcuts.disabled": "false",
}


def preference(user: User, key: str) -> Any:
    """Return a preference of a user: what they set, or the system's default.

    Raises:
        NotFound: they have none under the key.
    """
    if key == LOCALE:
        return user.locale
    if key == ZONE:
        return user.time_zone
    found = Preference.objects.filter(user=user, key=key).first()
    if found is not None:
        return found.value
    if key in DEFAULTS:
        return DEFAULTS[key]
    raise NotFound(f"key not found: {key}")


def set_preference(user: User, key: str, value: Any) -> None:
    """Set a preference of a user. Locale and time zone are columns of theirs.

    Raises:
        Invalid: the key or value is too long, or no locale or time zone.
    """
    if len(key) > 255:
        raise Invalid("key must not be longer than 255 characters")
    if isinstance(value, str) and len(value) > 255:
        raise Invalid("value must not be longer than 255 characters")
    if key == LOCALE:
        set_locale(user, str(value))
    elif key == ZONE:
        if str(value) not in available_timezones():
            raise Invalid(f"{value} is not a valid time zone.")
        user.time_zone = str(value)
        user.save(update_fields=["time_zone"])
    else:
        _keep(user, key, value)


def remove_preference(user: User, key: str) -> None:
    """Forget a preference of a user; locale and time zone go back to the site's.

    Raises:
        NotFound: they have none under the key.
    """
    if key in (LOCALE, ZONE):
        user.locale = site_locale()
        if key == ZONE:
            user.time_zone = setting("jira.default.timezone", "America/New_York")
        user.save(update_fields=["locale", "time_zone"])
        return
    gone, _ = Preference.objects.filter(user=user, key=key).delete()
    if not gone:
        raise NotFound(f"key not found: {key}")


def site_locale() -> str:
    """Return the language of the site."""
    return str(setting("jira.i18n.default.locale", "en_US"))


def set_locale(user: User, locale: str | None) -> None:
    """Set the language of a user; None gives them the site's.

    Raises:
        Invalid: it is no locale (`en_US`).
    """
    wanted = site_locale() if locale is None else locale
    if not re.fullmatch(r"[a-z]{2}(_[A-Z]{2})?", wanted):
        raise Invalid(f"The locale {wanted} is not supported.")
    user.locale = wanted
    user.save(update_fields=["locale"])


def columns(user: User) -> list[str] | None:
    """Return the columns of a user's lists of issues, None where they have the site's."""
    found = Preference.objects.filter(user=user, key=COLUMNS).first()
    return None if found is None else list(found.value or ())


def set_columns(user: User, wanted: Sequence[str], *, actor: Rights) -> None:
    """Set the columns of a user's lists of issues: their own, or by an admin.

    Raises:
        Forbidden: it is neither themselves nor an admin.
    """
    _himself_or_admin(user, actor)
    _keep(user, COLUMNS, list(wanted))


def reset_columns(user: User, *, actor: Rights) -> None:
    """Give a user the site's columns again.

    Raises:
        Forbidden: it is neither themselves nor an admin.
    """
    _himself_or_admin(user, actor)
    Preference.objects.filter(user=user, key=COLUMNS).delete()


def _keep(user: User, key: str, value: Any) -> None:
    row = Preference.objects.filter(user=user, key=key).first()
    if row is None:
        Preference.objects.create(id=next_id(Preference), user=user, key=key, value=value)
    elif row.value != value:
        row.value = value
        row.save(update_fields=["value"])
