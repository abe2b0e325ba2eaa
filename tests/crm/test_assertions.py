"""Signing in by an assertion that a connected app signs, and the page where its certificate is."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID

from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_sessions import FORM, TOKEN, client_of, granted, post, who

BARE = {"host": "127.0.0.1:8800"}
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
PAGE = "/app/mgmt/forceconnectedapps/forceAppEdit.apexp"
HEAD = {"alg": "RS256"}
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    """A key of RSA."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def certificate_of(key: Key) -> str:
    """Return a certificate of a key, signed by itself."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "app")])
    at = datetime(2026, 1, 1, tzinfo=UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    made = made.public_key(key.public_key()).serial_number(7)
    made = made.not_valid_before(at).not_valid_after(at + timedelta(days=3650))
    pem = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    return pem.decode()


def part(value: Any) -> str:
    """Return a part of an assertion."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def assertion(key: rsa.RSAPrivateKey, claims: Any, head: Any = None) -> str:
    """Return an assertion."""
    signed = f"{part(HEAD if head is None else head)}.{part(claims)}"
    signature = key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{signed}.{part(signature)}"


def claims_of(org: Org, **more: Any) -> dict[str, Any]:
    """Return what an assertion claims that is good."""
    found = {
        "iss": client_of(org)["client_id"],
        "sub": ADA,
        "aud": "https://login.salesforce.com",
        "exp": 2_000_000_000,
    }
    return {**found, **more}


def save_certificate(org: Org, pem: str, login: str = ADA) -> tuple[int, str]:
    """Send the form with a certificate, and return status and page."""
    browser = org.client()
    browser.cookies["sid"] = org.token(login)
    page = browser.get(PAGE)
    if page.status_code != 200:
        return page.status_code, page.content.decode()
    token = page.content.decode().partition('name="token" value="')[2].partition('"')[0]
    saved = browser.post(PAGE, {"token": token, "certificate": pem})
    return saved.status_code, saved.content.decode()


def refused(org: Org, text: str) -> list[str]:
    """Return error and description of a sign-in that is refused."""
    status, body = post(org, TOKEN, {"grant_type": GRANT, "assertion": text})
    assert status == 400, body
    return list(body.values())


def test_an_app_signs_in_who_it_runs_as(org: Org, key: rsa.RSAPrivateKey) -> None:
    text = assertion(key, claims_of(org))
    assert refused(org, text) == ["invalid_grant", "invalid assertion"]
    status, page = save_certificate(org, certificate_of(key))
    assert (status, "signs in by a certificate" in page) == (200, True)
    given = granted(org, grant_type=GRANT, assertion=text)
    assert who(org, given["access_token"]) == (200, ADA)
    assert "refresh_token" not in given
    assert given["instance_url"] == f"http://crm.{org.row.id}.localhost:8800"
    audience = f"http://crm.{org.row.id}.localhost:8800"
    again = granted(
        org,
        grant_type=GRANT,
        assertion=assertion(key, claims_of(org, aud=audience, sub=ADA.upper())),
    )
    assert again["access_token"] != given["access_token"]


def test_its_key_says_in_which_sandbox_an_assertion_is_meant(
    org: Org, key: rsa.RSAPrivateKey
) -> None:
    save_certificate(org, certificate_of(key))
    form = {"grant_type": GRANT, "assertion": assertion(key, claims_of(org))}
    found = org.client().post(TOKEN, urlencode(form), FORM, headers=BARE)
    assert (found.status_code, found.json()["instance_url"]) == (200, "http://127.0.0.1:8800")
    elsewhere = claims_of(org, iss=client_of(org)["client_id"].replace(org.row.id[3:], "a" * 10))
    form["assertion"] = assertion(key, elsewhere)
    found = org.client().post(TOKEN, urlencode(form), FORM, headers=BARE)
    assert found.status_code == 400


