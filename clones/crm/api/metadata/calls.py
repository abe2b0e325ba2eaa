"""Calls for metadata: what there is, read one by one or as files, and written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from clones.core import clock
from clones.crm.api.metadata.components import (
    CHILDREN,
    KINDS,
    Component,
    components,
    find_component,
)
from clones.crm.api.metadata.files import archive_of
from clones.crm.api.metadata.writing import remove_component, write_component
from clones.crm.api.soap.asked import SoapCall
from clones.crm.api.soap.xml import Element, described, tag
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.many import Saved, save_each
from clones.crm.errors import CrmError
from clones.crm.models import RetrieveRequest, rows_of
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.shown_values import moment_text

MOST: Final = 10
_QUERIES: Final = 3
Answer = Callable[[SoapCall], str]
XSI_TYPE: Final = ' xsi:type="{}"'


def describe_metadata(_: SoapCall) -> str:
    """Tell which kinds of components there are."""
    shown = []
    for kind, file in KINDS.items():
        if file is None:
            continue
        one: dict[str, Any] = {}
        if kind == "CustomObject":
            one["childXmlNames"] = list(CHILDREN)
        one |= {
            "directoryName": file[0],
            "inFolder": kind == "Report",
            "metaFile": False,
            "suffix": file[1],
            "xmlName": kind,
        }
        shown.append(one)
    found = {
        "metadataObjects": shown,
        "organizationNamespace": "",
        "partialSaveAllowed": True,
        "testRequired": False,
    }
    return described("result", found)


def list_metadata(asked: SoapCall) -> str:
    """List the components of some kinds."""
    queries = asked.said.all("queries")
    if len(queries) > _QUERIES:
        raise CrmError("Too many queries", code="LIMIT_EXCEEDED")
    names = _users()
    shown = []
    for query in queries:
        kind, folder = query.said("type"), query.said("folder")
        if kind == "ReportFolder":
            continue
        _check_kind(kind)
        for one in _all(asked, kind):
            if folder and not one.name.startswith(f"{folder}/"):
                continue
            shown.append(described("result", _properties(one, names, asked.user)))
    return "".join(shown)


def read_metadata(asked: SoapCall) -> str:
    """Show components by their names; of what is not there, an empty record."""
    kind, given = asked.said.said("type"), asked.said.all("fullNames")
    _check_kind(kind)
    if len(given) > MOST:
        raise CrmError(f"The most that can be read at once is {MOST}", code="LIMIT_EXCEEDED")
    records = []
    for element in given:
        one = find_component(
            kind, element.text.strip(), version=float(asked.version), user=asked.user
        )
        if one is None:
            records.append('<records xsi:nil="true"/>')
            continue
        inner = "".join(
            described(name, value) for name, value in {**one.body, "fullName": one.name}.items()
        )
        records.append(f"<records{XSI_TYPE.format(kind)}>{inner}</records>")
    return f"<result>{''.join(records)}</result>"


def retrieve(asked: SoapCall) -> str:
    """Ask for components as files."""
    request = asked.said.child("retrieveRequest")
    package = None if request is None else request.child("unpackaged")
    if request is None or package is None:
        raise CrmError("No package.xml found", code="INVALID_FIELD")
    types = [
        [one.said("name"), [each.text.strip() for each in one.all("members")]]
        for one in package.all("types")
    ]
    kept = RetrieveRequest(
        id=new_id("09S", RetrieveRequest),
        user=asked.user,
        asked_at=clock.now().replace(microsecond=0),
        definition={
            "types": types,
            "version": package.said("version") or asked.version,
            "single": request.said("singlePackage") in ("true", "1"),
        },
    )
    kept.save(force_insert=True)
    found = {"done": False, "id": kept.id, "state": "Queued"}
    return described("result", found)


def check_retrieve(asked: SoapCall) -> str:
    """Show the files that were asked for."""
    id = read_id(asked.said.said("asyncProcessId")) or ""
    kept = RetrieveRequest.objects.filter(id=id, user=asked.user).first()
    if kept is None:
        raise CrmError(
            "INVALID_CROSS_REFERENCE_KEY: invalid cross reference id",
            code="INVALID_CROSS_REFERENCE_KEY",
        )
    found, messages = _retrieved(asked, kept.definition["types"])
    names = _users()
    wants_zip = asked.said.said("includeZip") not in ("false", "0")
    answer: dict[str, Any] = {
        "done": True,
        "fileProperties": [_properties(one, names, asked.user) for one in found],
        "id": kept.id,
        "messages": messages,
        "status": "Succeeded",
        "success": True,
    }
    if wants_zip:
        version = str(kept.definition["version"])
        answer["zipFile"] = archive_of(found, version, in_package=not kept.definition["single"])
    return described("result", answer)


def _retrieved(asked: SoapCall, types: list[Any]) -> tuple[list[Component], list[dict[str, str]]]:
    found: dict[tuple[str, str], Component] = {}
    messages = []
    for kind, members in types:
        if kind not in KINDS:
            said = f"Entity type: '{kind}' is unknown"
            messages.append({"fileName": "unpackaged/package.xml", "problem": said})
            continue
        every = {one.name: one for one in _all(asked, kind)}
        for member in members:
            if member == "*":
                own = [one for one in every.values() if kind != "CustomObject" or one.id]
                found |= {(kind, one.name): one for one in own}
            elif member in every:
                found[(kind, member)] = every[member]
            else:
                said = f"Entity of type '{kind}' named '{member}' cannot be found"
                messages.append({"fileName": "unpackaged/package.xml", "problem": said})
    return [found[key] for key in sorted(found)], messages


def _all(asked: SoapCall, kind: str) -> list[Component]:
    return list(components(kind, version=float(asked.version), user=asked.user))


def _users() -> dict[str, str]:
    return dict(rows_of("User").values_list("Id", "Name"))


def _properties(one: Component, names: dict[str, str], user: str) -> dict[str, Any]:
    made = moment_text(one.created_at or clock.now()).replace("+0000", "Z")
    changed = moment_text(one.changed_at or one.created_at or clock.now()).replace("+0000", "Z")
    return {
        "createdById": user,
        "createdByName": names.get(user, ""),
        "createdDate": made,
        "fileName": one.file,
        "fullName": one.name,
        "id": one.id,
        "lastModifiedById": user,
        "lastModifiedByName": names.get(user, ""),
        "lastModifiedDate": changed,
        "manageableState": "unmanaged",
        "type": one.kind,
    }


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise CrmError(f"INVALID_TYPE: Unknown type:{kind[:80]}", code="INVALID_TYPE")


def _written(asked: SoapCall, *, may_change: bool, may_make: bool, tells_created: bool) -> str:
    given = asked.said.all("metadata")
    if not 0 < len(given) <= MOST:
        raise CrmError(f"The most that can be written at once is {MOST}", code="LIMIT_EXCEEDED")

    def save(one: Element) -> Saved:
        kind = _kind_of(one)
        name, is_new = write_component(
            kind, one, actor=asked.user, may_change=may_change, may_make=may_make
        )
        return Saved(name, is_created=is_new)

    saved = save_each(given, save)
    return "".join(
        _result(one, element.said("fullName"), tells_created=tells_created)
        for one, element in zip(saved, given, strict=True)
    )


def _kind_of(given: Element) -> str:
    for name, value in given.attributes.items():
        if name.endswith(" type"):
            return value.rpartition(":")[2]
    return ""


def _result(one: Saved, name: str, *, tells_created: bool) -> str:
    inner = tag("created", one.is_created) if tells_created else ""
    if one.error is not None:
        inner += described("errors", {"message": one.error.message, "statusCode": one.error.code})
    inner += tag("fullName", name) + tag("success", one.error is None)
    return f"<result>{inner}</result>"


def create_metadata(asked: SoapCall) -> str:
    """Make components."""
    return _written(asked, may_change=False, may_make=True, tells_created=False)


def update_metadata(asked: SoapCall) -> str:
    """Change components."""
    return _written(asked, may_change=True, may_make=False, tells_created=False)


def upsert_metadata(asked: SoapCall) -> str:
    """Make components, or change those of their names."""
    return _written(asked, may_change=True, may_make=True, tells_created=True)


def delete_metadata(asked: SoapCall) -> str:
    """Take components away."""
    kind, given = asked.said.said("type"), asked.said.all("fullNames")
    if not 0 < len(given) <= MOST:
        raise CrmError(f"The most that can be deleted at once is {MOST}", code="LIMIT_EXCEEDED")

    def remove(one: Element) -> Saved:
        remove_component(kind, one.text.strip(), actor=asked.user)
        return Saved(one.text.strip())

    saved = save_each(given, remove)
    return "".join(
        _result(one, element.text.strip(), tells_created=False)
        for one, element in zip(saved, given, strict=True)
    )


METADATA_ANSWERS: Final[dict[str, Answer]] = {
    "describeMetadata": describe_metadata,
    "listMetadata": list_metadata,
    "readMetadata": read_metadata,
    "retrieve": retrieve,
    "checkRetrieveStatus": check_retrieve,
    "createMetadata": create_metadata,
    "updateMetadata": update_metadata,
    "upsertMetadata": upsert_metadata,
    "deleteMetadata": delete_metadata,
}
