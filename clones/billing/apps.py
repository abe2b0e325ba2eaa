"""The billing clone as a Django app."""

from django.apps import AppConfig


class BillingConfig(AppConfig):
    """Register the clone."""

    name = "clones.billing"
    label = "billing"
    verbose_name = "Billing"

    def ready(self) -> None:
        """Make the clone and its timers known. Its models exist only now."""
        from clones.billing import timers  # noqa: F401, PLC0415 - see above
        from clones.billing.clone import BILLING  # noqa: PLC0415 - see above
        from clones.core.vendors import register  # noqa: PLC0415 - see above

        register(BILLING)
