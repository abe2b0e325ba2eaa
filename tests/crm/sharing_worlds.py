"""Small worlds of owners, roles, groups and shares drawn at random, and who sees what in them.

What somebody sees is told here record by record, from the rows alone: an account of sharing that
knows nothing of SQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.new_ids import new_id
from clones.crm.models import SharingDefault, SharingRule, SObjectRow, model_of

READ, EDIT, ALL = 1, 2, 3
LEVELS: Final = {"None": 0, "Read": READ, "Edit": EDIT, "All": ALL}
OPENS: Final = {"Private": 0, "Read": READ, "ReadWrite": EDIT, "ReadWriteTransfer": EDIT}
OPENS_ALL: Final = {**OPENS, "FullAccess": ALL, "ControlledByParent": 0}
MODELS: Final = {
    "Account": ("Private", "Private", "Read", "ReadWrite"),
    "Opportunity": ("Private", "Private", "Read", "ReadWrite"),
    "Case": ("Private", "Private", "Read", "ReadWriteTransfer"),
    "Contact": ("Private", "ControlledByParent", "ControlledByParent", "Read"),
    "Lead": ("Private", "Private", "Read"),
    "Campaign": ("Private", "Read", "FullAccess"),
}
NAMES: Final = {
    "Account": "Name",
    "Opportunity": "Name",
    "Case": "Subject",
    "Contact": "LastName",
    "Lead": "LastName",
    "Campaign": "Name",
}
OF_ACCOUNTS: Final = ("Contact", "Opportunity", "Case")
GIVEN: Final = ("None", "Read", "Edit")
COLOURS: Final = ("red", "green", "blue")


@dataclass
class SharingWorld:
    """Rows of a world by their objects, as plain values."""

    profile: str
    by: str
    rng: Random
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    rules: list[dict[str, Any]] = field(default_factory=list)

    def keep(self, of: str, **values: Any) -> str:
        """Write a row, and return its id."""
        model: type[SObjectRow] = model_of(of)
        id = new_id(model.sobject.prefix, model)
        known = {"CreatedDate": clock.now(), "CreatedById": self.by}
        more = {name: value for name, value in known.items() if model.sobject.field(name)}
        model(Id=id, **more, **values).save(force_insert=True)
        self.rows.setdefault(of, []).append({"Id": id, **values})
        return id

    def draw(self) -> None:
        """Write a world."""
        self._draw_people()
        owners = [*self.ids("User"), *self.groups("Queue")]
        for of, models in MODELS.items():
            self.models[of] = self.rng.choice(models)
            SharingDefault(object=of, model=self.models[of]).save(force_insert=True)
        people = self.ids("User")
        for place in range(5):
            self._record("Account", place, self.rng.choice(people))
        accounts: list[str | None] = [*self.ids("Account"), None]
        for of in OF_ACCOUNTS:
            for place in range(6):
                owner = self.rng.choice(owners if of == "Case" else people)
                self._record(of, place, owner, AccountId=self.rng.choice(accounts))
        for of in ("Lead", "Campaign"):
            for place in range(4):
                self._record(of, place, self.rng.choice(owners if of == "Lead" else people))
        for place in range(6):
            parent = self.rng.choice([*self.ids("Opportunity"), *self.ids("Account")])
            self.keep("Task", Subject=f"t{place}", OwnerId=self.rng.choice(people), WhatId=parent)
        for _ in range(8):
            self._draw_share()
        for place in range(4):
            self._draw_rule(place)

    def ids(self, of: str) -> list[str]:
        """Return the ids of an object's rows."""
        return [one["Id"] for one in self.rows.get(of, ())]

    def groups(self, *kinds: str) -> list[str]:
        """Return the ids of the groups of some kinds."""
        return [one["Id"] for one in self.rows["Group"] if one["Type"] in kinds]

    def _draw_people(self) -> None:
        rng = self.rng
        for place in range(5):
            above = [None, *self.ids("UserRole")]
            levels = {f"{of}AccessForAccountOwner": rng.choice(GIVEN) for of in OF_ACCOUNTS}
            role = self.keep("UserRole", Name=f"r{place}", ParentRoleId=rng.choice(above), **levels)
            for kind in ("Role", "RoleAndSubordinates"):
                self.keep("Group", Type=kind, RelatedId=role, DoesIncludeBosses=True)
        self.keep("Group", Type="Organization", DoesIncludeBosses=False)
        for place in range(6):
            own = rng.choice([None, *self.ids("UserRole")])
            who = f"u{place}@sharing.example"
            self.keep(
                "User",
                Username=who,
                Name=who,
                LastName=who,
                ProfileId=self.profile,
                UserRoleId=own,
                IsActive=True,
            )
        for place in range(4):
            kind = "Queue" if place == 0 else "Regular"
            bosses = rng.random() < 0.5
            made = self.keep("Group", Name=f"g{place}", Type=kind, DoesIncludeBosses=bosses)
            inner = self.groups("Regular", "Role", "RoleAndSubordinates")
            members = [*self.ids("User"), *(one for one in inner if one != made)]
            for member in rng.sample(members, 2):
                self.keep("GroupMember", GroupId=made, UserOrGroupId=member)

    def _record(self, of: str, place: int, owner: str, **values: Any) -> None:
        colour = {"Description": self.rng.choice(COLOURS)} if of != "Campaign" else {}
        shown = {NAMES[of]: f"{of}{place}", "Name": f"{of}{place}"}
        if of == "Case":
            del shown["Name"]
        rating = {"Type" if of == "Account" else "LeadSource": self.rng.choice(COLOURS)}
        rating = rating if of in ("Account", "Opportunity", "Lead") else {}
        self.keep(of, OwnerId=owner, **shown, **colour, **rating, **values)

    def _draw_share(self) -> None:
        rng = self.rng
        of = rng.choice(list(MODELS))
        to = rng.choice([*self.ids("User"), *self._targets()])
        values = {
            f"{of}Id": rng.choice(self.ids(of)),
            f"{of}AccessLevel": rng.choice(["Read", "Edit"]),
        }
        if of == "Account":
            values |= {
                f"{one}AccessLevel": rng.choice(["None", "Read", "Edit"]) for one in OF_ACCOUNTS
            }
        self.keep(f"{of}Share", UserOrGroupId=to, RowCause="Manual", **values)

    def _targets(self) -> list[str]:
        return self.groups("Regular", "Role", "RoleAndSubordinates", "Organization")

    def _draw_rule(self, place: int) -> None:
        rng = self.rng
        of = rng.choice(("Account", "Opportunity", "Lead", "Case"))
        by_owner = of == "Case" or rng.random() < 0.5
        column = "Type" if of == "Account" else "LeadSource"
        colour = rng.choice(COLOURS)
        rule = {
            "object": of,
            "source": rng.choice(self._targets()) if by_owner else None,
            "target": rng.choice(self._targets()),
            "level": rng.choice(["Read", "Edit"]),
        }
        criteria = None if by_owner else f"{column} = '{colour}'"
        self.rules.append({**rule, "column": column, "colour": colour})
        now = clock.now()
        SharingRule(
            id=new_id("02c", SharingRule),
            name=f"rule{place}",
            label="rule",
            criteria=criteria,
            created_at=now,
            updated_at=now,
            **rule,
        ).save(force_insert=True)


