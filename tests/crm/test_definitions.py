"""Objects and fields as a query finds them, and what somebody saw last."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.crm.asking import ask
from tests.crm.conftest import BEN, Org

FIELDS = (
    "SELECT QualifiedApiName, DataType, Label, Length, IsNillable, IsCalculated, ReferenceTo,"
    " RelationshipName, EntityDefinition.QualifiedApiName FROM FieldDefinition WHERE"
)


def plain(one: dict[str, Any], *names: str) -> list[Any]:
    """Return some values of a row."""
    return [one[name] for name in names]


@pytest.mark.parametrize("path", ["/query", "/tooling/query"])
def test_objects_are_queried_as_definitions(org: Org, path: str) -> None:
    query = (
        "SELECT QualifiedApiName, Label, KeyPrefix, IsCustomizable, IsQueryable, DurableId,"
        " InternalSharingModel FROM EntityDefinition WHERE QualifiedApiName IN ('Account', 'Lead')"
        " ORDER BY QualifiedApiName"
    )
    answer = org.call("GET", f"{path}?q={quote(query)}")
    assert answer["totalSize"] == 2
    account = answer["records"][0]
    names = ("QualifiedApiName", "KeyPrefix", "IsCustomizable", "IsQueryable", "DurableId")
    assert plain(account, *names) == ["Account", "001", True, True, "Account"]
    root = "/services/data/v64.0" + path.removesuffix("/query")
    assert account["attributes"] == {
        "type": "EntityDefinition",
        "url": f"{root}/sobjects/EntityDefinition/Account",
    }


def test_definitions_are_counted_and_come_in_pages(org: Org) -> None:
    total = org.call("GET", "/query?q=SELECT+COUNT()+FROM+EntityDefinition")["totalSize"]
    assert total > 100
    headers: dict[str, Any] = {"Sforce-Query-Options": "batchSize=200"}
    first = org.call(
        "GET",
        "/query?q=SELECT+QualifiedApiName+FROM+FieldDefinition+WHERE+EntityDefinition"
        ".QualifiedApiName+IN+('Account','Contact','Lead','Opportunity','Case','Order','Quote')",
        **headers,
    )
    assert (len(first["records"]), first["done"]) == (200, False)
    rest = org.call("GET", first["nextRecordsUrl"])
    assert len(rest["records"]) == first["totalSize"] - 200


@pytest.mark.parametrize(
    "where",
    [
        "EntityDefinition.QualifiedApiName = 'Contact'",
        "EntityDefinitionId = 'Contact'",
        "DurableId = 'Contact.AccountId'",
    ],
)
def test_fields_are_found_by_their_object(org: Org, where: str) -> None:
    (found,) = ask(org, f"{FIELDS} {where} AND QualifiedApiName = 'AccountId'")
    assert found["DataType"] == "Lookup(Account)"
    assert found["ReferenceTo"] == {"referenceTo": ["Account"]}
    assert found["RelationshipName"] == "Account"
    assert found["EntityDefinition"]["QualifiedApiName"] == "Contact"


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("FieldDefinition", "EntityDefinitionId,DurableId"),
        ("EntityParticle", "EntityDefinitionId,FieldDefinitionId,DurableId"),
    ],
)
def test_fields_of_everything_are_not_asked_for(org: Org, name: str, columns: str) -> None:
    for where in ("", " WHERE QualifiedApiName = 'Name'", " WHERE DurableId != 'Account.Name'"):
        query = quote(f"SELECT QualifiedApiName FROM {name}{where}")
        for path in ("/query", "/tooling/query"):
            error = org.refused("GET", f"{path}?q={query}")
            assert error["errorCode"] == "MALFORMED_QUERY"
            assert error["message"].endswith(
                f"{name}: a filter on a reified column is required [{columns}]"
            )


def test_particles_say_what_a_describe_says(org: Org) -> None:
    query = (
        "SELECT Name, DataType, FieldDefinitionId, IsCreatable, IsUpdatable, IsComponent"
        " FROM EntityParticle WHERE EntityDefinition.QualifiedApiName = 'Account'"
    )
    found = {one["Name"]: one for one in ask(org, query)}
    names = ("DataType", "FieldDefinitionId", "IsCreatable", "IsComponent")
    assert plain(found["BillingCity"], *names) == ["string", "Account.BillingCity", True, True]
    assert found["CreatedDate"]["IsCreatable"] is False


def test_a_query_that_speaks_of_definitions_is_of_records(org: Org) -> None:
    org.make("Account", Name="from EntityDefinition")
    assert len(ask(org, "SELECT Id FROM Account WHERE Name = 'from EntityDefinition'")) == 1


def test_a_definition_of_nothing_is_refused(org: Org) -> None:
    for query in ("SELECT Nothing FROM EntityDefinition", "SELECT FROM EntityDefinition"):
        assert org.refused("GET", f"/query?q={quote(query)}")["status"] == 400


def test_records_that_a_query_is_for_are_seen(org: Org) -> None:
    ids = [org.make("Account", Name=name) for name in ("Ash", "Oak", "Elm")]
    query = "SELECT Id, Name, Type, LastViewedDate, Title FROM RecentlyViewed ORDER BY Name"
    assert ask(org, query) == []
    ask(org, "SELECT Id FROM Account WHERE Name = 'Ash'")
    assert ask(org, query) == []
    ask(org, "SELECT Id FROM Account WHERE Name = 'Ash' FOR VIEW")
    (seen,) = ask(org, query)
    assert plain(seen, "Id", "Name", "Type", "Title") == [ids[0], "Ash", "Account", None]
    assert seen["LastViewedDate"] is not None
    ask(org, "SELECT Id FROM Account WHERE Name != 'Ash' ORDER BY Name FOR REFERENCE")
    assert [one["Name"] for one in ask(org, query)] == ["Ash", "Elm", "Oak"]
    assert [one["Id"] for one in org.call("GET", "/recent")] == [ids[2], ids[1], ids[0]]
    assert ask(org, query, BEN) == []
    ask(org, "SELECT COUNT() FROM Account FOR VIEW")
    org.call("DELETE", f"/sobjects/Account/{ids[0]}", status=204)
    assert [one["Name"] for one in ask(org, query)] == ["Elm", "Oak"]


def test_recent_records_of_all_objects_are_in_one_list(org: Org) -> None:
    org.make("Account", Name="Ash")
    org.make("Contact", FirstName="Ann", LastName="Oak", Email="ann@oak.example")
    for of in ("Account", "Contact", "User"):
        ask(org, f"SELECT Id FROM {of} FOR VIEW")
    query = "SELECT Name, LastName, Email, Alias, IsActive FROM RecentlyViewed WHERE Type ="
    (contact,) = ask(org, f"{query} 'Contact'")
    assert plain(contact, "Name", "LastName", "Email") == ["Ann Oak", "Oak", "ann@oak.example"]
    assert len(ask(org, f"{query} 'User' AND IsActive = TRUE")) == 2
    total = "SELECT Type, COUNT(Id) n FROM RecentlyViewed GROUP BY Type ORDER BY Type"
    assert [one["n"] for one in ask(org, total)] == [1, 1, 2]
