"""Every time in mail is in the zone of who looks, by the sandbox's clock."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clones.core import clock
from clones.core.vendors import zone_of
from clones.helpdesk.models import User
from clones.mail.domain.mailboxes import open_mailbox
from clones.tracker.models import User as TrackerUser
from tests.mail.conftest import Box, PostOffice

ZONES = {"ana": "America/Los_Angeles", "ben": "Pacific/Auckland"}


@pytest.fixture
def far(post_office: PostOffice) -> PostOffice:
    """Return the mailboxes: Ana and Ben are nearly a day apart, Tom has a zone that is none."""
    with post_office.desk.writing():
        for name, zone in ZONES.items():
            User.objects.filter(email=f"{name}@desk.example").update(iana_time_zone=zone)
        User.objects.filter(email="tom@acme.example").update(iana_time_zone="Mars/Base")
    return post_office


def clocks(box: Box, path: str) -> list[tuple[datetime, str]]:
    """Return each time of a page: the moment, and all that is read of it."""
    html = box.get(path).html
    found = re.findall(r'<time\b[^>]*datetime="([^"]+)"([^>]*)>([^<]+)</time>', html)
    assert found, path
    return [(datetime.fromisoformat(iso), f"{more} {shown}") for iso, more, shown in found]


@pytest.mark.parametrize("name", ["ana", "ben"])
def test_times_are_in_the_zone_of_who_looks(far: PostOffice, name: str) -> None:
    ana = far.box("ana")
    key = ana.send("ben@desk.example", "Lunch", "At noon?")
    ana.answer(key, "Or one?")
    box, zone = far.box(name), ZoneInfo(ZONES[name])
    folder = "sent" if name == "ana" else "inbox"
    with far.desk.bound():
        today = clock.now().astimezone(zone).date()
    for path in (f"/folders/{folder}", f"/messages/{key}"):
        for moment, read in clocks(box, path):
            local = moment.astimezone(zone)
            assert local.date() == today
            assert f"{local:%a, %d %b %Y, %H:%M} {local:%Z}" in read
            if path.startswith("/folders"):
                assert read.endswith(f" {local:%H:%M}")
    quoted = box.get("/compose", way="reply", about=key).html
    local = far.messages(id=key)[0].sent_at.astimezone(zone)
    assert f"On {local:%a, %d %b %Y at %H:%M}, " in quoted
    forwarded = box.get("/compose", way="forward", about=key).html
    assert f"Date: {local:%a, %d %b %Y at %H:%M}" in forwarded


def test_what_was_sent_yesterday_by_their_own_clock_has_a_day(far: PostOffice) -> None:
    key = far.box("ana").send("ben@desk.example", "Lunch", "At noon?")
    zone = ZoneInfo(ZONES["ben"])
    sent = far.messages(id=key)[0].sent_at.astimezone(zone)
    with far.desk.writing():
        clock.set_time(clock.now() + timedelta(hours=24 - sent.hour))
    [(_, read)] = clocks(far.box("ben"), "/folders/inbox")
    assert read.endswith(f" {sent:%b} {sent.day}")


def test_the_zone_is_the_helpdesks_then_the_trackers_then_utc(far: PostOffice) -> None:
    with far.desk.writing():
        open_mailbox("nia@else.example", "Nia New", role="customer")
        assert zone_of("nia@else.example") == zone_of("tom@acme.example") == ZoneInfo("UTC")
        assert zone_of("ben@desk.example") == ZoneInfo(ZONES["ben"])
        for number, name in enumerate(("nia@else.example", "ben@desk.example")):
            TrackerUser.objects.create(
                id=90 + number,
                account_id=f"712020:{number}",
                account_type="atlassian",
                email=name,
                display_name="Nia New",
                time_zone="Asia/Tokyo",
                created=clock.now(),
            )
        assert zone_of("nia@else.example") == ZoneInfo("Asia/Tokyo")
        assert zone_of("ben@desk.example") == ZoneInfo(ZONES["ben"])
