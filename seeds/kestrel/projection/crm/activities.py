"""Calls, mails, tasks and meetings: what was done about deals, leads and accounts, and is to be."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.crm.contacts import CrmContacts
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.sales.hours import local_offset
from seeds.kestrel.sales.model import Deal, Sales, SalesActivity
from seeds.kestrel.sales.touches import CALL, EMAIL, MEETING
from seeds.ledger import Ledger

ELSEWHERE, WRONG_ZONE = 0.01, 0.015
MINUTE = 60


class CrmActivities:
    """Writes activities, oldest first."""

    def __init__(
        self,
        writer: CrmWriter,
        draws: Draws,
        ledger: Ledger,
        *,
        sales: Sales,
        customers: CrmCustomers,
        contacts: CrmContacts,
        deals: dict[int, str],
        leads: dict[int, str],
    ) -> None:
        self.writer, self.draws, self.ledger, self.sales = writer, draws, ledger, sales
        self.customers, self.contacts = customers, contacts
        self.deals, self.leads = deals, leads

    def write(self) -> None:
        """Write all activities."""
        for place, touch in enumerate(self.sales.touches):
            rng = self.draws.rng("crm-activity", place)
            if touch.kind == MEETING:
                self._write_meeting(rng, touch)
            else:
                self._write_task(rng, touch)

    def _about(self, touch: SalesActivity) -> dict[str, Any]:
        """Return what and whom an activity is about, and who has it."""
        row: dict[str, Any] = {"OwnerId": self.customers.office.users[touch.owner]}
        if touch.lead is not None:
            lead = self.sales.leads[touch.lead]
            if lead.deal is None:
                return row | {"WhoId": self.leads[touch.lead]}
            # What was done about a lead goes along when it is converted.
            return row | self._about_deal(self.sales.deals[lead.deal], None)
        if touch.person is not None:
            row["WhoId"] = self.contacts.contacts.get(touch.person.index)
        if touch.deal is not None:
            row |= self._about_deal(self.sales.deals[touch.deal], row.get("WhoId"))
        elif touch.firm is not None:
            row["WhatId"] = row["AccountId"] = self.customers.accounts[touch.firm]
        return row

    def _about_deal(self, deal: Deal, who: str | None) -> dict[str, Any]:
        contact = None if deal.contact is None else self.contacts.contacts[deal.contact.index]
        return {
            "WhatId": self.deals[deal.index],
            "AccountId": self.customers.accounts[deal.firm.index],
            "WhoId": who or contact,
        }

    def _write_task(self, rng: Random, touch: SalesActivity) -> None:
        row = self._about(touch)
        is_done = touch.done is not None
        row |= {
            "Subject": touch.subject[:255],
            "Description": touch.text,
            "Status": "Completed" if is_done else "Not Started",
            "Priority": "High" if touch.urgent else "Normal",
            "IsHighPriority": touch.urgent,
            "IsClosed": is_done,
            "TaskSubtype": touch.kind,
            "ActivityDate": touch.due,
        }
        if touch.kind == CALL:
            row |= {
                "CallType": "Inbound" if touch.inbound else "Outbound",
                "CallDurationInSeconds": touch.minutes * MINUTE + rng.randrange(MINUTE),
                "CallDisposition": touch.result,
            }
        key = self.writer.new_id("Task")
        if touch.kind == EMAIL and touch.deal is not None and chance(rng, ELSEWHERE):
            self._mislay(rng, touch, row, key)
        by = row["OwnerId"]
        self.writer.add("Task", row, by=by, at=touch.at, changed=touch.done, id=key)

    def _mislay(self, rng: Random, touch: SalesActivity, row: dict[str, Any], key: str) -> None:
        """Put a mail on another deal of the same seller, as who logs it picks from a list."""
        deals = self.sales.deals
        first = max((touch.deal or 0) - 40, 0)
        others = [
            one
            for one in deals[first : first + 80]
            if one.owner == touch.owner and one.index != touch.deal and one.created <= touch.at
        ]
        if others:
            other = rng.choice(others)
            true, row["WhatId"] = row["WhatId"], self.deals[other.index]
            row["AccountId"] = self.customers.accounts[other.firm.index]
            self.ledger.add("crm_mail_elsewhere", "crm_task", key, "WhatId", true, row["WhatId"])

    def _write_meeting(self, rng: Random, touch: SalesActivity) -> None:
        starts = touch.starts or touch.at
        row = self._about(touch)
        key = self.writer.new_id("Event")
        if touch.done is not None and chance(rng, WRONG_ZONE):
            zone = self.sales.sellers[touch.owner].zone
            shifted = starts + local_offset(zone, starts)
            if shifted != starts and shifted <= PRESENT:
                self.ledger.add(
                    "crm_meeting_zone", "crm_event", key, "StartDateTime", f"{starts}", f"{shifted}"
                )
                starts = shifted
        row |= {
            "Subject": touch.subject[:255],
            "Description": touch.text,
            "Location": touch.place,
            **_span(starts, touch.minutes),
            "ShowAs": "Busy",
            "EventSubtype": "Event",
            "GroupEventType": "0",
        }
        # A meeting is entered before it takes place.
        at = touch.at
        if touch.done is not None:
            at = max(at - timedelta(hours=rng.uniform(1, 150)), self._begun(touch))
        self.writer.add("Event", row, by=row["OwnerId"], at=at.replace(microsecond=0), id=key)

    def _begun(self, touch: SalesActivity) -> datetime:
        """Return when what a meeting is about, and who has it, came to be."""
        first = self.sales.sellers[touch.owner].since
        if touch.deal is not None:
            return max(self.sales.deals[touch.deal].created, first)
        if touch.lead is not None:
            return max(self.sales.leads[touch.lead].created, first)
        return touch.at


def _span(starts: datetime, minutes: int) -> dict[str, Any]:
    ends = starts + timedelta(minutes=minutes)
    return {
        "ActivityDateTime": starts,
        "ActivityDate": starts.date(),
        "StartDateTime": starts,
        "EndDateTime": ends,
        "EndDate": ends.date(),
        "DurationInMinutes": minutes,
    }
