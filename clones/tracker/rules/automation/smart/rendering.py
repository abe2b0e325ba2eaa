"""Texts with smart values, written out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from clones.tracker.rules.automation.smart import dates, lists, maths, texts
from clones.tracker.rules.automation.smart.parsing import (
    LONGEST,
    Chain,
    Expression,
    Literal,
    Part,
    Plain,
    Section,
    ShownValue,
    SmartValueError,
    Step,
    Sum,
    parse,
)
from clones.tracker.rules.automation.smart.values import (
    SmartRecord,
    is_empty,
    is_many,
    is_true,
    number_of,
    text_of,
)

STEPS: Final = 20_000  # of one text


class Scope:
    """What the names of smart values stand for: names in any case, inner ones before outer."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = {name.lower(): value for name, value in names.items()}

    def with_names(self, names: Mapping[str, Any]) -> Scope:
        """Return a scope in which some names stand for something else."""
        return Scope({**self._names, **names})

    def find(self, name: str) -> Any:
        """Return what a name stands for, None of an unknown one."""
        found = self._names.get(name.lower())
        return found() if callable(found) and not isinstance(found, SmartRecord) else found

    def has(self, name: str) -> bool:
        """Tell whether a name stands for something, be it nothing."""
        return name.lower() in self._names


def render(text: str, scope: Scope) -> str:
    """Return a text with its values in place.

    Raises:
        SmartValueError: it cannot be read, a function cannot be applied, or it becomes too long.
    """
    return _Writer(scope).text(parse(text)) if "{{" in text else text


def evaluate(text: str, scope: Scope) -> Any:
    """Return the value of a text that is one smart value, of any other what it says.

    Raises:
        SmartValueError: as `render`.
    """
    parts = [
        part for part in parse(text) if not (isinstance(part, Plain) and not part.text.strip())
    ]
    if len(parts) == 1 and isinstance(parts[0], ShownValue):
        return _Writer(scope).value(parts[0].expression)
    return render(text, scope)


