"""A site in memory: what queries of the tests are read against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from clones.tracker.rules.jql import ResolvedField, SiteField, Viewer
from clones.tracker.rules.jql.site import THINGS

P = "com.atlassian.jira.plugin.system.customfieldtypes:"
G = "com.pyxis.greenhopper.jira:"
# Tuesday, in Berlin two hours ahead of UTC.
NOW = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
VIEWER = Viewer(account_id="ann-1", now=NOW, zone=BERLIN, first_weekday=0)

# Ids and the names under which each is known.
TABLES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "project": {"10000": ("AUT", "Autumn"), "10001": ("WIN", "Winter")},
    "issue type": {"1": ("Bug",), "2": ("Story",), "3": ("Sub-task",)},
    "status": {"1": ("To Do",), "3": ("In Progress",), "5": ("Done",)},
    "status category": {"2": ("To Do", "new"), "3": ("Done", "done")},
    "priority": {"1": ("Highest",), "3": ("Medium",), "5": ("Lowest",)},
    "resolution": {"6": ("Fixed",), "7": ("Won't Do",)},
    "user": {"ann-1": ("Ann Agent", "ann@example.test"), "bob-2": ("Bob",), "jane": ("Jane",)},
    "group": {"g-1": ("jira-administrators",), "g-2": ("support",)},
    "version": {"100": ("1.0",), "101": ("2.0",), "200": ("1.0",)},
    "component": {"50": ("API",)},
    "issue": {"1001": ("AUT-1",), "1002": ("AUT-2",), "2001": ("WIN-1",)},
    "option": {"900": ("Red",), "901": ("Blue",), "902": ("7",)},
    "link type": {"10": ("Blocks", "blocks", "is blocked by")},
    "filter": {"300": ("My bugs",)},
    "sprint": {"40": ("Sprint 1",), "41": ("Sprint 2",)},
    "category": {"70": ("Seasons",)},
    "level": {"0": ("Base",), "1": ("Epic",)},
    "team": {"t-1": ("Platform",)},
    "project type": {"software": ("Software",)},
    "security level": {"80": ("Secret",)},
    "role": {"r-1": ("Developers",)},
    "permission": {"BROWSE_PROJECTS": ("Browse Projects",)},
}
CUSTOM = (
    SiteField(10001, "Team", P + "atlassian-team"),
    SiteField(10015, "Start date", P + "datepicker"),
    SiteField(10016, "Story Points", G + "jsw-story-points"),
    SiteField(10019, "Rank", G + "gh-lexo-rank"),
    SiteField(10020, "Sprint", G + "gh-sprint"),
    SiteField(10021, "Flagged", P + "multicheckboxes"),
    SiteField(10030, "Colour", P + "select"),
    SiteField(10031, "Colour", P + "select"),
    SiteField(10032, "Notes", P + "textarea"),
    SiteField(10033, "Reached", P + "datetime"),
    SiteField(10034, "Place", P + "cascadingselect"),
    SiteField(10040, "Time to resolution", "com.atlassian.servicedesk:sd-sla-field"),
    SiteField(10041, "development", "com.atlassian.jira.plugins.jira-development-integration-"
                "plugin:devsummarycf"),
)  # fmt: skip


@dataclass
class MemorySite:
    """A site whose things are the tables above, less what `hidden` names: ids by kind."""

    viewer: Viewer = VIEWER
    fields: Sequence[SiteField] = CUSTOM
    hidden: Mapping[str, frozenset[str]] = field(default_factory=dict)
    expected: list[Mapping[str, frozenset[str]]] = field(default_factory=list)

    def custom_fields(self) -> Sequence[SiteField]:
        return self.fields

    def expect(self, wanted: Mapping[str, frozenset[str]]) -> None:
        assert wanted.keys() <= THINGS
        self.expected.append(wanted)

    def _rows(self, kind: str) -> dict[str, tuple[str, ...]]:
        assert kind in THINGS, kind
        hidden = self.hidden.get(kind, frozenset())
        return {id: names for id, names in TABLES.get(kind, {}).items() if id not in hidden}

    def named(self, kind: str, text: str, field: ResolvedField | None) -> Sequence[str]:
        self._require(kind, text)
        low = text.lower()
        return [
            id for id, names in self._rows(kind).items() if low in [name.lower() for name in names]
        ]

    def identified(self, kind: str, id: str, field: ResolvedField | None) -> bool:
        self._require(kind, id)
        return id in self._rows(kind)

    def _require(self, kind: str, text: str) -> None:
        # Nothing is asked for that was not announced: a database is asked once.
        assert self.expected
        assert text in self.expected[-1].get(kind, frozenset())
