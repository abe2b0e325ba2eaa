"""Fifty sandboxes at once, each with a secret of its own: no answer ever shows another's.

`SANDLOT_CROSS_TALK=1000` says that it shall be as many.
"""

from __future__ import annotations

import base64
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from clones.core.server import server
from sandlot.client import ControlClient, http_client
from snapshots.sandboxes import Sandboxes
from tests import tiers
from tests.conftest import bind
from tests.live.conftest import account
from tests.tiers import in_turn_on_postgres

USUAL = "20" if tiers.ON_POSTGRES and not tiers.EVERYTHING else "50"
SANDBOXES = int(os.environ.get("SANDLOT_CROSS_TALK", USUAL))
THREADS = 8
ROUNDS = 4 if SANDBOXES <= 50 else 1
SECRET = re.compile(rb"zebra-([0-9]{4})-quartz")


class Seen:
    """Secrets found in answers that were not for them, from any thread."""

    def __init__(self) -> None:
        self.leaks: list[str] = []
        self.answers = 0
        self._lock = threading.Lock()

    def look(self, number: int, where: str, content: bytes) -> None:
        """Note an answer to the sandbox of that number."""
        found = {int(match) for match in SECRET.findall(content)}
        with self._lock:
            self.answers += 1
            if found - {number}:
                self.leaks.append(f"{where} of {number} shows {sorted(found - {number})}")


def drive(number: int, sandbox: dict[str, Any], seen: Seen) -> None:
    """Write this sandbox's secret wherever an agent can, and read everything back."""
    secret = f"zebra-{number:04d}-quartz"
    admin = account(sandbox, "helpdesk", "admin")
    auth = (f"{admin['email']}/token", admin["api_token"])
    urls = [sandbox["apps"]["helpdesk"]["url"], sandbox["origin"]]
    key = account(sandbox, "billing", "admin")["secret_key"]
    with http_client(auth=auth) as http, http_client() as billing:
        billing.headers["Authorization"] = f"Bearer {key}"
        for turn in range(ROUNDS):
            base = urls[turn % 2]
            upload = http.post(
                f"{base}/api/v2/uploads.json?filename={secret}.txt", content=secret.encode()
            )
            assert upload.status_code == 201, upload.text
            body = {
                "ticket": {
                    "subject": f"{secret} {turn}",
                    "comment": {
                        "body": f"about {secret}",
                        "uploads": [upload.json()["upload"]["token"]],
                    },
                    "tags": [secret],
                }
            }
            made = http.post(f"{base}/api/v2/tickets.json", json=body)
            assert made.status_code == 201, made.text
            ticket = made.json()["ticket"]["id"]
            reads = [
                f"/api/v2/tickets/{ticket}.json",
                f"/api/v2/tickets/{ticket}/comments.json",
                f"/api/v2/tickets/{ticket}/audits.json",
                "/api/v2/tickets.json?sort_by=created_at&sort_order=desc",
                "/api/v2/search.json?query=zebra",
                "/api/v2/tags.json",
                "/api/v2/users/me.json",
            ]
            for path in reads:
                answer = http.get(base + path)
                assert answer.status_code == 200, (path, answer.text)
                seen.look(number, path, answer.content + repr(answer.headers).encode())
            attachment = upload.json()["upload"]["attachment"]["content_url"]
            with http_client() as anonymous:
                file = anonymous.get(attachment, follow_redirects=False)
            assert file.status_code == 200, attachment
            seen.look(number, "attachment", file.content)
            assert SECRET.search(file.content)
            customer = billing.post(
                f"{sandbox['apps']['billing']['url']}/v1/customers",
                data={"name": secret, "email": f"{secret}@example.com"},
            )
            assert customer.status_code == 200, customer.text
            listed = billing.get(f"{sandbox['apps']['billing']['url']}/v1/customers?limit=100")
            seen.look(number, "customers", listed.content)


@in_turn_on_postgres
@pytest.mark.slow
@pytest.mark.timeout(300 + 2 * SANDBOXES)
def test_sandboxes_never_show_each_other(control: ControlClient) -> None:
    made = [control.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(SANDBOXES)]
    seen = Seen()
    with ThreadPoolExecutor(THREADS) as pool:
        for future in [pool.submit(drive, *job, seen) for job in enumerate(made)]:
            future.result()
    assert seen.leaks == []
    assert seen.answers == SANDBOXES * ROUNDS * 9
    for number, sandbox in enumerate(made):
        control.post(f"/v1/sandboxes/{sandbox['id']}/advance", {"seconds": 7200})
        jobs = [
            control.get(f"/v1/sandboxes/{sandbox['id']}/jobs", state=state)
            for state in ("pending", "done", "failed")
        ]
        diff = control.get(f"/v1/sandboxes/{sandbox['id']}/diff")
        for where, content in (("jobs", jobs), ("rows", diff)):
            seen.look(number, where, repr(content).encode())
    assert seen.leaks == []
    _no_secret_in_logs(made, seen)
    for sandbox in made:
        control.delete(f"/v1/sandboxes/{sandbox['id']}")


def _no_secret_in_logs(made: list[dict[str, Any]], seen: Seen) -> None:
    """Each sandbox's log lines speak of that sandbox only."""
    for number, sandbox in enumerate(made):
        lines = [entry.path for entry in server().requests.read(sandbox["id"])]
        assert lines
        seen.look(number, "request log", "\n".join(lines).encode())
    assert seen.leaks == []


def test_rows_of_one_sandbox_are_in_no_other_store(
    control: ControlClient, sandboxes: Sandboxes
) -> None:
    from clones.helpdesk.models import Ticket  # noqa: PLC0415 - needs the sandbox bound

    first = control.post("/v1/sandboxes", {"size": "tiny"})
    second = control.post("/v1/sandboxes", {"size": "tiny"})
    admin = account(first, "helpdesk", "admin")
    basic = base64.b64encode(f"{admin['email']}/token:{admin['api_token']}".encode()).decode()
    with http_client(headers={"Authorization": f"Basic {basic}"}) as http:
        made = http.post(
            f"{first['origin']}/api/v2/tickets.json",
            json={"ticket": {"subject": "only here", "comment": {"body": "x"}}},
        )
    assert made.status_code == 201
    with bind(server().registry.get(first["id"])):
        assert Ticket.objects.filter(subject="only here").count() == 1
    with bind(server().registry.get(second["id"])):
        assert Ticket.objects.filter(subject="only here").count() == 0
    for sandbox in (first, second):
        control.delete(f"/v1/sandboxes/{sandbox['id']}")
