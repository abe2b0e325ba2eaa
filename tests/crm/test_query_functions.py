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
