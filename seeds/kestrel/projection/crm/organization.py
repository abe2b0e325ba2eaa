"""The organization: its settings, who has a seat, what it sells."""

from __future__ import annotations

from clones.core.models import Account, Credential
from clones.crm.models import ListViewDefinition
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
from seeds.kestrel.sales.deals import dealer_price
from seeds.kestrel.sales.model import Seller
from seeds.kestrel.sales.people import HEAD, OPERATIONS
from seeds.kestrel.story.model import Firm

KINDS = ("password", "api_token", "secret_key")
CENTS = 100
STANDARD, CLOSED_BOOK = "Standard Price Book", "Dealers 2019"
DEALERS = "Dealers Europe"
OVERSEAS = "Dealers North America"
# Price books, and whether they hold what dealers pay.
SCHOOLS = "Schools and Clubs"
BOOKS = (
    (STANDARD, False),
    (DEALERS, True),
    (OVERSEAS, True),
    (SCHOOLS, False),
    (CLOSED_BOOK, True),
)
FOLDERS = (
    ("Sales Reports", "Report"),
    ("Regional Reports", "Report"),
    ("old - do not use", "Report"),
    ("Sales Dashboards", "Dashboard"),
    ("Sales Templates", "Email"),
)


class Office:
    """Who is in the CRM, and what is sold there: ids by the story's numbers and codes."""

    def __init__(self, writer: CrmWriter, sellers: list[Seller]) -> None:
        self.writer, self.sellers = writer, sellers
        self.users: dict[int, str] = {}
        self.products: dict[str, str] = {}
        self.entries: dict[tuple[str, str], str] = {}
        self.listed: dict[tuple[str, str], float] = {}
        self.named: dict[str, str] = {}
        self.pricebooks: dict[str, str] = {}
        self.roles: dict[tuple[str, bool], str] = {}
        self.queues: dict[str, str] = {}

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
        self._write_roles(admin)
        for seller in self.sellers:
            self._write_seller(seller, profiles[seller.profile], admin)
        self._write_groups(admin)
        self._write_folders(admin)
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
            "UserRoleId": self._role_of(seller),
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

    def book_of(self, firm: Firm) -> str:
        """Return the name of the price book that a firm buys by."""
        if firm.dealer:
            return OVERSEAS if firm.country.code in ("US", "CA") else DEALERS
        return SCHOOLS if firm.segment in ("school", "makerspace") else STANDARD

    def _write_roles(self, admin: str) -> None:
        """Write who stands above whom: a role for each title, under that of the one who leads."""
        head = self._role(admin, "VP Sales", None)
        for region in dict.fromkeys(seller.region for seller in self.sellers):
            above = self._role(admin, f"Sales Manager {region.upper()}", head)
            self.roles[region, True] = above
            self.roles[region, False] = self._role(admin, f"Sales {region.upper()}", above)
        self.roles["", True] = head

    def _role(self, admin: str, name: str, above: str | None) -> str:
        row = {
            "Name": name,
            "ParentRoleId": above,
            "DeveloperName": name.replace(" ", "_"),
            "RollupDescription": name,
            "OpportunityAccessForAccountOwner": "Edit",
            "CaseAccessForAccountOwner": "Edit",
            "ContactAccessForAccountOwner": "Edit",
            "PortalType": "None",
        }
        return self.writer.add("UserRole", row, by=admin, at=FOUNDED)

    def _role_of(self, seller: Seller) -> str | None:
        if seller.index == OPERATIONS:
            return None
        if seller.index == HEAD:
            return self.roles["", True]
        return self.roles[seller.region, seller.manager == HEAD]

    def _write_groups(self, admin: str) -> None:
        """Write the queues that leads and cases wait in, and a group of everybody who sells."""
        for name, of in (("Inbound Leads", "Lead"), ("Service Liaison", "Case")):
            self.queues[of] = self._group(admin, name, "Queue", "Group")
            row = {"QueueId": self.queues[of], "SobjectType": of}
            self.writer.add("QueueSobject", row, by=admin, at=FOUNDED)
        sellers = self._group(admin, "All Sellers", "Regular", "Group")
        for seller in self.sellers[1:]:
            if seller.left_at is None:
                for group in (sellers, self.queues["Lead"]):
                    row = {"GroupId": group, "UserOrGroupId": self.users[seller.index]}
                    self.writer.add("GroupMember", row, by=admin, at=seller.since)

    def _group(self, admin: str, name: str, kind: str, of: str) -> str:
        row = {
            "Name": name,
            "DeveloperName": name.replace(" ", "_"),
            "Type": kind,
            "OwnerId": admin,
            "DoesIncludeBosses": True,
        }
        return self.writer.add(of, row, by=admin, at=FOUNDED)

    def _write_folders(self, admin: str) -> None:
        for name, kind in FOLDERS:
            row = {
                "Name": name,
                "DeveloperName": f"{name.replace(' ', '_')}_{kind}",
                "AccessType": "Public",
                "Type": kind,
            }
            self.writer.add("Folder", row, by=admin, at=FOUNDED)

    def _write_products(self, admin: str) -> None:
        for name, _ in BOOKS:
            row = {
                "Name": name,
                "IsActive": name != CLOSED_BOOK,
                "IsStandard": name == STANDARD,
            }
            self.pricebooks[name] = self.writer.add("Pricebook2", row, by=admin, at=FOUNDED)
        sold = [(one.code, one.name, one.price, "Machines", one.last_year) for one in MACHINES]
        sold += [(code, name, price, "Parts", 2026) for code, name, price in PARTS]
        for code, name, price, family, last in sold:
            self.named[code] = name
            is_sold = last >= FOUNDED.year + 8
            product = {
                "Name": name,
                "ProductCode": code,
                "StockKeepingUnit": code,
                "Family": family,
                "IsActive": is_sold,
            }
            key = self.products[code] = self.writer.add("Product2", product, by=admin, at=FOUNDED)
            for book, is_of_dealers in BOOKS:
                each = dealer_price(price) if is_of_dealers else price
                self.listed[book, code] = each / CENTS
                entry = {
                    "Pricebook2Id": self.pricebooks[book],
                    "Product2Id": key,
                    "Name": name,
                    "ProductCode": code,
                    "UnitPrice": each / CENTS,
                    "IsActive": is_sold,
                }
                self.entries[book, code] = self.writer.add(
                    "PricebookEntry", entry, by=admin, at=FOUNDED
                )
