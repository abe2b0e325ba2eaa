"""Queries over objects as a real org describes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clones.crm.rules.soql import QueryContext, SoqlError, columns_of, plan_text
from clones.crm.rules.soql import plan as p
from tests.crm.rules.soql.memory import CONTEXT, described_org
from tests.crm.specs import read_spec

OBJECTS = ("Account", "Contact", "Lead", "Case", "Opportunity", "Event", "OpportunityContactRole")


@pytest.fixture
def context() -> QueryContext:
    describes = {name: read_spec(f"describe/{name}_describe.json") for name in OBJECTS}
    return replace(CONTEXT, schema=described_org(describes))


FORMS = {
    "filterable": "SELECT Id FROM {0} WHERE {1} = null",
    "sortable": "SELECT Id FROM {0} ORDER BY {1}",
    "groupable": "SELECT {1} FROM {0} GROUP BY {1}",
}


def is_planned(query: str, context: QueryContext) -> bool:
    """Tell whether a query has a plan, or is refused for a flag of a field."""
    try:
        plan_text(query, context)
    except SoqlError as error:
        if " can not be " in error.text:
            return False
        raise
    return True


@pytest.mark.parametrize("flag", FORMS)
def test_every_field_is_filtered_sorted_and_grouped_as_its_flag_says(
    context: QueryContext, flag: str
) -> None:
    fields = [(name, field) for name in OBJECTS for field in context.schema.fields(name)]
    assert len(fields) > 300
    told = [
        # Of an address only the distance is filtered by, though describe calls it filterable.
        getattr(field, flag) and (flag != "filterable" or field.type != "address")
        for _, field in fields
    ]
    assert [
        is_planned(FORMS[flag].format(name, field.name), context) for name, field in fields
    ] == told
    assert not all(told)


def test_all_fields_of_an_object(context: QueryContext) -> None:
    for name in OBJECTS:
        plan = plan_text(f"SELECT FIELDS(ALL) FROM {name} LIMIT 200", context)
        shown = [column.keys[-1] for column in plan.columns if isinstance(column, p.FieldColumn)]
        assert shown == [field.name for field in context.schema.fields(name)]
        assert len(columns_of(plan)["columnMetadata"]) == len(shown)


@pytest.mark.parametrize(
    "query",
    [
        "select id, name, account.NAME from contact where account.industry = 'Media'",
        "SELECT Name, (SELECT LastName FROM Contacts WHERE Account.Type = 'x') FROM Account",
        "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Opportunity WHERE IsWon = true)",
        "SELECT StageName, SUM(Amount) total FROM Opportunity GROUP BY StageName",
        "SELECT Id FROM Event WHERE Who.Type = 'Contact' AND ActivityDate = NEXT_N_DAYS:7",
        "SELECT TYPEOF What WHEN Account THEN Phone ELSE Name END FROM Event",
        "SELECT DISTANCE(BillingAddress, GEOLOCATION(37.8, -122.4), 'mi') d FROM Account",
        (
            "SELECT CALENDAR_QUARTER(CloseDate), AVG(Amount) FROM Opportunity "
            "GROUP BY CALENDAR_QUARTER(CloseDate)"
        ),
        "SELECT Id FROM Case WHERE IsClosed = false AND CreatedDate < LAST_N_DAYS:30",
    ],
)
def test_usual_queries_have_plans(context: QueryContext, query: str) -> None:
    assert plan_text(query, context).columns
