"""The vendors' formulas with their results, run by our engine. They are not part of this project:
`vectors()` reads them where they lie beside the checkout.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from clones.crm.rules.formulas import (
    Blanks,
    Checked,
    FieldType,
    FormulaCheckError,
    FormulaError,
    FormulaValueError,
    Kind,
    Place,
    Situation,
    check,
    evaluate,
    field_value,
    parse,
)
from clones.crm.rules.formulas.functions.texts import text_of_day
from clones.crm.rules.formulas.nodes import (
    BooleanLiteral,
    Call,
    FieldReference,
    Node,
    NullLiteral,
    NumberLiteral,
    Operation,
    TextLiteral,
)
from clones.crm.rules.formulas.numbers import rounded

ROOT = Path(__file__).resolve().parents[4]
SPECS = Path(os.environ.get("SANDLOT_SPECS", ROOT.parent / "shared" / "specs")) / "crm"
FILE = SPECS / "formula-vectors.json"

TYPES = {
    "Text": FieldType(Kind.TEXT),
    "TextArea": FieldType(Kind.TEXT),
    "Phone": FieldType(Kind.TEXT),
    "Email": FieldType(Kind.TEXT),
    "Url": FieldType(Kind.TEXT),
    "Number": FieldType(Kind.NUMBER),
    "Currency": FieldType(Kind.NUMBER),
    "Percent": FieldType(Kind.NUMBER, percent=True),
    "Date": FieldType(Kind.DATE),
    "Datetime": FieldType(Kind.DATETIME),
    "Time": FieldType(Kind.TIME),
    "Checkbox": FieldType(Kind.BOOLEAN),
    "Picklist": FieldType(Kind.PICKLIST),
    "MultiselectPicklist": FieldType(Kind.MULTIPICKLIST),
    "Geolocation": FieldType(Kind.GEOLOCATION),
}
# The record of the engine's own tests that the file's conventions describe.
CONTACT: Mapping[str, tuple[str, Any]] = {
    "Account.Id": ("Text", "00100x000000000"),
    "Account.CreatedDate": ("Date", date(2004, 11, 2)),
    "Account.Amount": ("Number", Decimal("10.41")),
    "Account.Name": ("Text", "FORMULA_ENGINE"),
    "Account.Percent": ("Percent", None),
    "Account.SecondNumber": ("Number", None),
    "Account.Parent.Name": ("Text", "FORMULA_ENGINE_parent"),
    "Account.IsActive": ("Checkbox", True),
    "Account.Parent.IsActive": ("Checkbox", False),
    "CreatedDate": ("Date", None),
    "OptIn": ("Checkbox", True),
    "CurrencyIsoCode": ("Text", "USD"),
}
CONTACT_FORMULAS = {
    "DateFormula": ("Date", "Account.CreatedDate+Account.SecondNumber"),
    "NumberFormula": ("Number", "Account.Amount+Account.SecondNumber"),
}
# By the end of a path that leads to nothing.
CONTACT_BLANKS = {
    "amount": "Number", "name": "Text", "isactive": "Checkbox", "nulltext": "Text",
    "nulldate": "Date", "nullnumber": "Number", "percent": "Percent", "secondnumber": "Number",
    "createddate": "Date", "id": "Text", "nullpercent": "Percent", "nullcurrency": "Currency",
}  # fmt: skip
# Errors of the engine with the names that ours have.
NAMED_ERRORS = {
    "FormulaParseException": "FormulaSyntaxError",
    "WrongArgumentTypeException": "WrongArgumentTypeException",
    "WrongNumberOfArgumentsException": "WrongNumberOfArgumentsException",
    "InvalidFunctionReferenceException": "InvalidFunctionReferenceException",
    "FormulaDateException": "FormulaValueError",
    "ArithmeticException": "FormulaValueError",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one vector in one mode; `said` is None where it is as expected."""

    vector: Mapping[str, Any]
    mode: Blanks
    said: str | None


@cache
def vectors() -> tuple[Mapping[str, Any], ...]:
    return tuple(json.loads(FILE.read_text(encoding="utf-8"))["vectors"])


def run_all() -> Iterator[Outcome]:
    for vector in vectors():
        yield from run(vector)


