"""Files: the bytes of attachments, documents and versions, and what a version leads to.

The bytes lie beside the records, once for all that have the same (`clones.core.models.Blob`); a
field of theirs keeps the name of what it has. The first version of a file makes the file, and links
it to where it was published; a later one is the file's latest from then on.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import Any, Final

from clones.core.models import Blob
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import create_record
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow, model_of, rows_of
from clones.crm.queries.records import find_record

_TYPE_LENGTH: Final = 20
# Types of files by their names' ends, where a type is not the end itself in capitals.
_TYPES: Final = {
    "docx": "WORD_X",
    "doc": "WORD",
    "xlsx": "EXCEL_X",
    "xls": "EXCEL",
    "pptx": "POWER_POINT_X",
    "ppt": "POWER_POINT",
    "txt": "TEXT",
    "jpg": "JPG",
    "jpeg": "JPEG",
    "htm": "HTML",
    "svg": "SVG",
    "snote": "SNOTE",
}
_UNKNOWN_TYPE: Final = "UNKNOWN"


def keep_bytes(data: bytes) -> str:
    """Keep bytes once, and return the name that a field has for them."""
    name = hashlib.sha256(data).hexdigest()
    if not Blob.objects.filter(sha256=name).exists():
        Blob.objects.create(sha256=name, data=data)
    return name


def bytes_of(row: SObjectRow, name: str) -> bytes:
    """Return the bytes that a field of a record has; none where it has nothing."""
    kept = getattr(row, name)
    found = Blob.objects.filter(sha256=kept).first() if kept else None
    return b"" if found is None else bytes(found.data)


@step(Stage.FILLING_IN)
def take_bytes(change: Change) -> None:
    """Keep the bytes that were said of a record, and say how many they are.

    Raises:
        RecordError: a version of a file says neither what is in it nor where it lies.
    """
    if change.of.name == "ContentVersion" and change.is_new:
        _check_version(change)
    for name, value in list(change.said.items()):
        field = change.of.field(name)
        if field is None or field.type != "base64" or not isinstance(value, bytes):
            continue
        change.set(name, keep_bytes(value))
        for length in ("BodyLength", "ContentSize"):
            if change.of.field(length) is not None:
                change.set(length, len(value))
        if change.of.field("Checksum") is not None:
            change.set("Checksum", hashlib.md5(value, usedforsecurity=False).hexdigest())
    fill = _FILLED.get(change.of.name)
    if fill is not None:
        fill(change)


def _check_version(change: Change) -> None:
    if change.get("VersionData") is None and change.get("ContentUrl") is None:
        raise RecordError(
            "REQUIRED_FIELD_MISSING", "Required fields are missing: [VersionData]", ["VersionData"]
        )
    if change.get("VersionData") is not None and change.get("PathOnClient") is None:
        raise RecordError(
            "REQUIRED_FIELD_MISSING",
            "Required fields are missing: [PathOnClient]",
            ["PathOnClient"],
        )


def _version(change: Change) -> None:
    """Say what a version is: its title, its type, its number, the file that it is one of."""
    if not change.is_new:
        return
    path = PurePosixPath(str(change.get("PathOnClient") or "").replace("\\", "/"))
    end = path.suffix.lstrip(".").lower()
    if change.get("Title") is None:
        change.set("Title", (path.stem or change.get("ContentUrl") or "Untitled")[:255])
    is_link = change.get("ContentUrl") is not None
    change.set("FileExtension", None if is_link else end[:40] or None)
    known = _TYPES.get(end, end.upper() or _UNKNOWN_TYPE)
    change.set("FileType", "LINK" if is_link else known[:_TYPE_LENGTH])
    if change.get("ContentSize") is None:
        change.set("ContentSize", 0)
    for name in ("RatingCount", "PositiveRatingCount", "NegativeRatingCount"):
        change.set(name, 0)
    change.set("FeaturedContentBoost", 0)
    change.set("IsLatest", True)
    change.set("ContentModifiedById", change.actor)
    if change.get("ContentModifiedDate") is None:
        change.set("ContentModifiedDate", change.now)
    document = change.get("ContentDocumentId")
    if document is None:
        change.set("VersionNumber", "1")
        change.set("ContentDocumentId", new_id("069", model_of("ContentDocument")))
        return
    versions = rows_of("ContentVersion").filter(ContentDocumentId=document)
    change.set("VersionNumber", str(versions.count() + 1))
    change.set(
        "FirstPublishLocationId", versions.order_by("CreatedDate", "Id")[0].FirstPublishLocationId
    )


def _attachment(change: Change) -> None:
    if change.is_new and change.get("BodyLength") is None:
        change.set("BodyLength", 0)


_FILLED: Final[dict[str, Any]] = {
    "ContentVersion": _version,
    "Attachment": _attachment,
    "Document": _attachment,
}


@step(Stage.FOLLOW_UPS)
def publish_version(change: Change) -> None:
    """Make the file of its first version; let a later one be its latest."""
    if change.of.name != "ContentVersion":
        return
    id = change.get("ContentDocumentId")
    of = change.of.schema.objects["ContentDocument"]
    document = rows_of(of).filter(Id=id).first()
    if document is None:
        document = model_of(of)(
            Id=id, OwnerId=change.get("OwnerId"), CreatedById=change.actor, CreatedDate=change.now
        )
        document.PublishStatus, document.SharingOption = "P", change.get("SharingOption")
        document.SharingPrivacy = change.get("SharingPrivacy")
        _show_version(document, change)
        document.save(force_insert=True)
        _link(change, id)
        return
    if change.is_new:
        older = rows_of("ContentVersion").filter(ContentDocumentId=id, IsLatest=True)
        for row in older.exclude(Id=change.get("Id")).order_by("Id"):
            row.IsLatest = False
            row.save()
    if change.get("IsLatest"):
        _show_version(document, change)
        document.save()


def _show_version(document: Any, change: Change) -> None:
    """Let a file show its latest version."""
    document.LatestPublishedVersionId = change.get("Id")
    for name in ("Title", "Description", "FileType", "FileExtension", "ContentSize"):
        setattr(document, name, change.get(name))
    document.ContentModifiedDate = change.get("ContentModifiedDate")
    document.LastModifiedById, document.LastModifiedDate = change.actor, change.now
    document.SystemModstamp = change.now


def _link(change: Change, document: str) -> None:
    """Link a new file to its owner, and to where it was published."""
    of = change.of.schema.objects["ContentDocumentLink"]
    said = {"ContentDocumentId": document, "ShareType": "I", "Visibility": "AllUsers"}
    create_record(of, {**said, "LinkedEntityId": change.get("OwnerId")}, actor=change.actor)
    place = change.get("FirstPublishLocationId")
    if place is None:
        change.set("FirstPublishLocationId", change.get("OwnerId"))
    elif place != change.get("OwnerId"):
        create_record(of, {**said, "ShareType": "V", "LinkedEntityId": place}, actor=change.actor)


@step(Stage.FILLING_IN)
def check_link(change: Change) -> None:
    """See that a file is linked once to a record.

    Raises:
        RecordError: it is linked to it already.
    """
    if change.of.name != "ContentDocumentLink":
        return
    if change.get("ShareType") is None:
        change.set("ShareType", "V")
    if not change.is_new:
        return
    document, linked = change.get("ContentDocumentId"), change.get("LinkedEntityId")
    same = rows_of(change.of).filter(
        ContentDocumentId=document, LinkedEntityId=linked, IsDeleted=False
    )
    if same.exists():
        raise RecordError(
            "DUPLICATE_VALUE",
            "duplicate value found: LinkedEntityId duplicates value on record with id: "
            + str(same[0].pk)[:15],
            ["LinkedEntityId"],
        )


@step(Stage.FOLLOW_UPS)
def follow_document(change: Change) -> None:
    """Let the latest version of a file be called as the file is."""
    if change.of.name != "ContentDocument" or change.is_new:
        return
    if not change.has_changed("Title", "Description"):
        return
    latest = find_record(
        change.of.schema.objects["ContentVersion"], change.get("LatestPublishedVersionId")
    )
    latest.Title, latest.Description = change.get("Title"), change.get("Description")
    latest.SystemModstamp = change.now
    latest.save()
