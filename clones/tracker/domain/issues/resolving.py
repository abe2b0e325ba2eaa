"""What clients send as values of fields, made the records that they name.

Each kind has a reader; what it cannot read is a `BadValue` with the vendor's sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlsplit

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.issues.hierarchy import check_parent
from clones.tracker.domain.issues.named import (
    BadValue,
    chosen_option,
    find_component,
    find_group,
    find_issue_named,
    find_level,
    find_priority,
    find_project_named,
    find_resolution,
    find_sprint,
    find_user,
    find_version,
)
from clones.tracker.domain.richtext import Version as TextVersion
from clones.tracker.domain.richtext import read_rich_text
from clones.tracker.domain.site_options import NOBODYS, unassigned_allowed
from clones.tracker.models import FieldOption, Issue, Sprint, User
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import NotADuration, parse

__all__ = ["AUTOMATIC", "BadValue", "Resolver"]

NOT_A_STRING: Final = "Operation value must be a string"
NOT_A_NUMBER: Final = "Operation value must be a number"
NOT_AN_ARRAY: Final = "data was not an array"
LINE: Final = 255
SUMMARY_TOO_LONG: Final = "Summary can't exceed 255 characters."
SUMMARY_BROKEN: Final = "The summary is invalid because it contains newline characters."
TOO_LONG: Final = "The entered text is too long. It exceeds the allowed limit of 255 characters."
AUTOMATIC: Final = "-1"  # whom the space names its default assignee
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Resolver:
    """Reads the values of one request."""

    def __init__(
        self, fieldset: Fieldset, issue: Issue | None, actor: Rights, version: TextVersion
    ) -> None:
        self.fieldset = fieldset
        self.project = fieldset.project
        self.issue = issue
        self.actor = actor
        self.version = version

    def value(self, field: IssueField, asked: Any) -> Any:
        """Return the whole value that was sent.

        Raises:
            BadValue: it is none of this field.
        """
        if not field.kind.several:
            return self.one(field, asked)
        if asked is None:
            return ()
        if not isinstance(asked, list):
            raise BadValue(NOT_AN_ARRAY)
        return tuple(dict.fromkeys(self.one(field, item) for item in asked))

    def one(self, field: IssueField, asked: Any) -> Any:
        """Return one value: all of a single field's, one of a list's.

        Raises:
            BadValue: it is none of this field.
        """
        return self._readers[field.kind.name](field, asked)

    @cached_property
    def _readers(self) -> dict[str, Callable[[IssueField, Any], Any]]:
        return {
            "text": self._text,
            "url": self._url,
            "readonly": self._text,
            "rich": self._rich,
            "number": self._number,
            "day": self._day,
            "moment": self._moment,
            "option": self._option,
            "options": self._option,
            "cascade": self._cascade,
            "user": self._user,
            "users": self._user,
            "group": find_group,
            "groups": find_group,
            "version": lambda field, asked: find_version(field, asked, self.project),
            "versions": lambda field, asked: find_version(field, asked, self.project),
            "components": lambda field, asked: find_component(asked, self.project),
            "labels": self._label,
            "project": lambda field, asked: find_project_named(asked, self.actor),
            "parent": self._parent,
            "epic_link": self._epic,
            "epic_name": self._text,
            "priority": lambda field, asked: find_priority(asked, self.project),
            "resolution": lambda field, asked: find_resolution(asked),
            "security": lambda field, asked: find_level(asked, self.project, self.actor),
            "timetracking": self._estimates,
            "sprint": self._sprint,
        }

    def _text(self, field: IssueField, asked: Any) -> str | None:
        if asked is None:
            return None
        if not isinstance(asked, str) or "\0" in asked:
            raise BadValue(NOT_A_STRING)
        if field.id != "summary":
            if len(asked) > LINE:
                raise BadValue(TOO_LONG)
            return asked or None
        found = asked.strip()
        if "\n" in found or "\r" in found:
            raise BadValue(SUMMARY_BROKEN)
        if len(found) > LINE:
            raise BadValue(SUMMARY_TOO_LONG)
        return found

    def _url(self, field: IssueField, asked: Any) -> str | None:
        found = self._text(field, asked)
        if found is not None and not all(_parts_of(found)):
            raise BadValue("Not a valid URL")
        return found

    def _rich(self, field: IssueField, asked: Any) -> dict[str, Any] | None:
        try:
            return read_rich_text(asked, self.version, field.id)
        except Invalid as error:
            if error.messages:
                raise
            raise BadValue(error.fields[field.id]) from error

    def _number(self, field: IssueField, asked: Any) -> float | None:
        if asked is None:
            return None
        if isinstance(asked, bool) or not isinstance(asked, int | float):
            raise BadValue(NOT_A_NUMBER)
        found = float(asked)
        if not math.isfinite(found) or abs(found) > 1e14:
            raise BadValue(NOT_A_NUMBER)
        return found + 0.0  # minus nothing is nothing

    def _day(self, field: IssueField, asked: Any) -> date | None:
        if asked is None or asked == "":
            return None
        if not isinstance(asked, str):
            raise BadValue(NOT_A_STRING)
        try:
            if _DAY.fullmatch(asked):
                return date.fromisoformat(asked)
        except ValueError:
            pass
        raise BadValue(f"Error parsing date string: {asked}")

    def _moment(self, field: IssueField, asked: Any) -> datetime | None:
        if asked is None or asked == "":
            return None
        if not isinstance(asked, str):
            raise BadValue(NOT_A_STRING)
        try:
            found = datetime.fromisoformat(asked)
        except ValueError as error:
            raise BadValue(f"Error parsing time: {asked}") from error
        moment = found if found.tzinfo is not None else found.replace(tzinfo=self.actor.zone)
        try:
            return moment.astimezone(UTC)
        except OverflowError as error:
            raise BadValue(f"Error parsing time: {asked}") from error

    def _option(self, field: IssueField, asked: Any) -> FieldOption | None:
        options = [one for one in self.fieldset.options(field) if one.parent_id is None]
        found = chosen_option(field, asked, options)
        if found is None and field.kind.several:
            raise BadValue(f"Specify a valid 'id' or 'name' for {field.name}")
        return found

    def _cascade(self, field: IssueField, asked: Any) -> FieldOption | None:
        options = self.fieldset.options(field)
        top = chosen_option(field, asked, [one for one in options if one.parent_id is None])
        child = asked.get("child") if isinstance(asked, Mapping) else None
        if top is None or child is None:
            return top
        below = [one for one in options if one.parent_id == top.id]
        return chosen_option(field, child, below) or top

    def _user(self, field: IssueField, asked: Any) -> User | str | None:
        if field.id == "assignee":
            named = asked.get("accountId", asked.get("id")) if isinstance(asked, Mapping) else asked
            if named == AUTOMATIC:
                return AUTOMATIC
        found = find_user(field, asked)
        if field.id == "assignee":
            if found is not None:
                check_assignable(found, self.fieldset, self.issue)
            elif not unassigned_allowed():
                raise BadValue(NOBODYS)
        if found is None and field.kind.several:
            raise BadValue(f"Specify a valid value for {field.name}")
        return found

    def _label(self, field: IssueField, asked: Any) -> str:
        if not isinstance(asked, str) or "\0" in asked:
            raise BadValue(NOT_A_STRING)
        if not asked or any(letter.isspace() for letter in asked):
            raise BadValue(f"The label '{asked}' contains spaces which is invalid.")
        if len(asked) > LINE:
            raise BadValue(f"The label '{asked}' exceeds the maximum length of {LINE} characters.")
        return asked

    def _parent(self, field: IssueField, asked: Any) -> Issue | None:
        if asked is None or (isinstance(asked, Mapping) and asked.get("none") is True):
            found = None
        else:
            found = find_issue_named(asked, self.actor)
        check_parent(self.project, self.fieldset.issue_type, found, self.issue)
        return found

    def _epic(self, field: IssueField, asked: Any) -> Issue | None:
        found = None if asked in (None, "") else find_issue_named({"key": asked}, self.actor)
        check_parent(self.project, self.fieldset.issue_type, found, self.issue)
        return found

    def _estimates(self, field: IssueField, asked: Any) -> dict[str, int | None]:
        if asked is None:
            return {"original": None, "remaining": None}
        if not isinstance(asked, Mapping):
            raise BadValue("data was not an object")
        work = work_time()
        said: dict[str, int | None] = {}
        wrong: dict[str, str] = {}
        for name in ("original", "remaining"):
            text = asked.get(f"{name}Estimate")
            seconds = asked.get(f"{name}EstimateSeconds")
            if text is None and isinstance(seconds, int) and not isinstance(seconds, bool):
                said[name] = max(0, seconds)
            elif text == "":
                said[name] = None
            elif text is not None:
                try:
                    said[name] = parse(str(text), work)
                except NotADuration:
                    wrong[f"timetracking_{name}estimate"] = (
                        f"The {name} estimate specified is not valid."
                    )
        if wrong:
            raise BadValue(by_field=wrong)
        return said

    def _sprint(self, field: IssueField, asked: Any) -> Sprint | None:
        if asked is None or asked == "":
            return None
        if isinstance(asked, list) and len(asked) == 1:
            asked = asked[0]
        return find_sprint(asked)


def check_assignable(user: User, fieldset: Fieldset, issue: Issue | None) -> None:
    """Hold a new assignee to being somebody who can have issues of the space.

    Raises:
        BadValue: they are none.
    """
    rights = Rights(user)
    permission = "ASSIGNABLE_USER"
    if issue is not None:
        able = rights.may_on(permission, issue)
    else:
        able = rights.may(permission, fieldset.project)
    if not user.active or not able:
        raise BadValue(f"User '{user.display_name}' cannot be assigned issues.")


def _parts_of(address: str) -> tuple[str, str]:
    try:
        found = urlsplit(address)
    except ValueError:
        return "", ""
    return found.scheme, found.netloc or found.path
