"""The mail that a comment was made of, as it came."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core import sightings
from clones.core.rfc5322 import written
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain.correspondence import original_of
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Audit
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.plain_pages import secured

LARGEST_KEY = 2**63 - 1


@agent_page
def original_email(_request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Let an agent keep the original of a comment: all of it, what it quotes too."""
    audit = Audit.objects.filter(id=min(key, LARGEST_KEY)).first()
    if audit is None:
        raise RecordNotFound("audit", key)
    queries.ticket(agent.user, audit.ticket_id)
    message = original_of(audit)
    if message is None:
        raise RecordNotFound("email", key)
    sightings.note(audit, "detail")
    sightings.note(message, "detail")
    headers = {"Content-Disposition": f'attachment; filename="email-{key}.eml"'}
    return secured(HttpResponse(written(message), content_type="message/rfc822", headers=headers))
