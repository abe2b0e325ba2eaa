"""Estimates by the field that a board estimates with."""

from __future__ import annotations

from clones.tracker.domain import board_configuration as configuring
from clones.tracker.models import Board, User
from clones.tracker.queries.rights import Rights
from tests.tracker.boards import AGILE, board_of, history, withdraw
from tests.tracker.conftest import Site


def estimate_by(site: Site, board: int, field: str | None) -> None:
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        configuring.set_estimation(Board.objects.get(id=board), field, actor=ada)


def test_an_issue_is_estimated_with_points(site: Site) -> None:
    board, a = board_of(site), site.issue("a")
    field = site.get(f"{AGILE}/board/{board}/configuration")["estimation"]["field"]
    path = f"{AGILE}/issue/{a}/estimation?boardId={board}"
    assert site.get(path) == {"fieldId": field["fieldId"]}
    found = site.put(path, {"value": "8.0"}, status=200)
    assert found == {"fieldId": field["fieldId"], "value": 8.0}
    assert site.get(path) == found
    assert site.get(f"issue/{a}")["fields"][field["fieldId"]] == 8.0
    assert history(site, a) == [(field["displayName"], None, "8")]
    assert site.put(path, {"value": None}, status=200) == {"fieldId": field["fieldId"]}
    refused = site.put(path, {"value": "many"}, status=400)
    assert refused == {"errorMessages": [], "errors": {"value": "'many' is not a valid number."}}


def test_an_issue_is_estimated_with_time(site: Site) -> None:
    board, a = board_of(site), site.issue("a")
    estimate_by(site, board, "timeoriginalestimate")
    path = f"{AGILE}/issue/{a}/estimation?boardId={board}"
    found = site.put(path, {"value": "3h 20m"}, status=200)
    assert found == {"fieldId": "timeoriginalestimate", "value": 12000}
    # A bare number counts minutes.
    assert site.put(path, {"value": "30"}, status=200)["value"] == 1800
    tracking = site.get(f"issue/{a}")["fields"]["timetracking"]
    assert (tracking["originalEstimateSeconds"], tracking["remainingEstimateSeconds"]) == (
        1800,
        1800,
    )
    refused = site.put(path, {"value": "soon"}, status=400)
    assert refused["errors"] == {"value": "'soon' is not a valid time estimate."}


def test_unverified_estimates_that_nobody_can_make(site: Site) -> None:
    board, a = board_of(site), site.issue("a")
    missing = site.get(f"{AGILE}/issue/{a}/estimation", status=400)
    assert missing["errors"] == {"boardId": "The boardId parameter is required."}
    unknown = site.get(f"{AGILE}/issue/{a}/estimation?boardId=99", status=404)
    assert unknown["errorMessages"][0].startswith("The requested board cannot be viewed")
    kanban = board_of(site, "OPS")
    none = site.get(f"{AGILE}/issue/{a}/estimation?boardId={kanban}", status=400)
    assert none["errorMessages"] == ["The board does not use a field for estimation."]
    withdraw(site, "EDIT_ISSUES")
    path = f"{AGILE}/issue/{a}/estimation?boardId={board}"
    refused = site.put(path, {"value": "5"}, status=403)
    assert refused["errorMessages"] == ["You do not have permission to edit this issue."]