def test_assertions_are_refused_that_say_the_wrong_thing(org: Org, key: rsa.RSAPrivateKey) -> None:
    save_certificate(org, certificate_of(key))
    consumer = ["invalid_grant", "user hasn't approved this consumer"]
    expired = ["invalid_grant", "expired authorization code"]
    audience = ["invalid_grant", "audience is invalid"]
    for more, wanted in (
        ({"sub": BEN}, consumer),
        ({"sub": "nobody"}, consumer),
        ({"sub": 7}, consumer),
        ({"iss": "3MVG9x"}, ["invalid_client_id", "client identifier invalid"]),
        ({"iss": 7}, ["invalid_client_id", "client identifier invalid"]),
        ({"iss": client_of(org, BEN)["client_id"]}, ["invalid_grant", "invalid assertion"]),
        ({"aud": "https://example.com"}, audience),
        ({"aud": "http://["}, audience),
        ({"aud": None}, audience),
        ({"exp": None}, expired),
        ({"exp": 5, "iat": 5}, expired),
    ):
        assert refused(org, assertion(key, claims_of(org, **more))) == wanted


def test_assertions_are_signed_by_the_app(org: Org, key: rsa.RSAPrivateKey) -> None:
    save_certificate(org, certificate_of(key))
    good = assertion(key, claims_of(org))
    head, claims, signature = good.split(".")
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for text in (
        assertion(other, claims_of(org)),
        f"{head}.{part(claims_of(org, sub=BEN))}.{signature}",
        f"{head}.{claims}.",
        f"{head}.{claims}.AAAA",
        f"{head}.{claims}.{part(b'x' * 256)}",
        f"{head}.{claims}.{part(bytes([255]) * 256)}",
        assertion(key, claims_of(org), {"alg": "none"}),
        assertion(key, claims_of(org), {"alg": "HS256"}),
        assertion(key, claims_of(org), []),
        assertion(key, [1]),
        f"{part(b'[')}.{claims}.{signature}",
        "a.b",
        "....",
        "x" * 20_000,
        "\0",
    ):
        assert refused(org, text) == ["invalid_grant", "invalid assertion"], text
    status, body = post(org, TOKEN, {"grant_type": GRANT})
    assert (status, body["error"]) == (400, "invalid_request")


def test_a_user_who_allowed_an_app_is_signed_in_by_it(org: Org, key: rsa.RSAPrivateKey) -> None:
    from clones.core.journal import act  # noqa: PLC0415 - see below
    from clones.core.models import Account  # noqa: PLC0415 - a store is bound by then
    from clones.core.tenancy import unit_of_work  # noqa: PLC0415 - see above
    from clones.crm.domain.connected_apps import (  # noqa: PLC0415 - the app may not be there
        give_refresh,
        own_app,
    )
    from tests.conftest import bind  # noqa: PLC0415 - see above

    save_certificate(org, certificate_of(key))
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        app = own_app(Account.objects.get(login=ADA))
        assert app is not None
        give_refresh(Account.objects.get(login=BEN), app)
    given = granted(org, grant_type=GRANT, assertion=assertion(key, claims_of(org, sub=BEN)))
    assert who(org, given["access_token"]) == (200, BEN)


def test_only_certificates_of_rsa_are_kept(org: Org, key: rsa.RSAPrivateKey) -> None:
    pem = certificate_of(key)
    elliptic = certificate_of(ec.generate_private_key(ec.SECP256R1()))
    body = "".join(pem.splitlines()[1:-1])
    cut = f"-----BEGIN CERTIFICATE-----{body[:200]}-----END CERTIFICATE-----"
    odd = "-----BEGIN CERTIFICATE-----abc-----END CERTIFICATE-----"
    for wrong in ("", "x", elliptic, cut, odd, pem * 20, "\0"):
        status, page = save_certificate(org, wrong)
        assert (status, "The certificate is not valid" in page) == (422, True)
        assert "has no certificate" in page
    assert save_certificate(org, pem, BEN)[0] == 404
    anybody = org.client().get(PAGE)
    assert anybody.status_code == 302
