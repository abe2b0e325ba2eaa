"""The billing clone as a Django app."""

from django.apps import AppConfig


class BillingConfig(AppConfig):
    """Register the clone."""

    name = "clones.billing"
    label = "billing"
    verbose_name = "Billing"
