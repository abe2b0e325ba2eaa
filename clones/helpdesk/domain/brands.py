"""Writing brands and the addresses that customers write to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource, ResourceField
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import identifier, plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.people import check_email
from clones.helpdesk.models import Brand, SupportAddress, Ticket, TicketForm, User

SUBDOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
NAME_LIMIT: Final = 255
SUBDOMAIN_LIMIT: Final = 63
SIGNATURE: Final = 65_535


@logged("create")
def create_brand(*, actor: User, changes: Mapping[str, Any]) -> Brand:
    """Create a brand.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    now = clock.now()
    brand = Brand(id=ids.next_stamp(Brand), created_at=now, updated_at=now)
    _set_brand(brand, {"name": None, "subdomain": None, **changes})
    brand.save(force_insert=True)
    _settle_default_brand(brand)
    return brand


@logged("update")
def update_brand(brand: Brand, *, actor: User, changes: Mapping[str, Any]) -> Brand:
    """Change a brand.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or the default brand would be off or gone.
    """
    _admins_only(actor)
    _set_brand(brand, changes)
    brand.updated_at = clock.now()
    brand.save()
    _settle_default_brand(brand)
    return brand


@logged("destroy")
def delete_brand(brand: Brand, *, actor: User) -> None:
    """Remove a brand and its addresses; its tickets that are not closed take the default one.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the default brand, or has the default address.
    """
    _admins_only(actor)
    if brand.default:
        raise RecordInvalid.of("base", "The default brand cannot be deleted")
    if SupportAddress.objects.filter(brand=brand, default=True).exists():
        raise RecordInvalid.of("base", "The brand of the default support address cannot be deleted")
    default = Brand.objects.filter(default=True).order_by("id").first()
    Ticket.objects.filter(brand=brand).exclude(status="closed").update(brand=default)
    for form in TicketForm.objects.order_by("id"):
        if brand.id in form.restricted_brand_ids:
            form.restricted_brand_ids = [
                key for key in form.restricted_brand_ids if key != brand.id
            ]
            form.save(update_fields=["restricted_brand_ids"])
    brand.delete()


@logged("create")
def create_address(*, actor: User, changes: Mapping[str, Any]) -> SupportAddress:
    """Add an address that customers can write to; it is the default brand's unless said.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or the address is there already.
    """
    _admins_only(actor)
    email = check_email(str(changes.get("email") or ""))
    if SupportAddress.objects.filter(email=email).exists():
        raise RecordInvalid.of("email", "Email: has already been taken", "DuplicateValue")
    brand = Brand.objects.filter(default=True).order_by("id").first()
    now = clock.now()
    address = SupportAddress(
        id=ids.next_stamp(SupportAddress),
        email=email,
        name=brand.name if brand is not None else "",
        brand=brand,
        created_at=now,
        updated_at=now,
    )
    _set_address(address, changes)
    address.save(force_insert=True)
    _settle_default_address(address)
    return address


@logged("update")
def update_address(
    address: SupportAddress, *, actor: User, changes: Mapping[str, Any]
) -> SupportAddress:
    """Change an address's name, brand, or whether mail goes out from it; the e-mail stays.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    _set_address(address, changes)
    address.updated_at = clock.now()
    address.save()
    _settle_default_address(address)
    return address


@logged("destroy")
def delete_address(address: SupportAddress, *, actor: User) -> None:
    """Remove an address.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the default one.
    """
    _admins_only(actor)
    if address.default:
        raise RecordInvalid.of("base", "The default support address cannot be deleted")
    address.delete()


def _set_brand(brand: Brand, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        brand.name = (plain_text("name", changes["name"], NAME_LIMIT) or "").strip()
        if not brand.name:
            raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    if "subdomain" in changes:
        brand.subdomain = _subdomain(brand, changes["subdomain"])
    if changes.get("signature_template") is not None:
        text = plain_text("signature_template", changes["signature_template"], SIGNATURE)
        brand.signature_template = text or ""
    if changes.get("active") is not None:
        brand.active = bool(changes["active"])
    if changes.get("default") is not None:
        if brand.default and not changes["default"]:
            raise RecordInvalid.of("default", "Default: another brand must become the default one")
        brand.default = bool(changes["default"])
    if brand.default and not brand.active:
        raise RecordInvalid.of("active", "Active: the default brand cannot be deactivated")


def _subdomain(brand: Brand, value: Any) -> str:
    text = (plain_text("subdomain", value, SUBDOMAIN_LIMIT) or "").strip().lower()
    if not text:
        raise RecordInvalid.of("subdomain", "Subdomain: cannot be blank", "BlankValue")
    if not SUBDOMAIN.fullmatch(text):
        raise RecordInvalid.of("subdomain", "Subdomain: is invalid", "InvalidValue")
    if Brand.objects.filter(subdomain=text).exclude(id=brand.id).exists():
        raise RecordInvalid.of("subdomain", "Subdomain: has already been taken", "DuplicateValue")
    return text


def _settle_default_brand(brand: Brand) -> None:
    if brand.default:
        Brand.objects.filter(default=True).exclude(id=brand.id).update(default=False)


def _set_address(address: SupportAddress, changes: Mapping[str, Any]) -> None:
    if changes.get("name") is not None:
        name = plain_text("name", changes["name"], NAME_LIMIT) or ""
        address.name = name.strip() or address.name
    if changes.get("brand_id") is not None:
        key = identifier("brand_id", changes["brand_id"])
        found = Brand.objects.filter(id=key or 0).first()
        if found is None:
            raise RecordInvalid.of("brand_id", "Brand: is invalid", "InvalidValue")
        address.brand = found
    if changes.get("default") is not None:
        if address.default and not changes["default"]:
            raise RecordInvalid.of(
                "default", "Default: another address must become the default one"
            )
        address.default = bool(changes["default"])


def _settle_default_address(address: SupportAddress) -> None:
    if address.default:
        SupportAddress.objects.filter(default=True).exclude(id=address.id).update(default=False)


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins change brands and addresses")


BRAND: Final = Resource(
    Brand,
    "brand",
    (
        ResourceField("id", "id"),
        ResourceField("name", limit=NAME_LIMIT, required=True),
        ResourceField("subdomain", limit=SUBDOMAIN_LIMIT, required=True),
        ResourceField("active", "flag"),
        ResourceField("default", "flag", label="Default brand"),
        ResourceField("signature_template", "text", limit=SIGNATURE, label="Signature of agents"),
    ),
    create=create_brand,
    update=update_brand,
    delete=delete_brand,
)
ADDRESS: Final = Resource(
    SupportAddress,
    "support address",
    (
        ResourceField("id", "id"),
        ResourceField("email", label="Email", required=True),
        ResourceField("name", limit=NAME_LIMIT),
        ResourceField("brand_id", "record", label="Brand"),
        ResourceField("default", "flag", label="Default address: mail goes out from it"),
    ),
    plural="support addresses",
    create=create_address,
    update=update_address,
    delete=delete_address,
)
