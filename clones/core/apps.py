"""The ground floor as a Django app."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """Register the system checks of sandbox tables."""

    name = "clones.core"
    label = "core"
    verbose_name = "Core"

    def ready(self) -> None:
        """Import the checks, which register themselves."""
        from clones.core import checks  # noqa: F401, PLC0415 - needs the app registry
