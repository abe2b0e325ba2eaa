"""The CRM's rows, in the order in which their kinds refer to each other."""

from __future__ import annotations

from typing import Any

from seeds.bulk import BulkWriter, Identifiers
from seeds.kestrel.projection.crm.activities import CrmActivities
from seeds.kestrel.projection.crm.after_sale import CrmAfterSale
from seeds.kestrel.projection.crm.automation import CrmAutomation
from seeds.kestrel.projection.crm.cases import CrmCases
from seeds.kestrel.projection.crm.contacts import CrmContacts
from seeds.kestrel.projection.crm.custom import Customized
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.deals import CrmDeals
from seeds.kestrel.projection.crm.leads import CrmLeads
from seeds.kestrel.projection.crm.organization import Office
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.projection.crm.timeline import Timeline
from seeds.kestrel.projection.crm.truths import Truths
from seeds.kestrel.sales.model import Sales
from seeds.kestrel.sales.whole import tell_sales
from seeds.kestrel.story.whole import Story


def write_crm(writer: BulkWriter, ids: Identifiers, story: Story, taken: set[str]) -> None:
    """Write the CRM; `taken` are the addresses of colleagues who have no seat in it."""
    sales = tell_sales(story, taken)
    records = CrmWriter(writer, ids)
    office = Office(records, sales.sellers)
    office.write()
    custom = Customized(records, office)
    custom.write()
    custom.write_records()
    CrmAutomation(records, office).write()
    timeline, truths = Timeline.of(sales), Truths.of(story)
    customers = CrmCustomers(
        records,
        story.draws,
        story.ledger,
        half=story.half,
        office=office,
        market=sales.market,
        timeline=timeline,
        truths=truths,
    )
    customers.write()
    contacts = CrmContacts(
        records,
        story.draws,
        story.ledger,
        customers=customers,
        market=sales.market,
        timeline=timeline,
        truths=truths,
    )
    contacts.write()
    _write_work(records, story, sales, customers, contacts)
    writer.flush()


def _write_work(
    records: CrmWriter,
    story: Story,
    sales: Sales,
    customers: CrmCustomers,
    contacts: CrmContacts,
) -> None:
    """Write what was done with accounts and contacts."""
    draws, ledger, timeline = story.draws, story.ledger, customers.timeline
    known: dict[str, Any] = {"customers": customers, "contacts": contacts}
    leads = CrmLeads(records, draws, ledger, timeline=timeline, **known)
    leads.name_campaigns(sales.campaigns)
    deals = CrmDeals(records, draws, ledger, timeline=timeline, campaigns=leads.campaigns, **known)
    deals.write(sales.deals)
    leads.write_leads(sales, deals.deals)
    leads.write_campaigns(sales)
    after_sale = CrmAfterSale(records, draws, ledger, truths=customers.truths, **known)
    after_sale.write(sales)
    CrmCases(records, draws, ledger, after_sale=after_sale, **known).write(sales.cases)
    CrmActivities(
        records, draws, ledger, sales=sales, deals=deals.deals, leads=leads.leads, **known
    ).write()
