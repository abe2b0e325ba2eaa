"""Does the data plane tell what only graders may know? Check 11."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import httpx

from clones.core.accounts import account_cards, session_cookie, start_session
from clones.core.journal import act
from clones.core.models import Account
from clones.core.operations import Operation
from clones.core.server import server
from clones.core.vendors import Probes, clone_named, clones
from episodes.certify.findings import Found
from episodes.certify.playing import LocalSpace
from episodes.certify.runs import Trial
from episodes.rewards.prices import FALSEHOODS, VETOES

REQUESTS_AT_LEAST: Final = 400
REQUESTS_AT_MOST: Final = 900
PER_OPERATION: Final = 4
LINK: Final = re.compile(r"""(?:href|src|action|hx-get)=["']([^"'#]+)""")
PEOPLE: Final = {"requester": "users", "lead": "users"}
LINKS_PER_SHAPE: Final = 12
BAD_ANYWHERE: Final = ("/static/none.css", "/facts.json", "/../facts.json", "/%")
METHODS: Final = ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


def nothing_leaks(trial: Trial) -> Found:
    """11: no response of a crawl names an obligation, a check, or what is no ordinary record."""
    with trial.started() as held:
        crawl = Crawl(held, _secrets_of(trial, held))
        crawl.run()
    wrong = [f"{trial.instance}: {line}" for line in crawl.leaks]
    if crawl.count < REQUESTS_AT_LEAST:
        wrong.append(f"{trial.instance}: {crawl.count} requests are too few to say")
    return Found({"requests": crawl.count, "by_status": crawl.by_status}, tuple(wrong))


def _secrets_of(trial: Trial, held: LocalSpace) -> dict[str, re.Pattern[str]]:
    """Return what must not be shown: what finds it, by what it is."""
    family, facts = trial.family, held.ground.arranged.facts
    checks = [check.name for phase in family.phases for check in phase.checks]
    found = {f"check {name!r}": name for name in (*checks, *(check.name for check in family.care))}
    found |= {f"guard {kind}": kind for kind in (*VETOES, *FALSEHOODS)}
    for entry in facts.get("obligations", ()):
        found[f"obligation {entry['id']}"] = str(entry["id"])
    found["the instance"] = str(trial.instance)
    found["the episode"] = held.ground.id
    found["the data directory"] = str(server().data)
    found["the server's key"] = server().key.hex()
    found["the cause"] = str(facts.get("cause", trial.instance))
    for name in ("obligations", "oracle_steps", "reason_value", "giver_reply", "potential"):
        found[f"the fact {name}"] = f'"{name}"'
    found["what the giver says"] = str(facts.get("giver_reply", trial.instance))
    return {name: _as_a_word(text) for name, text in found.items()}


def _as_a_word(text: str) -> re.Pattern[str]:
    """Return what finds a text by itself: the option `res_two_cards` is not the cause in it."""
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)


