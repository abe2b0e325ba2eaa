"""Objects beside those whose describes were recorded, compared with what is documented of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from clones.crm.rules.schema import SObject, standard_schema
from tests.crm.conftest import Org
from tests.crm.specs import read_spec

# Documented fields that are not here, and why.
LEFT_OUT: Final = {
    "ContentDocument.ContentAsset": "asset files are not here",
    "ContentVersion.ContentBodyId": "bodies are not uploaded apart from versions",
    "ContentVersion.ContentBody": "bodies are not uploaded apart from versions",
    "ContentVersion.ExternalDataSourceId": "no data source outside",
    "ContentVersion.ExternalDataSource": "no data source outside",
    "ContractLineItem.LocationId": "leads to an object that is not here",
}
DOCUMENTED: Final = (
    "AccountContactRole",
    "AccountHistory",
    "AssetHistory",
    "CampaignHistory",
    "CampaignInfluenceModel",
    "CaseContactRole",
    "CaseHistory",
    "CaseRelatedIssue",
    "ChangeRequest",
    "ChangeRequestRelatedIssue",
    "ChangeRequestRelatedItem",
    "ContactHistory",
    "ContentDocument",
    "ContentDocumentLink",
    "ContentVersion",
    "ContractContactRole",
    "ContractHistory",
    "ContractLineItem",
    "ContractLineItemHistory",
    "Document",
    "EntitlementHistory",
    "EventRelation",
    "Incident",
    "IncidentHistory",
    "IncidentRelatedItem",
    "KnowledgeArticle",
    "KnowledgeArticleVersion",
    "Knowledge__kav",
    "LeadHistory",
    "OpportunityCompetitor",
    "OpportunityFieldHistory",
    "OrderHistory",
    "OrderItemHistory",
    "OrderStatus",
    "Partner",
    "Pricebook2History",
    "Problem",
    "ProblemHistory",
    "ProblemIncident",
    "ProblemRelatedItem",
    "Product2History",
    "ServiceContract",
    "ServiceContractHistory",
    "Topic",
    "TopicAssignment",
    "UserLogin",
)
# The object that stands in the declarations for a record of any object.
ANY: Final = "Name"


def kind(type: str) -> str:
    """Return what a documented type, of either source, is."""
    word = type.split(" ", maxsplit=1)[0]
    if word in ("int", "decimal", "number"):
        return "number"
    return word if word in ("boolean", "record", "Address") else "text"


def fits(of: SObject, name: str, type: str) -> bool:
    """Tell whether a field is there, and of a documented type."""
    field = of.field(name)
    if field is None:
        return False
    if field.type in ("address", "base64"):
        return kind(type) in ("record", "Address", "text")
    if field.type == "boolean" or field.is_number:
        return kind(type) == ("boolean" if field.type == "boolean" else "number")
    return kind(type) == "text"


def differences(of: SObject) -> Iterator[str]:
    """Yield the documented fields and relationships to parents that an object has not."""
    fields = read_spec("sobject-fields-documented.json").get(of.name)
    declared: dict[str, Any] = read_spec("sobject-relationships.json").get(of.name, {})
    assert fields or declared
    types = {name: one["type"] for name, one in (fields or {}).items()}
    for name, type in (types or declared["fields"]).items():
        if name != "attributes" and not fits(of, name, type):
            yield f"{of.name}.{name}"
    for name, target in declared.get("parents", {}).items():
        field = of.reference(name)
        to = target.split("$")[1].split(" ")[0]
        if field is None or to not in (*field.reference_to, ANY):
            yield f"{of.name}.{name}"


@pytest.mark.parametrize("name", DOCUMENTED)
def test_an_object_has_the_fields_that_are_documented(name: str) -> None:
    found = set(differences(standard_schema().objects[name]))
    assert found == {one for one in LEFT_OUT if one.startswith(f"{name}.")}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_no_field_is_there_that_nobody_documented(name: str) -> None:
    fields = read_spec("sobject-fields-documented.json").get(name)
    known = fields or read_spec("sobject-relationships.json")[name]["fields"]
    made_up = [one.name for one in standard_schema().objects[name].fields if one.name not in known]
    expected = ["IsWhat", "IsParent", "IsInvitee", "AccountId"] if name == "EventRelation" else []
    assert made_up == expected


def test_references_lead_to_objects_that_are_there() -> None:
    schema = standard_schema()
    for of in schema:
        for field in of.fields:
            for target in {*field.reference_to, *(field.children or {})}:
                assert target in schema.objects, f"{of.name}.{field.name}"
            assert set(field.children or {}) <= set(field.reference_to), f"{of.name}.{field.name}"


def test_a_parent_sees_each_relationship_to_children_once() -> None:
    schema = standard_schema()
    for of in schema:
        names = [one.seen.name for one in schema.children(of) if one.seen.name]
        assert len(names) == len(set(names)), (of.name, sorted(names))


# Relationships to children that are declared and not here, and why.
NO_CHILDREN: Final = {
    "EmailTemplate.Attachments": "templates have no files yet",
    "Group.DelegatedUsers": "delegated administration is not here",
    "KnowledgeArticle.ContentDocumentLinks": "files are linked to versions",
    "KnowledgeArticleVersion.ContentDocumentLinks": "files are linked to versions",
    "KnowledgeArticleVersion.TopicAssignments": "topics are assigned to versions",
    "User.DelegatedUsers": "delegated administration is not here",
    "User.ManagedUsers": "users do not show who manages them",
}


# The parents whose children are compared, and the children.
PARENTS: Final = (
    *DOCUMENTED,
    *("Account", "Asset", "BusinessHours", "Campaign", "Case", "Contact", "Contract"),
    *("EmailTemplate", "Entitlement", "Group", "Lead", "Opportunity", "Order", "Product2", "User"),
)


CHILDREN: Final = frozenset(
    {
        *DOCUMENTED,
        *("Asset", "Attachment", "CampaignMember", "Case", "CaseComment", "Contact", "Contract"),
        *("EmailMessage", "Entitlement", "Event", "Lead", "Note", "Opportunity", "Order"),
        *("OpportunityContactRole", "OpportunityLineItem", "OrderItem", "PricebookEntry", "Task"),
        *("EntitlementContact", "User"),
    }
)


def test_parents_see_children_by_the_names_that_are_declared() -> None:
    schema, missing, compared = standard_schema(), set(), 0
    for name, declared in read_spec("sobject-relationships.json").items():
        of = schema.find(name)
        targets = {
            one: str(to).partition("$")[2] for one, to in declared.get("children", {}).items()
        }
        if of is None or name not in PARENTS or not all(targets.values()):
            continue  # some lists of the declarations are cut
        for one, target in targets.items():
            if target in CHILDREN:
                compared += 1
                child = schema.child(of, one)
                if child is None or child.child.name != target:
                    missing.add(f"{name}.{one}")
    assert missing == set(NO_CHILDREN)
    assert compared > 150


@pytest.mark.parametrize(
    ("of", "prefix", "label", "plural"),
    [
        ("Quote", "0Q0", "Quote", "Quotes"),
        ("QuoteLineItem", "0QL", "Quote Line Item", "Quote Line Items"),
        ("ServiceContract", "810", "Service Contract", "Service Contracts"),
        ("ContractLineItem", "811", "Contract Line Item", "Contract Line Items"),
        ("ContentVersion", "068", "Content Version", "Content Versions"),
        ("ContentDocument", "069", "Content Document", "Content Documents"),
        ("ContentDocumentLink", "06A", "Content Document Link", "Content Document Link"),
        ("Topic", "0TO", "Topic", "Topics"),
        ("TopicAssignment", "0FT", "Topic Assignment", "Topic Assignment"),
        ("Territory2", "0MI", "Territory", "Territories"),
        ("Territory2Model", "0MA", "Territory Model", "Territory Models"),
        ("Territory2Type", "0M5", "Territory Type", "Territory Types"),
        ("AccountContactRelation", "07k", "Account Contact Relationship", None),
        ("OpportunityTeamMember", "00q", "Opportunity Team Member", None),
        ("OpportunitySplit", "049", "Opportunity Split", None),
        ("AccountHistory", "017", "Account History", "Account History"),
        ("UserLogin", "0Yw", "User Login", "User Login"),
    ],
)
def test_an_object_is_known_by_its_prefix_and_labels(
    org: Org, of: str, prefix: str, label: str, plural: str | None
) -> None:
    shown = org.call("GET", f"/sobjects/{of}/describe")
    assert (shown["keyPrefix"], shown["label"]) == (prefix, label)
    assert plural in (None, shown["labelPlural"])


@pytest.mark.parametrize(
    ("of", "prefix"),
    [
        ("Incident", "0hk"),
        ("Problem", "0h2"),
        ("ChangeRequest", "0gj"),
        ("OpportunitySplitType", "1OS"),
        ("ObjectTerritory2Association", "0Iv"),
        ("CampaignInfluence", "04X"),
        ("OrderStatus", "0OT"),
    ],
)
def test_unverified_prefixes_of_objects_whose_own_nobody_published(of: str, prefix: str) -> None:
    assert standard_schema().objects[of].prefix == prefix
