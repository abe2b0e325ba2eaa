"""The CRM's rows, in the order in which their kinds refer to each other."""

from __future__ import annotations

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
from seeds.kestrel.sales.whole import tell_sales
from seeds.kestrel.story.whole import Story


def write_crm(writer: BulkWriter, ids: Identifiers, story: Story, taken: set[str]) -> None:
    """Write the CRM; `taken` are the addresses of colleagues who have no seat in it."""
    sales = tell_sales(story, taken)
    draws, ledger = story.draws, story.ledger
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
        draws,
        ledger,
        half=story.half,
        office=office,
        market=sales.market,
        timeline=timeline,
        truths=truths,
    )
    customers.write()
    contacts = CrmContacts(
        records,
        draws,
        ledger,
        customers=customers,
        market=sales.market,
        timeline=timeline,
        truths=truths,
    )
    contacts.write()
    leads = CrmLeads(
        records, draws, ledger, customers=customers, contacts=contacts, timeline=timeline
    )
    leads.name_campaigns(sales.campaigns)
    deals = CrmDeals(
        records,
        draws,
        ledger,
        customers=customers,
        contacts=contacts,
        timeline=timeline,
        campaigns=leads.campaigns,
    )
    deals.write(sales.deals)
    leads.write_leads(sales, deals.deals)
    leads.write_campaigns(sales)
    after_sale = CrmAfterSale(
        records, draws, ledger, customers=customers, contacts=contacts, truths=truths
    )
    after_sale.write(sales)
    CrmCases(
        records,
        draws,
        ledger,
        customers=customers,
        contacts=contacts,
        after_sale=after_sale,
    ).write(sales.cases)
    CrmActivities(
        records,
        draws,
        ledger,
        sales=sales,
        customers=customers,
        contacts=contacts,
        deals=deals.deals,
        leads=leads.leads,
    ).write()
    writer.flush()
