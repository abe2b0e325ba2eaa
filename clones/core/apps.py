"""The ground floor as a Django app."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """Register the system checks of sandbox tables, and the lookups of text columns."""

    name = "clones.core"
    label = "core"
    verbose_name = "Core"

    def ready(self) -> None:
        """Import the checks, which register themselves, and register the lookups."""
        from clones.core import checks, lookups  # noqa: F401, PLC0415 - needs the app registry

        lookups.register()
