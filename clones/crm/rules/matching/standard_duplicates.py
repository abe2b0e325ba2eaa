"""The duplicate rules that every organization has, as the vendor's metadata say them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from clones.crm.rules.matching.rule import FUZZY
from clones.crm.rules.matching.standard import ACCOUNT, CONTACT, LEAD, STANDARD_RULES

ALERT_TEXT: Final = "Use one of these records?"
# Fields of a contact by those of a lead that they are compared with.
_LEAD_TO_CONTACT: Final = {
    "FirstName": "FirstName",
    "LastName": "LastName",
    "Title": "Title",
    "Company": "Account.Name",
    "Email": "Email",
    "Phone": "Phone",
    "Street": "MailingStreet",
    "City": "MailingCity",
    "PostalCode": "MailingPostalCode",
}
# Object and label of each rule, the matching rule that it uses, and how fields are mapped to it.
_RULES: Final = {
    "Standard_Account_Duplicate_Rule": (
        "Account",
        "Standard Account Duplicate Rule",
        ACCOUNT,
        None,
    ),
    "Standard_Contact_Duplicate_Rule": (
        "Contact",
        "Standard Contact Duplicate Rule",
        CONTACT,
        None,
    ),
    "Standard_Lead_Duplicate_Rule": ("Lead", "Standard Lead Duplicate Rule", LEAD, None),
    "Standard_Rule_for_Leads_with_Duplicate_Contacts": (
        "Lead",
        "Standard Rule for Leads with Duplicate Contacts",
        CONTACT,
        _LEAD_TO_CONTACT,
    ),
    "Standard_Rule_for_Contacts_with_Duplicate_Leads": (
        "Contact",
        "Standard Rule for Contacts with Duplicate Leads",
        LEAD,
        {contact: lead for lead, contact in _LEAD_TO_CONTACT.items()},
    ),
}
# Those that an organization has to switch on.
_ASLEEP: Final = frozenset(
    {
        "Standard_Rule_for_Leads_with_Duplicate_Contacts",
        "Standard_Rule_for_Contacts_with_Duplicate_Leads",
    }
)
_LABELS: Final = {
    ACCOUNT: "Standard Account Matching Rule",
    CONTACT: "Standard Contact Matching Rule",
    LEAD: "Standard Lead Matching Rule",
}


def _definition(place: int, match: str, mapping: Mapping[str, str] | None) -> dict[str, Any]:
    compared: dict[str, Any] = {
        "matchRuleSObjectType": STANDARD_RULES[match].object,
        "matchingRule": match,
    }
    if mapping is not None:
        fields = [{"inputField": one, "outputField": other} for one, other in mapping.items()]
        compared["objectMapping"] = {"mappingFields": fields}
    return {
        "actionOnInsert": "Allow",
        "actionOnUpdate": "Allow",
        "alertText": ALERT_TEXT,
        "duplicateRuleMatchRules": [compared],
        "operationsOnInsert": ["Alert", "Report"],
        "operationsOnUpdate": ["Report"],
        "securityOption": "EnforceSharingRules",
        "sortOrder": place,
    }


STANDARD_DUPLICATE_RULES: Final[Mapping[str, Mapping[str, Any]]] = {
    name: _definition(2 if name in _ASLEEP else 1, match, mapping)
    for name, (_, _, match, mapping) in _RULES.items()
}


def rows_of_standard_rules() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of the standard rules, each with the object that it is a record of."""
    for name, rule in STANDARD_RULES.items():
        yield (
            "MatchingRule",
            {
                "SobjectType": rule.object,
                "DeveloperName": name,
                "Language": "en_US",
                "MasterLabel": _LABELS[name],
                "MatchEngine": FUZZY,
                "RuleStatus": "Active",
                "SobjectSubtype": "None",
            },
        )
    for name, (of, label, _, _) in _RULES.items():
        yield (
            "DuplicateRule",
            {
                "SobjectType": of,
                "DeveloperName": name,
                "Language": "en_US",
                "MasterLabel": label,
                "IsActive": name not in _ASLEEP,
                "SobjectSubtype": "None",
            },
        )
