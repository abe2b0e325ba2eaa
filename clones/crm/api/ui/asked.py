"""What requests to the UI resources say: names between commas, pages, what is shown of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from clones.core.operations.inputs import Query
from clones.crm.api.ui.reading import LAYOUT_TYPES, MODES
from clones.crm.errors import CrmError, NotFound
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import SObject

MOST_IDS = 200


class UiRecordQuery(Query):
    """What is shown of records."""

    fields: str | None = None
    optional_fields: str | None = Field(None, alias="optionalFields")
    layout_types: str | None = Field(None, alias="layoutTypes")
    modes: str | None = None
    update_mru: bool = Field(False, alias="updateMru")


class UiPageQuery(Query):
    """Which page of a list is wanted, of what, in what order."""

    fields: str | None = None
    optional_fields: str | None = Field(None, alias="optionalFields")
    page_size: Annotated[int, Field(ge=1, le=2000, alias="pageSize")] = 50
    page_token: Annotated[int, Field(ge=0, le=10**6, alias="pageToken")] = 0
    sort_by: str | None = Field(None, alias="sortBy")


def names(text: str | None) -> list[str]:
    """Return names that stand between commas."""
    return [one.strip() for one in (text or "").split(",") if one.strip()]


def chosen(text: str | None, known: Sequence[str], parameter: str, default: str) -> list[str]:
    """Return which of some known words stand between commas.

    Raises:
        CrmError: one of them is not known.
    """
    found = names(text) or [default]
    for one in found:
        if one not in known:
            raise CrmError(
                f"Invalid value for parameter {parameter}: {one}",
                code="ILLEGAL_QUERY_PARAMETER_VALUE",
            )
    return found


def layout_types(text: str | None) -> list[str]:
    """Return the types of layouts that stand between commas; the full one where none does."""
    return chosen(text, LAYOUT_TYPES, "layoutTypes", "Full")


def modes(text: str | None) -> list[str]:
    """Return the modes that stand between commas; viewing where none does."""
    return chosen(text, MODES, "modes", "View")


def ui_object(name: str) -> SObject:
    """Return the object of a name.

    Raises:
        CrmError: there is none.
    """
    found = org_schema().find(name)
    if found is None:
        raise CrmError(f"Object API name is invalid: [{name}]", code="INVALID_TYPE", status=400)
    return found


def ids_of(text: str) -> list[tuple[str, SObject | None]]:
    """Return the ids that stand between commas, each with its object; None for what is no id.

    Raises:
        CrmError: there are too many.
    """
    schema, found = org_schema(), []
    given = names(text)
    if len(given) > MOST_IDS:
        raise CrmError(
            f"Too many record ids: the most is {MOST_IDS}", code="ILLEGAL_QUERY_PARAMETER_VALUE"
        )
    for one in given:
        whole = read_id(one)
        found.append((whole or one, None if whole is None else schema.of_id(whole)))
    return found


def one_id(text: str) -> tuple[str, SObject]:
    """Return an id and its object.

    Raises:
        NotFound: the text is an id of no object.
    """
    whole = read_id(text)
    of = None if whole is None else org_schema().of_id(whole)
    if whole is None or of is None:
        raise NotFound
    return whole, of


def page_urls(address: str, asked: Any, *, is_last: bool) -> dict[str, Any]:
    """Return the addresses and tokens of a page and of those beside it."""
    size, start = asked.page_size, asked.page_token
    after, before = start + size, start - size

    def url(token: int) -> str:
        return f"{address}?pageSize={size}&pageToken={token}"

    return {
        "currentPageToken": str(start),
        "currentPageUrl": url(start),
        "nextPageToken": None if is_last else str(after),
        "nextPageUrl": None if is_last else url(after),
        "pageSize": size,
        "previousPageToken": str(max(before, 0)) if start else None,
        "previousPageUrl": url(max(before, 0)) if start else None,
    }
