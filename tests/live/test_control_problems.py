"""What the control plane says, and logs, of a store whose connection was lost amid its work."""

from __future__ import annotations

import asyncio
import logging

import httpx
import pytest
from django.db import OperationalError, ProgrammingError
from django.db.transaction import TransactionManagementError
from fastapi import FastAPI

from episodes.control import problems


def answer_to(error: Exception) -> tuple[int, str]:
    """Return status and code of the answer to a call that fails so."""
    app = FastAPI()
    problems.install(app)

    @app.get("/")
    def fail() -> None:
        raise error

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://control") as client:
            return await client.get("/")

    answer = asyncio.run(ask())
    return answer.status_code, answer.json()["code"]


def test_what_follows_a_lost_connection_is_a_store_that_is_away() -> None:
    after = TransactionManagementError("queries until the end of the block")
    after.__cause__ = OperationalError("server closed the connection unexpectedly")
    assert answer_to(after) == (503, "store_away")


@pytest.mark.parametrize("error", [ProgrammingError("no such table"), ZeroDivisionError("why")])
def test_the_log_has_what_an_answer_sends_there_for(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger=problems.__name__):
        assert answer_to(error) == (500, "internal")
    assert [str(error) in record.getMessage() for record in caplog.records] == [True]
    assert caplog.records[0].exc_info
