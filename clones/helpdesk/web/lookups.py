"""Whom or what a field means in which a name was typed or chosen."""

from __future__ import annotations

from clones.core.digits import is_digits
from clones.helpdesk.domain.people import user_of_email
from clones.helpdesk.models import Organization, User
from clones.helpdesk.queries.lookup_targets import target_of_title, titles_of
from clones.helpdesk.web.form_values import ADDRESS, person_text


def person_named(text: str, key: str = "") -> User | None:
    """Return the active user who was chosen, or whose address or whole name was typed."""
    text = plain(text)
    if is_key(key):
        chosen = User.objects.filter(id=int(key), active=True).first()
        if chosen is not None and text in (person_text(chosen), chosen.name):
            return chosen
    address = ADDRESS.search(text)
    if address is not None:
        return user_of_email(address.group())
    named = list(User.objects.filter(name__iexact=text, active=True).order_by("id")[:2])
    return named[0] if text and len(named) == 1 else None


def organization_named(text: str, key: str = "") -> Organization | None:
    """Return the organization that was chosen, or whose whole name was typed."""
    text = plain(text)
    if is_key(key):
        chosen = Organization.objects.filter(id=int(key)).first()
        if chosen is not None and text == chosen.name:
            return chosen
    if not text:
        return None
    return Organization.objects.filter(name__iexact=text).order_by("id").first()


def target_named(target_type: str, text: str, key: str) -> str:
    """Return the id of the record that was chosen or typed, or what was typed if it is none.

    A ticket is typed as its number.
    """
    text = plain(text)
    if target_type == "zen:user":
        user = person_named(text, key)
        return text if user is None else str(user.id)
    if target_type == "zen:organization":
        organization = organization_named(text, key)
        return text if organization is None else str(organization.id)
    if target_type == "zen:ticket":
        return text.removeprefix("#")
    if text and titles_of([(target_type, plain(key))]).get((target_type, plain(key))) == text:
        return plain(key)
    return target_of_title(target_type, text) or text


def plain(text: str) -> str:
    """Return what was typed as a store can be asked for it."""
    return text.replace("\x00", "").strip()


def is_key(text: str) -> bool:
    """Tell whether a text can be the key of a row."""
    return is_digits(text)
