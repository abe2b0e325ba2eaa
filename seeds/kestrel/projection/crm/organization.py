"""The organization: its settings, who has a seat, what it sells."""

from __future__ import annotations

from clones.core.models import Account, Credential
from clones.crm.models import ListViewDefinition, model_of
from clones.crm.rules.listing import standard_views
from clones.crm.rules.organization import (
    ORGANIZATION_ID,
    organization_row,
    permission_rows,
    settings_rows,
    user_row,
)
from seeds.kestrel.catalogue import COMPANY, FOUNDED, MACHINES, PARTS
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.sales.model import Seller

KINDS = ("password", "api_token", "secret_key")
CENTS = 100


class Office:
    """Who is in the CRM, and what is sold there: ids by the story's numbers and codes."""

    def __init__(self, writer: CrmWriter, sellers: list[Seller]) -> None:
        self.writer, self.sellers = writer, sellers
        self.users: dict[int, str] = {}
        self.products: dict[str, str] = {}
        self.entries: dict[str, str] = {}
        self.pricebook = ""

    def write(self) -> None:
        """Write everything."""
        for seller in self.sellers:
            self.users[seller.index] = self.writer.new_id("User")
        admin = self.users[0]
        row = organization_row(COMPANY)
        self.writer.add("Organization", row, by=admin, at=FOUNDED, id=ORGANIZATION_ID)
        profiles = {}
        for of, values in settings_rows():
            key = self.writer.add(of, values, by=admin, at=FOUNDED)
            if of == "Profile":
                profiles[values["Name"]] = key
        for values, granted in permission_rows(profiles):
            key = self.writer.add("PermissionSet", values, by=admin, at=FOUNDED)
            for each in granted:
                row = {"ParentId": key, **each}
                self.writer.add("ObjectPermissions", row, by=admin, at=FOUNDED)
        for view, definition in standard_views():
            key = self.writer.add("ListView", view, by=admin, at=FOUNDED)
            self.writer.writer.add(ListViewDefinition, {"id": key, "definition": definition})
        for seller in self.sellers:
            self._write_seller(seller, profiles[seller.profile], admin)
        self._write_products(admin)

    def _write_seller(self, seller: Seller, profile: str, admin: str) -> None:
        values = {
            "FirstName": seller.given,
            "LastName": seller.family,
            "Email": seller.email,
            "Username": seller.email,
        }
        row = user_row(values, profile=profile)
        row |= {
            "Title": seller.title,
            "TimeZoneSidKey": seller.zone,
            "IsActive": seller.left_at is None,
            "ManagerId": None if seller.manager is None else self.users[seller.manager],
        }
        key, at = self.users[seller.index], seller.since
        self.writer.add("User", row, by=admin, at=at, changed=seller.left_at, id=key)
        writer, ids = self.writer.writer, self.writer.ids
        account = ids.stamp(Account, at)
        writer.add(
            Account,
            {
                "id": account,
                "clone": "crm",
                "subject": key,
                "login": seller.email,
                "role": "admin" if seller.listed == "admin" else "user",
                "listed": seller.listed is not None,
                "active": seller.left_at is None,
            },
        )
        for kind in KINDS if seller.listed else ():
            number = ids.stamp(Credential, at)
            writer.add(
                Credential, {"id": number, "account_id": account, "kind": kind, "created_at": at}
            )

    def _write_products(self, admin: str) -> None:
        book = {"Name": "Standard Price Book", "IsActive": True, "IsStandard": True}
        self.pricebook = self.writer.add("Pricebook2", book, by=admin, at=FOUNDED)
        sold = [(one.code, one.name, one.price, "Machines", one.last_year) for one in MACHINES]
        sold += [(code, name, price, "Parts", 2026) for code, name, price in PARTS]
        for code, name, price, family, last in sold:
            is_sold = last >= FOUNDED.year + 8
            product = {"Name": name, "ProductCode": code, "Family": family, "IsActive": is_sold}
            key = self.writer.add("Product2", product, by=admin, at=FOUNDED)
            entry = {
                "Pricebook2Id": self.pricebook,
                "Product2Id": key,
                "Name": name,
                "ProductCode": code,
                "UnitPrice": price / CENTS,
                "IsActive": is_sold,
            }
            entry = {
                column: value
                for column, value in entry.items()
                if model_of("PricebookEntry").sobject.field(column)
            }
            self.products[code] = key
            self.entries[code] = self.writer.add("PricebookEntry", entry, by=admin, at=FOUNDED)
