"""The browser action space of one episode: the pages, through one context of its own."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from clones.core.accounts import AccountCard, session_cookie, start_session
from clones.core.journal import act as journal_act
from clones.core.models import Account
from clones.core.tenancy import watching
from clones.core.vendors import Clone, clones
from episodes.browser import (
    COMPUTER,
    BadAct,
    BrowserError,
    BrowserSession,
    BrowserTimeout,
    Cookie,
    act_from_tool,
    canonical,
    tools,
)
from episodes.browser.observation import ActResult
from episodes.spaces.errors import BadCall, HarnessFailure, Unanswered
from episodes.spaces.names import NAME_LENGTH
from episodes.spaces.played import Played
from sandlot.service import Act, Observation

if TYPE_CHECKING:
    from episodes.context import EpisodeContext

# Seconds for which a page may be under way.
UNDER_WAY: Final = 120.0


class BrowserSpace:
    """Pages of the sandbox, signed in as the persona where there is a sign-in.

    Without a surface they are read as trees and acted on by their elements. On the surface
    `computer` there is a picture, and acts at its places; on `hybrid` there are both.
    """

    def __init__(self, ground: EpisodeContext, cards: dict[str, AccountCard]) -> None:
        self._ground = ground
        self._surface = ground.request.surface
        self._cookies = [
            self._signed_in(found, cards[found.name])
            for found in clones()
            if found.signs_in and found.name in cards
        ]
        self._session: BrowserSession | None = None

    def _signed_in(self, clone: Clone, card: AccountCard) -> Cookie:
        """Start a session for the persona and return its cookie."""
        row = self._ground.sandbox
        with journal_act(actor="system", label="sign in", tick=False):
            session = start_session(Account.objects.get(clone=clone.name, login=card.login))
        return Cookie(
            name=clone.session_cookie,
            value=session_cookie(session, row, own_client=False),
            origin=self._ground.host.addresses.clone_url(row, clone.name),
        )

    def start(self) -> None:
        """Open the first page."""
        ground = self._ground
        addresses = ground.host.addresses
        arranged = ground.arranged
        start = addresses.clone_url(ground.sandbox, arranged.persona.home) + arranged.start_path
        with _ours():
            self._session = ground.host.browsers.open(
                ground.id,
                origins=addresses.sandbox_origins(ground.sandbox),
                cookies=self._cookies,
                start_url=start,
                now=datetime.fromisoformat(ground.now()),
                screenshots=ground.request.screenshots or self._surface is not None,
                trees=self._surface != COMPUTER,
            )

    def tools(self) -> list[dict[str, Any]]:
        """Return the browser's acts as tools: those of the surface."""
        return tools(self._surface)

    def observe(self, now: str) -> Observation:
        """Return the page as it stands."""
        return self._seen(now, [])

    def _seen(self, now: str, notes: list[str]) -> Observation:
        """Return the page, once what it loads is there or has been ended.

        Till then there is none to look at, and the look takes longer than it may.
        """
        store, began = self._ground.sandbox.store, time.monotonic()
        again = True  # once in any case: it may be there just now
        while True:
            watching.wait_while_working(store, most=UNDER_WAY)
            try:
                with _ours():
                    return self._page(now, notes)
            except HarnessFailure as failure:
                waits = again or watching.is_working(store)
                late = time.monotonic() - began > UNDER_WAY
                if failure.kind != "harness_timeout" or late or not waits:
                    raise
                again = False

    def play(self, act: Act, now: str) -> Played:
        """Carry out one act and look at the page.

        Raises:
            BadCall: there is no such act: the agent's mistake.
            Unanswered: an address did not answer, or not in time.
            HarnessFailure: the browser failed.
        """
        session = self._open()
        with _ours():
            session.set_time(datetime.fromisoformat(now))
            try:
                if act.tool == "replay":
                    result = session.replay(act.arguments)
                else:
                    result = session.perform(act_from_tool(act.tool, act.arguments, self._surface))
            except BadAct as mistake:
                raise BadCall(mistake.message) from mistake
        failed = [failure for failure in result.failures if failure.problem]
        if failed:
            detail = f"{failed[0].url}: {failed[0].problem}"
            raise Unanswered("harness_5xx", detail, lambda: self._played(result, now))
        if result.error is not None and result.error.code == "no_answer":
            raise Unanswered(
                "harness_timeout", result.error.message, lambda: self._played(result, now)
            )
        return self._played(result, now)

    def name_of(self, act: Act) -> str:
        """Return the act's tool."""
        return act.tool[:NAME_LENGTH]

    def _played(self, result: ActResult, now: str) -> Played:
        return Played(
            self._seen(now, _notes(result)),
            handle={"tool": "replay", "arguments": result.recorded},
            refused=result.error is not None,
        )

    def close(self) -> None:
        """Close the context."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def canonical_tree(self, observation: Observation) -> str:
        """Return a page's tree without refs: what replays compare."""
        return canonical(observation.tree or "")

    def _open(self) -> BrowserSession:
        if self._session is None:
            raise HarnessFailure("harness_browser", "the episode's browser is closed")
        return self._session

    def _page(self, now: str, notes: list[str]) -> Observation:
        found = self._open().observe()
        blocked = [f"blocked: {entry.url}" for entry in found.blocked]
        dialogs = [f"{dialog.kind}: {dialog.message}" for dialog in found.dialogs]
        picture = found.screenshot
        return Observation(
            kind="page",
            now=now,
            url=found.url,
            title=found.title,
            tree=found.tree if self._surface != COMPUTER else None,
            tabs=[tab.title for tab in found.tabs],
            screenshot=base64.b64encode(picture).decode() if picture is not None else None,
            notes=[*notes, *blocked, *dialogs],
        )


def _notes(result: ActResult) -> list[str]:
    notes = []
    if result.error is not None:
        notes.append(f"{result.error.code}: {result.error.message}")
    if result.listed:
        choices = ", ".join(result.listed)
        notes.append(f"a list is open, to choose from by keys: {choices}")
    if not result.settled.ok:
        notes.append("the page was still loading: " + ", ".join(result.settled.waiting))
    return notes


@contextmanager
def _ours() -> Iterator[None]:
    """Turn the browser's own failures into harness failures."""
    try:
        yield
    except BrowserTimeout as error:
        raise HarnessFailure("harness_timeout", str(error)) from error
    except BrowserError as error:
        raise HarnessFailure("harness_browser", str(error)) from error
