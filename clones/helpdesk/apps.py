"""The helpdesk clone as a Django app."""

from importlib import import_module

from django.apps import AppConfig

from clones.helpdesk.modules import WORKING


class HelpdeskConfig(AppConfig):
    """Register the clone."""

    name = "clones.helpdesk"
    label = "helpdesk"
    verbose_name = "Helpdesk"

    def ready(self) -> None:
        """Tell core of the clone: its addresses, credentials and refusals; set up its jobs."""
        from clones.core import vendors  # noqa: PLC0415 - needs the app registry
        from clones.helpdesk.api import (  # noqa: PLC0415 - these modules import models
            dialect,
            handouts,
        )
        from clones.helpdesk.api.operations import OPERATIONS  # noqa: PLC0415 - the same
        from clones.helpdesk.domain import mail_door  # noqa: PLC0415 - the same

        mail_door.open_door()
        for name in WORKING:
            import_module(name)
        vendors.register(
            vendors.Clone(
                name="helpdesk",
                api_prefixes=("/api/v2", dialect.ATTACHMENTS),
                urlconf="clones.helpdesk.urls",
                presented=dialect.presented,
                refuse=dialect.refuse,
                session_cookie="_helpdesk_session",
                authorization=handouts.authorization,
                account_view=handouts.account_view,
                operations=OPERATIONS,
                ambient_prefixes=(
                    "/agent/drafts/",
                    "/agent/presence/",
                    "/agent/previews/",
                    "/hc/en-us/previews/",
                ),
            )
        )
