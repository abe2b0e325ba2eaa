"""Sharing as a condition of SQL: which records of an object are open to the user at hand.

A condition names the records by the alias of their table. It lists the user, the roles below and
the groups, which are few; whose records are meant is found by the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from django.db import connection

from clones.core.models import Record
from clones.crm.models import CustomValues, model_of, rows_of
from clones.crm.models.sharing import SharingDefault, SharingRule
from clones.crm.queries.access.criteria import matching_sql
from clones.crm.queries.access.principals import Members, Principals, members_of, principals_of
from clones.crm.queries.access.viewing import Viewer, viewer
from clones.crm.queries.soql.fragments import NOTHING, Sql, joined, listed, quoted
from clones.crm.rules.access.objects import READ
from clones.crm.rules.access.sharing import (
    BY_PARENT,
    LEVELS,
    OPENS,
    READ_THROUGH,
    Level,
    Sharing,
    TeamRows,
    opening_children,
    sharing_of,
)
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.soql import SoqlError

# Objects whose records a role opens to the owners of their accounts.
_OPENED_BY_ROLES: Final = ("Case", "Contact", "Opportunity")


class SharedRecords:
    """What is shared with a user at one moment: conditions on the records of any object.

    What it needs to know of the organization is read once, where something first asks for it.
    """

    def __init__(self, asking: Viewer) -> None:
        self.rights = asking.rights
        self.user = asking.user
        self._parents: dict[tuple[str, Level], Sql | None] = {}
        self._defaults: dict[str, tuple[str, bool]] | None = None
        self._rules: dict[str, list[SharingRule]] | None = None
        self._members: dict[str, Members] = {}
        self._roles: dict[str, dict[str, str | None]] | None = None

    @cached_property
    def who(self) -> Principals:
        """As whom the user sees records."""
        return principals_of(self.user)

    def condition(self, of: SObject, level: Level, alias: str) -> Sql | None:
        """Return that a record is open so far; None where all records of the object are."""
        of = of.whole
        everything = self.rights.sees_all if level is Level.READ else self.rights.modifies_all
        if everything(of):
            return None
        how, model = sharing_of(of), self.model(of)
        if OPENS[model] >= level:
            return None
        found = list(self._granted(of, how, level, alias))
        if model == BY_PARENT or of.name in READ_THROUGH:
            by_parents = self._by_parents(of, how, level, alias)
            if by_parents is None:
                return None
            found += by_parents
        else:
            found += self._implied(of, how, level, alias)
        return _any(found)

    def model(self, of: SObject) -> str:
        """Return how far records of an object are open to everybody, in the vendor's word."""
        how = sharing_of(of)
        if not how.choices:
            return how.default
        return self._known_defaults().get(of.name, (how.default, True))[0]

    def _uses_roles(self, of: SObject) -> bool:
        return self._known_defaults().get(of.name, ("", True))[1]

    def _known_defaults(self) -> dict[str, tuple[str, bool]]:
        if self._defaults is None:
            rows = SharingDefault.objects.order_by("object")
            self._defaults = {row.object: (row.model, row.uses_roles) for row in rows}
        return self._defaults

    def _granted(self, of: SObject, how: Sharing, level: Level, alias: str) -> Iterator[Sql]:
        """Yield what opens records by themselves: their owners, rows that share them, rules."""
        if not how.is_owned:
            return
        with_roles = self._uses_roles(of)
        yield self._is_ours(_of(alias, "OwnerId"), with_roles=with_roles)
        if level is Level.ALL:
            return
        if how.shares is not None:
            yield self._shared(
                how.shares.object,
                how.shares.record,
                how.shares.level,
                level,
                _of(alias, "Id"),
                with_roles=with_roles,
            )
        if how.team is not None and how.team.object in of.schema.objects:
            yield self._in_team(of, how.team, level, alias, with_roles=with_roles)
        for rule in self._known_rules().get(of.name, ()):
            if LEVELS[rule.level] >= level and self._is_target(rule.target, with_roles=with_roles):
                yield self._ruled(of, rule, alias)

    def _is_ours(self, owner: Sql, *, with_roles: bool) -> Sql:
        """Return that an owner is the user, a group of the user's, or somebody below."""
        who = self.who
        groups = (*who.groups, *(who.groups_below if with_roles else ()))
        found = [Sql("{} IN ({})").format(owner, listed((who.user, *groups)))]
        if with_roles and who.below:
            found.append(_is_of_roles(owner, who.below))
        return _any(found)

    def _shared(
        self, rows: str, record: str, column: str, level: Level, key: Sql, *, with_roles: bool
    ) -> Sql:
        """Return that a row shares the record of a key so far with the user or a group."""
        ours = self._is_ours(_of("s", "UserOrGroupId"), with_roles=with_roles)
        condition = Sql("NOT {} AND {} IN ({}) AND {}").format(
            _of("s", "IsDeleted"), _of("s", column), listed(_words(level)), ours
        )
        return _found_in(key, _of("s", record), model_of(rows), "s", condition)

    def _in_team(
        self, of: SObject, team: TeamRows, level: Level, alias: str, *, with_roles: bool
    ) -> Sql:
        """Return that the user, or somebody below, is in the team of a record with such a level."""
        rows, wanted = of.schema.objects[team.object], listed(_words(level))
        ours = self._is_ours(_of("m", team.member), with_roles=with_roles)
        if team.role is None:
            opens = Sql("{} IN ({})").format(_of("m", team.level), wanted)
        else:
            role = rows.field(team.role)
            roles = model_of(role.reference_to[0]) if role is not None else model_of(rows)
            condition = Sql("{} IN ({})").format(_of("r", team.level), wanted)
            opens = _found_in(_of("m", team.role), _of("r", "Id"), roles, "r", condition)
        pieces = [ours, opens]
        if rows.field("IsDeleted") is not None:
            pieces.append(Sql("NOT {}").format(_of("m", "IsDeleted")))
        record = _of("m", team.record)
        return _found_in(_of(alias, "Id"), record, model_of(rows), "m", joined(pieces, " AND "))

    def _known_rules(self) -> dict[str, list[SharingRule]]:
        if self._rules is None:
            self._rules = {}
            for rule in SharingRule.objects.order_by("id"):
                self._rules.setdefault(rule.object, []).append(rule)
        return self._rules

    def _is_target(self, target: str, *, with_roles: bool) -> bool:
        below = self.who.groups_below if with_roles else ()
        return target == self.who.user or target in self.who.groups or target in below

    def _ruled(self, of: SObject, rule: SharingRule, alias: str) -> Sql:
        """Return that a rule means a record."""
        if rule.source is None:
            try:
                return matching_sql(of, rule.criteria or "", alias)
            except SoqlError:  # a field that it names is gone
                return NOTHING
        if rule.source not in self._members:
            self._members[rule.source] = members_of(rule.source)
        members, owner = self._members[rule.source], _of(alias, "OwnerId")
        if members.has_everybody:
            return Sql("{} LIKE '005%%'").format(owner)
        found = [Sql("{} IN ({})").format(owner, listed((*members.users, rule.source)))]
        if members.roles:
            found.append(_is_of_roles(owner, members.roles))
        return _any(found)

    def _by_parents(self, of: SObject, how: Sharing, level: Level, alias: str) -> list[Sql] | None:
        """Return what tells that a record that one refers to is open so far; None where all are."""
        if of.name in READ_THROUGH and level is not Level.READ:
            return []
        wanted = level if level is Level.READ else how.written_at
        found, is_closed = [], how.is_owned
        for name in how.parents:
            field = of.field(name)
            if field is None:
                continue
            own, targets = _column(of, field, alias), []
            for target in field.reference_to:
                inner = self._parent(of, target, wanted)
                if inner is None:
                    targets.append(of.schema.objects[target].prefix)
                elif inner != NOTHING:
                    rows = model_of(of.schema.objects[target])
                    found.append(_found_in(own, _of("p", "Id"), rows, "p", inner))
            is_closed = is_closed or len(targets) < len(field.reference_to)
            if targets:
                found.append(Sql("SUBSTR({}, 1, 3) IN ({})").format(own, listed(targets)))
        return found if is_closed else None

    def _parent(self, of: SObject, name: str, level: Level) -> Sql | None:
        """Return that a parent of some object, `p`, is open so far; None where all of them are."""
        target = of.schema.objects.get(name)
        if target is None or target is of or READ not in self.rights.grants(target):
            return NOTHING
        key = (name, level)
        if key not in self._parents:
            self._parents[key] = NOTHING  # what a parent is opened by is not opened by the parent
            self._parents[key] = self.condition(target, level, "p")
        return self._parents[key]

    def _implied(self, of: SObject, how: Sharing, level: Level, alias: str) -> Iterator[Sql]:
        """Yield what opens records by those that they belong to, or that belong to them."""
        if how.account_level is not None and level is not Level.ALL:
            account = _of(alias, "AccountId")
            column = f"{how.account_level}AccessLevel"
            yield self._shared("AccountShare", "AccountId", column, level, account, with_roles=True)
            owned = self._accounts_opening(how.account_level, level)
            if owned is not None:
                yield _found_in(account, _of("a", "Id"), model_of("Account"), "a", owned)
        if level is not Level.READ:
            return
        for child, column in opening_children(of):
            other = of.schema.objects[child]
            if self.model(other) == BY_PARENT:
                continue
            opened = _any(list(self._granted(other, sharing_of(other), level, "c")))
            condition = Sql("NOT {} AND {}").format(_of("c", "IsDeleted"), opened)
            yield _found_in(_of(alias, "Id"), _of("c", column), model_of(child), "c", condition)

    def _accounts_opening(self, of: str, level: Level) -> Sql | None:
        """Return that the owner of an account, `a`, has a role that opens an object so far."""
        if self._roles is None:
            columns = [f"{name}AccessForAccountOwner" for name in _OPENED_BY_ROLES]
            rows = rows_of("UserRole").filter(Id__in=[*self.who.below, self.who.role or ""])
            self._roles = {row["Id"]: row for row in rows.order_by("Id").values("Id", *columns)}
        column = f"{of}AccessForAccountOwner"
        opening = [
            role
            for role, row in self._roles.items()
            if LEVELS.get(row[column] or "None", Level.NONE) >= level
        ]
        owner, found = _of("a", "OwnerId"), []
        if self.who.role in opening:
            found.append(Sql("{} = %s", (self.who.user,)).format(owner))
        below = [role for role in opening if role != self.who.role]
        if below:
            found.append(_is_of_roles(owner, below))
        return _any(found) if found else None


