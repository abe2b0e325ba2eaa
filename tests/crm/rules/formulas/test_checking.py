from __future__ import annotations

import pytest

from clones.crm.rules.formulas import (
    FormulaError,
    FormulaValueError,
    Kind,
    Place,
    nested,
    parts,
    refers_to_itself,
)
from clones.crm.rules.formulas.functions import FUNCTIONS
from tests.crm.rules.formulas.working import checked, refusal

WRONG_TYPE = "WrongArgumentTypeException"
WRONG_COUNT = "WrongNumberOfArgumentsException"
ILLEGAL = "IllegalArgumentTypeException"
PARAMETER = "Incorrect parameter type for {}. Expected {}, received {}"
COUNT = "Incorrect number of parameters for {}. Expected {}, received {}"


@pytest.mark.parametrize(
    ("formula", "what", "expected", "received"),
    [
        ('1 + "a"', "operator '+'", "Number", "Text"),
        ('"a" + 1', "operator '+'", "Text", "Number"),
        ("Due + Due", "operator '+'", "Number", "Date"),
        ("TRUE + 1", "operator '+'", "Number", "Boolean"),
        ("5 - Due", "operator '-'", "Number", "Date"),
        ("Due - Made", "operator '-'", "Date", "DateTime"),
        ("Made - Due", "operator '-'", "DateTime", "Date"),
        ('"a" - 1', "operator '-'", "Number", "Text"),
        ("-Due", "operator '-'", "Number", "Date"),
        ('2 * "a"', "operator '*'", "Number", "Text"),
        ("Due / 2", "operator '/'", "Number", "Date"),
        ("2 ^ TRUE", "operator '^'", "Number", "Boolean"),
        ('1 & "a"', "operator '&'", "Text", "Number"),
        ('1 = "a"', "operator '='", "Number", "Text"),
        ("Due <> Made", "operator '<>'", "Date", "DateTime"),
        ("TRUE = 1", "operator '='", "Boolean", "Number"),
        ("1 && TRUE", "operator '&&'", "Boolean", "Number"),
        ("TRUE || 1", "operator '||'", "Boolean", "Number"),
        ("!1", "operator '!'", "Boolean", "Number"),
        ("IF(1, 2, 3)", "function 'IF()'", "Boolean", "Number"),
        ('IF(TRUE, 2, "a")', "function 'IF()'", "Number", "Text"),
        ("LEN(12)", "function 'LEN()'", "Text", "Number"),
        ('left("a", "b")', "function 'LEFT()'", "Number", "Text"),
        ("YEAR(Made)", "function 'YEAR()'", "Date", "DateTime"),
        ('BLANKVALUE("1", 0)', "function 'BLANKVALUE()'", "Text", "Number"),
        ('CASE(1, "a", 2, 3)', "function 'CASE()'", "Number", "Text"),
        ('CASE(1, 2, "a", 3)', "function 'CASE()'", "Text", "Number"),
        ("CASE(Stage, Name, 1, 2)", "function 'CASE()'", "Text Literal", "Text"),
        ("ISPICKVAL(Stage, Name)", "function 'ISPICKVAL()'", "Text Literal", "Text"),
        ("INCLUDES(Topics, Name)", "function 'INCLUDES()'", "Text Literal", "Text"),
        ('IN(1, 2, "a")', "function 'IN()'", "Number", "Text"),
        ('DISTANCE(1, Place, "km")', "function 'DISTANCE()'", "Geolocation", "Number"),
        ('TEXT("a")', "function 'TEXT()'", "Number, Date, DateTime, Time, Picklist", "Text"),
    ],
)
def test_wrong_types_are_refused(formula: str, what: str, expected: str, received: str) -> None:
    assert refusal(formula) == (WRONG_TYPE, PARAMETER.format(what, expected, received))


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
def test_only_what_has_an_order_is_compared(sign: str) -> None:
    name, text = refusal(f"TRUE {sign} FALSE")
    assert name == WRONG_TYPE
    assert text.startswith(f"Incorrect parameter type for operator '{sign}'. Expected Number,")
    assert text.endswith(", received Boolean")


