"""Searching issues: by pages that tokens lead to, by counting, by matching, and the old way.

The old addresses are gone for good at the vendor; the setting `legacy_search` brings them back for
clients that know no others.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.errors import PAYLOAD, Unreadable
from clones.tracker.api.operations import Body, Query, actor, csv, operation, show
from clones.tracker.api.paging import state_of, token_of
from clones.tracker.api.presenters.issues import IssueAnswer
from clones.tracker.domain.errors import Gone, Invalid
from clones.tracker.domain.settings import setting
from clones.tracker.models import Issue
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import (
    RunnableQuery,
    matching_ids,
    planned_search,
    read_search,
    search_of,
    site_of,
)
from clones.tracker.rules.jql import JqlError, JqlSyntaxError, parse, plan_text, require_bounds
from clones.tracker.rules.jql.errors import UNKNOWN_VALUES
from clones.tracker.rules.jql.planning import UNBOUNDED
from clones.tracker.rules.jql.words import quoted

Json = dict[str, Any]
MOST: Final = 5000
MOST_OLD: Final = 100
MOST_PROPERTIES: Final = 5
MOST_RECONCILED: Final = 50
MOST_MATCHED: Final = 1000
REMOVED: Final = (
    "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full "
    "migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046"
)
# Words without anything that only queries have.
_BARE: Final = re.compile(r"(?!order\s+by\b)[\w\s.-]+", re.IGNORECASE)


class SearchQuery(Query):
    """A JQL search by tokens: query, page size, fields, expansions, properties."""

    jql: str | None = None
    token: str | None = Field(None, alias="nextPageToken")
    max_results: int | None = Field(None, alias="maxResults")
    fields: CommaList[str] | None = None
    expand: CommaList[str] = []
    properties: CommaList[str] | None = None
    reconciled: CommaList[int] | None = Field(None, alias="reconcileIssues")


class SearchBody(Body):
    """A JQL search by tokens, as a body; unknown keys are refused, as the vendor does."""

    model_config = ConfigDict(extra="forbid")

    jql: str | None = None
    token: str | None = Field(None, alias="nextPageToken")
    max_results: int | None = Field(None, alias="maxResults")
    fields: list[str] | None = None
    expand: str | None = None
    properties: list[str] | None = None
    reconciled: list[int] | None = Field(None, alias="reconcileIssues")
    by_keys: bool | None = Field(None, alias="fieldsByKeys")

    @model_validator(mode="wrap")
    @classmethod
    def _whole(cls, given: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        """Refuse what does not fit in one sentence, which names no field."""
        try:
            found = read(given)
        except (ValidationError, Invalid) as error:
            raise Unreadable(PAYLOAD) from error
        if isinstance(given, dict) and isinstance(given.get("maxResults"), bool):
            raise Unreadable(PAYLOAD)
        return found


class OldQuery(Query):
    """A JQL search by offsets, which the vendor gave up: query, page, fields, validation."""

    jql: str | None = None
    start: int = Field(0, alias="startAt")
    max_results: int = Field(50, alias="maxResults")
    validation: str = Field("strict", alias="validateQuery")
    fields: CommaList[str] | None = None
    expand: CommaList[str] | None = None
    properties: CommaList[str] | None = None


class OldBody(Body):
    """A JQL search by offsets, which the vendor gave up, as a body."""

    jql: str | None = None
    start: int = Field(0, alias="startAt")
    max_results: int = Field(50, alias="maxResults")
    validation: Literal["strict", "warn", "none", "true", "false"] = Field(
        "strict", alias="validateQuery"
    )
    fields: list[str] | None = None
    expand: list[str] | None = None
    properties: list[str] | None = None


class CountBody(Body):
    """The JQL query whose issues are counted roughly."""

    jql: str | None = None


class MatchBody(Body):
    """JQL queries, and the issues that may match them."""

    jqls: list[str]
    ids: list[int] = Field(alias="issueIds")


def bounded_search(text: str | None, rights: Rights) -> RunnableQuery:
    """Return a search that narrows what it looks through.

    Bare words that are no query at all are looked for in texts; a query that cannot be run is
    refused, even if it is written in letters alone.

    Raises:
        JqlError: it cannot be run.
    """
    jql = (text or "").strip()
    if not jql:
        raise Invalid(UNBOUNDED)
    site = site_of(rights)
    try:
        plan = plan_text(jql, site)
        require_bounds(parse(jql))
        return search_of(plan, jql, site)
    except JqlSyntaxError:
        if not _BARE.fullmatch(jql):
            raise
    return planned_search(f"text ~ {quoted(jql)}", site, bounded=True)


def answer_of(
    call: Call, issues: list[Issue], asked: Any, expand: Collection[str], default: str
) -> tuple[list[Json], Json]:
    """Return the bodies of issues, and the names and schemas of their fields if asked."""
    properties = csv(asked.properties)
    if len(properties) > MOST_PROPERTIES:
        raise Invalid(f"The maximum number of properties is {MOST_PROPERTIES}.")
    fields = csv(asked.fields) or None
    apart = {"names", "schema"}
    found = IssueAnswer(
        issues,
        fields,
        show(call),
        [word for word in expand if word not in apart],
        default=default,
        properties=properties,
    )
    beside: Json = {}
    if "names" in expand:
        beside["names"] = found.names()
    if "schema" in expand:
        beside["schema"] = found.schema()
    return found.issues(), beside


def _search(call: Call, asked: Any) -> Json:
    place = state_of(asked.token) if asked.token else None
    size = 50 if asked.max_results is None else asked.max_results
    if not 1 <= size <= MOST:
        raise Invalid(f"The max results parameter has to be between 1 and {MOST:,}.")
    if len(asked.reconciled or ()) > MOST_RECONCILED:
        raise Invalid(f"The maximum number of issues to reconcile is {MOST_RECONCILED}.")
    found = bounded_search(asked.jql, actor(call))
    issues, after = found.page(place, size)
    shown, beside = answer_of(call, issues, asked, csv(asked.expand), "id")
    body: Json = {"issues": shown, "isLast": after is None, **beside}
    return body if after is None else body | {"nextPageToken": token_of(after)}


@operation(
    "searchAndReconsileIssuesUsingJql",
    "GET",
    "/rest/api/3/search/jql",
    summary="Search issues by JQL, page by page.",
    query=SearchQuery,
    access="anyone",
)
def search_by_query(call: Call) -> Json:
    """Search issues."""
    return _search(call, call.query)


@operation(
    "searchAndReconsileIssuesUsingJqlPost",
    "POST",
    "/rest/api/3/search/jql",
    summary="Search issues by JQL, page by page.",
    body=SearchBody,
    access="anyone",
    writes=False,
)
def search_by_body(call: Call) -> Json:
    """Search issues."""
    if not call.request.body:
        raise Unreadable("No content to map to Object due to end of input")
    return _search(call, call.body)


@operation(
    "countIssues",
    "POST",
    "/rest/api/3/search/approximate-count",
    summary="Count the issues that a query finds.",
    body=CountBody,
    access="anyone",
    writes=False,
)
def count_issues(call: Call) -> Json:
    """Count issues."""
    return {"count": bounded_search(call.body.jql, actor(call)).found.count()}


@operation(
    "matchIssues",
    "POST",
    "/rest/api/3/jql/match",
    summary="Tell which of some issues each of some queries finds.",
    body=MatchBody,
    access="anyone",
    writes=False,
)
def match_issues(call: Call) -> Json:
    """Tell which queries find which issues."""
    body: MatchBody = call.body
    if len(body.ids) > MOST_MATCHED or len(body.jqls) > MOST_MATCHED:
        raise Invalid(f"The maximum number of queries and of issues is {MOST_MATCHED} each.")
    # What no key can be finds nothing.
    ids = [id for id in body.ids if 0 < id < 2**63]
    return {"matches": [_matches(text, ids, actor(call)) for text in body.jqls]}


def _matches(text: str, ids: list[int], rights: Rights) -> Json:
    try:
        found = matching_ids(text, rights, ids)
    except JqlError as error:
        # A value that is not there finds nothing; only what cannot be asked at all is an error.
        texts = [one.text for one in error.messages if one.kind not in UNKNOWN_VALUES]
        return {"matchedIssues": [], "errors": texts}
    return {"matchedIssues": [id for id in dict.fromkeys(ids) if id in found], "errors": []}


def _old_search(call: Call, asked: Any) -> Json:
    if not setting("legacy_search"):
        raise Gone(REMOVED)
    if asked.start < 0 or asked.max_results < 0:
        raise Invalid("The startAt and maxResults parameters must not be negative.")
    most, warnings = min(asked.max_results, MOST_OLD), []
    issues: list[Issue] = []
    total = 0
    try:
        found = read_search(asked.jql or "", actor(call))
        total = found.found.count()
        issues = found.some(most, asked.start)
    except JqlError as error:
        # What is no query at all is refused however little is checked.
        if asked.validation in {"strict", "true"} or isinstance(error, JqlSyntaxError):
            raise
        warnings = error.texts if asked.validation == "warn" else []
    expand = csv(asked.expand)
    shown, beside = answer_of(call, issues, asked, expand, "*navigable")
    body: Json = {
        "expand": "schema,names",
        "startAt": asked.start,
        "maxResults": most,
        "total": total,
        "issues": shown,
        **beside,
    }
    return body | {"warningMessages": warnings} if warnings else body


@operation(
    "searchForIssuesUsingJql",
    "GET",
    "/rest/api/3/search",
    summary="Search issues by JQL the old way, where the site still has it.",
    query=OldQuery,
    access="anyone",
)
def old_search_by_query(call: Call) -> Json:
    """Search issues the old way."""
    return _old_search(call, call.query)


@operation(
    "searchForIssuesUsingJqlPost",
    "POST",
    "/rest/api/3/search",
    summary="Search issues by JQL the old way, where the site still has it.",
    body=OldBody,
    access="anyone",
    writes=False,
)
def old_search_by_body(call: Call) -> Json:
    """Search issues the old way."""
    return _old_search(call, call.body)