def default_model(of: SObject) -> str:
    """Return how far records of an object are open to everybody, in the vendor's word."""
    how = sharing_of(of)
    kept = SharingDefault.objects.filter(object=of.name).values_list("model", flat=True).first()
    return kept if kept is not None and how.choices else how.default


def shared_with(asking: Viewer) -> SharedRecords:
    """Return what is shared with a user, worked out once for what is done on the user's behalf."""
    if asking.shared is None:
        asking.shared = SharedRecords(asking)
    return asking.shared


def condition_on(of: SObject, level: Level, alias: str) -> Sql | None:
    """Return that a record is open so far to the user at hand; None where all of them are."""
    asking = viewer()
    if asking is None or asking.rights.modifies_all_data:
        return None
    return shared_with(asking).condition(of, level, alias)


def seen_rows(of: SObject, rows: Any) -> Any:
    """Return those of some rows of an object's table that the user at hand may see."""
    condition = condition_on(of, Level.READ, quoted(model_of(of)._meta.db_table))
    if condition is None:
        return rows
    params = list(condition.parameters)
    return rows.extra(where=[condition.text], params=params)  # noqa: S610 - a condition of ours


def open_ids(asking: Viewer | None, of: SObject, ids: Iterable[str], level: Level) -> set[str]:
    """Return those ids of records of an object that are open so far to a user."""
    wanted = sorted(set(ids))
    if asking is None or asking.rights.modifies_all_data or not wanted:
        return set(wanted)
    condition = shared_with(asking).condition(of, level, "t0")
    if condition is None:
        return set(wanted)
    statement = Sql("SELECT {} FROM {} t0 WHERE {} IN ({}) AND {}").format(
        _of("t0", "Id"), _table(model_of(of)), _of("t0", "Id"), listed(wanted), condition
    )
    with connection.cursor() as cursor:
        cursor.execute(statement.text, list(statement.parameters))
        return {str(id) for (id,) in cursor.fetchall()}


