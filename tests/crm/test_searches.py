"""Searches over HTTP: what words find, in which fields, in what order, and what is refused."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.crm.conftest import Org


def found(org: Org, text: str, **how: Any) -> list[dict[str, Any]]:
    """Return the records that a search finds."""
    answer: dict[str, Any] = org.call("GET", f"/search?q={quote(text)}", **how)
    assert list(answer) == ["searchRecords"]
    return list(answer["searchRecords"])


def names(org: Org, text: str) -> list[str]:
    """Return the names of the records that a search finds."""
    return [record["Name"] for record in found(org, text)]


@pytest.fixture
def firms(org: Org) -> dict[str, str]:
    """Some accounts and people, by their names."""
    made = {
        "Acme": org.make("Account", Name="Acme Lamps", Website="lamps.example", Site="North"),
        "Bolt": org.make("Account", Name="Bolt & Sons", Description="Once called Acme, of Leeds"),
        "Élan": org.make("Account", Name="Élan Vital", BillingCity="Leeds", AccountNumber="A-77"),
        "Joan": org.make("Contact", FirstName="Joan", LastName="Ash", Email="joan@acme.example"),
        "John": org.make("Contact", FirstName="John", LastName="Oak", Phone="(0113) 555-7788"),
        "Jon": org.make("Contact", FirstName="Jon", LastName="Elm", Description="An acme of men"),
    }
    org.make("Lead", LastName="Rook", Company="Acme Lamps")
    org.make("Product2", Name="Acme bulb", ProductCode="AB-1")
    return made


def test_an_answer_has_the_vendors_form(org: Org, firms: dict[str, str]) -> None:
    url = f"/services/data/v64.0/sobjects/Account/{firms['Acme']}"
    attributes = {"type": "Account", "url": url}
    text = "FIND {lamps} RETURNING Account(Name, Id)"
    row = {"attributes": attributes, "Name": "Acme Lamps", "Id": firms["Acme"]}
    assert found(org, text) == [row]
    assert found(org, "find {LAMPS} returning account") == [
        {"attributes": attributes, "Id": firms["Acme"]}
    ]
    old = org.call("GET", f"/services/data/v36.0/search?q={quote(text)}")
    assert [one["Name"] for one in old] == ["Acme Lamps"]


@pytest.mark.usefixtures("firms")
@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("acme", ["Acme Lamps", "Bolt & Sons"]),
        ("ACME lamps", ["Acme Lamps"]),
        ("acme AND leeds", ["Bolt & Sons"]),
        ("lamps OR vital", ["Acme Lamps", "Élan Vital"]),
        ("acme AND NOT lamps", ["Bolt & Sons"]),
        ("acme AND NOT (lamps OR leeds)", []),
        ("leeds AND (acme OR vital)", ["Bolt & Sons", "Élan Vital"]),
        ("élan", ["Élan Vital"]),
        ("ÉLAN", ["Élan Vital"]),
        ("elan", []),
        ("acm", []),
        ("acm*", ["Acme Lamps", "Bolt & Sons"]),
        ("a*e", ["Acme Lamps", "Bolt & Sons"]),
        ("ac?e", ["Acme Lamps", "Bolt & Sons"]),
        ("ac??e", []),
        ("*cme", []),
        ("l*n", []),
        ("él", []),
        ("él*", ["Élan Vital"]),
        ('"acme lamps"', ["Acme Lamps"]),
        ('"lamps acme"', []),
        ('"acme lam*"', ["Acme Lamps"]),
        ("a\\-77", ["Élan Vital"]),
        ("lamps.example", ["Acme Lamps"]),
        ("bolt \\& sons", ["Bolt & Sons"]),
        ("lamps north", ["Acme Lamps"]),
        ('"lamps north"', []),
        ("\\'; DROP", []),
    ],
)
def test_terms(org: Org, term: str, expected: list[str]) -> None:
    assert names(org, f"FIND {{{term}}} RETURNING Account(Name ORDER BY Name)") == expected


@pytest.mark.usefixtures("firms")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{acme} IN ALL FIELDS RETURNING Contact(Name)", ["Joan Ash", "Jon Elm"]),
        ("{acme} IN EMAIL FIELDS RETURNING Contact(Name)", ["Joan Ash"]),
        ("{acme} IN NAME FIELDS RETURNING Contact(Name)", []),
        ("{acme} IN NAME FIELDS RETURNING Lead(Name)", ["Rook"]),
        ("{acme} IN NAME FIELDS RETURNING Account(Name)", ["Acme Lamps"]),
        ("{north} IN NAME FIELDS RETURNING Account(Name)", ["Acme Lamps"]),
        ("{leeds} IN NAME FIELDS RETURNING Account(Name)", []),
        ("{5557788} IN EMAIL FIELDS RETURNING Contact(Name)", []),
        ("{7788} IN PHONE FIELDS RETURNING Contact(Name)", ["John Oak"]),
        ("{jo?n} IN NAME FIELDS RETURNING Contact(Name)", ["Joan Ash", "John Oak"]),
        ("{jo*n} IN NAME FIELDS RETURNING Contact(Name)", ["Joan Ash", "John Oak", "Jon Elm"]),
        ("{ab} IN PHONE FIELDS RETURNING Product2(Name)", ["Acme bulb"]),
    ],
)
def test_groups_of_fields(org: Org, text: str, expected: list[str]) -> None:
    # jo?n is joan and john, and not jon: the mark stands for one letter.
    assert names(org, f"FIND {text}") == expected


@pytest.mark.usefixtures("firms")
def test_unverified_the_sidebar_looks_through_names_mail_and_telephones(org: Org) -> None:
    text = "FIND {acme} IN SIDEBAR FIELDS RETURNING Account(Name), Contact(Name), Lead(Name)"
    assert names(org, text) == ["Acme Lamps", "Joan Ash", "Rook"]


@pytest.mark.usefixtures("firms")
def test_objects_come_in_the_order_that_was_asked_for_each_with_its_own_clauses(org: Org) -> None:
    text = (
        "FIND {acme} RETURNING Lead(Name), Contact(Name ORDER BY Name DESC LIMIT 1),"
        " Account(Name, Owner.Name WHERE Website = null)"
    )
    shown = [(one["attributes"]["type"], one["Name"]) for one in found(org, text)]
    assert shown == [("Lead", "Rook"), ("Contact", "Jon Elm"), ("Account", "Bolt & Sons")]
    assert found(org, text)[-1]["Owner"]["Name"] == "Ada Quist"
    text = "FIND {jo*} RETURNING Contact(Name ORDER BY Name LIMIT 1 OFFSET 1)"
    assert names(org, text) == ["John Oak"]
    assert names(org, "FIND {acme} RETURNING Account(Name LIMIT 0), Lead(Name)") == ["Rook"]


def test_without_returning_all_objects_are_searched_but_those_to_be_named(
    org: Org, firms: dict[str, str]
) -> None:
    rows = found(org, "FIND {acme}")
    assert [one["attributes"]["type"] for one in rows] == [
        *["Account"] * 2,
        *["Contact"] * 2,
        "Lead",
    ]
    assert {tuple(one) for one in rows} == {("attributes", "Id")}
    assert rows[0]["Id"] == firms["Acme"]


def test_a_limit_is_spread_over_the_objects(org: Org) -> None:
    for place in range(5):
        org.make("Account", Name=f"Kite {place}")
        org.make("Lead", LastName=f"Kite {place}", Company="x")
    text = "FIND {kite} RETURNING Account(Name ORDER BY Name), Lead(Name) LIMIT 6"
    assert [one["attributes"]["type"] for one in found(org, text)] == ["Account"] * 3 + ["Lead"] * 3
    assert len(found(org, "FIND {kite} RETURNING Account LIMIT 4")) == 4


def test_words_follow_changes_and_the_recycle_bin(org: Org, firms: dict[str, str]) -> None:
    text = "FIND {zebra} RETURNING Account(Name)"
    assert found(org, text) == []
    org.call("PATCH", f"/sobjects/Account/{firms['Bolt']}", {"Description": "Zebra"}, status=204)
    assert names(org, text) == ["Bolt & Sons"]
    org.call("PATCH", f"/sobjects/Account/{firms['Bolt']}", {"Description": None}, status=204)
    assert found(org, text) == []
    assert names(org, "FIND {lamps} RETURNING Account(Name)") == ["Acme Lamps"]
    org.call("DELETE", f"/sobjects/Account/{firms['Acme']}", status=204)
    assert found(org, "FIND {lamps} RETURNING Account(Name)") == []


@pytest.mark.usefixtures("firms")
def test_an_index_names_the_rows_and_reading_finds_the_same(
    org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    from clones.crm.queries.sosl import words  # noqa: PLC0415 - the app may not be there

    terms = ["acme", "a*e", "lamps OR vital", "él*", '"acme lam*"', "acme AND NOT leeds", "a\\-77"]
    texts = [f"FIND {{{term}}} RETURNING Account(Name ORDER BY Name)" for term in terms]
    indexed = [names(org, text) for text in texts]
    asked: list[object] = []

    def unknown(*given: object) -> None:
        asked.append(given)

    monkeypatch.setattr(words, "candidates", unknown)
    assert [names(org, text) for text in texts] == indexed
    assert len(asked) >= len(terms)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            "FIND acme",
            "MALFORMED_SEARCH",
            "No search term found. The search term must be enclosed in braces.",
        ),
        ("FIND {a}", "INVALID_SEARCH", "search term must be longer than one character: a"),
        ("FIND {acme} RETURNING Nowt", "INVALID_TYPE", "sObject type 'Nowt' is not supported."),
        ("FIND {acme} RETURNING Account(Nowt)", "INVALID_FIELD", "No such column 'Nowt'"),
        ("FIND {acme} RETURNING Account, Account", "MALFORMED_SEARCH", "more than once"),
        ("FIND {acme} RETURNING Account(Name LIMIT 3 OFFSET 2001)", "NUMBER_OUTSIDE", "2000"),
        ("FIND {acme} RETURNING Profile", "INVALID_TYPE", "sObject type 'Profile'"),
        ("", "MALFORMED_SEARCH", "No search term found."),
    ],
)
def test_refusals(org: Org, text: str, code: str, message: str) -> None:
    refused = org.refused("GET", f"/search?q={quote(text)}")
    assert refused["status"] == 400
    assert refused["errorCode"].startswith(code)
    assert message in refused["message"]
    assert "fields" not in refused


@pytest.mark.usefixtures("firms")
@pytest.mark.parametrize(
    "term",
    [
        "acme\0lamps",
        "\ue000\ue000",
        "\\+\\+",
        " OR ".join(f"w{place}" for place in range(700)),
        " ".join(f"w{place}" for place in range(700)),
        " AND NOT ".join(["acme"] * 400),
        "(" * 49 + "acme" + ")" * 49,
        "x" * 9000,
        "a*" * 1000,
        "?*" * 20 + "acme",
        "ſı\u0301 µ",
    ],
)
def test_odd_terms_are_answered(org: Org, term: str) -> None:
    answer = org.ask("GET", f"/search?q={quote(f'FIND {{{term}}} RETURNING Account(Id)')}")
    assert answer.status in (200, 400), answer.body


def test_parameters_find_what_a_statement_finds(org: Org, firms: dict[str, str]) -> None:
    path = "/parameterizedSearch?q=acme&sobject=Account&Account.fields=Id,Name&Account.limit=1"
    first = org.call("GET", path)["searchRecords"]
    assert first == found(org, "FIND {acme} RETURNING Account(Id, Name LIMIT 1)")
    assert [one["Id"] for one in first] == [firms["Acme"]]
    both = org.call("GET", "/parameterizedSearch?q=acme&sobject=Lead&sobject=Account&fields=Name")
    kinds = [one["attributes"]["type"] for one in both["searchRecords"]]
    assert kinds == ["Lead", "Account", "Account"]
    body = {
        "q": "acme",
        "in": "ALL",
        "fields": ["Name"],
        "sobjects": [
            {"name": "Contact", "orderBy": "Name DESC", "limit": 1},
            {"name": "Account", "where": "BillingCity = null", "fields": ["Id", "Name"]},
        ],
        "overallLimit": 10,
    }
    rows = org.call("POST", "/parameterizedSearch", body)["searchRecords"]
    assert [one["Name"] for one in rows] == ["Jon Elm", "Acme Lamps", "Bolt & Sons"]
    everything = org.call("GET", "/parameterizedSearch?q=acme")
    assert everything["searchRecords"] == found(org, "FIND {acme}")
    braces = org.call("GET", f"/parameterizedSearch?q={quote('{acme} }')}&sobject=Lead")
    assert len(braces["searchRecords"]) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"q": ""},
        {"q": "acme", "in": "EVERYTHING"},
        {"q": "acme", "sobjects": [{"name": "Account) Lead("}]},
        {"q": "acme", "sobjects": [{"name": "Account", "fields": ["Name) , Lead(Id"]}]},
        {"q": "acme", "sobjects": [{"name": "Account", "where": "Name = "}]},
        {"q": "acme", "sobjects": [{"name": "Account", "limit": -1}]},
        {"q": "acme", "sobjects": "Account"},
        {"q": 7},
        [],
        {"q": "acme\\"},
        {"q": "acme", "overallLimit": 10**12},
    ],
)
def test_parameters_that_are_none_are_refused(org: Org, body: Any) -> None:
    answer = org.ask("POST", "/parameterizedSearch", body)
    if body == {"q": "acme\\"}:
        assert answer.status == 200
    else:
        assert (answer.status, isinstance(answer.body, list)) == (400, True), answer.body
    assert org.ask("GET", "/parameterizedSearch?q=acme&sobject=Lead&Lead.limit=x").status == 400


@pytest.mark.usefixtures("firms")
def test_unverified_labels_come_with_the_records_where_they_are_asked_for(org: Org) -> None:
    text = "FIND {lamps} RETURNING Account(Id, Name) WITH METADATA = 'LABELS'"
    answer = org.call("GET", f"/search?q={quote(text)}")
    assert answer["metadata"] == {
        "entityetadata": [
            {
                "entityName": "Account",
                "fieldMetadata": [
                    {"label": "Account ID", "name": "Id"},
                    {"label": "Account Name", "name": "Name"},
                ],
            }
        ]
    }


@pytest.mark.usefixtures("firms")
def test_records_are_suggested_by_the_beginnings_of_their_names(org: Org) -> None:
    answer = org.call("GET", "/search/suggestions?q=acme%20la&sobject=Account")
    assert [one["Name"] for one in answer["autoSuggestResults"]] == ["Acme Lamps"]
    assert answer["hasMoreResults"] is False
    answer = org.call("GET", "/search/suggestions?q=jo&sobject=Contact&limit=2&fields=Email")
    assert [one["Name"] for one in answer["autoSuggestResults"]] == ["Joan Ash", "John Oak"]
    assert answer["autoSuggestResults"][0]["Email"] == "joan@acme.example"
    assert answer["hasMoreResults"] is True
    assert org.call("GET", "/search/suggestions?q=or&sobject=Account")["autoSuggestResults"] == []
    assert org.refused("GET", "/search/suggestions?q=j&sobject=Contact")["status"] == 400
    assert org.refused("GET", "/search/suggestions?q=jo")["errorCode"] == "MISSING_ARGUMENT"
    wrong = org.refused("GET", "/search/suggestions?q=jo&sobject=Nowt")
    assert wrong["errorCode"] == "INVALID_TYPE"


def test_columns_of_what_is_found(org: Org) -> None:
    first, second = org.call("GET", "/search/layout?q=Account,Contact")
    assert (first["label"], first["limitRows"]) == ("Search Results", 25)
    assert first["searchColumns"] == [
        {"field": "Account.Name", "format": None, "label": "Account Name", "name": "Name"},
        {"field": "Account.Site", "format": None, "label": "Account Site", "name": "Site"},
        {"field": "Account.Phone", "format": None, "label": "Phone", "name": "Phone"},
        {
            "field": "User.Alias",
            "format": None,
            "label": "Account Owner Alias",
            "name": "Owner.Alias",
        },
    ]
    assert second["searchColumns"][1] == {
        "field": "Account.Name",
        "format": None,
        "label": "Account Name",
        "name": "Account.Name",
    }


def test_what_a_search_of_everything_shows(org: Org) -> None:
    order = org.call("GET", "/search/scopeOrder")
    url = "/services/data/v64.0/sobjects/Account/describe"
    assert order[0] == {"type": "Account", "url": url}
    for one in order:
        org.call("GET", one["url"])


def test_searches_are_among_the_resources_of_a_version(org: Org) -> None:
    resources = org.call("GET", "")
    path = f"{resources['search']}?q={quote('FIND {kestrel} RETURNING User(Email)')}"
    (_, ben) = org.call("GET", path)["searchRecords"]
    assert ben["Email"] == "ben@kestrel.example"
    found = org.call("GET", f"{resources['parameterizedSearch']}?q=kestrel&sobject=User")
    assert len(found["searchRecords"]) == 2
