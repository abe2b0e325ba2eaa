"""A small org in memory: what queries of these tests are read against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from clones.crm.rules.soql import Calendar, QueryContext, SchemaChild, SchemaField, SchemaObject

# Name, type, label; for references `Relationship>Object|Object`; flags: -f not filterable,
# -s not sortable, -g not groupable, -a not aggregatable, +c case-sensitive.
STANDARD = """
    Id id
    Name string
    CreatedDate datetime -g
    CreatedById reference CreatedBy>User
    SystemModstamp datetime -g
    IsDeleted boolean -a
"""
OBJECTS = {
    "Account 001": """
        Industry picklist
        Type picklist
        AnnualRevenue currency -g
        NumberOfEmployees int
        Phone phone
        Website url
        Description textarea -f -s -g -a
        BillingCity string
        BillingAddress address -s -g -a
        ParentId reference Parent>Account
        OwnerId reference Owner>User
        Active__c boolean -a
        Choices__c multipicklist -s -g -a
        Notes__c textarea -f -s -g -a
        More__c textarea -f -s -g -a
        Opens__c time
        Location__c location -s -g -a
        Rate__c percent -g
        Founded__c date
        Code__c string +c
    """,
    "Contact 003": """
        FirstName string
        LastName string
        Email email
        Birthdate date
        AccountId reference Account>Account
        OwnerId reference Owner>User
        ReportsToId reference ReportsTo>Contact
    """,
    "Opportunity 006": """
        StageName picklist
        Amount currency -g
        CloseDate date
        IsClosed boolean -a
        IsWon boolean -a
        Probability percent -g
        AccountId reference Account>Account
        OwnerId reference Owner>User
    """,
    "Lead 00Q": """
        Company string
        LeadSource picklist
        Rating picklist
        Status picklist
        City string
        OwnerId reference Owner>User|Group
    """,
    "Case 500": """
        Subject string
        Status picklist
        ContactId reference Contact>Contact
        AccountId reference Account>Account
        OwnerId reference Owner>User|Group
    """,
    "Task 00T": """
        Subject string
        ActivityDate date
        WhoId reference Who>Contact|Lead
        WhatId reference What>Account|Opportunity|Case
        OwnerId reference Owner>User|Group
    """,
    "User 005": """
        Username string
        Email email
        IsActive boolean -a
        ManagerId reference Manager>User
        UserRoleId reference UserRole>UserRole
        ProfileId reference Profile>Profile
    """,
    "UserRole 00E": "",
    "Profile 00e": "",
    "Group 00G": "Type picklist",
    "GroupMember 011": """
        GroupId reference Group>Group
        UserOrGroupId reference UserOrGroup>User|Group
    """,
    "Order 801": "Status picklist",
    "Product2 01t": "ProductCode string",
    "ContentDocumentLink 06A": """
        ContentDocumentId reference ContentDocument>Account
        LinkedEntityId reference LinkedEntity>Account|Case
    """,
}
CHILDREN = {
    "Account": {
        "Contacts": ("Contact", "AccountId"),
        "Opportunities": ("Opportunity", "AccountId"),
        "Cases": ("Case", "AccountId"),
        "ChildAccounts": ("Account", "ParentId"),
        "Tasks": ("Task", "WhatId"),
    },
    "Contact": {"Cases": ("Case", "ContactId")},
    "Case": {"Tasks": ("Task", "WhatId")},
    "User": {"ManagedUsers": ("User", "ManagerId")},
}
NOT_SEARCHABLE = frozenset({"ContentDocumentLink", "GroupMember", "UserRole", "Profile"})
ONLY_IF_NAMED = frozenset({"Product2"})


def field_of(line: str) -> SchemaField:
    """Return the field that a line of the tables says."""
    name, type_, *rest = line.split()
    relationship: str | None = None
    targets: tuple[str, ...] = ()
    if type_ == "reference":
        relationship, _, listed = rest.pop(0).partition(">")
        targets = tuple(listed.split("|"))
    return SchemaField(
        name,
        name,
        type_,
        filterable="-f" not in rest,
        sortable="-s" not in rest,
        groupable="-g" not in rest,
        aggregatable="-a" not in rest,
        relationship_name=relationship,
        reference_to=targets,
        custom=name.endswith("__c"),
        case_sensitive="+c" in rest,
        length=32_000 if type_ == "textarea" else 255,
    )


@dataclass(frozen=True)
class MemorySchema:
    """A schema of tables: object -> its fields and child relationships."""

    objects: Mapping[str, SchemaObject]
    described: Mapping[str, Sequence[SchemaField]]
    children: Mapping[str, Mapping[str, tuple[str, str]]]

    def object(self, name: str) -> SchemaObject | None:
        return next((o for o in self.objects.values() if o.name.lower() == name.lower()), None)

    def fields(self, of: str) -> Sequence[SchemaField]:
        return self.described.get(of, ())

    def field(self, of: str, name: str) -> SchemaField | None:
        return next((f for f in self.fields(of) if f.name.lower() == name.lower()), None)

    def relationship(self, of: str, name: str) -> SchemaField | None:
        wanted = name.lower()
        fields = self.fields(of)
        return next((f for f in fields if (f.relationship_name or "").lower() == wanted), None)

    def child(self, of: str, name: str) -> SchemaChild | None:
        for known, (child, field) in self.children.get(of, {}).items():
            if known.lower() == name.lower():
                return SchemaChild(known, child, field)
        return None

    def searched_objects(self) -> Sequence[str]:
        return [
            name
            for name, found in self.objects.items()
            if found.searchable and name not in ONLY_IF_NAMED
        ]


def small_org() -> MemorySchema:
    """Return the org of the tables above."""
    objects, fields = {}, {}
    for head, lines in OBJECTS.items():
        name, prefix = head.split()
        objects[name] = SchemaObject(name, name, prefix, searchable=name not in NOT_SEARCHABLE)
        texts = [*STANDARD.strip().splitlines(), *lines.strip().splitlines()]
        fields[name] = [field_of(line) for line in texts if line.strip()]
    return MemorySchema(objects, fields, CHILDREN)


def described_org(describes: Mapping[str, Mapping[str, Any]]) -> MemorySchema:
    """Return the org of describe payloads, by object."""
    objects, fields, children = {}, {}, {}
    for name, found in describes.items():
        objects[name] = SchemaObject(
            name, found["label"], found["keyPrefix"], found["custom"], found["queryable"]
        )
        fields[name] = [
            SchemaField(
                row["name"],
                row["label"],
                row["type"],
                row["filterable"],
                row["sortable"],
                row["groupable"],
                row["aggregatable"],
                row["relationshipName"],
                tuple(row["referenceTo"]),
                row["custom"],
                row["nillable"],
                row["caseSensitive"],
                row["length"],
                row["compoundFieldName"],
                row["createable"],
                row["updateable"],
            )
            for row in found["fields"]
        ]
        children[name] = {
            row["relationshipName"]: (row["childSObject"], row["field"])
            for row in found["childRelationships"]
            if row["relationshipName"]
        }
    return MemorySchema(objects, fields, children)


# A Saturday.
NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
CALENDAR = Calendar(NOW, ZoneInfo("America/Los_Angeles"))
ORG = small_org()
CONTEXT = QueryContext(ORG, CALENDAR)
