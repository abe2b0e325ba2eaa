"""The simulated people as a Django app: tables in the sandbox's store, no route."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Register the people and the handlers of their jobs."""

    name = "seeds.people"
    label = "people"
    verbose_name = "Simulated people"

    def ready(self) -> None:
        """Import the job handlers, which register themselves."""
        from seeds.people import (  # noqa: PLC0415 - need the app registry
            approvers,
            handlers,  # noqa: F401 - its handlers register themselves
            observer,
            reviewers,
        )

        # What was said is seen before the move that came with it.
        observer.WATCHED["tracker_comment"] = approvers.after(reviewers.notice)
        observer.WATCHED["tracker_issue"] = reviewers.notice
        observer.WATCHED["tracker_approver"] = approvers.notice
