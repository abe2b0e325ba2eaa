"""Admin Center's brands, and the addresses that customers write to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Count, QuerySet

from clones.core.resources import ResourceField
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.resource_pages import AskedField
from clones.helpdesk.domain.brands import ADDRESS, BRAND
from clones.helpdesk.models import Brand, SupportAddress
from clones.helpdesk.web.admin import keys
from clones.helpdesk.web.admin.inputs import Filter
from clones.helpdesk.web.admin.resources import AdminPages

STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))


class BrandPages(AdminPages[Brand]):
    """The pages of brands."""

    resource = BRAND
    order = ("name", "id")
    entry = "admin_brands"
    page_name = "admin_brand"
    title = "Brands"
    noun = "brand"
    columns = ("Name", "Subdomain", "Support addresses", "Status")
    empty = "No brands."
    create_label = "Add brand"
    submit_label = "Create brand"
    asks = (
        AskedField("name"),
        AskedField("subdomain"),
        AskedField("signature_template"),
        AskedField("active"),
        AskedField("default"),
    )
    leaves = (
        "Its support addresses go with it. Its tickets that are not closed take the default brand."
    )

    def rows(self) -> QuerySet[Brand]:
        """Return the brands with how many addresses each has."""
        return super().rows().annotate(addresses=Count("supportaddress"))

    def cells(self, record: Any) -> tuple[object, ...]:
        """Return what the list shows of a brand."""
        return (
            f"{record.name} (default)" if record.default else record.name,
            record.subdomain,
            str(record.addresses),
            "Active" if record.active else "Inactive",
        )

    def filters(self, request: SandboxRequest) -> tuple[Filter, ...]:
        """Return what narrows the list down: whether a brand is active."""
        return (keys.filter_of(request, "status", "Status", STATES),)

    def narrowed(self, rows: QuerySet[Brand], name: str, value: str) -> QuerySet[Brand]:
        """Return the brands that are active, or that are not."""
        return rows.filter(active=value == "active")

    def can_go(self, record: Brand) -> bool:
        """Tell whether it is not the default one."""
        return not record.default


class AddressPages(AdminPages[SupportAddress]):
    """The pages of support addresses; one that exists keeps its text."""

    resource = ADDRESS
    named_by = "email"
    order = ("email", "id")
    entry = "admin_addresses"
    page_name = "admin_address"
    title = "Support addresses"
    noun = "address"
    columns = ("Email", "Name", "Brand", "Default")
    empty = "No addresses."
    create_label = "Add address"
    new_title = "New support address"
    asks = (
        AskedField("email", of="new"),
        AskedField("email", "static", of="old"),
        AskedField("name"),
        AskedField("brand_id"),
        AskedField("default"),
    )
    leaves = "Mail to it makes no tickets any more."

    def records(self) -> QuerySet[SupportAddress]:
        """Return the addresses with their brands."""
        return SupportAddress.objects.select_related("brand")

    def new(self) -> SupportAddress:
        """Return an address of the default brand."""
        return SupportAddress(brand=Brand.objects.filter(default=True).order_by("id").first())

    def cells(self, record: SupportAddress) -> tuple[object, ...]:
        """Return what the list shows of an address."""
        default = "Default" if record.default else "-"
        return record.email, record.name, record.brand.name, default

    def choices(
        self, field: ResourceField, found: SupportAddress | None
    ) -> Iterable[tuple[object, str]]:
        """Return the brands that it can be of."""
        return Brand.objects.order_by("name", "id").values_list("id", "name")

    def values(self, sent: PageForm, found: SupportAddress | None) -> dict[str, Any]:
        """Return what was sent, the address without blanks around it."""
        values = super().values(sent, found)
        return {**values, "email": sent.text("email").strip()}

    def can_go(self, record: SupportAddress) -> bool:
        """Tell whether it is not the default one."""
        return not record.default


BRANDS: Final = BrandPages()
ADDRESSES: Final = AddressPages()