class Judge:
    """Says of one user and one record how far it is open."""

    def __init__(self, world: SharingWorld) -> None:
        self.world = world
        self.users = {one["Id"]: one for one in world.rows["User"]}
        self.roles = {one["Id"]: one for one in world.rows["UserRole"]}
        self.groups = {one["Id"]: one for one in world.rows["Group"]}
        self.records = {one["Id"]: (of, one) for of in MODELS for one in world.rows[of]}

    def above(self, users: Iterable[str]) -> set[str]:
        """Return whoever stands above one of some users."""
        found = set()
        for user in users:
            higher = self._higher(self.users[user]["UserRoleId"])
            found |= {id for id, one in self.users.items() if one["UserRoleId"] in higher}
        return found

    def _higher(self, role: str | None) -> set[str]:
        found: set[str] = set()
        above = self.roles[role]["ParentRoleId"] if role else None
        while above is not None:
            found.add(above)
            above = self.roles[above]["ParentRoleId"]
        return found

    def members(self, group: str) -> set[str]:
        """Return who is in a group."""
        return self._direct(group) | {
            one for inner in self._inner(group) for one in self.members(inner)
        }

    def _direct(self, group: str) -> set[str]:
        one = self.groups[group]
        if one["Type"] == "Organization":
            return set(self.users)
        if one["Type"] == "Role":
            return {id for id, user in self.users.items() if user["UserRoleId"] == one["RelatedId"]}
        if one["Type"] == "RoleAndSubordinates":
            return {
                id
                for id, user in self.users.items()
                if (role := user["UserRoleId"]) is not None
                and one["RelatedId"] in {role, *self._higher(role)}
            }
        rows = self.world.rows["GroupMember"]
        named = {row["UserOrGroupId"] for row in rows if row["GroupId"] == group}
        return named & set(self.users)

    def _inner(self, group: str) -> set[str]:
        rows = self.world.rows["GroupMember"]
        named = {row["UserOrGroupId"] for row in rows if row["GroupId"] == group}
        return named & set(self.groups)

    def bosses(self, group: str) -> set[str]:
        """Return who is let in because of somebody in a group who stands below."""
        one = self.groups[group]
        if not one["DoesIncludeBosses"]:
            return set()
        if one["Type"] in ("Role", "RoleAndSubordinates"):  # whether or not anybody has the role
            higher = self._higher(one["RelatedId"])
            return {id for id, user in self.users.items() if user["UserRoleId"] in higher}
        found = self.above(self._direct(group))
        for inner in self._inner(group):
            found |= self.bosses(inner)
        return found

    def reached(self, to: str) -> set[str]:
        """Return to whom something is open that is open to a user or a group."""
        if to in self.users:
            return {to} | self.above([to])
        return self.members(to) | self.bosses(to)

    def granted(self, user: str, id: str) -> int:
        """Return how far a record is open by itself: by its owner, shares and rules."""
        of, record = self.records[id]
        if user in self.reached(record["OwnerId"]):
            return ALL
        best = 0
        for row in self.world.rows.get(f"{of}Share", ()):
            if row[f"{of}Id"] == id and user in self.reached(row["UserOrGroupId"]):
                best = max(best, LEVELS[row[f"{of}AccessLevel"]])
        for rule in self.world.rules:
            if rule["object"] != of or user not in self.reached(rule["target"]):
                continue
            if rule["source"] is None:
                is_meant = record.get(rule["column"]) == rule["colour"]
            else:
                owner = record["OwnerId"]
                is_meant = owner in self.members(rule["source"])
            if is_meant:
                best = max(best, LEVELS[rule["level"]])
        return best

    def level(self, user: str, id: str) -> int:
        """Return how far a record is open to a user."""
        of, record = self.records[id]
        model = self.world.models[of]
        best = max(OPENS_ALL[model], self.granted(user, id))
        account = record.get("AccountId")
        if model == "ControlledByParent":
            if account is not None:
                above = self.level(user, account)
                best = max(best, ALL if above >= EDIT else above)
            return best
        if of in OF_ACCOUNTS and account is not None:
            best = max(best, self._by_account(user, of, account))
        if of == "Account":
            best = max(best, self._by_children(user, id))
        return best

    def _by_account(self, user: str, of: str, account: str) -> int:
        best = 0
        for row in self.world.rows.get("AccountShare", ()):
            if row["AccountId"] == account and user in self.reached(row["UserOrGroupId"]):
                best = max(best, LEVELS[row[f"{of}AccessLevel"]])
        owner = self.records[account][1]["OwnerId"]
        role = self.users[owner]["UserRoleId"]
        if role is not None and user in {owner} | self.above([owner]):
            best = max(best, LEVELS[self.roles[role][f"{of}AccessForAccountOwner"]])
        return best

    def _by_children(self, user: str, account: str) -> int:
        for of in OF_ACCOUNTS:
            if self.world.models[of] == "ControlledByParent":
                continue
            for row in self.world.rows[of]:
                if row["AccountId"] == account and self.granted(user, row["Id"]):
                    return READ
        return 0

    def task_level(self, user: str, task: dict[str, Any]) -> int:
        """Return how far a task is open to a user."""
        if user in self.reached(task["OwnerId"]):
            return ALL
        return READ if self.level(user, task["WhatId"]) else 0
