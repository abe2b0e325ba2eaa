"""The API by SOAP: sign-in, records, queries, the recycle bin, merges, and faults."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

import pytest
from django.test import Client

from clones.core.server import server
from tests.crm.conftest import ADA, BEN, Org

PATH = "/services/Soap/u/64.0"
ENVELOPE = (
    '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope'
    ' xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:partner.soap.sforce.com">'
    "<soapenv:Header>{head}</soapenv:Header><soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>"
)
CALL = b"<Envelope><Body><logout>%s</logout></Body></Envelope>"


def elements(name: str, value: Any) -> str:
    """Return XML of plain data; lists are many elements, None is nil."""
    if isinstance(value, list):
        return "".join(elements(name, one) for one in value)
    if isinstance(value, dict):
        inner = "".join(elements(key, one) for key, one in value.items())
        return f"<{name}>{inner}</{name}>"
    if value is None:
        return f'<{name} xsi:nil="true"/>'
    return f"<{name}>{escape(str(value))}</{name}>"


def plain(element: Any) -> Any:
    """Return an element of an answer as plain data: members in lists by their names."""
    if element.is_nil:
        return None
    if not element.children:
        return element.text
    found: dict[str, list[Any]] = {}
    for one in element.children:
        found.setdefault(one.name, []).append(plain(one))
    return found


def send(org: Org, body: str, *, path: str = PATH, login: str | None = ADA, head: str = "") -> Any:
    """Return status and the inside of the body of the answer to a call."""
    from clones.crm.api.soap.xml import read_xml  # noqa: PLC0415 - see IS_MADE

    if login is not None:
        head += elements("SessionHeader", {"sessionId": org.token(login)})
    sent = ENVELOPE.format(head=head, body=body)
    answer = org.client().post(path, sent, "text/xml", headers={"SOAPAction": '""'})
    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    inner = read_xml(answer.content).child("Body")
    assert inner is not None
    return answer.status_code, inner.children[0]


def call(org: Org, name: str, said: dict[str, Any] | None = None, **how: Any) -> list[Any]:
    """Return the results of a call."""
    status, answer = send(org, elements(name, said or {}), **how)
    assert (status, answer.name) == (200, f"{name}Response"), plain(answer)
    return [plain(one) for one in answer.all("result")]


def fault(org: Org, name: str, said: dict[str, Any] | None = None, **how: Any) -> tuple[str, str]:
    """Return code and message of a fault."""
    status, answer = send(org, elements(name, said or {}), **how)
    assert (status, answer.name) == (500, "Fault"), plain(answer)
    detail = answer.child("detail").children[0]
    code, message = detail.said("exceptionCode"), detail.said("exceptionMessage")
    assert answer.said("faultcode") == f"sf:{code}"
    first, _, rest = answer.said("faultstring").partition(": ")
    assert (first, rest.strip()) == (code, message)
    return code, message


def saved(results: list[Any]) -> list[Any]:
    """Return of each record its id, or why it was refused."""
    return [
        one["id"][0] if one["success"] == ["true"] else one["errors"][0]["statusCode"][0]
        for one in results
    ]


def test_a_password_opens_a_session_and_a_logout_ends_it(org: Org) -> None:
    said = {"username": BEN, "password": org.cards[BEN].secrets["password"] + "TOKEN"}
    (found,) = call(org, "login", said, login=None)
    origin = f"http://crm.{org.row.id}.localhost:8800"
    assert found["serverUrl"] == [f"{origin}/services/Soap/u/64.0/00D5g00000Kr3LQEAZ"]
    assert found["userInfo"][0]["userName"] == [BEN]
    head = elements("SessionHeader", {"sessionId": found["sessionId"][0]})
    path = found["serverUrl"][0].removeprefix(origin)
    (who,) = call(org, "getUserInfo", path=path, head=head, login=None)
    assert who["userEmail"] == [BEN]
    assert call(org, "logout", head=head, login=None) == []
    assert fault(org, "getUserInfo", head=head, login=None)[0] == "INVALID_SESSION_ID"
    assert call(org, "getUserInfo", login=BEN)[0]["userId"] == [org.users[BEN]]


def test_unverified_a_wrong_password_is_a_fault_of_the_client(org: Org) -> None:
    refused = (
        "INVALID_LOGIN",
        "Invalid username, password, security token; or user locked out.",
    )
    for password in ("", "wrong", org.cards[BEN].secrets["password"]):
        said = {"username": ADA, "password": password}
        assert fault(org, "login", said, login=None) == refused
    body = ENVELOPE.format(head="", body=elements("login", {"username": ADA, "password": "x"}))
    bare = Client(headers={"host": "localhost:8800"}).post(PATH, body, "text/xml")
    assert (bare.status_code, b">INVALID_LOGIN<" in bare.content) == (500, True)
    entries = [one for one in server().requests.read(org.row.id) if one.status == 500]
    assert entries
    assert {one.fault for one in entries} == {None}


def test_records_are_saved_one_by_one(org: Org) -> None:
    records = [
        {"type": "Account", "Name": "Ash & <Co>", "Type": "Other", "AnnualRevenue": "12"},
        {"type": "Account", "Phone": "1"},
        {"type": "Contact", "LastName": "Oak", "AccountId": None, "Email": "x"},
        {"type": "Account", "Name": "B", "AnnualRevenue": "much"},
    ]
    results = call(org, "create", {"sObjects": records})
    id, *codes = saved(results)
    assert codes == [
        "REQUIRED_FIELD_MISSING",
        "INVALID_EMAIL_ADDRESS",
        "INVALID_TYPE_ON_FIELD_IN_RECORD",
    ]
    assert results[1]["errors"][0]["fields"] == ["Name"]
    shown = org.show("Account", id)
    assert (shown["Name"], shown["Type"], shown["AnnualRevenue"]) == ("Ash & <Co>", "Other", 12.0)

    changes = [
        {"type": "Account", "Id": id, "fieldsToNull": ["Type"], "Name": "Ash"},
        {"type": "Account", "Name": "none"},
        {"type": "Account", "Id": "001000000000000AAA", "Name": "none"},
    ]
    assert saved(call(org, "update", {"sObjects": changes})) == [
        id,
        "MISSING_ARGUMENT",
        "INVALID_CROSS_REFERENCE_KEY",
    ]
    assert (org.show("Account", id)["Name"], org.show("Account", id)["Type"]) == ("Ash", None)

    upserted = call(
        org,
        "upsert",
        {
            "externalIDFieldName": "Id",
            "sObjects": [
                {"type": "Account", "Id": id, "Name": "Elm"},
                {"type": "Account", "Name": "New"},
            ],
        },
    )
    assert [one["created"] for one in upserted] == [["false"], ["true"]]
    asked = {"fieldList": "Name, CreatedDate", "sObjectType": "Account"}
    one, none = call(org, "retrieve", {**asked, "ids": [id[:15], "001000000000000AAA"]})
    assert (one["type"], one["Id"], one["Name"], none) == (["Account"], [id], ["Elm"], None)
    assert one["CreatedDate"][0].endswith(".000Z")
    assert saved(call(org, "delete", {"ids": [id, id, "x"]})) == [
        id,
        "ENTITY_IS_DELETED",
        "MALFORMED_ID",
    ]


def test_all_records_or_none(org: Org) -> None:
    head = elements("AllOrNoneHeader", {"allOrNone": "true"})
    records = [{"type": "Account", "Name": "A"}, {"type": "Account"}]
    assert saved(call(org, "create", {"sObjects": records}, head=head)) == [
        "ALL_OR_NONE_OPERATION_ROLLED_BACK",
        "REQUIRED_FIELD_MISSING",
    ]
    (found,) = call(org, "query", {"queryString": "SELECT COUNT() FROM Account"})
    assert found["size"] == ["0"]


def test_a_query_is_read_page_by_page(org: Org) -> None:
    account = org.make("Account", Name="A", BillingCity="Leeds")
    for number in range(201):
        org.make("Contact", LastName=f"C{number:03d}", AccountId=account)
    text = "SELECT Name, Account.Name, CreatedDate FROM Contact ORDER BY Name"
    head = elements("QueryOptions", {"batchSize": 200})
    (page,) = call(org, "query", {"queryString": text}, head=head)
    assert (page["done"], page["size"], len(page["records"])) == (["false"], ["201"], 200)
    first = page["records"][0]
    assert (first["type"], first["Id"], first["Name"]) == (["Contact"], [None], ["C000"])
    assert first["Account"][0]["Name"] == ["A"]
    (rest,) = call(org, "queryMore", {"queryLocator": page["queryLocator"][0]}, head=head)
    assert (rest["done"], rest["queryLocator"]) == (["true"], [None])
    assert [one["Name"] for one in rest["records"]] == [["C200"]]
    refused = fault(org, "queryMore", {"queryLocator": "nothing"})
    assert refused == ("INVALID_QUERY_LOCATOR", "invalid query locator")

    nested = "SELECT Id, BillingAddress, (SELECT Id FROM Contacts LIMIT 2) FROM Account"
    (found,) = call(org, "query", {"queryString": nested})
    record = found["records"][0]
    assert record["Id"] == [account, account]
    assert record["BillingAddress"][0]["city"] == ["Leeds"]
    assert len(record["Contacts"][0]["records"]) == 2
    (sums,) = call(org, "query", {"queryString": "SELECT COUNT(Id) n FROM Contact"})
    assert sums["records"][0]["n"] == ["201"]
    org.call("DELETE", f"/sobjects/Account/{account}", status=204)
    for name, count in (("query", "0"), ("queryAll", "1")):
        (found,) = call(org, name, {"queryString": "SELECT Id FROM Account"})
        assert found["size"] == [count]


def test_what_is_wrong_with_a_whole_call_is_a_fault(org: Org) -> None:
    unknown = {"sObjects": [{"type": "Nothing", "Name": "A"}]}
    assert fault(org, "create", unknown)[0] == "INVALID_TYPE"
    field = {"sObjects": [{"type": "Account", "Nmae": "A"}]}
    code, message = fault(org, "create", field)
    assert code == "INVALID_FIELD"
    assert message.startswith("No such column 'Nmae' on entity 'Account'. If you are attempting")
    many = {"sObjects": [{"type": "Account", "Name": "A"}] * 201}
    assert fault(org, "create", many)[0] == "EXCEEDED_ID_LIMIT"
    assert fault(org, "query", {"queryString": "SELECT"})[0] == "MALFORMED_QUERY"
    assert fault(org, "query")[0] == "MALFORMED_QUERY"
    assert fault(org, "getUserInfo", login=None)[0] == "INVALID_SESSION_ID"
    code, message = fault(org, "getUserInfo", path="/services/Soap/u/99.0")
    assert code == "UNSUPPORTED_API_VERSION"
    status, answer = send(org, "<dance/>")
    assert (status, answer.said("faultcode")) == (500, "soapenv:Client")
    assert "dance" in answer.said("faultstring")


def test_objects_are_described(org: Org) -> None:
    (all_of_them,) = call(org, "describeGlobal")
    assert "Account" in [one["name"][0] for one in all_of_them["sobjects"]]
    one, other = call(org, "describeSObjects", {"sObjectType": ["Account", "contact"]})
    assert (one["name"], other["name"]) == (["Account"], ["Contact"])
    assert "Industry" in [field["name"][0] for field in one["fields"]]
    assert fault(org, "describeSObject", {"sObjectType": "Nothing"})[0] == "INVALID_TYPE"
    (now,) = call(org, "getServerTimestamp", path="/services/Soap/c/64.0")
    assert now["timestamp"][0].endswith("Z")


def test_the_recycle_bin_gives_back_and_is_emptied(org: Org) -> None:
    account = org.make("Account", Name="A")
    early, late = (org.make("Contact", LastName=name, AccountId=account) for name in "el")
    org.call("DELETE", f"/sobjects/Contact/{early}", status=204)
    org.call("DELETE", f"/sobjects/Account/{account}", status=204)
    assert saved(call(org, "undelete", {"ids": [late, account, account, "x"]})) == [
        "UNDELETE_FAILED",
        account,
        "UNDELETE_FAILED",
        "MALFORMED_ID",
    ]
    assert org.show("Contact", late)["AccountId"] == account
    assert org.refused("GET", f"/sobjects/Contact/{early}")["errorCode"] == "ENTITY_IS_DELETED"

    task = org.make("Task", Subject="T", WhatId=account)
    other = org.make("Account", Name="Child", ParentId=account)
    org.call("DELETE", f"/sobjects/Account/{account}", status=204)
    assert saved(call(org, "emptyRecycleBin", {"ids": [account, other, account]})) == [
        account,
        "INVALID_ID_FIELD",
        "INVALID_CROSS_REFERENCE_KEY",
    ]
    for of, id in (("Account", account), ("Contact", late), ("Contact", early), ("Task", task)):
        assert org.refused("GET", f"/sobjects/{of}/{id}")["errorCode"] == "NOT_FOUND"
    assert org.show("Account", other)["ParentId"] is None
    check_rows(org)


def check_rows(org: Org) -> None:
    """See that what holds of every world holds of the organization."""
    from clones.crm.invariants import INVARIANTS  # noqa: PLC0415 - see IS_MADE

    with org.reading():
        assert [said for one in INVARIANTS for said in one()] == []


def test_records_are_merged_into_one(org: Org) -> None:
    master = org.make("Account", Name="M")
    others = [org.make("Account", Name=name) for name in "ab"]
    contact = org.make("Contact", LastName="C", AccountId=others[0])
    case = org.make("Case", Subject="S", AccountId=others[1])
    request = {
        "masterRecord": {"type": "Account", "Id": master, "Phone": "12"},
        "recordToMergeIds": others,
    }
    (found,) = call(org, "merge", {"request": request})
    assert found["success"] == ["true"], found
    assert found["mergedRecordIds"] == others
    relations = f"SELECT Id FROM AccountContactRelation WHERE ContactId = '{contact}'"
    (related,) = call(org, "query", {"queryString": relations})
    moved = {contact, case, *related["records"][0]["Id"]}
    assert set(found["updatedRelatedIds"]) == moved
    assert org.show("Account", master)["Phone"] == "12"
    assert org.show("Contact", contact)["AccountId"] == master
    assert org.refused("GET", f"/sobjects/Account/{others[0]}")["errorCode"] == "ENTITY_IS_DELETED"
    gone = f"SELECT MasterRecordId FROM Account WHERE Id = '{others[0]}'"
    (shown,) = call(org, "queryAll", {"queryString": gone})
    assert shown["records"][0]["MasterRecordId"] == [master]
    check_rows(org)

    opportunity = {"type": "Opportunity", "Id": "006000000000000AAA"}
    for wrong, code in (
        ({"masterRecord": opportunity, "recordToMergeIds": others}, "INVALID_OPERATION"),
        ({"recordToMergeIds": others}, "MISSING_ARGUMENT"),
        ({"masterRecord": request["masterRecord"]}, "INVALID_ID_FIELD"),
        ({**request, "recordToMergeIds": [master]}, "INVALID_ID_FIELD"),
        ({**request, "recordToMergeIds": others[:1]}, "ENTITY_IS_DELETED"),
    ):
        assert saved(call(org, "merge", {"request": wrong})) == [code]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0",
        b"nothing",
        b"<a>",
        b"<a/>",
        b"<Envelope/>",
        b"<Envelope><Body/></Envelope>",
        b'<?xml version="1.0" encoding="ebcdic-no"?><a/>',
        b'<!DOCTYPE a [<!ENTITY b "c">]>' + CALL % b"&b;",
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd">' + CALL % b"",
        b"<a>" * 5000,
        CALL % (b"<b/>" * 110_000),
        CALL % (b"<b " + b" ".join(b'c%d=""' % one for one in range(110_000)) + b"/>"),
        CALL % (b"<c>" * 39 + b"</c>" * 39),
    ],
)
def test_a_body_that_is_no_call_is_a_fault(org: Org, body: bytes) -> None:
    answer = org.client().post(PATH, body, "text/xml")
    assert answer.status_code == 500
    assert b"<soapenv:Fault><faultcode>soapenv:Client</faultcode>" in answer.content


def test_the_call_of_those_bodies_is_one_without_a_session(org: Org) -> None:
    answer = org.client().post(PATH, CALL % (b"<c>" * 30 + b"</c>" * 30), "text/xml")
    assert b"<faultcode>sf:INVALID_SESSION_ID</faultcode>" in answer.content


def test_a_lead_becomes_an_account_a_contact_and_an_opportunity(org: Org) -> None:
    lead = {"FirstName": "Jo", "LastName": "Ash", "Company": "Ash & Co", "Email": "jo@ash.example"}
    id = org.make("Lead", **lead, City="Leeds", Phone="12", LeadSource="Web", AnnualRevenue=5)
    campaign = org.make("Campaign", Name="Spring")
    member = org.make("CampaignMember", CampaignId=campaign, LeadId=id)
    task = org.make("Task", Subject="Ring", WhoId=id)
    wanted = {"leadId": id, "convertedStatus": "Closed - Converted"}
    (found,) = call(org, "convertLead", {"leadConverts": wanted})
    assert found["success"] == ["true"], found
    account, contact, opportunity = (
        org.show(of, found[f"{of.lower()}Id"][0]) for of in ("Account", "Contact", "Opportunity")
    )
    assert (account["Name"], account["BillingCity"], account["Phone"]) == (
        "Ash & Co",
        "Leeds",
        "12",
    )
    assert (contact["Name"], contact["Email"], contact["MailingCity"]) == (
        "Jo Ash",
        "jo@ash.example",
        "Leeds",
    )
    assert (contact["AccountId"], contact["LeadSource"]) == (account["Id"], "Web")
    assert (opportunity["Name"], opportunity["StageName"]) == ("Ash & Co", "Prospecting")
    assert (opportunity["AccountId"], opportunity["CampaignId"]) == (account["Id"], campaign)
    assert opportunity["CloseDate"][5:] in ("03-31", "06-30", "09-30", "12-31")
    shown = org.show("Lead", id)
    assert (shown["IsConverted"], shown["Status"], shown["ConvertedContactId"]) == (
        True,
        "Closed - Converted",
        contact["Id"],
    )
    moved = org.show("Task", task)
    assert (moved["WhoId"], moved["WhatId"]) == (contact["Id"], opportunity["Id"])
    assert org.show("CampaignMember", member)["ContactId"] == contact["Id"]
    role = f"SELECT IsPrimary FROM OpportunityContactRole WHERE ContactId = '{contact['Id']}'"
    (roles,) = call(org, "query", {"queryString": role})
    assert roles["records"][0]["IsPrimary"] == ["true"]
    (again,) = call(org, "convertLead", {"leadConverts": wanted})
    assert again["errors"][0]["statusCode"] == ["CANNOT_UPDATE_CONVERTED_LEAD"]
    changed = org.refused("PATCH", f"/sobjects/Lead/{id}", {"Title": "x"})
    assert changed["errorCode"] == "CANNOT_UPDATE_CONVERTED_LEAD"
    check_rows(org)


def test_a_lead_goes_into_what_is_there_and_fills_only_what_is_empty(org: Org) -> None:
    account = org.make("Account", Name="Old", Phone="1")
    contact = org.make("Contact", LastName="Ash", AccountId=account, LeadSource="Other")
    said = {"LastName": "Ash", "Company": "New", "Phone": "2", "Title": "Head", "LeadSource": "Web"}
    id = org.make("Lead", **said)
    wanted = {"leadId": id, "convertedStatus": "Closed - Converted", "accountId": account}
    wanted |= {"contactId": contact, "doNotCreateOpportunity": "true"}
    wanted |= {"overwriteLeadSource": "true", "ownerId": org.users[BEN]}
    (found,) = call(org, "convertLead", {"leadConverts": wanted})
    assert (found["success"], found["opportunityId"]) == (["true"], [None]), found
    shown = org.show("Account", account)
    assert (shown["Name"], shown["Phone"], shown["OwnerId"]) == ("Old", "1", org.users[ADA])
    shown = org.show("Contact", contact)
    assert (shown["Title"], shown["Phone"], shown["LeadSource"]) == ("Head", "2", "Web")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"leadId": "x"}, "MALFORMED_ID"),
        ({"leadId": "00Q000000000000EAA"}, "INVALID_CROSS_REFERENCE_KEY"),
        ({"leadId": "001000000000000AAA"}, "MALFORMED_ID"),
        ({"convertedStatus": "Open - Not Contacted"}, "INVALID_STATUS"),
        ({"convertedStatus": ""}, "INVALID_STATUS"),
        ({"accountId": "001000000000000AAA"}, "INVALID_CROSS_REFERENCE_KEY"),
        ({"contactId": "003000000000000AAA"}, "INVALID_CROSS_REFERENCE_KEY"),
        ({"opportunityId": "006000000000000AAA"}, "INVALID_CROSS_REFERENCE_KEY"),
        ({"ownerId": "005000000000000AAA"}, "INVALID_CROSS_REFERENCE_KEY"),
    ],
)
def test_unverified_what_a_lead_cannot_become_is_refused_and_nothing_is_left(
    org: Org, said: dict[str, str], code: str
) -> None:
    id = org.make("Lead", LastName="Ash", Company="Ash & Co")
    wanted = {"leadId": id, "convertedStatus": "Closed - Converted", **said}
    assert saved(call(org, "convertLead", {"leadConverts": wanted})) == [code]
    assert org.show("Lead", id)["IsConverted"] is False
    (found,) = call(org, "query", {"queryString": "SELECT COUNT() FROM Account"})
    assert found["size"] == ["0"]


def test_a_record_is_found_by_a_value_that_names_it(org: Org) -> None:
    id = org.make("Contact", LastName="Ash", Email="a@ash.example")
    said = {"externalIDFieldName": "Email"}
    records = [
        {"type": "Contact", "Email": "A@ash.example", "LastName": "Elm"},
        {"type": "Contact", "Email": "new@ash.example", "LastName": "Oak"},
        {"type": "Contact", "LastName": "None"},
        {"type": "Account", "Name": "None"},
    ]
    results = call(org, "upsert", {**said, "sObjects": records})
    assert saved(results)[0] == id
    assert saved(results)[2:] == ["MISSING_ARGUMENT", "INVALID_FIELD"]
    assert [one["created"] for one in results[:2]] == [["false"], ["true"]]
    assert org.show("Contact", id)["LastName"] == "Elm"
    org.make("Contact", LastName="Twin", Email="new@ash.example")
    results = call(org, "upsert", {**said, "sObjects": records[1:2]})
    assert saved(results) == ["DUPLICATE_EXTERNAL_ID"]