@pytest.mark.parametrize(
    ("formula", "what", "expected", "received"),
    [
        ("IF(TRUE)", "function 'IF()'", 3, 1),
        ("IF(TRUE, 1, 2, 3)", "function 'IF()'", 3, 4),
        ("CASE(1)", "function 'CASE()'", 4, 1),
        ("CASE(1, 2, 3, 4, 5)", "function 'CASE()'", 4, 5),
        ("IFS()", "function 'IFS()'", 3, 0),
        ("IFS(TRUE, 1, FALSE, 2)", "function 'IFS()'", 5, 4),
        ("AND()", "function 'AND()'", 1, 0),
        ("MAX()", "function 'MAX()'", 1, 0),
        ("TODAY(1)", "function 'TODAY()'", 0, 1),
        ("MID(Name, 1)", "function 'MID()'", 3, 2),
        ("LPAD(Name)", "function 'LPAD()'", 2, 1),
        ("LPAD(Name, 1, Name, 1)", "function 'LPAD()'", 3, 4),
        ("FORMATDURATION(1, TRUE, 1)", "function 'FORMATDURATION()'", 2, 3),
        ("ISNEW(1)", "function 'ISNEW()'", 0, 1),
    ],
)
def test_wrong_counts_are_refused(formula: str, what: str, expected: int, received: int) -> None:
    assert refusal(formula) == (WRONG_COUNT, COUNT.format(what, expected, received))


@pytest.mark.parametrize(
    ("formula", "name", "text"),
    [
        (
            "Nothing__c",
            "InvalidFieldReferenceException",
            "Field Nothing__c does not exist. Check spelling.",
        ),
        (
            "nope(1)",
            "InvalidFunctionReferenceException",
            "Unknown function NOPE. Check spelling.",
        ),
        ("CASE(TRUE, 1, 2, 3)", ILLEGAL, "Incorrect argument type for function 'CASE()'. "),
        ("CASE(1, 1, TRUE, FALSE)", ILLEGAL, "Incorrect argument type for function 'CASE()'. "),
        ("CASE(Place, 1, 2, 3)", ILLEGAL, "Incorrect argument type for function 'CASE()'. "),
        ("DATEVALUE(1)", ILLEGAL, "Incorrect argument type for function 'DATEVALUE()'. "),
        ("TIMEVALUE(TRUE)", ILLEGAL, "Incorrect argument type for function 'TIMEVALUE()'. "),
        (
            'DISTANCE(Place, Place, "ft")',
            "WrongArgumentException",
            (
                "Incorrect parameter value for function 'DISTANCE()'. Expected 'mi'/'km', received "
                "'ft'"
            ),
        ),
        (
            'INCLUDES(Topics, "Water")',
            "FunctionIncludesWrongArgumentException",
            (
                "Incorrect parameter for function INCLUDES(). Text Literal must be a valid value "
                "for this multi-select picklist field."
            ),
        ),
        (
            'ISPICKVAL(Name, "a")',
            "WrongMergeFieldTypeException",
            "Incorrect parameter for function 'ISPICKVAL()'. Expected picklist field reference.",
        ),
        (
            'INCLUDES(Stage, "a")',
            "WrongMergeFieldTypeException",
            (
                "Incorrect parameter for function 'INCLUDES()'. Expected multi-select picklist "
                "field reference."
            ),
        ),
        (
            "ISCHANGED(1)",
            "WrongMergeFieldTypeException",
            "Incorrect parameter for function 'ISCHANGED()'. Expected field reference.",
        ),
        (
            "FORMAT(TRUE)",
            "WrongArgumentException",
            "Incorrect parameter for function 'FORMAT()'.",
        ),
        (
            "Essay",
            "UnsupportedTypeException",
            (
                'You referenced an unsupported field type called "Long Text Area" using the '
                "following field: Essay"
            ),
        ),
    ],
)
def test_each_refusal_has_the_services_words(formula: str, name: str, text: str) -> None:
    assert refusal(formula) == (name, text)


@pytest.mark.parametrize(
    ("formula", "path", "kind"),
    [
        ('Stage = "Won"', "Stage", "picklist"),
        ('Stage & "x"', "Stage", "picklist"),
        ("LEN(Stage)", "Stage", "picklist"),
        ("IF(TRUE, Stage, Stage)", "Stage", "picklist"),
        ('BLANKVALUE(Topics, "x")', "Topics", "multi-select picklist"),
        ("CASE(Topics, 1, 2, 3)", "Topics", "multi-select picklist"),
        ("LEN(PRIORVALUE(Stage))", "Stage", "picklist"),
    ],
)
def test_picklists_stand_only_where_they_are_supported(formula: str, path: str, kind: str) -> None:
    name, text = refusal(formula)
    assert name == "UnsupportedTypeException"
    assert text.startswith(
        f"Field {path} is a {kind} field. {kind.capitalize()} fields are only supported in "
        "certain functions. <a href="
    )


