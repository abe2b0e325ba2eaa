"""Files: versions, the documents they are of, where they are linked, and attachments."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest

from snapshots.sandboxes import Sandboxes
from tests.crm.conftest import VERSION, Org

TEXT = b"Quotation 4711\n\x00\xff"


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def upload(org: Org, **more: Any) -> dict[str, Any]:
    said = {"PathOnClient": "/tmp/offer 7.pdf", "VersionData": encoded(TEXT), **more}  # noqa: S108 - a name
    return org.show("ContentVersion", org.make("ContentVersion", **said))


def fetched(org: Org, address: str) -> tuple[int, bytes, str]:
    answer = org.client().get(address, headers={"Authorization": f"Bearer {org.token()}"})
    return answer.status_code, answer.content, answer.headers["Content-Type"]


def counted(org: Org, of: str) -> int:
    found: int = org.call("GET", f"/query?q=SELECT COUNT() FROM {of}")["totalSize"]
    return found


def sent(org: Org, of: str, said: Any, part: str, data: bytes) -> tuple[int, Any]:
    """Send a record with a file, as a form of two parts."""
    head = b'--x\r\nContent-Disposition: form-data; name="entity"\r\n'
    body = head + b"Content-Type: application/json\r\n\r\n" + json.dumps(said).encode()
    body += f'\r\n--x\r\nContent-Disposition: form-data; name="{part}"; '.encode()
    body += b'filename="offer.pdf"\r\nContent-Type: application/octet-stream\r\n\r\n'
    body += data + b"\r\n--x--\r\n"
    answer = org.client().generic(
        "POST",
        f"/services/data/{VERSION}/sobjects/{of}",
        body,
        "multipart/form-data; boundary=x",
        headers={"Authorization": f"Bearer {org.token()}"},
    )
    return answer.status_code, json.loads(answer.content)


def test_a_first_version_makes_a_document_and_its_link(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    version = upload(org, FirstPublishLocationId=account, Title="Offer")
    assert version["FileExtension"] == "pdf"
    assert version["FileType"] == "PDF"
    assert version["VersionNumber"] == "1"
    assert version["IsLatest"] is True
    assert version["ContentSize"] == len(TEXT)
    assert version["Checksum"] == hashlib.md5(TEXT, usedforsecurity=False).hexdigest()
    document = org.show("ContentDocument", version["ContentDocumentId"])
    assert document["Title"] == "Offer"
    assert document["LatestPublishedVersionId"] == version["Id"]
    assert document["ContentSize"] == len(TEXT)
    found = org.call(
        "GET",
        "/query?q=SELECT+LinkedEntityId,ShareType+FROM+ContentDocumentLink+WHERE"
        f"+ContentDocumentId='{document['Id']}'+ORDER+BY+ShareType",
    )["records"]
    links = {(one["LinkedEntityId"], one["ShareType"]) for one in found}
    assert links == {(account, "V"), (version["OwnerId"], "I")}
    listed = org.call(
        "GET",
        "/query?q=SELECT+Id,(SELECT+ContentDocument.Title+FROM+ContentDocumentLinks)+FROM+Account",
    )["records"]
    assert listed[0]["ContentDocumentLinks"]["records"][0]["ContentDocument"]["Title"] == "Offer"


def test_a_version_shows_where_its_bytes_are(org: Org) -> None:
    version = upload(org)
    address = f"/services/data/{VERSION}/sobjects/ContentVersion/{version['Id']}/VersionData"
    assert version["VersionData"] == address
    asked = "/query?q=SELECT+VersionData,ContentDocument.Title+FROM+ContentVersion"
    (row,) = org.call("GET", asked)["records"]
    assert row["VersionData"] == address
    assert row["ContentDocument"]["Title"] == "offer 7"
    assert fetched(org, address) == (200, TEXT, "application/octetstream")


def test_a_later_version_is_the_latest(org: Org) -> None:
    first = upload(org)
    second = upload(org, ContentDocumentId=first["ContentDocumentId"], ReasonForChange="typo")
    assert second["VersionNumber"] == "2"
    assert org.show("ContentVersion", first["Id"])["IsLatest"] is False
    document = org.show("ContentDocument", first["ContentDocumentId"])
    assert document["LatestPublishedVersionId"] == second["Id"]
    org.call(
        "PATCH", f"/sobjects/ContentDocument/{document['Id']}", {"Title": "New name"}, status=204
    )
    assert org.show("ContentVersion", second["Id"])["Title"] == "New name"


def test_a_file_is_sent_as_a_form(org: Org) -> None:
    status, made = sent(
        org, "ContentVersion", {"PathOnClient": "offer.pdf"}, "VersionData", b"\x89raw"
    )
    assert (status, made["success"]) == (201, True)
    address = f"/services/data/{VERSION}/sobjects/ContentVersion/{made['id']}/VersionData"
    assert fetched(org, address)[1] == b"\x89raw"


@pytest.mark.parametrize("said", [[], "text", {"Nothing": 1}])
def test_a_form_that_says_no_record_is_refused(org: Org, said: Any) -> None:
    status, body = sent(org, "ContentVersion", said, "VersionData", b"raw")
    assert status == 400
    assert body[0]["errorCode"] in ("JSON_PARSER_ERROR", "INVALID_FIELD")


def test_a_malformed_form_is_refused(org: Org) -> None:
    answer = org.client().generic(
        "POST",
        f"/services/data/{VERSION}/sobjects/ContentVersion",
        b"--x\r\nnothing",
        "multipart/form-data",
        headers={"Authorization": f"Bearer {org.token()}"},
    )
    assert answer.status_code == 400


def test_attachments_keep_their_bytes_and_length(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    id = org.make("Attachment", ParentId=account, Name="a.txt", Body=encoded(TEXT))
    shown = org.show("Attachment", id)
    assert shown["BodyLength"] == len(TEXT)
    assert fetched(org, shown["Body"])[1] == TEXT
    org.call("PATCH", f"/sobjects/Attachment/{id}", {"Body": encoded(b"new")}, status=204)
    assert org.show("Attachment", id)["BodyLength"] == 3
    assert fetched(org, shown["Body"])[1] == b"new"
    status, made = sent(org, "Attachment", {"ParentId": account, "Name": "b"}, "Body", b"raw")
    assert status == 201
    assert org.show("Attachment", made["id"])["BodyLength"] == 3


def test_files_go_back_with_everything_else(org: Org, sandboxes: Sandboxes) -> None:
    account = org.make("Account", Name="Acme")
    id = org.make("Attachment", ParentId=account, Name="a.txt", Body=encoded(TEXT))
    sandboxes.mark(org.row.id, "before")
    org.call("PATCH", f"/sobjects/Attachment/{id}", {"Body": encoded(b"new")}, status=204)
    sandboxes.rewind(org.row.id, "before")
    shown = org.show("Attachment", id)
    assert fetched(org, shown["Body"])[1] == TEXT


@pytest.mark.parametrize("data", ["?", 7, ["YQ=="], {"a": 1}, "YQ", "YQ==\0", True])
def test_what_is_no_base64_is_refused(org: Org, data: Any) -> None:
    error = org.refused(
        "POST", "/sobjects/ContentVersion", {"PathOnClient": "a", "VersionData": data}
    )
    assert (error["status"], error["errorCode"]) == (400, "JSON_PARSER_ERROR")


def test_a_version_says_what_it_is_of(org: Org) -> None:
    error = org.refused("POST", "/sobjects/ContentVersion", {"PathOnClient": "a.txt"})
    assert error["fields"] == ["VersionData"]
    error = org.refused("POST", "/sobjects/ContentVersion", {"VersionData": "YQ=="})
    assert error["fields"] == ["PathOnClient"]
    link = upload(org, VersionData=None, PathOnClient=None, ContentUrl="https://acme.example/a")
    assert link["FileType"] == "LINK"
    assert org.refused("POST", "/sobjects/ContentDocument", {"Title": "x"})["status"] == 400


def test_a_file_is_linked_once_to_a_record(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    version = upload(org)
    said = {"ContentDocumentId": version["ContentDocumentId"], "LinkedEntityId": account}
    org.make("ContentDocumentLink", **said, ShareType="V")
    error = org.refused("POST", "/sobjects/ContentDocumentLink", {**said, "ShareType": "V"})
    assert error["errorCode"] == "DUPLICATE_VALUE"


def test_a_document_goes_with_its_versions_and_links(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    version = upload(org, FirstPublishLocationId=account)
    org.call("DELETE", f"/sobjects/ContentDocument/{version['ContentDocumentId']}", status=204)
    document = version["ContentDocumentId"]
    assert counted(org, "ContentVersion") == counted(org, "ContentDocument") == 0
    assert counted(org, f"ContentDocumentLink WHERE ContentDocumentId='{document}'") == 0


def test_there_are_no_bytes_where_none_were_sent(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    missing = org.refused("GET", f"/sobjects/Attachment/{account}/Body")
    assert missing["status"] in (400, 404)
