"""JQL itself: what can be asked, what is offered while it is typed, and queries looked into."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from clones.core.digits import is_digits
from clones.core.operations import Call
from clones.tracker.api.operations import Body, Query, actor, operation
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import FieldContext, FieldContextProject, User
from clones.tracker.queries.jql_site import DatabaseSite
from clones.tracker.queries.jql_suggestions import offered, people
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import site_of
from clones.tracker.rules.jql import (
    JqlError,
    parsed,
    reference_data,
    sanitised,
    suggestions,
    with_account_ids,
)
from clones.tracker.rules.jql.fields import resolve_field
from clones.tracker.rules.jql.nodes import Field as Named
from clones.tracker.rules.jql.reference import PREDICATES

Json = dict[str, Any]
NO_QUERIES: Final = "The queries has to be provided."
MOST_SANITISED: Final = 20
MOST_CONVERTED: Final = 100


class ReferenceBody(Body):
    """The spaces of which JQL reference data is shown, and whether fields are collapsed."""

    collapsed: bool = Field(False, alias="includeCollapsedFields")
    project_ids: list[int] = Field(default_factory=list, alias="projectIds")


class SuggestionsQuery(Query):
    """The JQL field, or its predicate, whose values are suggested, and the text so far."""

    field_name: str | None = Field(None, alias="fieldName")
    field_value: str | None = Field(None, alias="fieldValue")
    predicate_name: str | None = Field(None, alias="predicateName")
    predicate_value: str | None = Field(None, alias="predicateValue")


class ParseQuery(Query):
    """How strictly JQL queries are validated."""

    validation: Literal["strict", "warn", "none"] = "strict"


class ParseBody(Body):
    """JQL queries to parse."""

    queries: list[str]


class ToSanitise(Body):
    """A JQL query to sanitise, and its reader: without an account nobody in particular."""

    query: str
    account_id: str | None = Field(None, alias="accountId")


class SanitiseBody(Body):
    """JQL queries to sanitise."""

    queries: list[ToSanitise] | None = None


class CleanBody(Body):
    """JQL queries whose user names or keys become account ids."""

    texts: list[str] = Field(default_factory=list, alias="queryStrings")


@operation(
    "getAutoComplete",
    "GET",
    "/rest/api/3/jql/autocompletedata",
    summary="List the fields, functions and reserved words of queries.",
    access="anyone",
)
def get_reference(call: Call) -> Json:
    """Return the reference data."""
    return reference_data(site_of(actor(call)))


@operation(
    "getAutoCompletePost",
    "POST",
    "/rest/api/3/jql/autocompletedata",
    summary="List the fields of some spaces, functions and reserved words of queries.",
    body=ReferenceBody,
    access="anyone",
    writes=False,
)
def post_reference(call: Call) -> Json:
    """Return the reference data, with the custom fields of some spaces only."""
    body: ReferenceBody = call.body
    site = _Narrowed(actor(call), body.project_ids) if body.project_ids else site_of(actor(call))
    return reference_data(site, collapsed=body.collapsed)


class _Narrowed(DatabaseSite):
    """A site with the custom fields that some spaces have."""

    def __init__(self, rights: Rights, projects: list[int]) -> None:
        super().__init__(site_of(rights).sight)
        everywhere = FieldContext.objects.filter(all_projects=True).values_list("field", flat=True)
        here = FieldContextProject.objects.filter(project__in=projects)
        there = set(everywhere) | set(here.values_list("context__field", flat=True))
        self._there = [one for one in super().custom_fields() if one.number in there]

    def custom_fields(self) -> Any:
        """Return the custom fields of the spaces."""
        return self._there


@operation(
    "getFieldAutoCompleteForQueryString",
    "GET",
    "/rest/api/3/jql/autocompletedata/suggestions",
    summary="Offer values of a field, or of a predicate of its past.",
    query=SuggestionsQuery,
    access="anyone",
)
def suggest(call: Call) -> Json:
    """Offer values."""
    asked: SuggestionsQuery = call.query
    if asked.field_name is None:
        raise Invalid("The fieldName parameter must be provided.")
    if asked.predicate_value is not None and asked.predicate_name is None:
        raise Invalid("The predicateName parameter must be provided with predicateValue.")
    site = site_of(actor(call))
    typed = (asked.field_value or "").strip()
    if asked.predicate_name is not None:
        name = asked.predicate_name.lower()
        if name not in PREDICATES:
            raise Invalid(f"The predicate '{asked.predicate_name}' is not supported.")
        typed = (asked.predicate_value or "").strip()
        if name == "by":
            return suggestions(people(typed), typed)
    field = resolve_field(_named(asked.field_name), site)
    if field is None or not field.type.suggests:
        return {"results": []}
    return suggestions(offered(field, typed, site), typed)


def _named(text: str) -> Named:
    name = text.strip().strip('"')
    digits = name.lower().removeprefix("cf[").removesuffix("]")
    if name.lower().startswith("cf[") and is_digits(digits):
        return Named(f"cf[{int(digits[:18])}]", int(digits[:18]))
    return Named(name)


@operation(
    "parseJqlQueries",
    "POST",
    "/rest/api/3/jql/parse",
    summary="Tell the parts of queries, and what is wrong with them.",
    query=ParseQuery,
    body=ParseBody,
    access="anyone",
    writes=False,
)
def parse(call: Call) -> Json:
    """Look into queries."""
    if not call.body.queries:
        raise Invalid(NO_QUERIES)
    site = site_of(actor(call))
    return {"queries": [parsed(text, site, call.query.validation) for text in call.body.queries]}


@operation(
    "sanitiseJqlQueries",
    "POST",
    "/rest/api/3/jql/sanitize",
    summary="Write ids in queries for names that their readers may not see.",
    body=SanitiseBody,
    access="admin",
    writes=False,
)
def sanitise(call: Call) -> Json:
    """Sanitise queries."""
    given: list[ToSanitise] = call.body.queries or []
    if not given:
        raise Invalid(NO_QUERIES)
    if len(given) > MOST_SANITISED:
        raise Invalid(f"The maximum number of queries is {MOST_SANITISED}.")
    if len({(one.query, one.account_id) for one in given}) < len(given):
        raise Invalid("The queries must be unique.")
    accounts = {one.account_id for one in given if one.account_id is not None}
    users = {user.account_id: user for user in User.objects.filter(account_id__in=accounts)}
    rights = {account: Rights(users.get(account or "")) for account in {*accounts, None}}
    return {"queries": [_sanitised(one, rights[one.account_id]) for one in given]}


def _sanitised(one: ToSanitise, reader: Rights) -> Json:
    found: Json = {"initialQuery": one.query}
    if one.account_id is not None:
        found["accountId"] = one.account_id
    if one.account_id is not None and reader.user is None:
        text = f"The user with account ID '{one.account_id}' does not exist."
        return found | {"errors": {"errorMessages": [text], "errors": {}}}
    try:
        text = sanitised(one.query, site_of(None), site_of(reader))
    except JqlError as error:
        return found | {"errors": {"errorMessages": error.texts, "errors": {}}}
    return found | {"sanitizedQuery": text}


@operation(
    "migrateQueries",
    "POST",
    "/rest/api/3/jql/pdcleaner",
    summary="Write account ids in queries for other names of people.",
    body=CleanBody,
    writes=False,
)
def clean(call: Call) -> Json:
    """Write account ids for names."""
    texts: list[str] = call.body.texts
    if len(texts) > MOST_CONVERTED:
        raise Invalid(f"The maximum number of queries is {MOST_CONVERTED}.")
    site, known = site_of(actor(call)), _former_names()
    whole, unknown = [], []
    for text in texts:
        converted, complete = with_account_ids(text, site, known)
        if complete:
            whole.append(converted)
        else:
            unknown.append({"originalQuery": text, "convertedQuery": converted})
    return {"queryStrings": whole, "queriesWithUnknownUsers": unknown}


def _former_names() -> dict[str, str]:
    """Return account ids by what people were called before: user names, which addresses keep."""
    found: dict[str, str] = {}
    rows = User.objects.exclude(email=None).order_by("-id").values_list("email", "account_id")
    for email, account in rows:
        found[str(email).lower()] = account
        found[str(email).partition("@")[0].lower()] = account
    return found