def test_a_picklist_is_no_result() -> None:
    assert refusal("Stage", returns=Kind.TEXT)[0] == "UnsupportedTypeException"
    assert checked("TEXT(Stage)", returns=Kind.TEXT).root.kind is Kind.TEXT


@pytest.mark.parametrize(
    ("formula", "returns", "received"),
    [("1", Kind.TEXT, "Number"), ("Name", Kind.NUMBER, "Text"), ("Due", Kind.DATETIME, "Date")],
)
def test_a_result_must_fit_its_place(formula: str, returns: Kind, received: str) -> None:
    assert refusal(formula, returns=returns) == (
        "WrongExpressionTypeException",
        (
            f"Formula result is data type ({received}), incompatible with expected data type "
            f"({returns.value})."
        ),
    )


def test_a_blank_fits_every_place_and_a_moment_that_of_a_day() -> None:
    assert checked("NULL", returns=Kind.DATE).root.kind is Kind.NULL
    assert checked("Made", returns=Kind.DATE).root.kind is Kind.DATETIME


@pytest.mark.parametrize(
    ("formula", "allowed", "refused"),
    [
        ("ISCHANGED(Name)", Place.VALIDATION, Place.FIELD),
        ("PRIORVALUE(Name)", Place.WORKFLOW, Place.DEFAULT),
        ("ISNEW()", Place.ASSIGNMENT, Place.FIELD),
        ("ISCLONE()", Place.FIELD_UPDATE, Place.BUTTON),
        (
            "VLOOKUP($ObjectType.Zip__c.Fields.State__c, $ObjectType.Zip__c.Fields.Name, Name)",
            Place.VALIDATION,
            Place.WORKFLOW,
        ),
        ("URLENCODE(Name)", Place.BUTTON, Place.FIELD),
    ],
)
def test_some_functions_are_only_for_some_places(
    formula: str, allowed: Place, refused: Place
) -> None:
    name = formula.partition("(")[0]
    assert checked(formula, place=allowed).root.function is FUNCTIONS[name]
    assert refusal(formula, place=refused) == (
        "FunctionNotAllowedException",
        f"Function {name} may not be used in this type of formula",
    )


@pytest.mark.parametrize(
    "formula",
    [
        "VLOOKUP($ObjectType.Account.Fields.Industry, $ObjectType.Account.Fields.Name, Name)",
        "VLOOKUP($ObjectType.Zip__c.Fields.State__c, $ObjectType.Zip__c.Fields.State__c, Name)",
        "VLOOKUP($ObjectType.Zip__c.Fields.State__c, $ObjectType.Account.Fields.Name, Name)",
    ],
)
def test_vlookup_is_by_the_names_of_custom_objects(formula: str) -> None:
    assert refusal(formula) == (
        "WrongArgumentException",
        "Incorrect parameter for function 'VLOOKUP()'.",
    )


def test_vlookup_takes_fields_of_object_types() -> None:
    assert refusal("VLOOKUP(Name, Name, Name)")[0] == "WrongMergeFieldTypeException"


def test_every_part_has_its_type() -> None:
    found = checked("IF(LEN(Name) > 3, Due + 1, NULL)")
    kinds = [part.kind for part in parts(found.root)]
    assert kinds == [
        Kind.DATE, Kind.BOOLEAN, Kind.NUMBER, Kind.TEXT, Kind.NUMBER, Kind.DATE, Kind.DATE,
        Kind.NUMBER, Kind.NULL,
    ]  # fmt: skip
    functions = [part.function.name for part in parts(found.root) if part.function is not None]
    assert functions == ["IF", ">", "LEN", "+"]


def test_a_formula_is_as_big_as_the_formulas_in_it() -> None:
    assert checked("1 + 2").size == 5
    assert checked("Big + Big").size == 2403
    assert refusal(" + ".join(["Big"] * 5)) == (
        "SQLTooBigException",
        "Compiled formula is too big to execute (6012 characters). Maximum size is 5000 characters",
    )


def test_errors_of_other_formulas_are_told() -> None:
    inner = FormulaValueError("Division by zero")
    assert (
        nested("Score__c", inner).text == "Error in referenced formula Score__c, Division by zero"
    )
    assert refers_to_itself("Score__c").text.endswith("refers to itself. Score__c")
    assert isinstance(nested("Score__c", inner), FormulaError)
