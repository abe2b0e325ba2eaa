"""The index of words finds no less than reading every text does, whatever the texts are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clones.core import word_index
from clones.core.tenancy import unit_of_work
from clones.core.word_index import LOOKUPS, Part, holding, word_indexes
from clones.helpdesk.models import Ticket
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.conftest import Desk

# Letters of one and two cases, digits that are none, marks between words, marks inside them.
LETTERS = "aAbz09_ -.#@\"'*éÉßſİıσςΣµℂ²½①\u0301\u200b\u00a0\ufffd"
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(["foo", "Bar", "foobar", "x_1", "re-fund", "don't"]), st.text(LETTERS)
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


@pytest.fixture
def first(desk: Desk) -> Iterator[int]:
    """The number of a ticket of the bound desk, to copy."""
    number = desk.ticket()["id"]
    with desk.bound():
        yield number


def write(first: int, subjects: list[str]) -> None:
    """Keep tickets of these subjects and no others, but the first."""
    ticket = Ticket.objects.get(id=first)
    Ticket.objects.exclude(id=first).delete()
    rows = []
    for place, subject in enumerate(subjects):
        copied = Ticket.objects.get(id=first)
        copied.id, copied.subject = ticket.id + 1 + place, subject
        rows.append(copied)
    Ticket.objects.bulk_create(rows)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(texts=st.lists(TEXTS, min_size=1, max_size=6), data=st.data())
def test_it_finds_all_that_reading_finds(first: int, texts: list[str], data: st.DataObject) -> None:
    with unit_of_work("write"):
        write(first, texts)
        source = data.draw(st.sampled_from(texts))
        start = data.draw(st.integers(0, max(0, len(source) - 1)))
        length = data.draw(st.integers(1, 12))
        wanted = data.draw(st.sampled_from([source[start : start + length], "foo", "bar", "x_1"]))
        if not wanted:
            return
        for part, lookup in LOOKUPS.items():
            read = Ticket.objects.filter(**{f"subject__{lookup}": wanted})
            found = holding(Ticket.objects.all(), wanted, part)
            assert sorted(read.values_list("id", flat=True)) == sorted(
                found.values_list("id", flat=True)
            ), (part, wanted)


TAGS = st.lists(st.text('aAb09_-:/é"\\', min_size=1, max_size=5), max_size=4)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(tags=st.lists(TAGS, min_size=1, max_size=6), data=st.data())
def test_tags_are_found_as_reading_finds_them(
    first: int, tags: list[list[str]], data: st.DataObject
) -> None:
    with unit_of_work("write"):
        write(first, ["x"] * len(tags))
        for ticket, its in zip(
            Ticket.objects.filter(id__gt=first).order_by("id"), tags, strict=True
        ):
            ticket.tags = its
            ticket.save()
        tag = data.draw(st.sampled_from(["foo", "a", *(tag for its in tags for tag in its)]))
        for text in (f'"{tag}"', f'"{tag}', f'"{tag[:1]}'):
            read = Ticket.objects.filter(tags__icontains=text)
            found = holding(Ticket.objects.all(), text, "anywhere", "tags")
            assert sorted(read.values_list("id", flat=True)) == sorted(
                found.values_list("id", flat=True)
            ), text


def count(word: str) -> int:
    """Return how many tickets have a word in their subject."""
    return holding(Ticket.objects.all(), word, "word").count()


def asks_index(text: str, part: Part) -> bool:
    """Tell whether the index is asked for a text."""
    return "words" in str(holding(Ticket.objects.all(), text, part).query)


def test_it_follows_changes_and_resets(desk: Desk, sandboxes: Sandboxes) -> None:
    number = desk.ticket(subject="An unheard word: quixotry")["id"]
    with desk.bound(), unit_of_work("read"):
        assert [count(word) for word in ("quixotry", "QUIXOTRY", "quixot")] == [1, 1, 0]
    desk.put(f"tickets/{number}.json", {"ticket": {"subject": "Now zymurgy"}})
    with desk.bound(), unit_of_work("read"):
        assert [count(word) for word in ("quixotry", "zymurgy")] == [0, 1]
    assert sandboxes.reset(desk.row.id).mismatches == ()
    with desk.bound(), unit_of_work("read"):
        assert [count(word) for word in ("quixotry", "zymurgy")] == [0, 0]


def test_a_store_without_it_is_read_in_full(desk: Desk) -> None:
    desk.ticket(subject="An unheard word: quixotry")
    with desk.bound(), unit_of_work("write"):
        word_index.uninstall()
        assert not asks_index("quixotry", "word")
        assert count("quixotry") == 1
    assert desk.get("search.json?query=quixotry")["count"] == 1
    with desk.bound(), unit_of_work("write"):
        word_index.install()
        assert asks_index("quixotry", "word")
        assert count("quixotry") == 1


@pytest.mark.parametrize(
    ("text", "part", "asked"),
    [
        ("quixotry", "word", True),
        ("quix", "beginning", True),
        ("word: quix", "anywhere", True),
        ("quix", "anywhere", False),
        ("Ärger", "word", False),
        ("-", "word", False),
        ("q" * 300, "word", False),
    ],
)
def test_it_is_asked_for_what_it_can_tell(desk: Desk, text: str, part: Part, asked: bool) -> None:
    with desk.bound(), unit_of_work("read"):
        assert asks_index(text, part) is asked


def test_tickets_and_comments_have_one() -> None:
    ours = [index for index in word_indexes() if index.table.startswith("helpdesk_")]
    assert [(index.table, index.column) for index in ours] == [
        ("helpdesk_comment", "body"),
        ("helpdesk_ticket", "subject"),
        ("helpdesk_ticket", "tags"),
    ]


def test_tags_follow_changes_and_resets(desk: Desk, sandboxes: Sandboxes) -> None:
    number = desk.ticket(tags=["vip-fleet", "zymurgy"])["id"]
    searches = ("zymurgy", "tags:zymurgy", "tags:vip-fleet", "tags:vip*", "tags:vip", "-tags:vip*")

    def found() -> list[bool]:
        answers = (desk.get(f"search.json?query=type:ticket {text}") for text in searches)
        return [number in [row["id"] for row in answer["results"]] for answer in answers]

    assert found() == [True, True, True, True, False, False]
    desk.put(f"tickets/{number}.json", {"ticket": {"tags": ["Vip", "zymurgies"]}})
    assert found() == [False, False, False, True, True, False]
    desk.put(f"tickets/{number}.json", {"ticket": {"tags": []}})
    assert found() == [False, False, False, False, False, True]
    assert sandboxes.reset(desk.row.id).mismatches == ()
    assert found() == [False] * 6


def test_an_index_that_is_not_there_cannot_be_asked_for() -> None:
    with pytest.raises(LookupError):
        holding(Ticket.objects.all(), "x", "word", "description")