@dataclass
class Crawl:
    """Ask for everything an agent's credentials reach, and look for secrets in every answer."""

    held: LocalSpace
    secrets: dict[str, re.Pattern[str]]
    leaks: list[str] = field(default_factory=list)
    count: int = 0
    by_status: dict[str, int] = field(default_factory=dict)
    _keys: dict[str, list[str]] = field(default_factory=dict)

    def run(self) -> None:
        """Crawl the API, the pages, the static files and the errors."""
        self._begin_with_facts()
        with self.held.ground.host.http() as http:
            for _ in range(2):  # the second round knows the keys that the first one met
                self._operations(http)
            self._errors(http)
            self._pages(http)

    def _begin_with_facts(self) -> None:
        """Ask for the instance's own records first: a fact `ticket` is a key of `tickets`."""
        for name, value in self.held.ground.arranged.facts.items():
            values = value if isinstance(value, list) else [value]
            keys = [str(each) for each in values if isinstance(each, str | int)]
            for clone in self.held.accounts:
                for parent in (name, f"{name}s", PEOPLE.get(name, name)):
                    self._keys.setdefault(f"{clone}.{parent}", []).extend(keys)

    # The API

    def _operations(self, http: httpx.Client) -> None:
        for clone in clones():
            if clone.operations is None:
                continue
            for operation in clone.operations.all.values():
                if operation.method == "GET":
                    for path in self._paths(operation):
                        self._api(http, clone.name, operation.method, path)

    def _paths(self, operation: Operation) -> Iterator[str]:
        names = [part[1:-1].partition(":")[0] for part in operation.segments if part[:1] == "{"]
        if not names:
            yield "/" + "/".join(operation.segments)
            return
        parent = operation.segments[operation.segments.index(_first_hole(operation)) - 1]
        own = f"{operation.clone}.{parent}"
        keys = self._keys.get(own) or self._keys.get(f"{own}s") or ["1"]
        for key in keys[:PER_OPERATION]:
            filled = [key if part[:1] == "{" else part for part in operation.segments]
            yield "/" + "/".join(filled)

    def _api(self, http: httpx.Client, clone: str, method: str, path: str) -> None:
        response = self._send(http, clone, method, path)
        if response is None or response.status_code != 200:
            return
        try:
            body = response.json()
        except ValueError:
            return
        if isinstance(body, dict):
            self._learn(clone, body)

    def _learn(self, clone: str, body: dict[str, Any]) -> None:
        """Keep the keys of listed records under the name of their list."""
        lists = dict(body)
        if body.get("object") == "list":
            lists = {str(body.get("url", "")).rsplit("/", 1)[-1]: body.get("data")}
        for name, records in lists.items():
            if isinstance(records, list):
                keys = self._keys.setdefault(f"{clone}.{name}", [])
                new = [str(record["id"]) for record in records if _has_key(record)]
                keys += [key for key in new if key not in keys]

    # Errors and pages

    def _errors(self, http: httpx.Client) -> None:
        tried = self._tried()
        missing = [path for probes in tried for path in probes.missing]
        for clone in self.held.accounts:
            for path in (*missing, *BAD_ANYWHERE):
                self._send(http, clone, "GET", path)
            for probes in tried:
                path, content = probes.taking
                for method in METHODS:
                    self._send(http, clone, method, path, content=content)
                path, authorization = probes.closed
                self._send(http, clone, "GET", path, authorization=authorization)

    def _tried(self) -> list[Probes]:
        """Return what is tried: the doors of the persona's clones, and of those that take forms."""
        names = list(self.held.ground.arranged.persona.logins)
        names += [clone.name for clone in clones() if clone.takes_forms]
        found = [clone_named(name) for name in dict.fromkeys(names)]
        return [clone.probes for clone in found if clone is not None and clone.probes is not None]

    def _pages(self, http: httpx.Client) -> None:
        cookie = self._sign_in()
        arranged = self.held.ground.arranged
        start = self._url(arranged.persona.home, arranged.start_path)
        queue, seen = deque([start]), {start}
        shapes: dict[str, int] = {}
        while queue and self.count < REQUESTS_AT_MOST:
            url = queue.popleft()
            response = self._request(http, "GET", url, headers={"cookie": cookie})
            if response is None or "text/html" not in response.headers.get("content-type", ""):
                continue
            for link in LINK.findall(response.text):
                target = urljoin(url, link.replace("&amp;", "&"))
                shape = re.sub(r"\d+|ch_\w+|[0-9a-zA-Z.~_-]{30,}", "N", target)
                mine = urlsplit(target).netloc.endswith(urlsplit(start).netloc.partition(".")[2])
                if mine and target not in seen and shapes.get(shape, 0) < LINKS_PER_SHAPE:
                    shapes[shape] = shapes.get(shape, 0) + 1
                    seen.add(target)
                    queue.append(target)

    def _sign_in(self) -> str:
        ground = self.held.ground
        home = ground.arranged.persona.home
        found, login = clone_named(home), ground.arranged.persona.logins[home]
        if found is None:
            raise LookupError(f"this build has no {home}")
        with ground.bound("write"), act(actor="system", label="sign in", tick=False):
            session = start_session(Account.objects.get(clone=home, login=login))
            value = session_cookie(session, ground.sandbox, own_client=False)
        return f"{found.session_cookie}={value}"

    # Sending

    def _url(self, clone: str, path: str) -> str:
        ground = self.held.ground
        return ground.host.addresses.clone_url(ground.sandbox, clone) + path

    def _send(
        self,
        http: httpx.Client,
        clone: str,
        method: str,
        path: str,
        *,
        content: bytes = b"",
        authorization: str | None = None,
    ) -> httpx.Response | None:
        headers = self._authorization(clone) if authorization is None else {}
        if authorization:
            headers = {"authorization": authorization}
        options: dict[str, Any] = {"headers": headers}
        if content:
            options["content"] = content
        return self._request(http, method, self._url(clone, path), **options)

    def _authorization(self, clone: str) -> dict[str, str]:
        ground = self.held.ground
        login = ground.arranged.persona.logins.get(clone)
        found = clone_named(clone)
        with ground.bound("read"):
            cards = [
                card
                for card in account_cards(ground.sandbox, own_client=False)
                if card.clone == clone and card.login == login
            ]
        return found.authorization(cards[0]) if found is not None and cards else {}

    def _request(
        self, http: httpx.Client, method: str, url: str, **options: Any
    ) -> httpx.Response | None:
        try:
            response = http.request(method, url, **options)
        except httpx.InvalidURL:
            return None
        self.count += 1
        status = str(response.status_code)
        self.by_status[status] = self.by_status.get(status, 0) + 1
        if response.status_code >= 500:
            self.leaks.append(f"{method} {url} answers {status}: errors of ours are not for agents")
        shown = json.dumps(dict(response.headers)) + _text_of(response)
        self.leaks += [
            f"{method} {urlsplit(url).path} ({status}) shows {name}"
            for name, pattern in self.secrets.items()
            if pattern.search(shown)
        ]
        return response


def _first_hole(operation: Operation) -> str:
    return next(part for part in operation.segments if part[:1] == "{")


def _has_key(record: Any) -> bool:
    return isinstance(record, dict) and "id" in record


def _text_of(response: httpx.Response) -> str:
    return response.content.decode("utf-8", errors="replace")
