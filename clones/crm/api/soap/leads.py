"""The call that converts leads."""

from __future__ import annotations

from clones.crm.api.soap.asked import SoapCall, answers
from clones.crm.api.soap.rows import save_listed
from clones.crm.api.soap.values import errors_xml, whole_id
from clones.crm.api.soap.xml import Element, tag
from clones.crm.domain.converting import Conversion, Converted, convert_lead
from clones.crm.domain.saving.many import Saved


@answers("convertLead")
def convert(asked: SoapCall) -> str:
    """Convert leads, each by itself."""
    done: list[Converted] = []

    def run(request: Element) -> Saved:
        found = convert_lead(asked.schema, _wanted(request), actor=asked.user)
        done.append(found)
        return Saved(found.lead)

    requests, answer = asked.said.all("leadConverts"), ""
    for saved in save_listed(requests, run, all_or_none=asked.all_or_none):
        found = None if saved.error else done.pop(0)
        answer += (
            "<result>"
            + tag("accountId", found and found.account)
            + tag("contactId", found and found.contact)
            + errors_xml([saved.error] if saved.error else [])
            + tag("leadId", found and found.lead)
            + tag("opportunityId", found and found.opportunity)
            + tag("success", found is not None)
            + "</result>"
        )
    return answer


def _wanted(request: Element) -> Conversion:
    """Return what a request wants of a lead.

    Raises:
        RecordError: an id is none.
    """

    def id_of(name: str) -> str | None:
        text = request.said(name)
        return whole_id(text) if text else None

    return Conversion(
        lead=whole_id(request.said("leadId")),
        status=request.said("convertedStatus"),
        account=id_of("accountId"),
        contact=id_of("contactId"),
        opportunity=id_of("opportunityId"),
        opportunity_name=request.said("opportunityName") or None,
        no_opportunity=request.said("doNotCreateOpportunity") in ("true", "1"),
        overwrite_source=request.said("overwriteLeadSource") in ("true", "1"),
        owner=id_of("ownerId"),
    )
