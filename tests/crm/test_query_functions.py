"""Functions of queries over HTTP: moments in the user's zone, places and distances."""

from __future__ import annotations

import pytest

from tests.crm.conftest import ADA, Org
from tests.crm.test_queries import rows


@pytest.fixture
def far_org(org: Org) -> Org:
    """An organization whose administrator lives where it is the day after; one account."""
    org.call("PATCH", f"/sobjects/User/{org.users[ADA]}", {"TimeZoneSidKey": FAR}, status=204)
    org.make("Account", Name="Acme")
    return org


# It is 14:00 on 16 June in UTC, 04:00 on 17 June there.
FAR = "Pacific/Kiritimati"
LOCAL = {
    "hour_in_day": (14, 4),
    "day_only": ("2026-06-16", "2026-06-17"),
    "day_in_month": (16, 17),
    "day_in_week": (3, 4),
    "calendar_month": (6, 6),
    "week_in_year": (24, 24),
}


@pytest.mark.parametrize("name", LOCAL)
def test_date_functions_take_moments_in_the_users_zone(far_org: Org, name: str) -> None:
    utc, local = LOCAL[name]
    for key, wanted in (
        (f"{name}(CreatedDate)", utc),
        (f"{name}(convertTimezone(CreatedDate))", local),
    ):
        grouped = f"SELECT {key} part, count(Id) n FROM Account GROUP BY {key} ORDER BY {key}"
        assert rows(far_org, grouped) == [{"part": wanted, "n": 1}]
        found = rows(far_org, f"SELECT Name FROM Account WHERE {key} = {wanted}")
        assert found == [{"Name": "Acme"}]


@pytest.mark.parametrize("test", ["= 'x'", "!= null", "IN ('x')", "LIKE 'x%'"])
@pytest.mark.parametrize("field", ["MailingAddress", "Account.BillingAddress"])
def test_an_address_is_not_filtered_by(org: Org, field: str, test: str) -> None:
    error = org.refused("GET", f"/query?q=SELECT Id FROM Contact WHERE {field} {test}")
    assert (error["status"], error["errorCode"]) == (400, "INVALID_FIELD")
    assert f"field '{field}' can not be filtered in a query call" in error["message"]


def test_format_writes_as_the_user_does(org: Org) -> None:
    said = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-10-01"}
    org.make("Opportunity", **said, Amount=2590, Probability=10)
    org.call(
        "PATCH",
        f"/sobjects/User/{org.users[ADA]}",
        {"TimeZoneSidKey": "Europe/Berlin", "LocaleSidKey": "en_US"},
        status=204,
    )
    whole = (
        "SELECT FORMAT(Amount) a, FORMAT(CloseDate) d, FORMAT(CreatedDate) m, FORMAT(NextStep) n,"
        " FORMAT(Name) t FROM Opportunity"
    )
    assert rows(org, whole) == [
        {"a": "$2,590.00", "d": "10/1/2026", "m": "6/16/2026, 4:00 PM", "n": None, "t": "Deal"}
    ]
    summed = "SELECT FORMAT(MAX(CloseDate)) d, FORMAT(MIN(Amount)) a FROM Opportunity"
    assert rows(org, summed) == [{"d": "10/1/2026", "a": "$2,590.00"}]
    org.call("PATCH", f"/sobjects/User/{org.users[ADA]}", {"LocaleSidKey": "en_GB"}, status=204)
    assert rows(org, "SELECT FORMAT(CloseDate) d FROM Opportunity") == [{"d": "01/10/2026"}]


@pytest.mark.parametrize(("unit", "least", "most"), [("km", 503, 506), ("mi", 312.5, 314.5)])
def test_distances_from_an_address(org: Org, unit: str, least: float, most: float) -> None:
    places = {"Berlin": (52.52, 13.405), "Munich": (48.137, 11.575), "Nowhere": (None, None)}
    for name, (north, east) in places.items():
        key = org.make("Account", Name=name, BillingLatitude=north, BillingLongitude=east)
        org.make("Contact", LastName=name, AccountId=key)
    away = f"DISTANCE(BillingAddress, GEOLOCATION(52.52,13.405), '{unit}')"
    found = rows(org, f"SELECT Name FROM Account WHERE {away} < 10")
    assert found == [{"Name": "Berlin"}]
    assert rows(org, f"SELECT Name FROM Account WHERE {away} > 10") == [{"Name": "Munich"}]
    ordered = rows(org, f"SELECT Name, {away} d FROM Account ORDER BY {away} NULLS LAST")
    assert [one["Name"] for one in ordered] == ["Berlin", "Munich", "Nowhere"]
    assert ordered[0]["d"] == pytest.approx(0)
    assert least < ordered[1]["d"] < most
    assert ordered[2]["d"] is None
    of_parent = away.replace("Billing", "Account.Billing")
    found = rows(org, f"SELECT LastName FROM Contact WHERE {of_parent} < 10")
    assert found == [{"LastName": "Berlin"}]
