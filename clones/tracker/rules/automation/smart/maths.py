"""Sums: `{{#=}} 2 * (3 + 4) {{/}}`, with the vendor's functions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Final

from clones.tracker.rules.automation.smart.parsing import SmartValueError

DEEPEST: Final = 50
_TOKEN: Final = re.compile(
    r"\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z_]\w*)|(<=|>=|!=|<>|==|&&|\|\||.))"
)
_LEVELS: Final[tuple[tuple[str, ...], ...]] = (
    ("||",),
    ("&&",),
    ("=", "==", "!=", "<>"),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/", "%"),
)


def calculate(text: str) -> float:
    """Return what a sum comes to.

    Raises:
        SmartValueError: it is none, divides by nothing, or comes to no number that can be told.
    """
    try:
        return _Sum(text).whole()
    except (ArithmeticError, ValueError, IndexError) as error:  # the last: too little is given
        raise SmartValueError(f"The sum cannot be calculated: {text.strip()[:120]}") from error


class _Sum:
    """Reads and reckons one sum."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.tokens = [
            (number, name, sign)
            for number, name, sign in _TOKEN.findall(self.text.replace(",", ", "))
            if number or name or sign.strip()
        ]
        self.at = 0

    def whole(self) -> float:
        found = self._binary(0, 0)
        if self.at < len(self.tokens):
            self._wrong()
        if not math.isfinite(found):
            self._wrong()
        return found

    def _binary(self, level: int, depth: int) -> float:
        if depth > DEEPEST:
            self._wrong()
        if level == len(_LEVELS):
            return self._unary(depth)
        left = self._binary(level + 1, depth)
        while self._sign() in _LEVELS[level]:
            sign = self._sign()
            self.at += 1
            left = _OPERATIONS[sign](left, self._binary(level + 1, depth))
        return left

    def _unary(self, depth: int) -> float:
        sign = self._sign()
        if sign in ("-", "+", "!"):
            self.at += 1
            found = self._unary(depth + 1) if depth < DEEPEST else self._wrong()
            return {"-": -found, "+": found, "!": float(not found)}[sign]
        base = self._atom(depth)
        if self._sign() == "^":
            self.at += 1
            power = self._unary(depth + 1) if depth < DEEPEST else self._wrong()
            if abs(power) > 1000 or abs(base) > 1e100:
                self._wrong()
            return math.pow(base, power)
        return base

    def _atom(self, depth: int) -> float:
        if self.at >= len(self.tokens):
            self._wrong()
        number, name, sign = self.tokens[self.at]
        self.at += 1
        if number:
            return float(number)
        if name:
            return self._named(name.upper(), depth)
        if sign == "(":
            found = self._binary(0, depth + 1)
            self._close()
            return found
        return self._wrong()

    def _named(self, name: str, depth: int) -> float:
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if self._sign() != "(" or name not in _FUNCTIONS:
            self._wrong()
        self.at += 1
        arguments: list[float] = []
        while self._sign() != ")":
            arguments.append(self._binary(0, depth + 1))
            if self._sign() == ",":
                self.at += 1
            elif self._sign() != ")":
                self._wrong()
        self._close()
        return _FUNCTIONS[name](arguments)

    def _close(self) -> None:
        if self._sign() != ")":
            self._wrong()
        self.at += 1

    def _sign(self) -> str:
        return self.tokens[self.at][2] if self.at < len(self.tokens) else ""

    def _wrong(self) -> float:
        raise SmartValueError(f"The sum cannot be read: {self.text[:120]}")


_OPERATIONS: Final[dict[str, Callable[[float, float], float]]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "%": math.fmod,
    "=": lambda left, right: float(left == right),
    "==": lambda left, right: float(left == right),
    "!=": lambda left, right: float(left != right),
    "<>": lambda left, right: float(left != right),
    "<": lambda left, right: float(left < right),
    "<=": lambda left, right: float(left <= right),
    ">": lambda left, right: float(left > right),
    ">=": lambda left, right: float(left >= right),
    "&&": lambda left, right: float(bool(left) and bool(right)),
    "||": lambda left, right: float(bool(left) or bool(right)),
}


def rounded(value: float, places: int = 0) -> float:
    """Return a number rounded half up, as the vendor rounds."""
    scale = 10.0 ** max(min(places, 12), -12)
    return math.floor(abs(value) * scale + 0.5) / scale * (1 if value >= 0 else -1)


def _round(arguments: Sequence[float]) -> float:
    return rounded(arguments[0], int(arguments[1]) if len(arguments) > 1 else 0)


def _if(arguments: Sequence[float]) -> float:
    return arguments[1] if arguments[0] else arguments[2]


_CONSTANTS: Final = {"PI": math.pi, "E": math.e, "TRUE": 1.0, "FALSE": 0.0}
_FUNCTIONS: Final[dict[str, Callable[[Sequence[float]], float]]] = {
    "ABS": lambda given: abs(given[0]),
    "AVG": lambda given: math.fsum(given) / len(given),
    "AVERAGE": lambda given: math.fsum(given) / len(given),
    "CEILING": lambda given: float(math.ceil(given[0])),
    "FLOOR": lambda given: float(math.floor(given[0])),
    "IF": _if,
    "LOG": lambda given: math.log(given[0]),
    "LOG10": lambda given: math.log10(given[0]),
    "MAX": max,
    "MIN": min,
    "NOT": lambda given: float(not given[0]),
    "ROUND": _round,
    "SQRT": lambda given: math.sqrt(given[0]),
    "SUM": math.fsum,
}
