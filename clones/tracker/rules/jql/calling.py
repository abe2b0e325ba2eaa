"""Functions: whether their arguments are right, and what is known of their answers without data."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from clones.tracker.rules.jql import dates
from clones.tracker.rules.jql.catalogue import FunctionType, functions
from clones.tracker.rules.jql.errors import JqlError, Message, MessageKind
from clones.tracker.rules.jql.fields import resolve_function
from clones.tracker.rules.jql.nodes import Function
from clones.tracker.rules.jql.plan import Call
from clones.tracker.rules.jql.printing import shown_call
from clones.tracker.rules.jql.site import ResolvedField, SiteView


class _Argument(NamedTuple):
    """What an argument names, and what is said where there is no such thing."""

    kind: str
    missing: str


_PROJECT = _Argument(
    "project", "Could not resolve the project '{argument}' provided to function '{function}'."
)
_ISSUE = _Argument("issue", "Issue '{argument}' could not be found in function '{function}'.")
_LINK = _Argument(
    "link type", "Issue link type '{argument}' could not be found in function '{function}'."
)
_USER = _Argument(
    "user", "The user '{argument}' does not exist, as provided to function '{function}'."
)
_GROUP = _Argument(
    "group",
    "Function '{function}' can not generate a list of usernames for group '{argument}'; the group "
    "does not exist.",
)
_SPRINT = _Argument(
    "sprint", "Could not resolve the sprint '{argument}' provided to function '{function}'."
)
_ROLE = _Argument(
    "role", "Could not resolve the role '{argument}' provided to function '{function}'."
)
_PERMISSION = _Argument(
    "permission", "Could not resolve the permission '{argument}' provided to function '{function}'."
)
_ORGANIZATION = _Argument(
    "organization",
    "Could not resolve the organization '{argument}' provided to function '{function}'.",
)
_OPTION = _Argument(
    "option",
    "The option '{argument}' specified in function '{function}' is not a valid parent option.",
)
# The first argument, and all that follow; None for any text.
_ARGUMENTS: Final[dict[str, tuple[_Argument | None, _Argument | None]]] = {
    "componentsLeadByUser": (_USER, None),
    "earliestUnreleasedVersion": (_PROJECT, None),
    "latestReleasedVersion": (_PROJECT, None),
    "linkedIssues": (_ISSUE, _LINK),
    "membersOf": (_GROUP, None),
    "organizationMembers": (_ORGANIZATION, None),
    "portfolioChildIssuesOf": (_ISSUE, None),
    "projectsLeadByUser": (_USER, None),
    "projectsWhereUserHasPermission": (_PERMISSION, None),
    "projectsWhereUserHasRole": (_ROLE, None),
    "releasedVersions": (_PROJECT, _PROJECT),
    "unreleasedVersions": (_PROJECT, _PROJECT),
    "updatedBy": (_USER, None),
    "workItemsAddedDuringSprint": (_SPRINT, _SPRINT),
    "workItemsRemovedDuringSprint": (_SPRINT, _SPRINT),
    "cascadeOption": (_OPTION, None),
    "choiceOption": (_OPTION, _OPTION),
}
_NEEDS_VIEWER: Final = frozenset({"votedIssues", "watchedIssues"})


def checked(function: Function, site: SiteView) -> FunctionType:
    """Return the function that is called.

    Raises:
        JqlError: the site has none of this name, or its arguments are too few or too many.
    """
    type_ = resolve_function(function.name, site)
    if type_ is None:
        raise _error(f"Unable to find JQL function '{shown_call(function)}'.")
    given = len(function.arguments)
    if given < type_.least or (type_.most is not None and given > type_.most):
        raise _error(_wrong_number(type_, function, given))
    if type_.key in _NEEDS_VIEWER and site.viewer.account_id is None:
        raise _error(f"Function '{function.name}' cannot be called as anonymous user.")
    return type_


def expected_names(function: Function) -> Iterator[tuple[str, str]]:
    """Yield the kinds and names of things that a call speaks of."""
    type_ = functions().get(function.name.lower())
    first, others = _ARGUMENTS.get(type_.key, (None, None)) if type_ is not None else (None, None)
    for position, argument in enumerate(function.arguments):
        wanted = first if position == 0 else others
        if wanted is not None:
            yield wanted.kind, argument


def _wrong_number(type_: FunctionType, function: Function, given: int) -> str:
    if type_.key == "linkedIssues":
        return (
            "Incorrect number of arguments for function 'linkedIssues'. Usage: 'linkedIssues ( "
            "issuekey [, linkDescription ]* )'."
        )
    if type_.key == "cascadeOption":
        return (
            "Incorrect number of arguments specified for the function 'cascadeOption'. Usages: "
            "cascadeOption(parentOption), cascadeOption(parentOption, childOption), "
            'cascadeOption(parentOption, "None").'
        )
    name = function.name
    if type_.most is None:
        least = type_.least
        return f"Function '{name}' expected at least '{least}' arguments but received '{given}'."
    if type_.most == type_.least:
        return f"Function '{name}' expected '{type_.least}' arguments but received '{given}'."
    return (
        f"Function '{name}' expected between '{type_.least}' and '{type_.most}' arguments but "
        f"received '{given}'."
    )


def _error(text: str) -> JqlError:
    return JqlError((Message(MessageKind.OPERAND, text),))


def moment(function: Function, type_: FunctionType, site: SiteView) -> datetime | None:
    """Return the moment that a function of dates answers; None for one that never was.

    Raises:
        JqlError: its argument is no duration.
    """
    viewer = site.viewer
    if dates.is_calendar(type_.key):
        argument = function.arguments[0] if function.arguments else None
        answer = dates.calendar_moment(type_.key, argument, viewer)
        if answer is None:
            raise _error(
                f"Duration for function '{function.name}' should have the format (+/-)n(yMwdm), "
                "e.g -1M for 1 month earlier."
            )
        return answer
    return {
        "now": viewer.now,
        "currentLogin": viewer.login,
        "lastLogin": viewer.previous_login,
    }[type_.key]


def call(function: Function, type_: FunctionType, field: ResolvedField, site: SiteView) -> Call:
    """Return a call with what its arguments name.

    Raises:
        JqlError: there is no such thing.
    """
    resolved = tuple(_arguments(function, type_, field, site))
    return Call(type_.key, resolved)


def _arguments(
    function: Function, type_: FunctionType, field: ResolvedField, site: SiteView
) -> Iterator[tuple[str, ...]]:
    first, others = _ARGUMENTS.get(type_.key, (None, None))
    for position, argument in enumerate(function.arguments):
        wanted = first if position == 0 else others
        if wanted is None:
            yield (argument,)
            continue
        context = field if wanted is _OPTION else None
        ids = tuple(site.named(wanted.kind, argument, context))
        if not ids and site.identified(wanted.kind, argument, context):
            ids = (argument,)
        if not ids:
            raise _error(wanted.missing.format(argument=argument, function=function.name))
        yield ids
