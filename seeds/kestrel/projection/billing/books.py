"""The billing system, each kind of record in the order of its creation."""

from __future__ import annotations

from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws
from seeds.kestrel.projection.billing.payers import Payers
from seeds.kestrel.projection.billing.payments import Payments
from seeds.kestrel.story.model import Payer, StoryPerson
from seeds.ledger import Ledger


class Books:
    """Writes the billing system; what it made is found by the story's numbers."""

    def __init__(self, writer: BulkWriter, ids: Identifiers, draws: Draws, ledger: Ledger) -> None:
        self._payers = Payers(writer, ids, draws, ledger)
        self._payments = Payments(writer, ids, draws, self._payers)
        self.customers = self._payers.customers
        self.subscriptions = self._payers.subscriptions
        self.charges = self._payments.charges

    def write(self, payers: list[Payer], people: list[StoryPerson]) -> None:
        """Write everything, each kind in the order of its creation."""
        self._payers.write_catalogue()
        for payer in sorted(payers, key=lambda item: (item.since, item.index)):
            self._payers.write_customer(payer, people[payer.person])
        owners = {payer.index: payer for payer in payers}
        agreements = [sub for payer in payers for sub in payer.subscriptions]
        for subscription in sorted(agreements, key=lambda item: (item.start, item.index)):
            self._payers.write_subscription(subscription, owners[subscription.payer])
        charges = [charge for payer in payers for charge in payer.charges]
        for charge in sorted(charges, key=lambda item: (item.created, item.index)):
            self._payments.write_charge(charge, owners[charge.payer])
        returned = [
            (refund[1], charge.index, charge, refund)
            for charge in charges
            for refund in charge.refunds
        ]
        for _, _, charge, refund in sorted(returned, key=lambda item: item[:2]):
            self._payments.write_refund(charge, refund)
