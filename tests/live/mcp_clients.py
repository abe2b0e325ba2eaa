"""Plays episodes by a public client of Model Context Protocol, in that client's environment.

Called with the client's name and a file: a JSON object of plans by name, each with `url` and
`acts`, each a tool and its arguments. Prints what came of each as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any


@asynccontextmanager
async def by_mcp_2(url: str, mode: str) -> AsyncIterator[Any]:
    """Connect with `mcp` 2, in one of its modes."""
    async with import_module("mcp").Client(url, mode=mode) as client:
        yield client


@asynccontextmanager
async def by_mcp_1(url: str) -> AsyncIterator[Any]:
    """Connect with `mcp` 1."""
    http = import_module("mcp.client.streamable_http")
    session_of = import_module("mcp").ClientSession
    async with (
        http.streamable_http_client(url) as (reading, writing, _),
        session_of(reading, writing) as session,
    ):
        await session.initialize()
        yield session


@asynccontextmanager
async def by_fastmcp(url: str) -> AsyncIterator[Any]:
    """Connect with `fastmcp`."""
    async with import_module("fastmcp").Client(url) as client:
        yield client


CLIENTS: dict[str, Callable[[str], AbstractAsyncContextManager[Any]]] = {
    "mcp-auto": partial(by_mcp_2, mode="auto"),
    "mcp-legacy": partial(by_mcp_2, mode="legacy"),
    "mcp-1": by_mcp_1,
    "fastmcp": by_fastmcp,
}


async def play(name: str, plan: dict[str, Any]) -> dict[str, Any]:
    """Play one plan."""
    found: dict[str, Any] = {"texts": [], "errors": []}
    try:
        async with CLIENTS[name](plan["url"]) as client:
            listed = await client.list_tools()
            tools = listed if isinstance(listed, list) else listed.tools
            found["tools"] = sorted(tool.name for tool in tools)
            more = {"raise_on_error": False} if name == "fastmcp" else {}
            for tool, arguments in plan["acts"]:
                result = await client.call_tool(tool, arguments, **more)
                found["texts"].append(result.content[0].text)
                said = getattr(result, "is_error", None)
                found["errors"].append(bool(result.isError if said is None else said))
    except BaseException as error:  # noqa: BLE001 - whatever a client says of it
        found["error"] = [type(error).__name__, told(error)]
    return found


def told(error: BaseException) -> str:
    """Return what an error says, and those that are within it."""
    within = getattr(error, "exceptions", ())
    return " ".join([str(error), *map(told, within)])


async def play_all(name: str, plans: dict[str, Any]) -> dict[str, Any]:
    """Play every plan."""
    return {title: await play(name, plan) for title, plan in plans.items()}


if __name__ == "__main__":
    read = json.loads(Path(sys.argv[2]).read_text())
    print(json.dumps(asyncio.run(play_all(sys.argv[1], read))))
