"""A world obeys the domain's rules, is messy where it says so, and hands out what it promises."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db.models import F

from clones.billing.models import Charge, Customer, Invoice, Subscription
from clones.core import clock, jobs
from clones.core.models import Account, Job, SandboxState
from clones.helpdesk.domain.inbound import receive_mail
from clones.helpdesk.domain.sla_clocks import BREACH
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import (
    Attachment,
    Audit,
    AuditEvent,
    Comment,
    MetricEvent,
    SatisfactionRating,
    SlaClock,
    Ticket,
    TicketField,
    TicketMetric,
    User,
)
from clones.helpdesk.queries.portal import default_brand, editable_fields, portal_forms
from clones.mail.models import Mailbox
from seeds.invariants import violations
from seeds.kestrel.sizes import SIZES
from seeds.pools import FOLDER, half_of, pool
from seeds.worlds import WORLDS, BuildReport, UnknownWorld, build_world, world_version
from tests.seeds.conftest import kinds, stored_world

MESS = {
    "article_contradicts",
    "article_outdated",
    "auto_reply",
    "billing_email",
    "billing_name",
    "duplicate_user",
    "follow_up",
    "foreign_language",
    "forwarded_mail",
    "merged",
    "missing_name",
    "name_spelling",
    "near_duplicate_tag",
    "organization_name",
    "repeated_ticket",
    "second_identity",
    "shared_mailbox",
    "signature_image",
    "stale_assignee",
    "test_ticket",
    "thanks_reopen",
    "two_problems",
    "wrong_category",
    "wrong_order",
    "wrong_product",
    "wrong_serial",
}


def test_tiny_world_keeps_every_rule(tiny: BuildReport) -> None:
    assert violations() == []


@pytest.mark.slow
def test_small_world_keeps_every_rule(small: BuildReport) -> None:
    assert violations() == []


@pytest.mark.slow
def test_broken_rules_are_found(small: BuildReport) -> None:
    closed = Ticket.objects.filter(status="closed").order_by("id").first()
    assert closed is not None
    Ticket.objects.filter(id=closed.id).update(assignee=None)
    TicketMetric.objects.filter(ticket=closed).update(replies=99)
    charge = Charge.objects.filter(status="succeeded", amount_refunded=0).order_by("id").first()
    assert charge is not None
    Charge.objects.filter(id=charge.id).update(amount_refunded=5)
    timed = SlaClock.objects.filter(state="active", breached=False, breach_at__isnull=False)
    running, late = timed.order_by("id")[:2]
    Job.objects.filter(payload={"clock": running.id}).delete()
    SlaClock.objects.filter(id=late.id).update(breach_at=clock.now() - timedelta(hours=1))
    level = Ticket.objects.filter(status="open").exclude(sla_policy_id=None).latest("id")
    Ticket.objects.filter(id=level.id).update(sla_policy_id=None)
    found = " ".join(violations())
    assert f"ticket {closed.id} is closed without an assignee" in found
    assert f"ticket {closed.id}: 99 replies counted" in found
    assert f"charge {charge.id}: refunds do not add up" in found
    assert f"clock {running.id} is due {running.breach_at}, its timer None" in found
    assert f"clock {late.id} of ticket {late.ticket_id} is not breached" in found
    assert f"ticket {level.id} has SLA None" in found


@pytest.mark.slow
def test_every_kind_of_mess_is_there_and_in_the_ledger(small: BuildReport) -> None:
    assert MESS - kinds(small) == set()


@pytest.mark.slow
def test_ledger_tells_what_rows_got_wrong(small: BuildReport) -> None:
    seen = 0
    field = str(TicketField.objects.get(title="Category").id)
    for entry in small.ledger:
        if entry["kind"] == "missing_name":
            assert User.objects.get(id=entry["key"]).name == entry["new"] != entry["old"]
            seen += 1
        elif entry["kind"] == "wrong_category":
            assert Ticket.objects.get(id=entry["key"]).custom_fields[field] == entry["new"]
            seen += 1
        elif entry["kind"] == "billing_email":
            assert Customer.objects.get(id=entry["key"]).email == entry["new"]
            seen += 1
        elif entry["kind"] == "signature_image":
            assert Attachment.objects.filter(
                comment__ticket_id=entry["key"], file_name="image001.png"
            ).exists()
            seen += 1
    assert seen > 300


@pytest.mark.slow
def test_size_is_what_it_says(small: BuildReport) -> None:
    assert abs(small.counts["helpdesk.Ticket"] - SIZES["small"].tickets) < 10
    assert small.counts["helpdesk.Comment"] == Comment.objects.count()
    numbers = list(Ticket.objects.order_by("id").values_list("id", "created_at"))
    assert [created for _, created in numbers] == sorted(created for _, created in numbers)
    assert numbers[-1][0] > len(numbers), "deleted tickets leave gaps"
    assert Ticket.objects.values("status").distinct().count() == 6
    assert SatisfactionRating.objects.exclude(comment=None).exists()


def test_listed_accounts_are_what_a_sandbox_hands_out(tiny: BuildReport) -> None:
    of_the_desk = ("billing", "helpdesk", "mail")
    listed = Account.objects.filter(listed=True, active=True, clone__in=of_the_desk)
    listed = listed.order_by("clone", "id")
    roles = [(account.clone, account.role) for account in listed]
    assert sorted(roles) == [
        ("billing", "admin"), ("helpdesk", "admin"), ("helpdesk", "agent"), ("helpdesk", "agent"),
        ("helpdesk", "agent"), ("helpdesk", "end-user"), ("helpdesk", "end-user"),
        ("mail", "customer"), ("mail", "customer"), ("mail", "employee"), ("mail", "employee"),
        ("mail", "employee"), ("mail", "employee"),
    ]  # fmt: skip
    desk = {account.login for account in listed if account.clone == "helpdesk"}
    boxes = {account.login for account in listed if account.clone == "mail"}
    assert desk == boxes == set(Mailbox.objects.values_list("address", flat=True))
    agents = User.objects.filter(id__in=[int(a.subject) for a in listed if a.role == "agent"])
    assert "Billing" in {agent.default_group.name for agent in agents if agent.default_group}
    for account in listed:
        secrets = {credential.kind for credential in account.credentials.all()}
        assert secrets == {
            "billing": {"secret_key"},
            "helpdesk": {"password", "api_token", "oauth_token"},
            "mail": {"password"},
        }.get(account.clone)


def test_state_is_set(tiny: BuildReport) -> None:
    state = SandboxState.objects.get()
    assert state.now == WORLDS["kestrel"].present
    assert state.seed == "kestrel|1"
    assert Job.objects.filter(kind="helpdesk.automations", state="pending").count() == 1


def test_facts_are_plain_and_name_real_rows(tiny: BuildReport) -> None:
    facts = json.loads(json.dumps(tiny.facts))
    assert len(facts["tickets"]) == tiny.counts["helpdesk.Ticket"]
    for customer in facts["customers"]:
        assert User.objects.filter(id=customer["user"]).exists()
        assert Customer.objects.filter(id=customer["billing_customer"]).exists()
        assert Charge.objects.filter(id__in=[c["id"] for c in customer["charges"]]).count() == len(
            customer["charges"]
        )
    for double in facts["double_charges"]:
        second = Charge.objects.get(id=double["second"])
        solved = Ticket.objects.filter(id__in=double["tickets"], status__in=("solved", "closed"))
        if double["owed"] and solved.exists() and double["cause"] in ("gateway_retry", "two_cards"):
            assert second.amount_refunded == double["owed"]
    assert Subscription.objects.filter(status="active").exists()
    assert Invoice.objects.filter(status="paid").exists()


def test_life_goes_on_from_the_present(tiny: BuildReport) -> None:
    ticket = Ticket.objects.filter(status="open").exclude(assignee=None).order_by("id").first()
    assert ticket is not None
    before = AuditEvent.objects.filter(audit__ticket=ticket).count()
    via = Via("web")
    update_ticket(
        ticket,
        actor=ticket.assignee,
        changes={"status": "pending"},
        comment=NewComment("Any news?"),
        via=via,
    )
    ticket.refresh_from_db()
    assert ticket.status == "pending"
    assert AuditEvent.objects.filter(audit__ticket=ticket).count() > before
    assert ticket.updated_at - clock.now() < timedelta(seconds=2)


@pytest.mark.slow
def test_nobody_works_on_tickets_after_leaving(small: BuildReport) -> None:
    gone = [person for person in small.facts["staff"] if person["left"] is not None]
    assert gone
    for person in gone:
        later = Audit.objects.filter(author_id=person["user"], created_at__gte=person["left"])
        assert not later.exists(), person["name"]


def test_slas_of_open_tickets_run_out(tiny: BuildReport) -> None:
    waiting = Job.objects.filter(kind=BREACH, state="pending").order_by("due", "id")
    timer = waiting.first()
    assert timer is not None
    assert timer.due > clock.now()
    jobs.advance(timer.due)
    found = SlaClock.objects.get(id=timer.payload["clock"])
    assert found.breached
    assert found.breach_at is not None
    events = MetricEvent.objects.filter(ticket=found.ticket_id, type="breach")
    assert events.filter(time=found.breach_at).exists()
    assert not waiting.filter(id=timer.id).exists()


def test_mail_of_today_leaves_what_mail_of_history_left(tiny: BuildReport) -> None:
    """Ids and words aside, nothing tells a ticket of the present from the world's own."""
    first = Audit.objects.filter(ticket__via__channel="email", created_at=F("ticket__created_at"))
    history = [mail_shape(audit) for audit in first.filter(author__role="end-user")]
    customer = User.objects.filter(role="end-user", organization=None).earliest("id")
    shape = mail_shape(receive_mail(author=customer, subject="Lens", body="Which one fits?"))
    assert history.count(shape) > 1


