"""One factory per model, for tests and for arranging tasks: `TicketFactory(subject="...")`.

Values come from the sandbox's own random streams and identifiers from `clones.core.ids`, so two
sandboxes that make the same calls get the same rows.
"""

from seeds.factories.billing import (
    BalanceTransactionFactory,
    ChargeFactory,
    CustomerFactory,
    InvoiceFactory,
    PaymentIntentFactory,
    PaymentMethodFactory,
    PriceFactory,
    ProductFactory,
    RefundFactory,
    SubscriptionFactory,
    SubscriptionItemFactory,
)
from seeds.factories.help_center import (
    ArticleFactory,
    CategoryFactory,
    PermissionGroupFactory,
    SectionFactory,
)
from seeds.factories.helpdesk import (
    AuditFactory,
    CommentFactory,
    CustomObjectFactory,
    CustomObjectFieldFactory,
    CustomObjectRecordFactory,
    GroupFactory,
    GroupMembershipFactory,
    IdentityFactory,
    MacroFactory,
    OrganizationFactory,
    TicketFactory,
    TicketFieldFactory,
    UserFactory,
)
from seeds.factories.mail import MailboxFactory

__all__ = [
    "ArticleFactory",
    "AuditFactory",
    "BalanceTransactionFactory",
    "CategoryFactory",
    "ChargeFactory",
    "CommentFactory",
    "CustomObjectFactory",
    "CustomObjectFieldFactory",
    "CustomObjectRecordFactory",
    "CustomerFactory",
    "GroupFactory",
    "GroupMembershipFactory",
    "IdentityFactory",
    "InvoiceFactory",
    "MacroFactory",
    "MailboxFactory",
    "OrganizationFactory",
    "PaymentIntentFactory",
    "PaymentMethodFactory",
    "PermissionGroupFactory",
    "PriceFactory",
    "ProductFactory",
    "RefundFactory",
    "SectionFactory",
    "SubscriptionFactory",
    "SubscriptionItemFactory",
    "TicketFactory",
    "TicketFieldFactory",
    "UserFactory",
]
