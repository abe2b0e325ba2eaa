"""An index of private values finds what looking for each of them would find, at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import pytest
from django.db.models import Model
from hypothesis import given
from hypothesis import strategies as st

from clones.billing.models import Customer
from clones.core.journal import act
from clones.core.privacy import FactKind, KnownPerson, PrivateFact
from clones.helpdesk.models import Identity, Organization, Ticket, User
from episodes.checks.spelling import SpelledText
from episodes.tasks.acquaintance import Acquaintance, by_name
from episodes.tasks.footprint import writes
from episodes.tasks.private_index import FactIndex, IndexCache, facts_of, people_of
from episodes.tasks.world_rows import RowsSince, RowsWith
from tests.certify.private_stand import Stand

ANN: Final = frozenset({"ann"})
WORDS: Final = ("ann", "lee", "north", "example", "jo", "4471", "0090", "17", "KT", "the", "of")
BETWEEN: Final = ("@", ".", "-", " ", " at ", " dot ", "", "+", ", ")


@st.composite
def _texts(draw: st.DrawFn) -> str:
    """Draw a text of a few words that values have parts of in common with."""
    parts = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BETWEEN)), max_size=9))
    return "".join(word + joined for word, joined in parts)


def _states(text: SpelledText, fact: PrivateFact) -> bool:
    """Tell by looking for this one value alone."""
    ways = {"email": text.emails, "code": text.codes, "phone": text.phones, "note": text.holds}
    return bool(ways[fact.kind](fact.value))


@given(st.lists(st.tuples(st.sampled_from(("email", "code", "phone", "note")), _texts())), _texts())
def test_many_values_are_found_as_each_alone(values: list[tuple[FactKind, str]], text: str) -> None:
    facts = [PrivateFact(kind, value, ANN) for kind, value in values]
    spelled = SpelledText(text)
    found = {stated.fact for stated in FactIndex(facts).stated(spelled)}
    assert found == {fact for fact in facts if _states(spelled, fact)}


@given(_texts())
def test_a_value_is_found_in_its_own_text(value: str) -> None:
    for kind in ("email", "code", "phone", "note"):
        fact = PrivateFact(kind, value, ANN)
        assert _states(SpelledText(f"({value})"), fact) == bool(
            list(FactIndex([fact]).stated(SpelledText(f"({value})")))
        )


def test_what_is_gone_is_found_as_often_less() -> None:
    fact = PrivateFact("email", "ann@north.example", ANN)
    twice = FactIndex([fact, fact])
    text = SpelledText("Ask ann@north.example")
    assert list(twice.stated(text, Counter([fact])))
    assert not list(twice.stated(text, Counter([fact, fact])))


def test_whoever_shares_a_name_is_one_person_while_they_share_it() -> None:
    desk = KnownPerson(frozenset({"desk:1", "ann@north.example"}), "Ann Lee")
    payer = KnownPerson(frozenset({"payer:7", "ann@north.example"}), firms=frozenset({"north"}))
    firm = KnownPerson(frozenset({"north"}), shares=frozenset({"north"}))
    other = KnownPerson(frozenset({"desk:2"}), firms=frozenset({"north"}))
    known = by_name([desk, payer, firm, other])
    circle = Acquaintance(known)
    assert circle.person("desk:1") == circle.person("payer:7") != circle.person("desk:2")
    assert circle.may_hear("desk:1", ["desk:2"])
    assert circle.person("nobody") == "nobody"
    apart = Acquaintance(known, gone=[payer])
    assert apart.person("payer:7") == "payer:7"
    assert not apart.may_hear("desk:1", ["desk:2"])
    moved = Acquaintance(known, gone=[payer], new=[KnownPerson(payer.names, inside=True)])
    assert moved.works_here("desk:1")


def test_so_many_entries_are_kept_and_at_least_one_index(stand: Stand) -> None:
    made: list[str] = []

    class Counted(RowsWith):
        def each(self, model: type[Model], *columns: str) -> Iterator[tuple[object, ...]]:
            if model is User and "name" in columns:
                made.append(model.__name__)
            yield from super().each(model, *columns)

    with stand.held.ground.bound("read"):
        for at_most, often in ((10_000_000, 2), (0, 3)):
            made.clear()
            cache = IndexCache(at_most)
            first = cache.of("one", Counted())
            assert cache.of("one", Counted()) is first
            cache.of("two", Counted())
            cache.of("one", Counted())
            assert len(made) == often


@pytest.mark.parametrize("by", ["world", "helpdesk.account:1"])
def test_what_changed_counts_unless_the_agent_changed_it(by: str, stand: Stand) -> None:
    """The facts and people of a world and of its changes are those of all its rows together."""
    grader = stand.held.episode.grader
    with stand.held.ground.bound("write"), act(actor=by, label="helpdesk.change"):
        User.objects.filter(id=stand.other.id).update(email="new@elsewhere.example")
        Identity.objects.filter(user=stand.requester).delete()
        Organization.objects.update(shared_tickets=True, notes="A note that nobody may read.")
        Ticket.objects.filter(id=stand.ticket).update(custom_fields={"1": "KL-104567"})
        Customer.objects.filter(email=stand.requester.email).update(phone="+44 1632 960596")
    with stand.held.ground.bound("write"), act(actor="world", label="helpdesk.change"):
        # What comes to be as it was, by whomever, is told as before.
        third = User.objects.filter(role="end-user").exclude(phone=None).order_by("-id")[0]
        User.objects.filter(id=third.id).update(phone="+44 1632 960597")
        with act(actor=by, label="helpdesk.change"):
            User.objects.filter(id=third.id).update(phone=third.phone)
    with stand.held.ground.bound("read"):
        rows = RowsSince(grader.beginning.position, writes(grader.start))
        for read in (facts_of, people_of):
            found = Counter(read(rows.at_first))
            changed = Counter(read(rows.changed_at_first)), Counter(read(rows.changed_now))
            assert changed[0] <= found
            found.subtract(changed[0])
            found.update(changed[1])
            assert +found == Counter(read(rows.now))
        told = {fact.value for fact in facts_of(rows.changed_now)}
        assert ("new@elsewhere.example" in told) is (by == "world")


def test_the_agent_makes_nobody_a_friend(stand: Stand) -> None:
    """An address that the agent gave to a record changes nothing of whose it is."""
    body = {"user": {"email": f"x{stand.other.email}", "phone": stand.other.phone}}
    stand.does("helpdesk_UpdateUser", user_id=stand.requester.id, body=body)
    text = {"body": f"Call {stand.other.phone}", "public": True}
    stand.does("helpdesk_UpdateTicket", ticket_id=stand.ticket, body={"ticket": {"comment": text}})
    assert stand.charged() == 1
