"""An unmodified extractor takes a whole organization out: each stream has what its API counts.

`tap-salesforce` signs in at a name of the vendor's: the server serves that domain, and
`at_vendors_names.py` lets the name resolve to it. It is told to begin in the far past.
"""

from __future__ import annotations

import json
import re
import ssl
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.clients import client_python, run_client
from tests.crm.test_clients import opened
from tests.live.apart import serve_apart, with_world

pytestmark = [pytest.mark.slow(shares="tapped"), pytest.mark.timeout(900)]

TAP = ("tap-salesforce==2.8.1",)
DOMAIN, HOST = "salesforce.com", "login.salesforce.com"
SCRIPT = Path(__file__).parents[1] / "live" / "at_vendors_names.py"
CALLBACK = "http://127.0.0.1:1717/OauthRedirect"
START = "2000-01-01T00:00:00Z"
# Without these nothing would be shown; the others are compared by what is there.
SOME = {"Account", "Contact", "Lead", "Opportunity", "OpportunityHistory", "User"}


def trusting(authority: Path) -> ssl.SSLContext:
    """Return what trusts an authority alone."""
    return ssl.create_default_context(cafile=str(authority))


@dataclass(frozen=True, slots=True)
class Tapped:
    """An organization, and how an extractor gets at it."""

    origin: str
    admin: dict[str, Any]
    port: int
    authority: Path
    folder: Path
    refresh_token: str

    def counted(self, of: str, key: str | None) -> int:
        """Return how many records of an object the API counts, deleted ones among them."""
        condition = f" WHERE {key} >= {START}" if key else ""
        text = f"SELECT COUNT() FROM {of}{condition}"
        headers = {"Authorization": f"Bearer {self.admin['access_token']}"}
        found = httpx.get(
            f"{self.origin}/services/data/v61.0/queryAll",
            params={"q": text},
            headers=headers,
            verify=trusting(self.authority),
            trust_env=False,
        )
        return int(found.raise_for_status().json()["totalSize"])

    def run(self, python: Path, *arguments: str) -> str:
        """Run the extractor's own command and return what it printed."""
        trusted = str(self.authority)
        named = (DOMAIN, str(self.port), "tap_salesforce:main")
        done = run_client(
            python, SCRIPT, *named, *arguments, REQUESTS_CA_BUNDLE=trusted, SSL_CERT_FILE=trusted
        )
        assert done.returncode == 0, (done.stderr or done.stdout)[-4000:]
        return done.stdout

    def write(self, name: str, value: Any) -> str:
        """Write a file of JSON for the extractor and return its path."""
        path = self.folder / name
        path.write_text(json.dumps(value), encoding="utf-8")
        return str(path)


def refresh_token_of(origin: str, admin: dict[str, Any], authority: Path) -> str:
    """Return a refresh token that the administrator lets an app have."""
    where = f"{origin}/services/oauth2/authorize"
    asked = {
        "response_type": "code",
        "client_id": admin["client_id"],
        "redirect_uri": CALLBACK,
    }
    cookies = {"sid": admin["access_token"]}
    with httpx.Client(verify=trusting(authority), cookies=cookies, trust_env=False) as browser:
        page = browser.get(where, params=asked).raise_for_status()
        found = re.search('name="token" value="([^"]+)"', page.text)
        assert found is not None, page.text
        allowed = browser.post(where, data={**asked, "token": found[1], "allow": "1"})
        code = parse_qs(urlsplit(allowed.headers["Location"]).query)["code"][0]
        use = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
        use |= {name: admin[name] for name in ("client_id", "client_secret")}
        given = browser.post(f"{origin}/services/oauth2/token", data=use).raise_for_status()
    return str(given.json()["refresh_token"])


@pytest.fixture(scope="module")
def tapped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tapped]:
    """An organization in the tiny world."""
    data = tmp_path_factory.mktemp("crm_tap")
    with_world(data)
    authority = data / "tls" / "ca.pem"
    with serve_apart(data, "--tls", "--domain", HOST, "--workers", "1") as server:
        sandbox, admin = opened(server)
        token = refresh_token_of(sandbox["origin"], admin, authority)
        yield Tapped(sandbox["origin"], admin, server.port, authority, data, token)


@pytest.mark.parametrize("way", ["BULK", "REST"])
def test_each_stream_has_what_the_api_counts(tapped: Tapped, way: str) -> None:
    python = client_python("tap-salesforce", TAP)
    config = tapped.write(
        "config.json",
        {
            "refresh_token": tapped.refresh_token,
            "client_id": tapped.admin["client_id"],
            "client_secret": tapped.admin["client_secret"],
            "start_date": START,
            "api_type": way,
            "select_fields_by_default": True,
        },
    )
    catalog = json.loads(tapped.run(python, "--config", config, "--discover"))
    keys: dict[str, str | None] = {}
    for stream in catalog["streams"]:
        (own,) = [one["metadata"] for one in stream["metadata"] if not one["breadcrumb"]]
        own["selected"] = True
        keys[stream["stream"]] = own.get("replication-key")
    assert keys.keys() >= SOME
    chosen = tapped.write("catalog.json", catalog)
    said = tapped.run(python, "--config", config, "--properties", chosen).splitlines()
    messages = [json.loads(line) for line in said]
    found = Counter(one["stream"] for one in messages if one["type"] == "RECORD")
    assert found.keys() >= SOME
    assert {of: found[of] for of in keys} == {of: tapped.counted(of, keys[of]) for of in keys}
