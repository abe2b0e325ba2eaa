"""The crm clone as a Django app."""

from django.apps import AppConfig


class CrmConfig(AppConfig):
    """Register the clone."""

    name = "clones.crm"
    label = "crm"
    verbose_name = "Crm"

    def ready(self) -> None:
        """Make the clone known. Its models exist only now."""
        from clones.core.vendors import register  # noqa: PLC0415 - see above
        from clones.crm.clone import CRM  # noqa: PLC0415 - see above
        from clones.crm.domain import service  # noqa: PLC0415 - see above
        from clones.crm.domain.saving.stages import load_steps  # noqa: PLC0415 - see above

        register(CRM)
        load_steps()
        service.register()
