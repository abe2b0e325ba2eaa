"""All measured properties of a world."""

from __future__ import annotations

from django.apps import apps

from clones.helpdesk.models import Comment
from seeds.measures import statistics, texts
from seeds.measures.records import record_properties
from seeds.measures.tickets import StoreFacts
from seeds.measures.tracker import tracker_properties
from seeds.text.vocabulary import vocabulary
from seeds.worlds import BuildReport


def properties(report: BuildReport, bucket: int) -> dict[str, float]:
    """Return every property of the bound store by name; `bucket` is hours of a peak's stretch."""
    desk = StoreFacts()
    incidents = report.facts["incidents"]
    in_incidents = frozenset(number for item in incidents for number in item["tickets"])
    found: dict[str, float] = {
        "1 weekend share": desk.weekend_share(),
        "2 monday/friday": desk.monday_over_friday(),
        "3 office hours": desk.office_share(),
        "4 over-dispersion": desk.day_dispersion(),
        "5 incident peak": desk.peak(bucket),
        "5 peak without incidents": desk.peak(bucket, in_incidents),
        "6 midnight rows": desk.midnight_share(),
    }
    found["7 resolution p50"], found["7 resolution p90/p50"] = desk.resolution_body()
    found["8 KS two log-normals"], found["8 KS one log-normal"] = desk.resolution_shape()
    found |= {"9 quick closes": desk.quick_share(), "10 long tail": desk.long_share()}
    found["11 transfers 0"], found["11 transfers 3+"] = desk.transfer_shares()
    breached, never, often = desk.breach_shares()
    found["12 transfer effect"] = often / never if never else 0.0
    found |= {
        "13 SLA breach": breached,
        "14 reopen": desk.reopened_share(),
        "15 waiting on user": desk.waited_share(),
        "16 one-touch": desk.one_touch_share(),
    }
    found["17 CSAT answered"], found["17 CSAT good"] = desk.satisfaction()
    found["18 requester gini"], found["18 top requester"] = desk.requester_gini()
    found |= {"19 category slope": desk.category_slope(), "20 agent gini": desk.agent_gini()}
    found["21 V category-group"], found["21 V group-assignee"] = desk.dependence()
    found["22 default priority"] = desk.default_priority()
    found |= text_properties()
    found["29 tag singletons"] = desk.singleton_tags()

    found["29 near-duplicate tags"] = texts.near_duplicate_groups(desk.tags())
    found |= record_properties(desk, report.ledger)
    found |= tracker_properties()
    if apps.is_installed("clones.crm"):  # in the making: docs/adr/0029
        from seeds.measures.crm import crm_properties  # noqa: PLC0415 - its models may not be there

        found |= crm_properties(report.ledger)
    return found


def text_properties(count: int = 2000) -> dict[str, float]:
    """Return the properties of text, with and without codes."""
    rows = list(
        Comment.objects.filter(public=True)
        .order_by("created_at", "id")
        .values_list("body", "author__role", "via", "ticket_id", "id")
    )
    mails = [(body, via, ticket) for body, role, via, ticket, _ in rows if role == "end-user"]
    agents = [body for body, role, _, _, _ in rows if role != "end-user"]
    said = [texts.new_text(body) for body, _, _ in mails]
    lengths = [len(text.split()) for text in said if text]
    seen: set[int] = set()
    replies = []
    for body, via, ticket in mails:
        if ticket in seen and via.get("channel") in ("email", "closed_ticket"):
            replies.append(body)
        seen.add(ticket)
    step = max(len(said) // count, 1)
    bodies = [texts.cut_words(text) for text in said[::step] if len(text.split()) > 5][:count]
    plain = [texts.without_codes(text) for text in bodies]
    known = vocabulary()
    near, twins = texts.neighbours(bodies, 900)
    return {
        "23 mail length p50": statistics.quantile(lengths, 0.5),
        "23 mail length sigma": texts.log_sigma(lengths),
        "24 quoted history": sum(map(texts.has_quote, replies)) / max(len(replies), 1),
        "25 hapax": texts.hapax_share(bodies),
        "25 hapax without codes": texts.hapax_share(plain),
        "26 distinct-3": texts.distinct(bodies),
        "26 distinct-3 without codes": texts.distinct(plain),
        "26 xz ratio": texts.xz_ratio(bodies),
        "26 xz ratio without codes": texts.xz_ratio(plain),
        "27 neighbour": near,
        "27 near twins": twins,
        "27 neighbour without codes": texts.neighbours(plain, 900)[0],
        "28 slips of customers": texts.misspelled_per_thousand(said, known),
        "28 slips of agents": texts.misspelled_per_thousand(agents, known),
    }
