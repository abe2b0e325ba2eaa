"""Calls on the recycle bin, and calls that make one record of several."""

from __future__ import annotations

from clones.crm.api.soap.asked import SoapCall, answers
from clones.crm.api.soap.rows import ids_of, object_of, save_listed
from clones.crm.api.soap.values import checked, errors_xml, read_record, saved_xml, whole_id
from clones.crm.api.soap.xml import Element, tag
from clones.crm.domain.merging import Merged, merge_records
from clones.crm.domain.recycle_bin import purge_record, undelete_record
from clones.crm.domain.saving.many import Saved
from clones.crm.errors import RecordError


@answers("undelete")
def undelete(asked: SoapCall) -> str:
    """Bring records back from the recycle bin."""

    def bring_back(text: str) -> Saved:
        id = whole_id(text)
        of = object_of(asked, id)
        if not of.abilities["undeletable"]:
            raise RecordError("UNDELETE_FAILED", f"entity type {of.name} does not support undelete")
        undelete_record(of, id, actor=asked.user)
        return Saved(id)

    saved = save_listed(ids_of(asked), bring_back, all_or_none=asked.all_or_none)
    return "".join(saved_xml(one.id, one.error) for one in saved)


@answers("emptyRecycleBin")
def empty(asked: SoapCall) -> str:
    """Take records out of the recycle bin for good."""

    def purge(text: str) -> Saved:
        id = whole_id(text)
        purge_record(object_of(asked, id), id)
        return Saved(id)

    return "".join(saved_xml(one.id, one.error) for one in save_listed(ids_of(asked), purge))


@answers("merge")
def merge(asked: SoapCall) -> str:
    """Merge records into others, a request at a time."""
    done: list[Merged] = []

    def run(request: Element) -> Saved:
        master = request.child("masterRecord")
        if master is None:
            raise RecordError("MISSING_ARGUMENT", "masterRecord not specified")
        given = read_record(master, asked.schema)
        others = [whole_id(one.text.strip()) for one in request.all("recordToMergeIds")]
        id = whole_id(given.id)
        found = merge_records(given.of, id, others, checked(given), actor=asked.user)
        done.append(found)
        return Saved(id)

    # By the vendor's own name, and by what one client calls them.
    requests = [*asked.said.all("request"), *asked.said.all("mergeRequests")]
    answer = ""
    for saved in save_listed(requests, run, all_or_none=asked.all_or_none):
        found = None if saved.error else done.pop(0)
        answer += (
            "<result>"
            + errors_xml([saved.error] if saved.error else [])
            + tag("id", saved.id)
            + "".join(tag("mergedRecordIds", one) for one in (found.merged if found else ()))
            + tag("success", saved.error is None)
            + "".join(tag("updatedRelatedIds", one) for one in (found.moved if found else ()))
            + "</result>"
        )
    return answer