def run(vector: Mapping[str, Any]) -> Iterator[Outcome]:
    if vector.get("kind") == "parse":
        yield Outcome(vector, Blanks.ZEROES, _parsed(vector))
        return
    for mode, expected in _expectations(vector):
        yield Outcome(vector, mode, _difference(vector, mode, expected))


def _expectations(vector: Mapping[str, Any]) -> Iterator[tuple[Blanks, Mapping[str, Any]]]:
    both = vector.get("expect")
    said = vector.get("blanks")
    ours = vector["group"].startswith("FE")
    if said != "blank" and (said or ours):
        yield Blanks.ZEROES, both or vector["expect_blanks_as_zeroes"]
    if said != "zero":
        yield Blanks.BLANKS, both or vector["expect_blanks_as_blanks"]


def _parsed(vector: Mapping[str, Any]) -> str | None:
    try:
        root = parse(vector["formula"]).root
    except FormulaError as error:
        return error.text
    tree = vector["expect"].get("parse_tree")
    return None if tree is None or tree == prefix(root) else prefix(root)


def prefix(node: Node) -> str:
    """Return a node as the engine's tests write trees."""
    match node:
        case TextLiteral(value):
            return '"' + value.replace('"', r"\"") + '"'
        case NumberLiteral(value):
            return str(value)
        case BooleanLiteral(value):
            return str(value).lower()
        case NullLiteral():
            return "null"
        case FieldReference(path):
            return path
        case Call(name, ()):
            return name
        case Call(name, inner):
            return f"( {name} {' '.join(map(prefix, inner))} )"
        case Operation(sign, inner):
            return f"( {sign} {' '.join(map(prefix, inner))} )"


def _difference(vector: Mapping[str, Any], mode: Blanks, expected: Mapping[str, Any]) -> str | None:
    formula = vector["formula"]
    if "same_as_formula" in expected:
        other = {**vector, "formula": expected["same_as_formula"]}
        one, two = _value(vector, formula, mode), _value(other, other["formula"], mode)
        return None if one == two else f"{one!r} and {two!r}"
    got = _value(vector, formula, mode)
    if "error" in expected:
        return _same_error(vector, got, expected)
    if isinstance(got, FormulaError):
        # An org's interface gives null, or false for a checkbox, where a formula has no value.
        if not isinstance(got, FormulaValueError) or vector["group"].startswith("FE"):
            return f"{type(got).__name__}: {got.text}"
        got = None
    shown = _shown(vector, got)
    wanted = expected["value"]
    return None if _equal(shown, wanted, vector["group"]) else f"{shown!r}, not {wanted!r}"


def _shown(vector: Mapping[str, Any], value: Any) -> Any:
    """Return what a field shows, in the groups whose results are those of fields."""
    group, returns = vector["group"], TYPES.get(vector["returns"])
    if returns is None or group not in {"FE-xml", "sformula-org"}:
        return value
    if group == "FE-xml" and isinstance(value, datetime):  # left as it is in these
        return value
    return field_value(value, returns, zone=_zone(vector), scale=vector.get("scale"))


def _same_error(vector: Mapping[str, Any], got: Any, expected: Mapping[str, Any]) -> str | None:
    name = expected["error"]
    if not isinstance(got, FormulaError):
        return f"{got!r}, not {name}"
    told = got.name if isinstance(got, FormulaCheckError) else type(got).__name__
    if name in NAMED_ERRORS and told != NAMED_ERRORS[name]:
        return f"{told}, not {name}"
    message = expected.get("message", "")
    # What one of the sources says of values is its own.
    ours = vector["group"].startswith("FE") or message.startswith("Incorrect")
    said = expected.get("message_contains", "")
    return got.text if ours and not (got.text.startswith(message) and said in got.text) else None


def _zone(vector: Mapping[str, Any]) -> ZoneInfo:
    if vector["group"] == "sformula-org":
        return ZoneInfo("America/Los_Angeles")
    return ZoneInfo(vector.get("user_tz", "UTC"))


def _value(vector: Mapping[str, Any], formula: str, mode: Blanks) -> Any:
    try:
        return _Run(vector, mode).value(formula, vector["returns"])
    except FormulaError as error:
        return error


