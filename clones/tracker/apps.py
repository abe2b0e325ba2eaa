"""The tracker clone as a Django app."""

from importlib import import_module

from django.apps import AppConfig

from clones.tracker.app_tools import APP_TOOLS
from clones.tracker.modules import LISTENING, WORKING

# Histories, words and clocks follow the issues that they are of.
DERIVED = frozenset(
    {
        "tracker_auditrecord",
        "tracker_automationrun",
        "tracker_changegroup",
        "tracker_changeitem",
        "tracker_issuetext",
        "tracker_slacycle",
        "tracker_task",
    }
)


class TrackerConfig(AppConfig):
    """Register the clone."""

    name = "clones.tracker"
    label = "tracker"
    verbose_name = "Tracker"

    def ready(self) -> None:
        """Tell core of the clone: its addresses, credentials and refusals; set up its jobs."""
        from clones.core import vendors  # noqa: PLC0415 - needs the app registry
        from clones.tracker.api import (  # noqa: PLC0415 - these modules import models
            description,
            dialect,
            handouts,
        )
        from clones.tracker.api.operations import OPERATIONS  # noqa: PLC0415 - the same
        from clones.tracker.domain import numbering  # noqa: PLC0415 - the same
        from clones.tracker.domain.mail import receiver  # noqa: PLC0415 - the same
        from clones.tracker.probes import PROBES  # noqa: PLC0415 - the same
        from clones.tracker.queries import people  # noqa: PLC0415 - the same

        receiver.register()
        for name in (*LISTENING, *WORKING):
            import_module(name)
        # After the listeners, whose order is their table's: its rules read some of them.
        from clones.tracker.invariants import INVARIANTS  # noqa: PLC0415 - the same

        vendors.register(
            vendors.Clone(
                name="tracker",
                api_prefixes=("/rest/",),
                urlconf="clones.tracker.urls",
                presented=dialect.presented,
                refuse=dialect.refuse,
                session_cookie="_tracker_session",
                authorization=handouts.authorization,
                account_view=handouts.account_view,
                operations=OPERATIONS,
                app_tools=APP_TOOLS,
                ambient_prefixes=("/jira/viewed/",),
                signs_in=True,
                derived_tables=DERIVED,
                probes=PROBES,
                invariants=INVARIANTS,
                description=description.description,
                framed="clones.tracker.web.refused.framed",
                zone_of=people.zone_of_email,
                privacy="clones.tracker.privacy.PRIVACY",
                pass_over=numbering.pass_over_numbers,
            )
        )
