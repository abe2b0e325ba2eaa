"""The helpdesk clone as a Django app."""

from importlib import import_module

from django.apps import AppConfig

from clones.helpdesk.app_tools import APP_TOOLS
from clones.helpdesk.modules import WORKING

# Audits, counts and clocks follow the tickets that they are of.
DERIVED = frozenset(
    {
        "helpdesk_activity",
        "helpdesk_audit",
        "helpdesk_auditevent",
        "helpdesk_jobstatus",
        "helpdesk_metricevent",
        "helpdesk_slaclock",
        "helpdesk_ticketmetric",
    }
)


class HelpdeskConfig(AppConfig):
    """Register the clone."""

    name = "clones.helpdesk"
    label = "helpdesk"
    verbose_name = "Helpdesk"

    def ready(self) -> None:
        """Tell core of the clone: its addresses, credentials and refusals; set up its jobs."""
        from clones.core import vendors  # noqa: PLC0415 - needs the app registry
        from clones.helpdesk.api import (  # noqa: PLC0415 - these modules import models
            description,
            dialect,
            handouts,
        )
        from clones.helpdesk.api.operations import OPERATIONS  # noqa: PLC0415 - the same
        from clones.helpdesk.domain import (  # noqa: PLC0415 - the same
            mail_receiver,
            numbering,
            people,
        )
        from clones.helpdesk.invariants import INVARIANTS  # noqa: PLC0415 - the same
        from clones.helpdesk.probes import PROBES  # noqa: PLC0415 - the same

        mail_receiver.register()
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
                app_tools=APP_TOOLS,
                ambient_prefixes=(
                    "/agent/drafts/",
                    "/agent/presence/",
                    "/agent/previews/",
                    "/hc/en-us/previews/",
                ),
                signs_in=True,
                derived_tables=DERIVED,
                probes=PROBES,
                invariants=INVARIANTS,
                description=description.description,
                framed="clones.helpdesk.web.refused.framed",
                zone_of=people.zone_of_email,
                privacy="clones.helpdesk.privacy.PRIVACY",
                pass_over=numbering.pass_over_numbers,
            )
        )