class _Run:
    def __init__(self, vector: Mapping[str, Any], mode: Blanks) -> None:
        self.vector = vector
        fields = {field["name"].lower(): field for field in vector.get("fields", ())}
        values = {name.lower(): value for name, value in vector.get("values", {}).items()}
        context = vector.get("context", {})
        prior = {name.lower(): value for name, value in vector.get("prior", {}).items()}
        self.fields, self.values = fields, values
        self.contact = vector.get("record") == "contact-graph"
        self.situation = Situation(
            now=datetime(2026, 11, 28, 12, tzinfo=UTC),
            zone=_zone(vector),
            blanks=mode,
            prior=(lambda path: self.stored(path, prior.get(path.lower()))) if prior else None,
            is_new=context.get("is_new", False),
            is_clone=context.get("is_clone", False),
        )

    def value(self, text: str, returns: str) -> Any:
        return evaluate(self.checked(text, returns), self.read, situation=self.situation)

    def checked(self, text: str, returns: str) -> Checked:
        kind = TYPES[returns].kind if returns in TYPES and "note" not in self.vector else None
        return check(parse(text), returns=kind, fields=self.field, place=Place.ANYWHERE)

    def declared(self, path: str) -> tuple[str, str | None] | None:
        name = path.lower()
        if self.contact:
            for known, (kind, _) in CONTACT.items():
                if known.lower() == name:
                    return kind, None
            for known, (kind, formula) in CONTACT_FORMULAS.items():
                if known.lower() == name:
                    return kind, formula
            found = CONTACT_BLANKS.get(name.rsplit(".", 1)[-1])
            return (found, None) if found else None
        if name.startswith("$objecttype."):
            return "Text", None
        field = self.fields.get(name)
        return (field["type"], field.get("formula")) if field is not None else None

    def field(self, path: str) -> FieldType | None:
        found = self.declared(path)
        if found is None:
            return None
        kind, formula = found
        if kind == "null":
            kind = "Number"
        return TYPES["Number" if formula is not None and kind == "Percent" else kind]

    def read(self, path: str) -> Any:
        found = self.declared(path)
        assert found is not None
        kind, formula = found
        if formula is not None:
            return self.value(formula, kind)
        if self.contact:
            return {name.lower(): value for name, (_, value) in CONTACT.items()}.get(path.lower())
        return self.stored(path, self.values.get(path.lower()))

    def stored(self, path: str, value: Any) -> Any:
        found = self.declared(path)
        if value is None or found is None:
            return None
        field = self.fields[path.lower()]
        match found[0]:
            case "Number" | "Currency" | "Percent":
                number = Decimal(str(value))
                # One of the sources cuts what it is given to the size of the field.
                cut = self.vector["group"].startswith("formulon") and "scale" in field
                return rounded(number, field["scale"]) if cut else number
            case "Date":
                return date.fromisoformat(value)
            case "Datetime":
                return datetime.fromisoformat(value)
            case "Time":
                return time.fromisoformat(value.removesuffix("Z"))
        return value[: field["length"]] if "length" in field else value


def _equal(got: Any, wanted: Any, group: str) -> bool:
    if wanted is None or wanted == "":
        return got is None or got == ""
    if isinstance(wanted, bool) or isinstance(got, bool) or got is None:
        return got is wanted
    match got:
        case Decimal():
            return _equal_numbers(got, Decimal(str(wanted)), group)
        case tuple():
            return bool([float(part) for part in got] == wanted)
        case datetime():
            moment = datetime.fromisoformat(wanted)
            return got == (moment if moment.tzinfo else moment.replace(tzinfo=UTC))
        case date():
            return bool(text_of_day(got) == wanted)
        case time():
            return got == time.fromisoformat(wanted.removesuffix("Z"))
    return str(got).strip() == str(wanted).strip() or got == wanted


def _equal_numbers(got: Decimal, wanted: Decimal, group: str) -> bool:
    if group.startswith("formulon"):  # worked out with floats
        return abs(got - wanted) <= abs(wanted) * Decimal("1e-12")
    if group.startswith("FE"):  # written with 32 digits
        return rounded(got, 32) == rounded(wanted, 32)
    return got == wanted
