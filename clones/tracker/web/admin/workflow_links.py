"""Where the page of a workflow is, and that of its editor where there is one."""

from __future__ import annotations

from typing import Final

from clones.tracker.models import Workflow
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.frame.entries import is_there

AT: Final = address_of("workflows")


def workflow_address(workflow: Workflow) -> str:
    """Return the address of a workflow's page in the administration."""
    return f"{AT}/{workflow.uuid}"


def editor_address(workflow: Workflow) -> str:
    """Return the address of the editor of a workflow, "" where there is none."""
    # Asked of one address for all: what is there is kept, and each workflow has its own.
    return f"{workflow_address(workflow)}/edit" if is_there(f"{AT}/id/edit") else ""
