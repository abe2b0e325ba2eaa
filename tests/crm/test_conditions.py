"""Requests that are carried out only if something changed since, or did not."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils.http import http_date

from tests.crm.conftest import Org


def moment(org: Org, id: str, seconds: int = 0) -> str:
    """Return when an account was changed, and some seconds, as headers have it."""
    at = datetime.fromisoformat(org.show("Account", id)["SystemModstamp"])
    return http_date((at + timedelta(seconds=seconds)).timestamp())


def test_a_record_is_shown_if_it_changed(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    path = f"/sobjects/Account/{id}"
    for seconds, status in ((-1, 200), (0, 304), (3600, 304)):
        answer = org.ask("GET", path, **{"If-Modified-Since": moment(org, id, seconds)})
        assert (answer.status, answer.body is None) == (status, status == 304)
        assert answer.headers["Last-Modified"] == moment(org, id)


def test_a_record_is_shown_or_changed_if_it_did_not_change(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    path = f"/sobjects/Account/{id}"
    early, present = moment(org, id, -1), moment(org, id)
    assert org.refused("GET", path, **{"If-Unmodified-Since": early})["status"] == 412
    assert org.ask("GET", path, **{"If-Unmodified-Since": present}).status == 200
    change = {"Name": "Birch"}
    assert org.refused("PATCH", path, change, **{"If-Unmodified-Since": early})["status"] == 412
    assert org.show("Account", id)["Name"] == "Ash"
    assert org.ask("PATCH", path, change, **{"If-Unmodified-Since": present}).status == 204
    assert org.show("Account", id)["Name"] == "Birch"


def test_accounts_have_tags_of_their_content(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    path = f"/sobjects/Account/{id}"
    tag = org.ask("GET", path).headers["ETag"]
    assert org.ask("GET", path, **{"If-None-Match": f'"x", {tag}'}).status == 304
    assert org.ask("GET", path, **{"If-None-Match": '"x"'}).status == 200
    assert org.ask("PATCH", path, {"Phone": "1"}, **{"If-Match": tag}).status == 204
    assert org.refused("PATCH", path, {"Phone": "2"}, **{"If-Match": tag})["status"] == 412
    assert org.show("Account", id)["Phone"] == "1"
    lead = org.make("Lead", LastName="A", Company="B")
    assert "ETag" not in org.ask("GET", f"/sobjects/Lead/{lead}").headers


@pytest.mark.parametrize("path", ["/sobjects", "/sobjects/Account/describe"])
def test_descriptions_are_shown_if_they_changed(org: Org, path: str) -> None:
    changed = org.ask("GET", path).headers["Last-Modified"]
    assert org.ask("GET", path, **{"If-Modified-Since": changed}).status == 304
    long_ago = "Mon, 01 Jan 2001 00:00:00 GMT"
    assert org.ask("GET", path, **{"If-Modified-Since": long_ago}).status == 200
    assert org.ask("GET", path, **{"If-Modified-Since": "yesterday"}).status == 200


@pytest.mark.parametrize("path", ["", "/describe", "/{id}", "/Id/{id}"])
def test_heads_are_those_of_what_is_shown(org: Org, path: str) -> None:
    id = org.make("Account", Name="Ash")
    whole = f"/sobjects/Account{path.format(id=id)}"
    answer = org.ask("HEAD", whole)
    assert (answer.status, answer.body) == (200, None)
    assert answer.headers["Content-Type"] == org.ask("GET", whole).headers["Content-Type"]
    assert org.ask("HEAD", "/sobjects/Account/001000000000000AAA").status == 404