def mail_shape(audit: Audit) -> str:
    """Return what an audit consists of, its values left out, with its ticket's own columns."""
    events = audit.events.order_by("position").values_list("type", "body")
    source, ticket = audit.via["source"], audit.ticket
    parts = [
        [(kind, sorted(body), body.get("field_name")) for kind, body in events],
        [audit.via["channel"], *([name, sorted(source[name] or {})] for name in source)],
        audit.metadata,
        [name for name, value in ticket.via["source"]["to"].items() if value],
        [ticket.recipient, ticket.group_id, ticket.brand_id, ticket.ticket_form_id],
    ]
    return json.dumps(parts, default=str)


def test_nothing_in_the_store_names_the_story(tiny: BuildReport) -> None:
    said = set(" ".join(Comment.objects.values_list("body", flat=True)).lower().split())
    assert not said & {"ledger", "gateway_retry", "two_cards", "corruption", "owed"}


def test_customers_can_ask_for_help_by_every_form(tiny: BuildReport) -> None:
    forms = portal_forms(default_brand())
    assert forms
    for form in forms:
        kinds_there = {field.type for field in editable_fields(form)}
        assert {"subject", "description"} <= kinds_there, form.name


def test_mail_addresses_are_reserved(tiny: BuildReport) -> None:
    for address in User.objects.exclude(email=None).values_list("email", flat=True):
        assert str(address).endswith(".example")


def test_unknown_worlds_are_refused() -> None:
    with pytest.raises(UnknownWorld, match="choose from kestrel"):
        build_world("kestrel", "huge", 1)
    with pytest.raises(UnknownWorld, match="choose from kestrel"):
        build_world("merlin", "tiny", 1)


def test_halves_of_pools_share_nothing() -> None:
    for path in sorted((FOLDER / "train").glob("*.txt")):
        assert not set(pool("train", path.stem)) & set(pool("test", path.stem)), path.stem
        assert pool("test", path.stem)
    assert [half_of(seed) for seed in (0, 19_999, 20_000, 20_499)] == [
        "train",
        "train",
        "test",
        "test",
    ]


def test_test_seeds_read_the_other_half() -> None:
    with stored_world("tiny", 20_001) as world, world.bound() as report:
        families = set(pool("train", "family_en")) - set(pool("test", "family_en"))
        names = User.objects.filter(role="agent").values_list("name", flat=True)
        assert report.half == "test"
        assert not {name.split(" ")[-1] for name in names} & families


def test_version_follows_the_sources() -> None:
    assert len(world_version()) == 16
    assert world_version() == world_version()
