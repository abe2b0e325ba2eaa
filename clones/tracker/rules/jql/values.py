"""Operands of a field: what each of them means, or what is wrong with it."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final, TypeAlias

from clones.tracker.rules.jql import calling, dates
from clones.tracker.rules.jql.durations import work_seconds
from clones.tracker.rules.jql.errors import JqlError, Message, MessageKind
from clones.tracker.rules.jql.nodes import Empty, Function, Value
from clones.tracker.rules.jql.plan import Item, Ref
from clones.tracker.rules.jql.site import ResolvedField, SiteView
from clones.tracker.rules.jql.words import whole_number

# Kinds whose values are the texts themselves: none of them can be unknown.
_FREE: Final = frozenset({"label", "string", "property", "design", "vulnerability"})
# Kinds whose values are told by functions only.
_CALLED: Final = frozenset({"sla", "approval"})
_TIMES: Final = frozenset({"date", "datetime"})
_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*-[0-9]{1,18}")
_COUNTED: Final = {"votes": "Votes", "watchers": "Watches"}
# Kinds whose values are things of another kind.
_ALIKE: Final = {"rank": "issue", "cascade": "option"}

Single: TypeAlias = Value | Function | Empty


def thing(kind: str) -> str:
    """Return the kind of things that a site is asked for, for a kind of field."""
    return _ALIKE.get(kind, kind)


def error(text: str, kind: MessageKind = MessageKind.VALUE) -> JqlError:
    """Return an error of one sentence."""
    return JqlError((Message(kind, text),))


def no_empties(field: ResolvedField) -> JqlError:
    """Return what is said of EMPTY where a field always has a value."""
    text = f"The field '{field.typed}' does not support searching for EMPTY values."
    return error(text, MessageKind.OPERAND)


def no_answer(field: ResolvedField, function: Function, site: SiteView) -> JqlError:
    """Return what is said of a function whose answers are no values of the field.

    Raises:
        JqlError: there is no such function, or it is called wrongly.
    """
    calling.checked(function, site)
    text = (
        f"A value provided by the function '{function.name}' is invalid for the field "
        f"'{field.typed}'."
    )
    return error(text, MessageKind.OPERAND)


def is_blank(field: ResolvedField, single: Single) -> bool:
    """Tell whether an operand means that there is no value.

    Raises:
        JqlError: the field cannot be asked for that.
    """
    if isinstance(single, Empty):
        if not field.type.may_be_empty:
            raise no_empties(field)
        return True
    if field.type.kind != "resolution" or not isinstance(single, Value):
        return False
    return single.text.lower() == "unresolved"


def items(field: ResolvedField, single: Value | Function, site: SiteView) -> tuple[Item, ...]:
    """Return the things that an operand names: several where names are alike.

    Raises:
        JqlError: there is none. Of users that is a warning: `MessageKind.USER`.
    """
    if isinstance(single, Function):
        return _answers(field, single, site)
    kind = thing(field.type.kind)
    if kind in _FREE:
        return (Ref(single.text),)
    if kind in _CALLED:
        raise error(f"The value '{single.text}' does not exist for the field '{field.typed}'.")
    by_id = site.identified(kind, single.text, field)
    if single.number and by_id:
        return (Ref(single.text),)
    ids = tuple(map(Ref, site.named(kind, single.text, field)))
    if ids or by_id:
        return ids or (Ref(single.text),)
    raise _unknown(field, kind, single)


def _unknown(field: ResolvedField, kind: str, value: Value) -> JqlError:
    name, text = field.typed, value.text
    if kind == "user":
        return error(f"The value '{text}' does not exist for the field '{name}'.", MessageKind.USER)
    if value.number:
        return error(f"A value with ID '{text}' does not exist for the field '{name}'.")
    if kind == "option":
        return error(f"The option '{text}' for field '{name}' does not exist.")
    if kind == "issue":
        if _KEY.fullmatch(text):
            return error(f"An issue with key '{text}' does not exist for field '{name}'.")
        return error(f"The issue key '{text}' for field '{name}' is invalid.")
    return error(f"The value '{text}' does not exist for the field '{name}'.")


def _answers(field: ResolvedField, function: Function, site: SiteView) -> tuple[Item, ...]:
    type_ = calling.checked(function, site)
    alike = {thing(field.type.kind), field.type.kind}
    if type_.kind not in alike:
        raise no_answer(field, function, site)
    if type_.key == "currentUser":
        account = site.viewer.account_id
        return (Ref(account),) if account is not None else ()
    return (calling.call(function, type_, field, site),)


def moment(field: ResolvedField, single: Value | Function, site: SiteView) -> datetime | None:
    """Return the moment of an operand; None for a function's that never was.

    Raises:
        JqlError: it is no date.
    """
    return _moment(single, site, f"field '{field.typed}'")


def predicate_moment(name: str, single: Single, site: SiteView) -> datetime | None:
    """Return the moment of a predicate's operand; None for a function's that never was.

    Raises:
        JqlError: it is no date.
    """
    if isinstance(single, Empty):
        raise error(f"Date value 'EMPTY' for predicate '{name}' is invalid. {dates.FORMATS}")
    return _moment(single, site, f"predicate '{name}'")


def _moment(single: Value | Function, site: SiteView, where: str) -> datetime | None:
    if isinstance(single, Function):
        type_ = calling.checked(single, site)
        if type_.kind not in _TIMES:
            raise error(
                f"A date for the {where} provided by the function '{single.name}' is not valid.",
                MessageKind.OPERAND,
            )
        return calling.moment(single, type_, site)
    number = whole_number(single.text) if single.number else None
    found = dates.epoch(number) if number is not None else dates.literal(single.text, site.viewer)
    if found is None:
        raise error(f"Date value '{single.text}' for {where} is invalid. {dates.FORMATS}")
    return found


def amount(field: ResolvedField, single: Value | Function, site: SiteView) -> Decimal:
    """Return the number of an operand, or its seconds for a field of durations.

    Raises:
        JqlError: it is none.
    """
    if isinstance(single, Function):
        raise no_answer(field, single, site)
    name, text = field.typed, single.text
    if field.type.kind == "duration":
        seconds = work_seconds(text, site.viewer)
        if seconds is None:
            raise error(
                f"The value '{text}' for field '{name}' is invalid. Please specify a positive "
                "duration format; for example: '1h 30m', '2d'."
            )
        return seconds
    if field.key in _COUNTED:
        whole = whole_number(text)
        if whole is None or whole < 0:
            raise error(
                f"Value '{text}' is invalid for the '{name}' field. {_COUNTED[field.key]} must be "
                "a positive whole number."
            )
        return Decimal(whole)
    if field.key == "workratio":
        whole = whole_number(text)
        if whole is None:
            raise error(
                f"The value '{text}' for field '{name}' is invalid - please specify an integer."
            )
        return Decimal(whole)
    return _decimal(name, text)


def _decimal(name: str, text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal("NaN")
    # What no number of a record can be is none here either.
    if not found.is_finite() or abs(found.adjusted()) > 300 or "_" in text:
        raise error(f"Value '{text}' for the '{name}' field is not a valid number.")
    return found
