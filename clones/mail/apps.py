"""The mail clone as a Django app."""

from django.apps import AppConfig


class MailConfig(AppConfig):
    """Register the clone."""

    name = "clones.mail"
    label = "mail"
    verbose_name = "Mail"

    def ready(self) -> None:
        """Make the clone known. Its models exist only now."""
        from clones.core.vendors import register  # noqa: PLC0415 - see above
        from clones.mail.clone import MAIL  # noqa: PLC0415 - see above

        register(MAIL)
