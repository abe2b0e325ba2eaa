"""Searches by parameters, without a statement: in the address, or in a body.

They are put together as the statement that asks for the same, and run as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from clones.core.operations import Call, InvalidInput
from clones.core.operations.inputs import Body, Query
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.views.searches import answer_of
from clones.crm.errors import CrmError
from clones.crm.queries.schema import org_schema
from clones.crm.queries.sosl.asking import search

_NAMES: Final = re.compile(r"[A-Za-z][\w.]{0,250}(?:\([\w.]{0,250}\))?(?: \w{1,40})?", re.ASCII)
_OPEN_BRACE: Final = re.compile(r"(\\.)|([{}])", re.DOTALL)
_GROUPS: Final = ("ALL", "NAME", "EMAIL", "PHONE", "SIDEBAR")
# Parameters of one object: `Account.limit`.
_OWN: Final = ("fields", "limit", "where", "orderBy", "offset")


def _names(value: Any) -> Any:
    """Return names that stand between commas as a list."""
    if isinstance(value, str):
        return [one.strip() for one in value.split(",") if one.strip()]
    return value


Names = Annotated[list[str], BeforeValidator(_names)]
Count = Annotated[int, Field(ge=0, lt=10**9)]


class SearchedObjectInput(Body):
    """One object of a search by parameters, and what is shown of it."""

    model_config = ConfigDict(populate_by_name=True)

    name: str
    fields: Names = []
    limit: Count | None = None
    where: str | None = None
    order_by: str | None = Field(None, alias="orderBy")
    offset: Count | None = None


class SearchBody(Body):
    """A search by parameters."""

    q: str | None = None
    fields: Names = []
    sobjects: list[SearchedObjectInput] = Field(default_factory=list, max_length=200)
    group: str = Field("ALL", alias="in")
    overall_limit: Count | None = Field(None, alias="overallLimit")
    default_limit: Count | None = Field(None, alias="defaultLimit")
    offset: Count | None = None
    metadata: str | None = None


class SearchQuery(Query):
    """A search by parameters; those of one object begin with its name: `Account.limit`."""

    model_config = ConfigDict(extra="allow")

    q: str | None = None
    sobject: list[str] = Field(default_factory=list, max_length=200)


@versioned(
    "GetParameterizedSearch",
    "GET",
    "/parameterizedSearch",
    summary="Search by parameters.",
    query=SearchQuery,
)
def search_by_query(call: Call) -> dict[str, Any]:
    """Answer with the records that are found."""
    given = {**call.query.model_extra, "q": call.query.q}
    named = [name for text in call.query.sobject for name in _names(text)]
    given["sobjects"] = [
        {"name": name}
        | {key: given[f"{name}.{key}"] for key in _OWN if given.get(f"{name}.{key}") is not None}
        for name in named
    ]
    try:
        asked = SearchBody.model_validate(given)
    except ValidationError as error:
        raise InvalidInput("query", error) from error
    return _answer(call, asked)


@versioned(
    "PostParameterizedSearch",
    "POST",
    "/parameterizedSearch",
    summary="Search by parameters in a body.",
    body=SearchBody,
    writes=False,
)
def search_by_body(call: Call) -> dict[str, Any]:
    """Answer with the records that are found."""
    return _answer(call, call.body)


def _answer(call: Call, asked: SearchBody) -> dict[str, Any]:
    found = search(
        statement_of(asked), user=call.actor.subject, version=version_of(call), root=root(call)
    )
    return answer_of(found)


def statement_of(asked: SearchBody) -> str:
    """Return the statement that asks for the same.

    Raises:
        CrmError: nothing is looked for, or a name is none.
    """
    if not asked.q or not asked.q.strip():
        raise CrmError("A search term has to be specified: q", code="MISSING_ARGUMENT")
    group = asked.group.upper().removesuffix(" FIELDS")
    if group not in _GROUPS:
        raise CrmError(f"Invalid value for parameter in: {asked.group}", code="INVALID_SEARCH")
    parts = [f"FIND {{{term_text(asked.q)}}} IN {group} FIELDS"]
    named = asked.sobjects
    if not named and (asked.fields or asked.default_limit is not None):
        named = [SearchedObjectInput(name=name) for name in _searched()]
    if named:
        parts.append(f"RETURNING {', '.join(_returned(one, asked) for one in named)}")
    if (asked.metadata or "").upper() == "LABELS":
        parts.append("WITH METADATA = 'LABELS'")
    if asked.overall_limit is not None:
        parts.append(f"LIMIT {asked.overall_limit}")
    return " ".join(parts)


def term_text(text: str) -> str:
    """Return what was typed as it stands between the braces of a statement."""
    found = _OPEN_BRACE.sub(lambda hit: hit[1] or f"\\{hit[2]}", text)
    trailing = len(found) - len(found.rstrip("\\"))
    return found[:-1] if trailing % 2 else found


def _searched() -> Iterator[str]:
    for of in org_schema():
        if of.abilities["searchable"] and of.name_field is not None:
            yield of.name


def _returned(one: SearchedObjectInput, asked: SearchBody) -> str:
    fields = _checked(one.fields or asked.fields or ["Id"])
    parts = [", ".join(fields)]
    if one.where:
        parts.append(f"WHERE {one.where}")
    if one.order_by:
        parts.append(f"ORDER BY {one.order_by}")
    limit = asked.default_limit if one.limit is None else one.limit
    offset = asked.offset if one.offset is None else one.offset
    parts += [f"LIMIT {limit}"] if limit is not None else []
    parts += [f"OFFSET {offset}"] if offset is not None else []
    return f"{_checked([one.name])[0]}({' '.join(parts)})"


def _checked(names: Sequence[str]) -> Sequence[str]:
    for name in names:
        if _NAMES.fullmatch(name) is None:
            raise CrmError(f"unexpected token: '{name}'", code="MALFORMED_SEARCH")
    return names
