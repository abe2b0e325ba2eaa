from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from clones.crm.rules.formulas import Blanks
from tests.crm.rules.formulas.working import value

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
EXAMPLES: list[tuple[str, str | None]] = [
    ('HYPERLINK("/x?a=1&b=2", "Go")', '<a href="/x?a=1&b=2" target="_blank">Go</a>'),
    ('HYPERLINK("/x", "a<b", "_top")', '<a href="/x" target="_top">a&lt;b</a>'),
    ('HYPERLINK("/x", "\'")', '<a href="/x" target="_blank">&#39;</a>'),
    ("HYPERLINK(NoName, NoName, NoName)", '<a href=" " target=""> </a>'),
    (
        'HYPERLINK("/x", IF(Closed, IMAGE("/i.png", "<i>"), "open"))',
        '<a href="/x" target="_blank"><img src="/i.png" alt="&lt;i&gt;" border="0"/></a>',
    ),
    ("IMAGE(NoName, NoName)", '<img src=" " alt=" " border="0"/>'),
    (
        'IMAGE("/i.png", "i", 10, 2.5)',
        '<img src="/i.png" alt="i" style="height:10px; width:2.5px;" border="0"/>',
    ),
    ('IMAGE("/i.png", "i", NULL)', '<img src="/i.png" alt="i" style="height:0px;" border="0"/>'),
    ("HTMLENCODE(\"<a href='x'>&</a>\")", "&lt;a href=&#39;x&#39;&gt;&amp;&lt;/a&gt;"),
    ("HTMLENCODE(NoName)", None),
    (r'JSENCODE("a\"b\\c</")', r"a\"b\\c\u003C\/"),
    (r'JSENCODE("a\nb")', r"a\nb"),
    ("JSENCODE(NoName)", None),
    ('JSINHTMLENCODE("it\'s <b>")', r"it\&#39;s \u003Cb\u003E"),
    ("JSINHTMLENCODE(NoName)", None),
    ('URLENCODE("a b&c/é")', "a+b%26c%2F%C3%A9"),
    ("URLENCODE(NoName)", None),
    ('FORMATCURRENCY("USD", 1234567.005)', "USD 1,234,567.01"),
    ('FORMATCURRENCY("JPY", -1234.5)', "JPY -1,235"),
    ('FORMATCURRENCY("KWD", 0.1)', "KWD 0.100"),
    ("FORMATCURRENCY(NoName, 12)", "12.00"),
    ('FORMATCURRENCY("EUR", NULL)', None),
    ("FORMAT(Due)", "2/29/2024"),
    ('FORMAT(Due, "ldate")', "February 29, 2024"),
    ("FORMAT(Made)", "2/29/2024, 11:15 PM"),
    ('FORMAT(Made, "time")', "11:15 PM"),
    ('FORMAT(Made, "date")', "2/29/2024"),
    ("FORMAT(Opens)", "9:05 AM"),
    ('FORMAT(TIMEVALUE("00:07:00.000"))', "12:07 AM"),
    ('FORMAT(TIMEVALUE("12:00:00.000"))', "12:00 PM"),
    ("FORMAT(1234.5)", "1,234.5"),
    ("FORMAT(NoDue)", None),
    ('FORMAT("{0} and {1}, {0}; {2} {x}", "a", 2)', "a and 2, a; {2} {x}"),
    ('FORMAT("{0}", NoName)', None),
]


@pytest.mark.parametrize(("formula", "expected"), EXAMPLES)
@pytest.mark.parametrize("blanks", Blanks)
def test_texts_are_written_for_pages_and_people(
    formula: str, expected: str | None, blanks: Blanks
) -> None:
    assert value(formula, blanks=blanks) == expected


def test_moments_are_shown_in_the_zone_of_who_looks() -> None:
    assert value("FORMAT(Made)", zone=LOS_ANGELES) == "2/29/2024, 3:15 PM"
    # The service takes a day for its midnight in Greenwich.
    assert value("FORMAT(Due)", zone=LOS_ANGELES) == "2/28/2024"
