"""What stands in the forms of request types, and what could."""

from __future__ import annotations

from typing import Final

from clones.tracker.models import RequestType, RequestTypeField, ServiceDesk
from clones.tracker.queries.fieldsets import Fieldset, fields_of

FILES: Final = "attachment"
# The setting of a desk that says what mails become: the id of a request type.
MAIL_TYPE: Final = "email_request_type"
BY_MAIL: Final = frozenset({"summary", "description"})
# What the portal itself sets, or has its own places for.
_NOT_ASKED: Final = frozenset(
    {"project", "issuetype", "reporter", "status", "resolution", "security", "parent", "issuelinks"}
)
_KINDS: Final = frozenset(
    {
        *("text", "url", "rich", "number", "day", "moment", "option", "options", "cascade"),
        *("user", "users", "group", "groups", "version", "versions", "components", "labels"),
        "priority",
    }
)


def fieldset_of_type(row: RequestType) -> Fieldset:
    """Return the fields of the issues that a request type makes."""
    return fields_of(row.desk.project, row.issue_type)


def addable_fields(row: RequestType) -> dict[str, str]:
    """Return the names of the fields that could be added to a form, by id, in their order."""
    already = set(row.fields.values_list("field", flat=True))
    found = {
        id: field.name
        for id, field in fieldset_of_type(row).fields.items()
        if field.kind.name in _KINDS and id not in _NOT_ASKED
    }
    found[FILES] = "Attachment"
    return {id: name for id, name in found.items() if id not in already}


def types_for_mail(desk: ServiceDesk) -> list[RequestType]:
    """Return the request types whose forms a mail fills, in their order.

    They ask for a summary, and require nothing else but what describes it.
    """
    rows = RequestType.objects.filter(desk=desk, restricted=False)
    found = list(rows.select_related("desk__project", "issue_type").order_by("position", "id"))
    asked: dict[int, set[str]] = {row.id: set() for row in found}
    required: dict[int, set[str]] = {row.id: set() for row in found}
    fields = RequestTypeField.objects.filter(request_type__in=asked, visible=True).order_by("id")
    for key, field, must in fields.values_list("request_type_id", "field", "required"):
        asked[key].add(field)
        if must:
            required[key].add(field)
    return [row for row in found if "summary" in asked[row.id] and required[row.id] <= BY_MAIL]
