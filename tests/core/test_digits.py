"""Whole numbers in texts: ASCII digits, bounded, by one rule."""

from __future__ import annotations

import ast

import pytest

from clones.core.digits import MOST, is_digits, whole_number
from tests.project.paths import ROOT, python_files

BY_HAND = {"isdigit", "isdecimal", "isnumeric"}
FROM_A_CLIENT = {
    f"{of}.{how}"
    for of in ("sent", "request.GET", "request.POST", "request.headers", "request.META")
    for how in ("get", "getlist")
}


@pytest.mark.parametrize("text", ["0", "7", "007", "9" * MOST])
def test_digits_are_a_number(text: str) -> None:
    assert is_digits(text)
    assert whole_number(text) == int(text)


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "-1", "+1", "1.0", "1_0", "²", "٣", "１", "9" * (MOST + 1), "0x1"]
)
def test_anything_else_is_none(text: str) -> None:
    assert not is_digits(text)
    assert whole_number(text) is None


def test_a_sign_and_fewer_digits_are_for_those_who_ask_for_them() -> None:
    assert whole_number("-12", signed=True) == -12
    assert whole_number("--12", signed=True) is None
    assert is_digits("123", 3)
    assert not is_digits("1234", 3)


def test_clones_tell_numbers_by_this_rule_alone() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.func.attr}"
        for path in python_files("clones")
        if path != ROOT / "clones" / "core" / "digits.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in BY_HAND
    ] == []


def test_no_page_makes_a_number_of_what_a_form_sent_without_asking_what_it_is() -> None:
    """`int` reads digits of any script, and as many as there are."""
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files("clones")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "int"
        and any(
            isinstance(inner, ast.Call) and ast.unparse(inner.func) in FROM_A_CLIENT
            for given in node.args
            for inner in ast.walk(given)
        )
    ] == []
