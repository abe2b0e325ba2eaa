"""People in a sandbox: they read the journal, look at the world, and act through the domain."""

from __future__ import annotations

import pytest

from clones.core.journal import canonical_changes, fingerprint, journal, store_digest
from clones.core.models import Job
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Ticket
from seeds.people.casting import cast_customer
from seeds.people.models import PersonState
from seeds.people.predicates import UnknownPredicate, holds
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.people.conftest import NUMBER, Matter


def good_reply(matter: Matter) -> str:
    """What a good agent writes."""
    return f"We have refunded $129.00 for charge {matter.charges[1]}."


def test_a_refund_that_is_there_ends_in_thanks_and_a_good_rating(matter: Matter) -> None:
    matter.arrange()
    matter.refund()
    matter.change(reply=good_reply(matter), status="solved")
    assert matter.mood() == "trying"
    matter.advance(hours=72)
    assert matter.mood() == "content"
    [(score, words)] = matter.ratings()
    assert score == "good"
    assert words is not None
    assert "hank" in words
    assert matter.status() == "solved"
    report = matter.report()
    assert (report.mood, report.reopens, report.fixed) == ("content", 0, 1.0)
    assert report.rating == "good"
    assert report.satisfaction is not None
    assert report.satisfaction > 0.8
    assert report.stars == 5


def test_an_open_ticket_gets_the_thanks_and_the_rating_later(matter: Matter) -> None:
    matter.arrange(tone="warm")
    matter.refund()
    matter.change(reply=good_reply(matter))
    matter.advance(hours=72)
    assert len(matter.said_by("rosa")) == 1
    assert "hank you" in matter.said_by("rosa")[0]
    assert matter.ratings() == []
    matter.change(status="solved")
    matter.advance(hours=24)
    assert [score for score, _ in matter.ratings()] == ["good"]
    assert matter.status() == "solved"


def test_a_refund_that_is_not_there_reopens_and_is_rated_badly(matter: Matter) -> None:
    matter.arrange()
    matter.change(reply=good_reply(matter), status="solved")
    matter.advance(hours=72)
    assert [score for score, _ in matter.ratings()] == ["bad"]
    assert matter.status() == "open"
    [text] = matter.said_by("rosa")
    assert "both charges" in text.lower()
    report = matter.report()
    assert (report.mood, report.reopens, report.untruths) == ("doubting", 1, 1)
    assert report.satisfaction is not None
    assert report.satisfaction < 0.1


def test_a_canned_close_is_found_out_too(matter: Matter) -> None:
    matter.arrange()
    matter.change(reply="Your issue has been resolved.", status="solved")
    matter.advance(hours=72)
    assert matter.status() == "open"
    assert matter.report().reopens == 1


def test_solving_without_a_word_is_no_untruth(matter: Matter) -> None:
    matter.arrange()
    matter.change(status="solved")
    matter.advance(hours=72)
    assert (matter.status(), matter.report().reopens, matter.report().untruths) == ("open", 1, 0)


def test_the_second_time_a_manager_is_asked_for(matter: Matter) -> None:
    matter.arrange()
    for _ in range(2):
        matter.change(reply=f"{good_reply(matter)} Really.", status="solved")
        matter.advance(hours=50)
        matter.change(reply="It is refunded now, $129.00 in full.", status="solved")
        matter.advance(hours=50)
    assert matter.mood() == "angry"
    assert any("manager" in text for text in matter.said_by("rosa"))
    with matter.reading():
        assert "escalation_requested" in Ticket.objects.get(id=matter.ticket).tags


def test_a_repair_wins_the_customer_back_but_not_their_rating(matter: Matter) -> None:
    matter.arrange()
    matter.change(reply="Your refund of $129.00 has been made.", status="solved")
    matter.advance(hours=60)
    assert matter.status() == "open"
    matter.refund()
    matter.change(reply=good_reply(matter), status="solved")
    matter.advance(hours=72)
    report = matter.report()
    assert (report.mood, report.fixed, report.reopens, report.untruths) == ("content", 1.0, 1, 1)
    assert matter.status() == "solved"
    assert report.satisfaction is not None
    assert 0.1 < report.satisfaction < 0.5
    assert [score for score, _ in matter.ratings()] == ["bad"]


def test_a_wrong_refund_does_not_satisfy(matter: Matter) -> None:
    matter.arrange()
    matter.refund(matter.charges[0])
    matter.change(reply=good_reply(matter), status="solved")
    matter.advance(hours=72)
    assert matter.status() == "open"


