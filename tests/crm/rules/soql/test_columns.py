"""What is selected becomes columns, named in describe's casing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clones.crm.rules.soql import SchemaField, SoqlError, plan_text
from clones.crm.rules.soql import plan as p
from tests.crm.rules.soql.memory import CONTEXT, ORG

NO_SUCH_FIELD = (
    " If you are attempting to use a custom field, be sure to append the '__c' after the custom "
    "field name. Please reference your WSDL or the describe call for the appropriate names."
)
NO_SUCH_OBJECT = (
    " If you are attempting to use a custom object, be sure to append the '__c' after the entity "
    "name. Please reference your WSDL or the describe call for the appropriate names."
)
NO_SUCH_RELATIONSHIP = (
    " If you are attempting to use a custom relationship, be sure to append the '__r' after the "
    "custom relationship name. Please reference your WSDL or the describe call for the "
    "appropriate names."
)


def keys(query: str) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for column in plan_text(query, CONTEXT).columns:
        if isinstance(column, p.ChildColumn):
            found.append((column.relationship.name,))
        else:
            found.append(column.keys)
    return found


def refusal(query: str) -> SoqlError:
    with pytest.raises(SoqlError) as caught:
        plan_text(query, CONTEXT)
    return caught.value


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT id, NAME FROM account", [("Id",), ("Name",)]),
        ("SELECT Account.Name FROM Account", [("Name",)]),
        ("SELECT a.Name, a.owner.NAME FROM Account a", [("Name",), ("Owner", "Name")]),
        ("SELECT account.owner.email FROM Contact", [("Account", "Owner", "Email")]),
        ("SELECT What.name, Owner.profile.NAME FROM Task",
         [("What", "Name"), ("Owner", "Profile", "Name")]),
        ("SELECT a.Name FROM Contact c, c.Account a", [("Account", "Name")]),
        ("SELECT FORMAT(Amount) shown, toLabel(stagename), toLabel(account.type) FROM Opportunity",
         [("shown",), ("StageName",), ("Account", "Type")]),
        ("SELECT DISTANCE(Location__c, GEOLOCATION(1, 2), 'km'), Name FROM Account",
         [("expr0",), ("Name",)]),
        ("SELECT Name, (SELECT Id FROM contacts), (SELECT Id FROM account.cases) FROM account",
         [("Name",), ("Contacts",), ("Cases",)]),
    ],
)  # fmt: skip
def test_names_of_columns(query: str, expected: list[tuple[str, ...]]) -> None:
    assert keys(query) == expected


def test_a_path_over_parents_says_each_step() -> None:
    (column,) = plan_text("SELECT Account.Owner.Name FROM Contact", CONTEXT).columns
    assert isinstance(column, p.FieldColumn)
    chain = column.chain
    steps = [(hop.object, hop.field.name, hop.target) for hop in chain.hops]
    assert steps == [("Contact", "AccountId", "Account"), ("Account", "OwnerId", "User")]
    assert (chain.root, chain.object, chain.field.name) == ("Contact", "User", "Name")


def test_a_polymorphic_parent_has_the_fields_of_name() -> None:
    plan = plan_text("SELECT Id FROM Task WHERE What.Type = 'Account'", CONTEXT)
    assert isinstance(plan.where, p.Compare)
    assert isinstance(plan.where.left, p.Chain)
    hop = plan.where.left.hops[0]
    assert (hop.target, hop.field.reference_to) == ("Name", ("Account", "Opportunity", "Case"))
    assert (
        "No such column 'Subject' on entity 'Name'" in refusal("SELECT What.Subject FROM Task").text
    )


def test_children_are_plans_of_their_own() -> None:
    plan = plan_text(
        "SELECT Id, (SELECT LastName, Account.Name, (SELECT Subject FROM Cases) FROM Contacts c "
        "WHERE c.Email != null ORDER BY LastName LIMIT 2) FROM Account",
        CONTEXT,
    )
    child = plan.columns[1]
    assert isinstance(child, p.ChildColumn)
    relationship = child.relationship
    assert (relationship.object, relationship.field) == ("Contact", "AccountId")
    assert (child.plan.object.name, child.plan.limit) == ("Contact", 2)
    assert isinstance(child.plan.where, p.Compare)
    inner = child.plan.columns[2]
    assert isinstance(inner, p.ChildColumn)
    assert inner.relationship.field == "ContactId"


def test_typeof_has_the_fields_of_each_type() -> None:
    plan = plan_text(
        "SELECT TYPEOF what WHEN account THEN Phone, Owner.Name WHEN Case THEN Subject ELSE name "
        "END FROM Task",
        CONTEXT,
    )
    (column,) = plan.columns
    assert isinstance(column, p.TypeOfColumn)
    assert column.keys == ("What",)
    assert [
        (branch.object, [field.keys for field in branch.columns]) for branch in column.branches
    ] == [("Account", [("Phone",), ("Owner", "Name")]), ("Case", [("Subject",)])]
    assert [field.keys for field in column.otherwise] == [("Name",)]


def test_fields_of_a_kind_come_in_the_order_of_describe() -> None:
    described = [field.name for field in ORG.fields("Account")]
    custom = [name for name in described if name.endswith("__c")]
    assert keys("SELECT FIELDS(ALL) FROM Account LIMIT 200") == [(name,) for name in described]
    assert keys("SELECT Fields(Custom), Name FROM Account LIMIT 1") == [
        *((name,) for name in custom), ("Name",)
    ]  # fmt: skip
    standard = keys("SELECT FIELDS(STANDARD) FROM Account")
    assert standard == [(name,) for name in described if name not in custom]


@pytest.mark.parametrize(
    "ending",
    [
        "LIMIT 200",
        "WHERE Id = '001000000000001'",
        "WHERE Id IN ('001000000000001', '001000000000002') AND Name != 'x'",
    ],
)
def test_all_fields_of_few_records(ending: str) -> None:
    assert len(keys(f"SELECT FIELDS(ALL) FROM Account {ending}")) == len(ORG.fields("Account"))


@pytest.mark.parametrize("group", ["ALL", "CUSTOM"])
@pytest.mark.parametrize(
    "ending",
    [
        "",
        "LIMIT 201",
        "WHERE Name = 'x'",
        "WHERE Id NOT IN ('001000000000001')",
        "WHERE Id > '001000000000001'",
        "WHERE Id IN ('001000000000001'" + ", '001000000000001'" * 200 + ")",
    ],
)
def test_no_more_than_200_records_with_all_fields(group: str, ending: str) -> None:
    error = refusal(f"SELECT FIELDS({group}) FROM Account {ending}")
    assert (error.code, error.message) == (
        "MALFORMED_QUERY", "The SOQL FIELDS function must have a LIMIT of at most 200"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("query", "code", "text", "column"),
    [
        ("SELECT Id, Nothing FROM Account", "INVALID_FIELD",
         "No such column 'Nothing' on entity 'Account'." + NO_SUCH_FIELD, 12),
        ("SELECT Id, Owner.nothing FROM account", "INVALID_FIELD",
         "No such column 'nothing' on entity 'User'." + NO_SUCH_FIELD, 12),
        ("SELECT Account FROM Contact", "INVALID_FIELD",
         "No such column 'Account' on entity 'Contact'." + NO_SUCH_FIELD, 8),
        ("SELECT Id FROM Account WHERE Nothing = 'x'", "INVALID_FIELD",
         "No such column 'Nothing' on entity 'Account'." + NO_SUCH_FIELD, 30),
        ("SELECT COUNT(Id) n FROM Account ORDER BY n", "INVALID_FIELD",
         "No such column 'n' on entity 'Account'." + NO_SUCH_FIELD, 42),
        ("SELECT Nobody.Name FROM Account", "INVALID_FIELD",
         "Didn't understand relationship 'Nobody' in field path." + NO_SUCH_RELATIONSHIP, 8),
        ("SELECT Id FROM XYZZY", "INVALID_TYPE",
         "sObject type 'XYZZY' is not supported." + NO_SUCH_OBJECT, 16),
        ("SELECT Id FROM Account.Contacts", "INVALID_TYPE",
         "sObject type 'Account.Contacts' is not supported." + NO_SUCH_OBJECT, 16),
        ("SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM XYZZY)", "INVALID_TYPE",
         "sObject type 'XYZZY' is not supported." + NO_SUCH_OBJECT, 59),
        ("SELECT (SELECT Id FROM Contact) FROM Account", "INVALID_TYPE",
         "Didn't understand relationship 'Contact' in FROM part of query call."
         + NO_SUCH_RELATIONSHIP, 24),
        ("SELECT (SELECT Id FROM Owner.ManagedUsers) FROM Account", "INVALID_TYPE",
         "Didn't understand relationship 'ManagedUsers' in FROM part of query call."
         + NO_SUCH_RELATIONSHIP, 24),
        ("SELECT Id, Name, id FROM Account", "INVALID_FIELD", "duplicate field selected: Id", 18),
        ("SELECT Owner.Name, owner.name FROM Account", "INVALID_FIELD",
         "duplicate field selected: Owner.Name", 20),
        ("SELECT Id, FIELDS(ALL) FROM User LIMIT 200", "INVALID_FIELD",
         "duplicate field selected: Id", 12),
        ("SELECT Amount, FORMAT(Amount) FROM Opportunity", "INVALID_FIELD",
         "duplicate field selected: Amount", 16),
        ("SELECT TYPEOF Account WHEN Account THEN Name END FROM Contact", "MALFORMED_QUERY",
         "TYPEOF takes a polymorphic relationship: Account", 15),
        ("SELECT TYPEOF What WHEN Lead THEN Name END FROM Task", "INVALID_TYPE",
         "sObject type 'Lead' is not supported." + NO_SUCH_OBJECT, 25),
        ("SELECT TYPEOF What WHEN Case THEN Name END, What.Name FROM Task", "MALFORMED_QUERY",
         "The relationship 'What' cannot be used both in TYPEOF and in another field", 45),
        ("SELECT What.Name, TYPEOF What WHEN Case THEN Name END FROM Task", "MALFORMED_QUERY",
         "The relationship 'What' cannot be used both in TYPEOF and in another field", 26),
        ("SELECT convertCurrency(Amount) FROM Opportunity", "MALFORMED_QUERY",
         "convertCurrency() is only available in organizations with multiple currencies", 8),
    ],
)  # fmt: skip
def test_what_is_not_there(query: str, code: str, text: str, column: int) -> None:
    error = refusal(query)
    assert (error.code, error.text) == (code, text)
    assert error.at is not None
    assert error.at.column == column
    assert error.message.endswith(f"^\nERROR at Row:1:Column:{column}\n{text}")


@pytest.mark.parametrize(
    "query",
    ["SELECT Name n FROM Account", "SELECT Id Name FROM Account", "SELECT Owner.Name n FROM Lead"],
)
def test_only_groups_have_aliases_of_fields(query: str) -> None:
    error = refusal(query)
    assert (error.code, error.message) == (
        "MALFORMED_QUERY", "only aggregate expressions use field aliasing"
    )  # fmt: skip


def test_convert_currency_takes_amounts_of_an_org_with_several() -> None:
    several = replace(CONTEXT, multi_currency=True)
    query = "SELECT Amount, FORMAT(convertCurrency(Amount)) c FROM Opportunity"
    plan = plan_text(query, several)
    column = plan.columns[1]
    assert isinstance(column, p.ValueColumn)
    assert isinstance(column.expression, p.Applied)
    assert isinstance(column.expression.argument, p.Applied)
    assert (column.text, column.expression.argument.name) == (
        "FORMAT(convertCurrency(Amount))", "convertCurrency"
    )  # fmt: skip
    with pytest.raises(SoqlError, match="must be of type currency"):
        plan_text("SELECT convertCurrency(Probability) FROM Opportunity", several)


def test_an_object_that_is_not_queried_and_a_reference_to_nothing() -> None:
    hidden = replace(ORG.objects["Lead"], queryable=False)
    lost = SchemaField("LostId", "Lost", "reference", relationship_name="Lost")
    schema = replace(
        ORG,
        objects={**ORG.objects, "Lead": hidden},
        described={**ORG.described, "Case": [*ORG.fields("Case"), lost]},
    )
    context = replace(CONTEXT, schema=schema)
    with pytest.raises(SoqlError, match="entity type Lead does not support query"):
        plan_text("SELECT Id FROM Lead", context)
    with pytest.raises(SoqlError, match="Didn't understand relationship 'Lost' in field path"):
        plan_text("SELECT Lost.Name FROM Case", context)
