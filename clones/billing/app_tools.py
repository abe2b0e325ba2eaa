"""What work in billing is mostly done with: each operation is a tool of the surface `app`."""

from typing import Final

APP_TOOLS: Final[tuple[str, ...]] = (
    # Customers and how they pay
    "GetCustomers",
    "GetCustomersSearch",
    "GetCustomersCustomer",
    "PostCustomersCustomer",
    "GetCustomersCustomerPaymentMethods",
    # Charges and refunds
    "GetCharges",
    "GetChargesSearch",
    "GetChargesCharge",
    "PostChargesCharge",
    "GetPaymentIntents",
    "GetPaymentIntentsIntent",
    "GetRefunds",
    "GetRefundsRefund",
    "PostRefunds",
    "PostRefundsRefund",
    "PostRefundsRefundCancel",
    # Invoices
    "GetInvoices",
    "GetInvoicesSearch",
    "GetInvoicesInvoice",
    "GetInvoicesInvoiceLines",
    "PostInvoicesCreatePreview",
    # Subscriptions and what is sold
    "GetSubscriptions",
    "GetSubscriptionsSubscriptionExposedId",
    "PostSubscriptionsSubscriptionExposedId",
    "DeleteSubscriptionsSubscriptionExposedId",
    "GetSubscriptionItems",
    "GetProducts",
    "GetProductsId",
    "GetPrices",
    "GetPricesPrice",
)