def test_a_true_explanation_satisfies_where_nothing_is_owed(matter: Matter) -> None:
    matter.arrange(owed=False, cause="upgrade_proration")
    text = "The second charge is the prorated amount for your upgrade, so no refund is due."
    matter.change(reply=text, status="solved")
    matter.advance(hours=72)
    report = matter.report()
    assert (report.mood, report.fixed, report.reopens) == ("content", 0.7, 0)
    assert [score for score, _ in matter.ratings()] == ["good"]
    assert matter.status() == "solved"


def test_an_untrue_explanation_does_not(matter: Matter) -> None:
    matter.arrange(owed=False, cause="upgrade_proration")
    matter.change(reply="You have two active subscriptions, so no refund is due.")
    matter.advance(hours=24)
    assert len(matter.said_by("rosa")) == 1
    assert matter.mood() == "doubting"


def test_a_question_is_answered_in_due_course(matter: Matter) -> None:
    matter.arrange()
    matter.change(reply="Which order is this about, and which card?", status="pending")
    assert matter.said_by("rosa") == []
    matter.advance(hours=24)
    [text] = matter.said_by("rosa")
    assert "KL-10482" in text
    assert matter.status() == "open"
    assert matter.mood() == "waiting"


def test_which_is_meant_is_answered_and_the_change_looked_at(matter: Matter) -> None:
    matter.arrange_change()
    matter.change(reply="Is it Ann Lee or Ann Moss?")
    matter.advance(hours=24)
    [answer] = matter.said_by("rosa")[1:]
    assert "Ann Lee" in answer
    matter.enter(NUMBER)
    matter.change(reply=f"I have changed the phone number of Ann Lee to {NUMBER}.")
    matter.advance(hours=24)
    report = matter.report()
    assert (report.mood, report.fixed, report.untruths) == ("content", 1.0, 0)
    assert "money" not in matter.said_by("rosa")[-1]


def test_a_change_is_noticed_without_a_word(matter: Matter) -> None:
    matter.arrange_change()
    matter.enter(NUMBER.replace(" ", ""))
    matter.advance(hours=24)
    assert matter.mood() == "content"


def test_a_change_that_is_not_there_brings_them_back(matter: Matter) -> None:
    matter.arrange_change()
    matter.enter("+44 20 7946 0999")
    matter.change(reply=f"I have changed the phone number of Ann Lee to {NUMBER}.", status="solved")
    matter.advance(hours=24)
    report = matter.report()
    assert (report.mood, report.reopens, report.untruths) == ("doubting", 1, 1)


def test_patience_runs_out_in_business_hours(matter: Matter) -> None:
    matter.arrange()
    with matter.reading():
        state = PersonState.objects.get(person_id=matter.customer)
        patience = state.person.patience
        due = Job.objects.get(kind="people.nudge", state="pending").due
        waited = (due - state.wrote_at).total_seconds()
    assert waited > patience  # nights lie between
    matter.advance(days=20)
    said = matter.said_by("rosa")
    assert len(said) == 2
    assert "manager" in said[1]
    assert matter.mood() == "gone"


def test_filler_does_not_calm_anybody(matter: Matter) -> None:
    matter.arrange()
    with matter.reading():
        before = Job.objects.get(kind="people.nudge", state="pending").due
    matter.change(reply="Thank you for your patience, we are looking into it.")
    with matter.reading():
        assert Job.objects.get(kind="people.nudge", state="pending").due == before
        assert PersonState.objects.get(person_id=matter.customer).repeats == 1


def test_money_is_noticed_without_a_word(matter: Matter) -> None:
    matter.arrange()
    matter.refund()
    matter.advance(hours=50)
    report = matter.report()
    assert (report.mood, report.fixed) == ("content", 1.0)


# The lead


def ask(matter: Matter, text: str) -> None:
    """Leave a note and give the lead time."""
    matter.change(note=text)
    matter.advance(days=4)


def test_a_well_formed_request_is_approved_in_a_note(matter: Matter) -> None:
    matter.arrange()
    ask(matter, f"Please approve the refund of $129.00 on {matter.charges[1]}.")
    assert matter.approvals() == [(matter.charges[1], 12900, True, None)]
    [note] = matter.said_by("olga", public=False)
    assert "pprove" in note
    assert matter.charges[1] in note
    assert "$129.00" in note
    assert matter.said_by("olga") == []


