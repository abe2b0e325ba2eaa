"""Users: making, showing and removing them, their groups and their columns."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.column_bodies import CONSUMES, columns_of
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.paging import page_bean, window
from clones.tracker.api.presenters.people import present_profile, present_users
from clones.tracker.api.presenters.refs import group_ref
from clones.tracker.api.query_params import ExpandQuery, PagedQuery
from clones.tracker.domain import people
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.filters import column_names
from clones.tracker.domain.site_columns import site_columns
from clones.tracker.models import Group, User
from clones.tracker.queries.people import find_user
from clones.tracker.queries.rights import Rights

Json = dict[str, Any]
NOT_BROWSING: Final = "Browse users and groups permission is required to view users."


class AccountQuery(Query):
    """The user meant, by account id."""

    account: str | None = Field(None, alias="accountId", max_length=128)


class ProfileQuery(AccountQuery, ExpandQuery):
    """The user to show, and whether groups and application roles are expanded."""


class AccountsQuery(PagedQuery):
    """The users to show, by account id, with paging."""

    accounts: CommaList[str] = Field([], alias="accountId")


class MigrationQuery(PagedQuery):
    """The users whose account ids are asked for, by former names or keys."""

    username: list[str] | None = None
    key: list[str] | None = None


class NewUser(Body):
    """A user to invite: the e-mail address, and the products that they get."""

    email: str = Field(alias="emailAddress")
    products: list[str]
    display_name: str | None = Field(None, alias="displayName")


def browses(reader: Rights, message: str = NOT_BROWSING) -> None:
    """Hold somebody to the global permission to browse users and groups.

    Raises:
        Forbidden: they have not got it.
    """
    if not (reader.holds_global("USER_PICKER") or reader.is_admin):
        raise Forbidden(message)


def himself_or(call: Call) -> User:
    """Return the user that a call names, the caller if it names none.

    Raises:
        NotFound: there is none.
    """
    if call.query.account:
        return find_user(call.query.account)
    found = actor(call).user
    assert found is not None  # noqa: S101 - the operations ask for somebody signed in
    return found


@operation("getUser", "GET", "/rest/api/3/user", summary="Show a user.", query=ProfileQuery)
def show_user(call: Call) -> Json:
    """Show a user."""
    reader = actor(call)
    if call.query.account != reader.account_id:
        browses(reader)
    return present_profile(find_user(call.query.account), show(call), frozenset(call.query.expand))


@operation(
    "createUser",
    "POST",
    "/rest/api/3/user",
    summary="Invite somebody and give them products.",
    body=NewUser,
    status=201,
)
def create_user(call: Call) -> Json:
    """Invite somebody; who was here and has no access is not let in again by this."""
    given = call.body
    made = people.invite_user(
        given.email,
        given.products,
        display_name=given.display_name,
        returning=False,
        actor=actor(call),
    )
    return present_profile(made, show(call))


@operation(
    "removeUser",
    "DELETE",
    "/rest/api/3/user",
    summary="Take a user's access to the site.",
    query=AccountQuery,
    status=204,
)
def remove_user(call: Call) -> None:
    """Take a user's access."""
    people.remove_user(find_user(call.query.account), actor=actor(call))


@operation(
    "bulkGetUsers",
    "GET",
    "/rest/api/3/user/bulk",
    summary="List users by their account ids.",
    query=AccountsQuery,
)
def list_by_account(call: Call) -> Json:
    """List users by account id; unknown ones are left out."""
    wanted = call.query.accounts
    if not wanted:
        raise Invalid("The query parameter 'accountId' must be provided.")
    rows = User.objects.filter(account_id__in=wanted).order_by("id")
    return page_bean(
        call, rows, lambda users: present_users(users, show(call)), max_results=10, limit=200
    )


@operation(
    "bulkGetUsersMigration",
    "GET",
    "/rest/api/3/user/bulk/migration",
    summary="List account ids by names of former times; nobody here has such.",
    query=MigrationQuery,
)
def list_by_former_name(call: Call) -> list[Json]:
    """List account ids by former names: the site was made after they were given up."""
    if bool(call.query.username) == bool(call.query.key):
        raise Invalid("Either the 'username' or the 'key' query parameter must be provided.")
    return []


@operation(
    "getAllUsersDefault",
    "GET",
    "/rest/api/3/users",
    summary="List all users, also those without access.",
    query=PagedQuery,
)
def list_users(call: Call) -> list[Json]:
    """List all users."""
    browses(actor(call))
    return present_users(window(call, User.objects.order_by("id")), show(call))


@operation(
    "getAllUsers",
    "GET",
    "/rest/api/3/users/search",
    summary="List all users, also those without access.",
    query=PagedQuery,
)
def search_users(call: Call) -> list[Json]:
    """List all users."""
    browses(actor(call))
    return present_users(window(call, User.objects.order_by("id")), show(call))


@operation(
    "getUserGroups",
    "GET",
    "/rest/api/3/user/groups",
    summary="List a user's groups.",
    query=AccountQuery,
)
def list_groups(call: Call) -> list[Json | None]:
    """List a user's groups."""
    browses(actor(call))
    user = find_user(call.query.account)
    rows = Group.objects.filter(members__user=user).order_by("name", "id")
    return [group_ref(group, show(call)) for group in rows]


# Columns


def column_items(wanted: list[str] | None, reader: Rights) -> list[Json]:
    """Return columns as the API lists them; None: the site's."""
    known = column_names(reader)
    shown = site_columns() if wanted is None else wanted
    return [{"label": known[name], "value": name} for name in shown if name in known]


def _may_see(user: User, reader: Rights) -> None:
    if user != reader.user and not reader.is_admin:
        raise Forbidden(people.ONLY_ADMINS)


@operation(
    "getUserDefaultColumns",
    "GET",
    "/rest/api/3/user/columns",
    summary="List the columns of a user's lists of issues.",
    query=AccountQuery,
)
def show_columns(call: Call) -> list[Json]:
    """List a user's columns."""
    user = himself_or(call)
    _may_see(user, actor(call))
    return column_items(people.columns(user), actor(call))


@operation(
    "setUserColumns",
    "PUT",
    "/rest/api/3/user/columns",
    summary="Set the columns of a user's lists of issues.",
    query=AccountQuery,
    raw_body=True,
    consumes=CONSUMES,
)
def set_columns(call: Call) -> Reply:
    """Set a user's columns; without any they are the site's again."""
    wanted = columns_of(call)
    user = himself_or(call)
    if not wanted:
        people.reset_columns(user, actor=actor(call))
        return Reply(None)
    known = column_names(actor(call))
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise NotFound(f"The column '{unknown[0]}' does not exist.")
    people.set_columns(user, wanted, actor=actor(call))
    return Reply(None)


@operation(
    "resetUserColumns",
    "DELETE",
    "/rest/api/3/user/columns",
    summary="Give a user the site's columns again.",
    query=AccountQuery,
    status=204,
)
def reset_columns(call: Call) -> None:
    """Give a user the site's columns."""
    people.reset_columns(himself_or(call), actor=actor(call))
