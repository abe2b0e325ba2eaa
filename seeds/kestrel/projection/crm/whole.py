"""The CRM's rows, in the order in which they came to be."""

from __future__ import annotations

from seeds.bulk import BulkWriter, Identifiers
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.organization import Office
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.projection.crm.sales import SalesRecords
from seeds.kestrel.sales.whole import tell_sales
from seeds.kestrel.story.whole import Story


def write_crm(writer: BulkWriter, ids: Identifiers, story: Story, taken: set[str]) -> None:
    """Write the CRM; `taken` are the addresses of colleagues who have no seat in it."""
    sales = tell_sales(story, taken)
    records = CrmWriter(writer, ids)
    office = Office(records, sales.sellers)
    office.write()
    customers = CrmCustomers(records, story.draws, story.ledger, office)
    customers.write(story.firms, story.people)
    SalesRecords(records, office, customers).write(sales)
    writer.flush()
