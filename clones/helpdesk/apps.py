"""The helpdesk clone as a Django app."""

from django.apps import AppConfig


class HelpdeskConfig(AppConfig):
    """Register the clone."""

    name = "clones.helpdesk"
    label = "helpdesk"
    verbose_name = "Helpdesk"
