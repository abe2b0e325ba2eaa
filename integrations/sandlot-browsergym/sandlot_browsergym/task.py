"""A task of Sandlot as BrowserGym plays it: one episode of a running `sandlot serve`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from browsergym.core.task import AbstractBrowserTask
from playwright.sync_api import BrowserContext, Page, Request

from sandlot.client import ControlClient, ControlError, NoServer
from sandlot.service.splits import INSTANCES, instance_of
from sandlot.spaces.rollout import EnvironmentFailed, Rollout
from sandlot_browsergym.signing_in import sign_in
from sandlot_browsergym.waiting import PLAYED

URL: Final = "http://127.0.0.1:8801"
# What a step by pages takes of the sandbox's time.
STEP_SECONDS: Final = 10
# What Chromium says of a server that is not there, or breaks off.
UNREACHED: Final = ("ERR_CONNECTION_", "ERR_EMPTY_RESPONSE", "ERR_SOCKET_")
HARMLESS: Final = frozenset({"about", "blob", "data"})
HOW_IT_ENDS: Final = (
    "When you are done, send a message to the user: it ends the task, and its text is your answer"
    " where the task asks for one. If it must not or cannot be done, report it as infeasible and"
    " say why."
)


class SandlotTask(AbstractBrowserTask):
    """One instance of a family, in a sandbox of its own.

    `seed` is the number of the instance in its split (`train`, `validation` or `test`), counted
    round; without one it is drawn. `url` and `token` are the control plane's; the token is
    `SANDLOT_TOKEN` of the environment where none is given. `task` names another instance, and
    others are options of `POST /v1/episodes` (`max_steps`, `faults`, `idle_seconds`, ...).

    The reward is R, once the episode is over, and 0 before. The first message that the agent sends
    to the user ends it, and so does a report that the task is infeasible.
    """

    family: ClassVar[str]

    @classmethod
    def get_task_id(cls) -> str:
        """Return its name in BrowserGym, `sandlot.h05`."""
        return f"sandlot.{cls.family.lower()}"

    def __init__(
        self,
        seed: int | None,
        *,
        url: str = URL,
        token: str | None = None,
        split: str = "train",
        task: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(seed)
        self.slow_mo = 0
        self.timeout = 10_000
        self.locale, self.timezone_id = "en-US", "UTC"
        self._number = int(self.random.randint(INSTANCES)) if seed is None else seed % INSTANCES
        self._split = split
        self._task = task
        self._options = options
        known = os.environ.get("SANDLOT_TOKEN", "") if token is None else token
        self._client = ControlClient(url, known)
        self._rollout: Rollout | None = None
        self._unreached: str | None = None

    def setup(self, page: Page) -> tuple[str, dict[str, Any]]:
        """Begin the episode, sign the page in, and return the goal and what is known of it.

        Raises:
            ValueError: the server has no such family, or nobody works at it by pages.
            EnvironmentFailed: it could not begin.
        """
        self._rollout = Rollout(
            self._client, {**self._options, "space": "api", "task": self._instance()}
        )
        view = self._rollout.view
        PLAYED[page.context] = self._rollout
        self._keep_in(page.context, view["apps"])
        homes = sign_in(page, view["apps"])
        told = [f"You are {view['persona']}.", view["goal"], *_addresses(homes), HOW_IT_ENDS]
        return "\n\n".join(told), {"episode": view["id"], "task": view["task"]}

    def validate(
        self, page: Page, chat_messages: Sequence[Mapping[str, Any]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        """Return R and True where the agent has ended the episode or a limit has, else 0 and False.

        Raises:
            EnvironmentFailed: the environment failed: there is no number.
        """
        rollout = self._running()
        if self._unreached is not None:
            rollout.close()
            raise EnvironmentFailed(f"the pages cannot be reached: {self._unreached}")
        if not rollout.done:
            last = self._last_word(chat_messages)
            if last is not None:
                rollout.observe_act("finish", self._finish(last))
        if not rollout.done:
            self._go_on(rollout)
            return 0.0, False, "", {"status": rollout.status}
        worth = rollout.score()
        told = {name: rollout.view[name] for name in ("reward", "success", "components")}
        return worth, True, "", {**told, "status": rollout.status, "episode": rollout.space.id}

    def cheat(self, page: Page, chat_messages: list[dict[str, Any]]) -> None:
        """Let the family's oracle do the task through the vendors' APIs, up to its end.

        Raises:
            EnvironmentFailed: the environment failed.
        """
        # It brings the families' code, which nobody who trains needs.
        from sandlot.cli.agents import find_agent  # noqa: PLC0415 - as above

        rollout = self._running()
        oracle = find_agent("oracle", self.family, "api", 0)
        try:
            oracle(rollout.space)
        except (ControlError, NoServer) as error:
            raise EnvironmentFailed(str(error)) from error
        page.reload()

    def teardown(self) -> None:
        """Abandon the episode if it runs, and close the connections."""
        if self._rollout is not None:
            self._rollout.close()
            self._rollout = None
        self._client.close()

    def _keep_in(self, context: BrowserContext, apps: Mapping[str, Mapping[str, Any]]) -> None:
        """Let pages reach the episode's apps and nothing else; note where one does not answer."""
        origins = frozenset(_origin(app["url"]) for app in apps.values())

        def failed(request: Request) -> None:
            said = request.failure or ""
            if _is_within(request.url, origins) and any(word in said for word in UNREACHED):
                self._unreached = f"{request.url}: {said}"

        context.route(
            lambda url: not _is_within(url, origins), lambda route: route.abort("accessdenied")
        )
        if self._options.get("faults", "none") == "none":  # else they are what was asked for
            context.on("requestfailed", failed)

    def _instance(self) -> str:
        if self._task is not None:
            return self._task
        cards = {card["id"]: card for card in self._asked("GET", "/v1/tasks")["tasks"]}
        if self.family not in cards:
            raise ValueError(f"this server has no family {self.family}: it has {', '.join(cards)}")
        if not {"api", "browser"} <= set(cards[self.family]["spaces"]):
            raise ValueError(f"{self.family} is not played by pages: see GET /v1/tasks")
        return instance_of(cards[self.family], self._split, self._number)

    def _running(self) -> Rollout:
        if self._rollout is None:
            raise EnvironmentFailed("no episode runs: set the task up first")
        return self._rollout

    def _last_word(self, messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """Return the message by which the agent ends the episode, if it has sent one.

        BrowserGym itself greets the user as the assistant before the goal is told.
        """
        told = next(
            (place for place, one in enumerate(messages) if one["role"] == "user"), len(messages)
        )
        ending = (one for one in messages[told:] if one["role"] in ("assistant", "infeasible"))
        return next(ending, None)

    def _finish(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of `finish` that a message stands for."""
        text = str(said["message"])
        if said["role"] == "infeasible":
            return {"status": "declined", "reason": text}
        tools = {tool["name"]: tool for tool in self._running().space.tools()}
        answer = tools["finish"]["input_schema"]["properties"]["answer"]
        asked = set(answer) - {"description"}
        return {"status": "done", "answer": text} if asked else {"status": "done", "reason": text}

    def _go_on(self, rollout: Rollout) -> None:
        """Let the time of a step pass, with what falls due in it, where the episode still runs.

        Raises:
            EnvironmentFailed: it does not, and has no number.
        """
        view = self._asked("GET", f"/v1/episodes/{rollout.space.id}")
        if view["status"] != "running":
            detail = (view["error"] or {}).get("detail", "another has ended it")
            raise EnvironmentFailed(f"the episode is {view['status']}: {detail}")
        passing = {"seconds": STEP_SECONDS}
        self._asked("POST", f"/v1/sandboxes/{view['sandbox']}/advance", json=passing)

    def _asked(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._client.request(method, path, **options)
        except (ControlError, NoServer) as error:
            raise EnvironmentFailed(str(error)) from error
        return found


def _addresses(homes: Mapping[str, str]) -> list[str]:
    """Return what to tell of the apps that the agent is signed in to, if there are several."""
    listed = ", ".join(f"{name} at {url}" for name, url in homes.items())
    return [f"You are signed in to {listed}."] if len(homes) > 1 else []


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_within(url: str, origins: frozenset[str]) -> bool:
    return urlsplit(url).scheme in HARMLESS or _origin(url) in origins