def test_a_request_without_its_facts_is_asked_about(matter: Matter) -> None:
    matter.arrange()
    ask(matter, "Could you approve a refund for this customer?")
    [note] = matter.said_by("olga", public=False)
    assert "charge" in note
    assert "sum" in note
    assert matter.approvals() == []
    ask(matter, f"It is {matter.charges[1]}, $129.00.")
    assert matter.approvals() == [(matter.charges[1], 12900, True, None)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Please approve $129.00 on ch_0000000000000000000000.", "unknown_charge"),
        ("Please approve $999.00 on {charge}.", "wrong_sum"),
    ],
)
def test_a_request_that_does_not_fit_is_refused(matter: Matter, text: str, reason: str) -> None:
    matter.arrange()
    ask(matter, text.format(charge=matter.charges[1]))
    [(_, _, granted, given)] = matter.approvals()
    assert (granted, given) == (False, reason)


def test_what_was_refunded_already_is_refused(matter: Matter) -> None:
    matter.arrange()
    matter.refund()
    ask(matter, f"Please approve $129.00 on {matter.charges[1]}.")
    [(_, _, granted, reason)] = matter.approvals()
    assert (granted, reason) == (False, "already_refunded")


def test_the_customer_never_sees_the_desks_notes(matter: Matter) -> None:
    matter.arrange()
    before = matter.mood()
    ask(matter, f"Please approve the refund of $129.00 on {matter.charges[1]}. We refunded it.")
    assert matter.mood() in (before, "escalated")
    with matter.reading():
        state = PersonState.objects.get(person_id=matter.customer)
        assert state.memory.get("heard") is None


def test_other_notes_make_no_approver_of_anybody(matter: Matter) -> None:
    matter.arrange()
    matter.change(note="Called Rosa, no answer.")
    with matter.reading():
        assert not PersonState.objects.filter(person_id=matter.lead).exists()


# As rows of the sandbox


def test_people_act_as_themselves(matter: Matter) -> None:
    matter.arrange()
    matter.change(reply=good_reply(matter), status="solved")
    matter.advance(hours=72)
    with matter.reading():
        acts = journal().acts()
        actors = {
            acts[row.act].actor
            for row in journal().rows(0)
            if row.table.name == "helpdesk_satisfactionrating" and row.act is not None
        }
    assert actors == {f"person:{matter.customer}"}


def test_people_are_undone_with_the_rest_and_stand_in_no_diff(
    matter: Matter, sandboxes: Sandboxes
) -> None:
    matter.arrange()
    row = matter.desk.row
    position = sandboxes.mark(row.id, "arranged")
    with bind(row), unit_of_work("read"):
        before = store_digest()
    ask(matter, f"Please approve the refund of $129.00 on {matter.charges[1]}.")
    matter.change(reply=good_reply(matter), status="solved")
    matter.advance(hours=72)
    with bind(row), unit_of_work("read"):
        tables = {change["table"] for change in canonical_changes(journal().changes(position))}
    assert "people_approval" in tables
    assert not tables & {"people_person", "people_personstate"}
    sandboxes.rewind(row.id, "arranged")
    with bind(row), unit_of_work("read"):
        assert store_digest() == before


def test_the_same_happens_in_every_sandbox(
    matter: Matter, sandboxes: Sandboxes, desk_image: object
) -> None:
    def play() -> tuple[str, list[str]]:
        position = sandboxes.mark(matter.desk.row.id, "start")
        matter.change(reply="Which order is this about?", status="pending")
        matter.advance(hours=30)
        matter.change(reply=good_reply(matter), status="solved")
        matter.advance(hours=72)
        with matter.reading():
            return fingerprint(position), matter_words(matter)

    matter.arrange()
    first = play()
    sandboxes.rewind(matter.desk.row.id, "start")
    assert play() == first


def matter_words(matter: Matter) -> list[str]:
    """Everything said on the ticket."""
    found = Ticket.objects.get(id=matter.ticket).comments.order_by("created_at", "id")
    return [f"{comment.created_at.isoformat()} {comment.body}" for comment in found]


def test_a_fork_lives_on_alone(matter: Matter, sandboxes: Sandboxes) -> None:
    matter.arrange()
    matter.change(reply=good_reply(matter), status="solved")
    fork = sandboxes.fork(matter.desk.row.id)
    alone = Matter(matter.desk, matter.ticket, matter.charges, matter.customer, matter.lead)
    alone.desk = type(matter.desk)(fork)
    alone.advance(hours=72)
    assert alone.status() == "open"
    assert matter.status() == "solved"
    sandboxes.delete(fork.id)


def test_an_unknown_look_is_an_error() -> None:
    with pytest.raises(UnknownPredicate):
        holds("weather_fine", {})


def test_nobody_is_impatient_as_the_task_begins(matter: Matter) -> None:
    matter.arrange()
    with matter.reading():
        state = PersonState.objects.select_related("person").get(person_id=matter.customer)
        assert state.person.patience >= 8 * 3600
        assert state.person.language == "en"
    assert cast_customer.__doc__ is not None
