"""What a new site has before anybody changes it."""

from __future__ import annotations

from clones.tracker.domain.setup.access import install_access
from clones.tracker.domain.setup.dashboards import install_dashboards
from clones.tracker.domain.setup.fields import install_fields
from clones.tracker.domain.setup.kinds import install_kinds
from clones.tracker.domain.setup.people import install_people
from clones.tracker.domain.setup.workflows import install_workflows
from clones.tracker.models import User


def install_site(*, owner_name: str, owner_email: str) -> User:
    """Furnish an empty site with kinds of issues, fields, workflows, access and groups.

    Each stands on those before it. Return the owner, who may do everything and cannot sign in yet.
    """
    people = install_people(owner_name=owner_name, owner_email=owner_email)
    install_kinds()
    install_fields()
    install_access()
    install_workflows()
    install_dashboards()
    return people.owner
