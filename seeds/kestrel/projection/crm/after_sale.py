"""What follows a sale: orders, contracts, machines that stand with accounts, and their cover."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, Weighted, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.crm.contacts import CrmContacts
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.organization import CENTS
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.projection.crm.truths import Truths
from seeds.kestrel.sales.deals import dealer_price
from seeds.kestrel.sales.model import Deal, Sales
from seeds.kestrel.sales.slips import misspelt_number
from seeds.kestrel.story.model import Firm, Unit
from seeds.ledger import Ledger

FIRST_ORDER, FIRST_CONTRACT = 100, 100  # the numbers before the first ones
WRONG_SERIAL, NO_ENTITLEMENT = 0.02, 0.1
WARRANTY = 24  # months
LARGE = 800_000  # cents of a euro: the price from which on care is sold with a machine
CARED = 0.35
TERMS = Weighted({12: 0.5, 24: 0.3, 36: 0.2})


class CrmAfterSale:
    """Writes what follows a sale; machines are found by their serial numbers."""

    def __init__(
        self,
        writer: CrmWriter,
        draws: Draws,
        ledger: Ledger,
        *,
        customers: CrmCustomers,
        contacts: CrmContacts,
        truths: Truths,
    ) -> None:
        self.writer, self.draws, self.ledger = writer, draws, ledger
        self.customers, self.contacts, self.truths = customers, contacts, truths
        self.office = customers.office
        self.assets: dict[str, str] = {}
        self.covered: dict[str, str] = {}
        self._bought: dict[str, Deal] = {}

    def write(self, sales: Sales) -> None:
        """Write everything, each kind oldest first."""
        won = [deal for deal in sales.deals if deal.is_won]
        for deal in won:
            self._bought |= {unit.serial: deal for unit in deal.units}
        contracts = self._write_contracts(sales)
        ordered = sorted(won, key=lambda deal: (deal.closed or PRESENT, deal.index))
        for number, deal in enumerate(ordered, start=1):
            self._write_order(deal, number, contracts.get(deal.firm.index))
        self.writer.count("Order", len(ordered))
        found = [
            (unit, sales.market.firms[key])
            for key, units in self.truths.units.items()
            if key in sales.market.firms
            for unit in units
        ]
        for unit, firm in sorted(found, key=lambda one: (one[0].bought, one[0].serial)):
            self._write_asset(unit, firm)

    def _write_contracts(self, sales: Sales) -> dict[int, str]:
        """Write the agreements with dealers, and of accounts that have a machine cared for."""
        found: list[tuple[datetime, Firm, int]] = []
        for key, firm in sales.market.firms.items():
            rng = self.draws.rng("crm-contract", key)
            units = self.truths.units.get(key, [])
            large = [unit for unit in units if unit.machine.price >= LARGE]
            if firm.dealer:
                found.append((firm.since + timedelta(days=3), firm, 36))
            elif large and chance(rng, CARED):
                found.append((large[0].bought + timedelta(days=1), firm, TERMS.draw(rng)))
        contracts: dict[int, str] = {}
        since = self.customers.timeline.firms
        found = [(max(at, since[firm.index]), firm, term) for at, firm, term in found]
        found.sort(key=lambda one: (one[0], one[1].index))
        number = 0
        for at, firm, term in found:
            if at < PRESENT:
                number += 1
                contracts[firm.index] = self._write_contract(number, firm, at, term)
        self.writer.count("Contract", number)
        return contracts

    def _write_contract(self, number: int, firm: Firm, at: datetime, term: int) -> str:
        rng = self.draws.rng("crm-contract-terms", firm.index)
        by = self.customers.owners[firm.index]
        start = at.date() + timedelta(days=rng.randint(2, 30))
        is_draft = start > PRESENT.date()
        signed = not is_draft and chance(rng, 0.7)
        activated = None if is_draft else min(datetime.combine(start, at.timetz()), PRESENT)
        row = {
            "ContractNumber": f"{FIRST_CONTRACT + number:08d}",
            "AccountId": self.customers.accounts[firm.index],
            "OwnerId": by,
            "Status": "Draft" if is_draft else "Activated",
            "StatusCode": "Draft" if is_draft else "Activated",
            "StartDate": start,
            "ContractTerm": term,
            "EndDate": months_later(start, term) - timedelta(days=1),
            "ActivatedDate": activated,
            "ActivatedById": None if is_draft else by,
            "CompanySignedId": by if signed else None,
            "CompanySignedDate": start if signed else None,
            "Description": "Dealer agreement" if firm.dealer else "Care contract",
            "OwnerExpirationNotice": rng.choice((None, "30", "60", "90")),
            "Pricebook2Id": self.office.pricebooks[self.office.book_of(firm)],
        }
        return self.writer.add("Contract", row, by=by, at=at, changed=activated)

    def _write_order(self, deal: Deal, number: int, contract: str | None) -> None:
        """Write the order of a won deal, under the shop's number where it has one."""
        rng = self.draws.rng("crm-order", deal.index)
        by, at = self.office.users[deal.owner], deal.closed or deal.created
        book = self.office.book_of(deal.firm)
        numbers = [self.truths.orders.get(unit.serial) for unit in deal.units]
        known = [one for one in numbers if one is not None]
        contact = None if deal.contact is None else self.contacts.contacts[deal.contact.index]
        row = {
            "OrderNumber": f"{FIRST_ORDER + number:08d}",
            "AccountId": self.customers.accounts[deal.firm.index],
            "ContractId": contract if deal.firm.dealer else None,
            "Pricebook2Id": self.office.pricebooks[book],
            "OwnerId": by,
            "EffectiveDate": at.date(),
            "Status": "Activated",
            "StatusCode": "Activated",
            "ActivatedDate": at,
            "ActivatedById": by,
            "OrderReferenceNumber": known[0] if known else None,
            "PoNumber": f"PO{rng.randrange(1000, 99_999)}" if chance(rng, 0.35) else None,
            "BillToContactId": contact,
            "TotalAmount": (deal.amount or 0) / CENTS,
        }
        key = self.writer.add("Order", row, by=by, at=at)
        for place, (code, count, price) in enumerate(deal.lines, start=1):
            item = {
                "OrderId": key,
                "OrderItemNumber": f"{number * 10 + place:010d}",
                "PricebookEntryId": self.office.entries[book, code],
                "Product2Id": self.office.products[code],
                "Quantity": float(count),
                "AvailableQuantity": float(count),
                "UnitPrice": price / CENTS,
                "ListPrice": self.office.listed[book, code],
                "TotalPrice": count * price / CENTS,
            }
            self.writer.add("OrderItem", item, by=by, at=at)

    def _write_asset(self, unit: Unit, firm: Firm) -> None:
        rng = self.draws.rng("crm-asset", unit.serial)
        by = self.customers.owners[firm.index]
        key = self.assets[unit.serial] = self.writer.new_id("Asset", skip=rng.randrange(2))
        serial = unit.serial
        if chance(rng, WRONG_SERIAL):
            code, _, rest = serial.partition("-")
            serial = f"{code}-{misspelt_number(rng, rest)}"
            if serial == unit.serial:
                serial = unit.serial[:-1]
            self.ledger.add("crm_serial", "crm_asset", key, "SerialNumber", unit.serial, serial)
        dealer = unit.dealer
        has_dealer = dealer is not None and dealer.index in self.customers.accounts
        paid = dealer_price(unit.machine.price) if dealer is not None else unit.machine.price
        at = max(unit.bought, self.customers.timeline.firms[firm.index])
        row: dict[str, Any] = {
            "Name": f"{unit.machine.name} {serial}" if chance(rng, 0.7) else unit.machine.name,
            "AccountId": self.customers.accounts[firm.index],
            "ContactId": self.contacts.contacts.get(unit.owner),
            "Product2Id": self.office.products[unit.machine.code],
            "ProductCode": unit.machine.code,
            "StockKeepingUnit": unit.machine.code,
            "SerialNumber": serial,
            "PurchaseDate": unit.bought.date(),
            "Quantity": 1.0,
            "Price": paid / CENTS if chance(rng, 0.6) and dealer is None else None,
            "Status": Weighted(
                {"Installed": 0.55, "Purchased": 0.2, "Registered": 0.15, None: 0.1}
            ).draw(rng),
            "AssetProvidedById": self.customers.accounts[dealer.index]
            if has_dealer and dealer is not None
            else None,
            "OwnerId": by,
        }
        self.writer.add("Asset", row, by=by, at=at.replace(microsecond=0), id=key)
        if not chance(rng, NO_ENTITLEMENT):
            self._write_entitlement(rng, unit, firm, key, at)

    def _write_entitlement(
        self, rng: Random, unit: Unit, firm: Firm, asset: str, at: datetime
    ) -> None:
        start = unit.bought.date()
        end = months_later(start, WARRANTY)
        row = {
            "Name": f"Warranty {unit.machine.name}",
            "AccountId": self.customers.accounts[firm.index],
            "AssetId": asset,
            "Type": rng.choice(("Phone Support", "Web Support", None)),
            "StartDate": start,
            "EndDate": end,
            "Status": "Active" if end >= PRESENT.date() else "Expired",
        }
        by = self.customers.owners[firm.index]
        key = self.writer.add("Entitlement", row, by=by, at=at.replace(microsecond=0))
        if end >= PRESENT.date():
            self.covered[unit.serial] = key


def months_later(day: date, months: int) -> date:
    """Return the same day some months later, or the month's twenty-eighth if it is later."""
    year, month = divmod(day.month - 1 + months, 12)
    return day.replace(year=day.year + year, month=month + 1, day=min(day.day, 28))