class _Writer:
    """Writes one text."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.items: list[tuple[Any, bool, bool]] = []  # of lists: the item, whether first, last
        self.steps = 0

    def text(self, parts: Sequence[Part]) -> str:
        """Return what parts say."""
        found: list[str] = []
        length = 0
        for part in parts:
            self._count()
            said = self._text_of_part(part)
            length += len(said)
            if length > LONGEST:
                raise SmartValueError(f"The text is longer than {LONGEST} characters.")
            found.append(said)
        return "".join(found)

    def _text_of_part(self, part: Part) -> str:
        match part:
            case Plain(words):
                return words
            case ShownValue(expression):
                return text_of(self.value(expression))
            case Sum(parts):
                return text_of(maths.calculate(self.text(parts)))
            case Section(expression, parts, inverted):
                value = self.value(expression)
                if inverted:
                    return "" if is_true(value) else self.text(parts)
                return "".join(self._each(value, parts))

    def _each(self, value: Any, parts: Sequence[Part]) -> Iterator[str]:
        if is_many(value):
            last = len(value) - 1
            for place, item in enumerate(value):
                self._count()
                self.items.append((item, place == 0, place == last))
                try:
                    yield self.text(parts)
                finally:
                    self.items.pop()
        elif is_true(value):
            inside = isinstance(value, SmartRecord | Mapping)
            if inside:
                self.items.append((value, True, True))
            try:
                yield self.text(parts)
            finally:
                if inside:
                    self.items.pop()

    def value(self, expression: Expression) -> Any:
        """Return what an expression stands for."""
        self._count()
        found = self._chain(expression)
        if is_empty(found) and expression.default is not None:
            return expression.default.value
        return found

    def _chain(self, chain: Chain) -> Any:
        if isinstance(chain.first, Literal):
            found: Any = chain.first.value
        else:
            found = self._first(chain.first)
        steps = list(chain.steps)
        if found is None and not isinstance(chain.first, Literal) and steps:
            found, steps = self._spaced(chain.first, steps)
        for step in steps:
            self._count()
            found = self._step(found, step)
        return found

    def _spaced(self, first: Step, steps: list[Step]) -> tuple[Any, list[Step]]:
        """Try names with dots in them: fields and columns may be called so."""
        name = first.name
        for place, step in enumerate(steps):
            if step.arguments is not None:
                break
            name = f"{name}.{step.name}"
            if self.scope.has(name):
                return self.scope.find(name), steps[place + 1 :]
        return None, steps

    def _first(self, step: Step) -> Any:
        if step.arguments is not None:
            return self._logic(step)
        if step.name == ".":
            return self.items[-1][0] if self.items else None
        for item, is_first, is_last in reversed(self.items):
            if (
                step.name.lower() in ("first", "last")
                and (item, is_first, is_last) == self.items[-1]
            ):
                return is_first if step.name.lower() == "first" else is_last
            found = member(item, step.name)
            if found is not None:
                return found
        return self.scope.find(step.name)

    def _logic(self, step: Step) -> Any:
        given = step.arguments or ()
        name = step.name.lower()
        if name == "if":
            if not given:
                raise SmartValueError("if needs a condition.")
            if len(given) == 1:
                return is_true(self.value(given[0]))
            chosen = 1 if is_true(self.value(given[0])) else 2
            return self.value(given[chosen]) if len(given) > chosen else None
        act = _LOGIC.get(name)
        if act is None:
            raise SmartValueError(f"There is no function {step.name[:60]}.")
        return act([self.value(one) for one in given])

    def _step(self, value: Any, step: Step) -> Any:
        if step.arguments is None:
            found = member(value, step.name)
            if found is not None or value is None:
                return found
        given = [self.value(one) for one in step.arguments or ()]
        return applied(value, step.name.lower(), given)

    def _count(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise SmartValueError("The text takes too many steps.")


def member(value: Any, name: str) -> Any:
    """Return a part of a value by its name; of a list, the parts of its items."""
    if isinstance(value, SmartRecord):
        return value.part(name)
    if isinstance(value, Mapping):
        if name in value:
            return value[name]
        folded = {str(key).lower(): item for key, item in value.items()}
        return folded.get(name.lower())
    if is_many(value) and name.lower() not in lists.FUNCTIONS:
        found = [member(item, name) for item in value]
        if value and all(one is None for one in found):
            return None
        return [one for each in found for one in (each if is_many(each) else [each])]
    return None


def applied(value: Any, name: str, given: Sequence[Any]) -> Any:
    """Return what a function makes of a value; None where it has no such function.

    Raises:
        SmartValueError: it cannot be applied, or comes to a number or date beyond all that are.
    """
    try:
        found = _applied(value, name, given)
    except (ArithmeticError, ValueError) as error:
        raise SmartValueError(f"{name} cannot be applied to these values.") from error
    if isinstance(found, float) and not math.isfinite(found):
        raise SmartValueError(f"{name} comes to no number.")
    return found


def _applied(value: Any, name: str, given: Sequence[Any]) -> Any:
    if is_many(value):
        if name in lists.FUNCTIONS:
            return lists.FUNCTIONS[name](value, given)
        found = _applied_to_each(value, name, given)
        return None if all(one is None for one in found) else found
    if value is None:
        return True if name in ("isempty", "isblank") else None
    if isinstance(value, date) and name in dates.FUNCTIONS:
        moment = dates.as_moment(value)
        return None if moment is None else dates.FUNCTIONS[name](moment, given)
    if isinstance(value, int | float) and not isinstance(value, bool) and name in lists.NUMBERS:
        return lists.NUMBERS[name](float(value), given)
    return _of_text(value, name, given)


def _applied_to_each(values: Sequence[Any], name: str, given: Sequence[Any]) -> list[Any]:
    """Return what a function makes of each of many values; of texts that are equal, once."""
    of_texts = dict[str, Any]()
    found = []
    for item in values:
        if not isinstance(item, str):
            found.append(applied(item, name, given))
            continue
        if item not in of_texts:
            of_texts[item] = applied(item, name, given)
        found.append(of_texts[item])
    return found


def _of_text(value: Any, name: str, given: Sequence[Any]) -> Any:
    if name in texts.FUNCTIONS:
        return texts.within_bounds(texts.FUNCTIONS[name](text_of(value), given))
    number = number_of(value) if name in lists.NUMBERS else None
    return None if number is None else lists.NUMBERS[name](number, given)


def _equal(given: Sequence[Any]) -> bool:
    if len(given) < 2:
        raise SmartValueError("equals needs two values.")
    left, right = (number_of(one) for one in given[:2])
    if left is not None and right is not None:
        return left == right
    return text_of(given[0]) == text_of(given[1])


_LOGIC: Final[dict[str, Callable[[Sequence[Any]], Any]]] = {
    "and": lambda given: all(is_true(one) for one in given),
    "equals": _equal,
    "exists": lambda given: bool(given) and not is_empty(given[0]),
    "isempty": lambda given: not given or is_empty(given[0]),
    "not": lambda given: not (given and is_true(given[0])),
    "or": lambda given: any(is_true(one) for one in given),
}
