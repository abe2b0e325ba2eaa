"""The help center: articles of the company as its agents wrote them, with what readers thought.

They are data (`seeds/kestrel/articles.toml`), the same in every world; who wrote them, when, and
who voted on them is the world's own. What is wrong with an article is in the ledger.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from clones.helpdesk import models as helpdesk
from clones.helpdesk.domain.help_center import MANAGERS, SEGMENTS
from clones.helpdesk.rules.text import kept_of_html
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import FOUNDED, PRESENT
from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.story.model import Agent
from seeds.ledger import Ledger

SOURCE = Path(__file__).parents[1] / "articles.toml"
# Nothing of it is younger, so that the newest row of a store stays a ticket's.
LAST = PRESENT - timedelta(days=4)
MONTH = timedelta(days=30, hours=10)
READY = timedelta(days=20)  # how long somebody is there before they write articles
VOTERS = 60
STRONG = re.compile(r"\*([^*]+)\*")
LISTS = {"- ": "ul", "1. ": "ol"}


class Articles:
    """Writes the help center, once customers and staff are there."""

    def __init__(
        self,
        writer: BulkWriter,
        ids: Identifiers,
        draws: Draws,
        ledger: Ledger,
        *,
        desk: DeskIds,
        staff: list[Agent],
        readers: list[tuple[int, datetime]],
    ) -> None:
        self.writer, self.ids, self.draws, self.ledger = writer, ids, draws, ledger
        self.desk, self.staff, self.readers = desk, staff, readers
        self.sections: dict[str, int] = {}
        self.segments: dict[str, int] = {}
        self.groups: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.keys: dict[str, int] = {}
        self.moments: dict[str, datetime] = {}

    def write(self) -> None:
        """Write everything of the data file."""
        data = _data()
        self._readers()
        admin = next((one for one in self.staff if one.role == "admin"), self.staff[0])
        self._places(data, self.desk.agents[admin.index])
        for position, article in enumerate(data["article"]):
            self._article(article, position)
        for article in data["article"]:
            self._flaw(article)
        for said in data["comment"]:
            self._comments(said)

    def _readers(self) -> None:
        """Write who reads and who edits: what every account has, dealers, and the team's own."""
        dated = {"created_at": FOUNDED, "updated_at": FOUNDED}
        for name, kind in SEGMENTS:
            self.segments[kind] = self._add(
                helpdesk.UserSegment,
                FOUNDED,
                {"name": name, "user_type": kind, "built_in": True, **dated},
            )
        self.segments["dealers"] = self._add(
            helpdesk.UserSegment,
            FOUNDED,
            {"name": "Dealers", "user_type": "signed_in_users", "or_tags": ["dealer"], **dated},
        )
        self.groups["managers"] = self._add(
            helpdesk.PermissionGroup, FOUNDED, {"name": MANAGERS, "built_in": True, **dated}
        )
        staff = [self.segments["staff"]]
        self.groups["team"] = self._add(
            helpdesk.PermissionGroup,
            FOUNDED,
            {"name": "Team handbook", "edit": staff, "publish": staff, **dated},
        )

    def _places(self, data: dict[str, Any], admin: int) -> None:
        categories: dict[str, int] = {}
        for position, row in enumerate(data["category"]):
            at = FOUNDED + timedelta(days=9, minutes=11 * position)
            categories[row["key"]] = self._place(helpdesk.Category, row, position, at, admin)
        for position, row in enumerate(data["section"]):
            at = FOUNDED + timedelta(days=9, hours=2, minutes=4 * position)
            more = {
                "category_id": categories[row["category"]],
                "sorting": row.get("sorting", "manual"),
            }
            key = self._place(helpdesk.Section, row, position, at, admin, **more)
            self.sections[row["key"]] = key

    def _place(
        self,
        model: type[helpdesk.Category | helpdesk.Section],
        row: dict[str, Any],
        position: int,
        at: datetime,
        admin: int,
        **more: Any,
    ) -> int:
        texts = {name: row[name] for name in ("name", "description")}
        values = {
            "position": position,
            "created_by_id": admin,
            "updated_by_id": admin,
            "created_at": at,
            "updated_at": at,
            "translation_id": self.ids.stamp(model, at),
        }
        return self._add(model, at, {**texts, **values, **more})

    def _article(self, row: dict[str, Any], position: int) -> None:
        rng = self.draws.rng("article", row["key"])
        author = self._author(rng, row["by"], _ago(rng, row["months"]))
        at = max(_ago(rng, row["months"]), author.since + READY)
        at = _at_work(rng, min(at, LAST - timedelta(days=1)))
        edited = at if row["edited"] == row["months"] else _at_work(rng, _ago(rng, row["edited"]))
        edited = min(max(edited, at), LAST)
        self.moments[row["key"]] = at
        votes = [] if row.get("draft") else self._voters(rng, row, at)
        key = self.ids.stamp(helpdesk.Article, at)
        self.keys[row["key"]] = key
        readers = {"staff": "staff", "dealers": "dealers"}.get(row.get("for", ""))
        values = {
            "id": key,
            "translation_id": self.ids.stamp(helpdesk.Article, at),
            "section_id": self.sections[row["section"]],
            "title": row["title"],
            "body": html_of(row["body"]),
            "author_id": self.desk.agents[author.index],
            "permission_group_id": self.groups[row.get("kept", "managers")],
            "user_segment_id": None if readers is None else self.segments[readers],
            "draft": row.get("draft", False),
            "promoted": row.get("promoted", False),
            "comments_disabled": "for" in row,
            "position": position,
            "vote_sum": sum(value for _, value, _ in votes),
            "vote_count": len(votes),
            "updated_by_id": self.desk.agents[self._author(rng, row["by"], edited).index],
            "created_at": at,
            "updated_at": edited,
            "edited_at": edited,
        }
        self.writer.add(helpdesk.Article, values)
        for name in row["labels"]:
            self._label(name, key, at)
        for user, value, moment in votes:
            more = {"article_id": key, "user_id": user, "value": value, "created_at": moment}
            self._add(helpdesk.ArticleVote, moment, {**more, "updated_at": moment})

    def _voters(
        self, rng: Random, row: dict[str, Any], at: datetime
    ) -> list[tuple[int, int, datetime]]:
        """Return (user, vote, when) of those who voted: more of them where there are more."""
        if "for" in row:
            known = [(self.desk.agents[one.index], one.since) for one in self.staff]
        else:
            known = self.readers
        most = min(
            len(known) // 3, VOTERS * row["votes"] // 9 if "for" not in row else row["votes"]
        )
        count = rng.randint(most // 2, most) if most else 0
        found = []
        for user, since in rng.sample(known, count):
            first = max(at, since)
            if first >= LAST:
                continue
            moment = first + (LAST - first) * rng.random()
            value = 1 if chance(rng, row["liked"]) else -1
            found.append((user, value, moment.replace(microsecond=0)))
        return sorted(found, key=lambda item: (item[2], item[0]))

    def _author(self, rng: Random, group: str, at: datetime) -> Agent:
        """Return an agent of a group who was there at a time, or the one who was there first."""
        own = [one for one in self.staff if one.groups[0] == group] or self.staff
        there = [
            one
            for one in own
            if one.since + READY <= at and (one.left_at is None or one.left_at > at)
        ]
        return rng.choice(there) if there else min(own, key=lambda one: (one.since, one.index))

    def _label(self, name: str, article: int, at: datetime) -> None:
        if name not in self.labels:
            dated = {"created_at": at, "updated_at": at}
            self.labels[name] = self._add(helpdesk.ArticleLabel, at, {"name": name, **dated})
        values = {"article_id": article, "label_id": self.labels[name]}
        self._add(helpdesk.LabelledArticle, at, values)

    def _flaw(self, row: dict[str, Any]) -> None:
        """Note what is wrong with an article, and which one is right."""
        kind, _, other = row.get("flaw", "").partition(":")
        if kind:
            right = self.keys[other] if other else None
            key = self.keys[row["key"]]
            self.ledger.add(f"article_{kind}", "helpdesk_article", key, "body", right, row["title"])

    def _comments(self, said: dict[str, Any]) -> None:
        rng = self.draws.rng("article-comment", said["article"])
        at = max(self.moments[said["article"]], FOUNDED)
        there = [user for user, since in self.readers if since < LAST - timedelta(days=30)]
        moment = at
        for text in said["texts"] if there else ():
            moment += (LAST - moment) * (0.1 + 0.5 * rng.random())
            self._comment(said["article"], rng.choice(there), text, moment)
        if there and said.get("reply"):
            moment += (LAST - moment) * 0.02
            agent = self._author(rng, "support", moment)
            self._comment(said["article"], self.desk.agents[agent.index], said["reply"], moment)

    def _comment(self, article: str, author: int, text: str, at: datetime) -> None:
        at = at.replace(microsecond=0)
        values = {
            "article_id": self.keys[article],
            "author_id": author,
            "body": html_of(text),
            "created_at": at,
            "updated_at": at,
        }
        self._add(helpdesk.ArticleComment, at, values)

    def _add(self, model: type[Any], at: datetime, values: dict[str, Any]) -> int:
        key = self.ids.stamp(model, at)
        self.writer.add(model, {"id": key, **values})
        return key


def html_of(text: str) -> str:
    """Return the HTML of a body as the data file has it, in the form in which it is kept."""
    return kept_of_html("".join(_blocks(text)))


def _blocks(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text.strip()):
        open_list = ""
        for line in block.split("\n"):
            mark = next((mark for mark in LISTS if line.startswith(mark)), "")
            kind = LISTS.get(mark, "")
            if open_list and kind != open_list:
                yield f"</{open_list}>"
            if kind and kind != open_list:
                yield f"<{kind}>"
            open_list = kind
            inner = STRONG.sub(r"<strong>\1</strong>", escape(line.removeprefix(mark), quote=False))
            if kind:
                yield f"<li>{inner}</li>"
            elif line.startswith("## "):
                yield f"<h2>{inner.removeprefix('## ')}</h2>"
            else:
                yield f"<p>{inner}</p>"
        if open_list:
            yield f"</{open_list}>"


def _ago(rng: Random, months: int) -> datetime:
    return PRESENT - months * MONTH + timedelta(days=rng.uniform(-8, 8))


def _at_work(rng: Random, moment: datetime) -> datetime:
    """Return a moment of the same day during which somebody works."""
    return moment.replace(
        hour=rng.randrange(8, 17), minute=rng.randrange(60), second=rng.randrange(60), microsecond=0
    )


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))
