"""The profile of a person, and the settings that people make for themselves."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.tracker.domain import people
from clones.tracker.domain.watching import AUTOWATCH
from clones.tracker.models import Preference, User
from clones.tracker.queries.people import find_user
from clones.tracker.queries.profiles import places_of, worked_on
from clones.tracker.queries.recipients import OWN_CHANGES, wants_own_changes
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.parts.asking import ask
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.parts.times import when
from clones.tracker.web.settings.forms import FormPage, Input, chosen
from clones.tracker.web.shell import page

SHOWN: Final = 20
PLACES: Final = 8
SETTINGS: Final = "/jira/settings/personal/general"
KINDS: Final = {"atlassian": "Person", "app": "App", "customer": "Customer"}
LOCALES: Final = {
    "cs_CZ": "Čeština (Česká republika)",
    "da_DK": "Dansk (Danmark)",
    "de_DE": "Deutsch (Deutschland)",
    "en_GB": "English (United Kingdom)",
    "en_US": "English (United States)",
    "es_ES": "Español (España)",
    "fi_FI": "Suomi (Suomi)",
    "fr_FR": "Français (France)",
    "hu_HU": "Magyar (Magyarország)",
    "it_IT": "Italiano (Italia)",
    "ja_JP": "日本語 (日本)",
    "ko_KR": "한국어 (대한민국)",
    "nl_NL": "Nederlands (Nederland)",
    "nb_NO": "Norsk bokmål (Norge)",
    "pl_PL": "Polski (Polska)",
    "pt_BR": "Português (Brasil)",
    "sv_SE": "Svenska (Sverige)",
    "tr_TR": "Türkçe (Türkiye)",
    "vi_VN": "Tiếng Việt (Việt Nam)",
    "zh_CN": "中文 (中国)",
}


def profile_address(user: User) -> str:
    """Return the address of somebody's profile."""
    return f"/jira/people/{user.account_id}"


@page_of_staff
def profile(request: SandboxRequest, who: Visitor, place: str) -> HttpResponse:
    """Show somebody: about them, what they worked on, and where."""
    user = find_user(place)
    sightings.note(user, "detail")
    rights = who.rights
    zone = ZoneInfo(user.time_zone)
    own = user.id == who.user.id
    jql = f'assignee = "{user.account_id}" AND statusCategory != Done ORDER BY updated DESC'
    about = [
        ("Email", (user.email or "") if rights.sees_email_of(user) else ""),
        ("Local time", when(rights.asked_at, zone)),
        ("Time zone", user.time_zone.replace("_", " ")),
        ("Account", KINDS[user.account_type]),
    ]
    context = {
        "person": user,
        "picture": face(user),
        "about": [(name, value) for name, value in about if value],
        "own": own,
        "issues": worked_on(user, rights, SHOWN),
        "places": places_of(user, rights, PLACES),
        "open_work": f"/issues/?{urlencode({'jql': jql})}",
        "settings": SETTINGS,
    }
    return page(request, who, "tracker/space/profile.html", context, title=user.display_name)


@page_of_staff
def settings(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the settings that the visitor made for themselves, or take them."""
    sheet = _sheet(who.user)

    def write(sent: PageForm) -> tuple[str, str]:
        _save(sent, who.user)
        return "Your settings are saved", SETTINGS

    return ask(request, who, sheet, write, show=lambda shown: _shown(request, who, shown))


def _shown(request: SandboxRequest, who: Visitor, sheet: FormPage) -> HttpResponse:
    return page(
        request, who, "tracker/space/sheet.html", {"sheet": sheet},
        title="Personal settings", active="personal", status=400 if sheet.is_refused else 200,
    )  # fmt: skip


def _sheet(user: User) -> FormPage:
    locales = dict(LOCALES)
    locales.setdefault(user.locale, user.locale)
    zones = [(name, name.replace("_", " ")) for name in sorted(available_timezones())]
    own = "on" if wants_own_changes(user) else ""
    return FormPage(
        "Personal settings",
        SETTINGS,
        profile_address(user),
        [
            Input("locale", "Language", "select", choices=chosen(locales.items(), [user.locale])),
            Input("timeZone", "Time zone", "select", choices=chosen(zones, [user.time_zone])),
            Input("ownChanges", "Email me about changes that I make myself", "check", own),
            Input(
                "autowatch",
                "Watch work items that I create or comment on",
                "check",
                "on" if watches_own_work(user) else "",
            ),
        ],
        "Save",
    )


def watches_own_work(user: User) -> bool:
    """Tell whether somebody comes to watch what they make or speak on."""
    rows = Preference.objects.filter(user=user, key=AUTOWATCH).values_list("value", flat=True)
    return rows.first() not in (True, "true")


def _save(sent: PageForm, user: User) -> None:
    people.set_preference(user, people.LOCALE, sent.text("locale"))
    people.set_preference(user, people.ZONE, sent.text("timeZone"))
    own = sent.ticked("ownChanges")
    if own != wants_own_changes(user):
        people.set_preference(user, OWN_CHANGES, str(own).lower())
    watches = sent.ticked("autowatch")
    if watches != watches_own_work(user):
        people.set_preference(user, AUTOWATCH, str(not watches).lower())