def _words(level: Level) -> list[str]:
    """Return the vendor's words of levels that open a record so far."""
    return [name for name, one in LEVELS.items() if one >= level]


def _of(alias: str, column: str) -> Sql:
    return Sql(f"{alias}.{quoted(column)}")


def _table(rows: type[Record]) -> Sql:
    return Sql(quoted(rows._meta.db_table))


def _found_in(left: Sql, key: Sql, rows: type[Record], alias: str, condition: Sql) -> Sql:
    """Return that a value is in a column of the rows of a table that meet a condition."""
    source = Sql(f"{{}} {alias}").format(_table(rows))
    return Sql("{} IN (SELECT {} FROM {} WHERE {})").format(left, key, source, condition)


def _column(of: SObject, field: Field, alias: str) -> Sql:
    """Return a field of the record of an alias; the values of custom fields lie beside it."""
    if field.slot is None:
        return _of(alias, field.name)
    beside, own = _table(CustomValues), _of(alias, "Id")
    found = Sql("(SELECT {} FROM {} v WHERE {} = {})")
    return found.format(_of("v", field.slot), beside, _of("v", "Id"), own)


def _is_of_roles(user: Sql, roles: Sequence[str]) -> Sql:
    """Return that a user has one of some roles."""
    condition = Sql("{} IN ({})").format(_of("u", "UserRoleId"), listed(roles))
    return _found_in(user, _of("u", "Id"), model_of("User"), "u", condition)


def _any(found: Sequence[Sql]) -> Sql:
    """Return that one of some conditions holds; null counts as false."""
    known = [one for one in found if one != NOTHING]
    if not known:
        return NOTHING
    return Sql("(({}) IS TRUE)").format(joined(known, " OR "))
