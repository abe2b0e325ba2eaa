"""What agents change of requests beside the issue's own fields: the type, who shares them."""

from __future__ import annotations

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.domain.issues.editing import require_edit
from clones.tracker.domain.requests import make_request, share_request
from clones.tracker.models import (
    CustomField,
    Issue,
    Organization,
    Request,
    RequestOrganization,
    RequestType,
)
from clones.tracker.queries.requests import works_on
from clones.tracker.queries.rights import Rights

REQUEST_TYPE = "com.atlassian.servicedesk:vp-origin"
AGENTS_ONLY = "Only agents of this service desk can do this."


def change_request_type_of(issue: Issue, chosen: RequestType, *, actor: Rights) -> Request:
    """Make an issue of a desk a request of a type, or of another type.

    Args:
        issue: of a desk's space.
        chosen: a type of that desk, which stands for the issue's own type of issues.
        actor: who may edit the issue.

    Raises:
        Forbidden: the actor may not edit it.
        Invalid: the type is another desk's, or for another type of issues.
    """
    require_edit(issue, actor)
    if chosen.desk.project_id != issue.project_id or chosen.issue_type_id != issue.issue_type_id:
        raise Invalid("The request type is not valid for this issue.")
    before = Request.objects.filter(issue=issue).select_related("request_type").first()
    old = None if before is None else before.request_type
    if old == chosen and before is not None:
        return before
    made = make_request(issue, chosen, channel="jira")
    field = CustomField.objects.filter(type=REQUEST_TYPE, trashed_at=None).order_by("id").first()
    if field is not None:
        changes = Changes(issue, actor)
        was = None if old is None else str(old.id)
        said = None if old is None else old.name
        changes.note(field.name, field.key, was, said, str(chosen.id), chosen.name, custom=True)
        group = changes.save()
        issue.save(update_fields=["updated"])
        publish(Event("issue_updated", actor, issue=issue, changes=group))
    return made


def share_with_organization(issue: Issue, organization: Organization, *, actor: Rights) -> None:
    """Let the people of an organization of the desk's see a request; twice is once.

    Its agents may do that, and its reporter with an organization of their own.

    Raises:
        Forbidden: the actor is neither.
        Invalid: the organization is not one of the desk's.
    """
    _require(issue, organization, actor)
    if not organization.desks.filter(desk__project=issue.project_id).exists():
        raise Invalid("The organization does not have access to this service desk.")
    share_request(issue, [organization])


def stop_sharing(issue: Issue, organization: Organization, *, actor: Rights) -> None:
    """Take a request from an organization; one that has it not stays without.

    Raises:
        Forbidden: the actor is neither the desk's agent nor the reporter.
    """
    _require(issue, organization, actor)
    RequestOrganization.objects.filter(issue=issue, organization=organization).delete()


def _require(issue: Issue, organization: Organization, actor: Rights) -> None:
    asked = actor.user is not None and issue.reporter_id == actor.user.id
    if works_on(actor, issue):
        return
    if not asked or not organization.members.filter(user=actor.user).exists():
        raise Forbidden(AGENTS_ONLY, i18n_key="sd.agent.servicedesk.error.not.agent")
