"""The matching rules that every organization has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from clones.crm.rules.matching.methods import METHODS, address_key, domain_of
from clones.crm.rules.matching.rule import FUZZY, Key, MatchItem, MatchRule, Values, groups_of

ACCOUNT, CONTACT, LEAD = (
    "Standard_Account_Match_Rule_v1_0",
    "Standard_Contact_Match_Rule_v1_1",
    "Standard_Lead_Match_Rule_v1_0",
)
_OF_PEOPLE: Final = (
    "1 AND 2 AND ((3 AND 4) OR 5 OR (6 AND 4) OR (7 AND (8 OR 9 OR 6)) OR (7 AND 3) OR (3 AND 5)"
    " OR 6)"
)
_OF_FIRMS: Final = (
    "(1 AND 3) OR (1 AND 4 AND 5) OR (1 AND 6) OR (1 AND 7) OR (2 AND 7) OR (2 AND 3)"
)


def _people(name: str, of: str, company: str, *address: str) -> MatchRule:
    """Return the rule of an object of people, whose addresses have street, city and code."""
    street, city, code = address
    items = (
        MatchItem("FirstName", "FirstName"),
        MatchItem("LastName", "LastName"),
        MatchItem("Title", "Title"),
        MatchItem(company, "CompanyName"),
        MatchItem("Email"),
        MatchItem("Phone", "Phone"),
        MatchItem(street, "Street"),
        MatchItem(city, "City"),
        MatchItem(code, "Zip"),
    )
    return MatchRule(
        name,
        of,
        FUZZY,
        items,
        groups_of(_OF_PEOPLE, len(items)),
        own_keys=(
            _email_key,
            _person_key("Email", domain_of, before="@"),
            _person_key(company, METHODS["CompanyName"].key),
            _person_key("Phone", METHODS["Phone"].key),
        ),
        swaps=("FirstName", "LastName"),
        ignores_blanks_with="Email",
    )


def _email_key(values: Values) -> str | None:
    email = values.get("Email")
    return address_key(email) if email else None


def _person_key(field: str, part: Callable[[str], str], *, before: str = "") -> Key:
    """Return what a person is found by: initial, sound of the last name, and part of a field."""

    def found(values: Values) -> str | None:
        first, last, value = (values.get(name) for name in ("FirstName", "LastName", field))
        if not first or not last or not value:
            return None
        end = part(value)
        if not end:
            return None
        initial, sound = METHODS["FirstName"].key(first), METHODS["LastName"].key(last)
        return f"{initial}{sound}{before}{end}"

    return found


STANDARD_RULES: Final[Mapping[str, MatchRule]] = {
    one.name: one
    for one in (
        MatchRule(
            ACCOUNT,
            "Account",
            FUZZY,
            (
                MatchItem("Name", "CompanyName"),
                MatchItem("Website", "Website"),
                MatchItem("BillingStreet", "Street"),
                MatchItem("BillingCity", "City"),
                MatchItem("BillingState"),
                MatchItem("BillingPostalCode", "Zip"),
                MatchItem("Phone", "Phone"),
            ),
            groups_of(_OF_FIRMS, 7),
        ),
        _people(
            CONTACT, "Contact", "Account.Name", "MailingStreet", "MailingCity", "MailingPostalCode"
        ),
        _people(LEAD, "Lead", "Company", "Street", "City", "PostalCode"),
    )
}
