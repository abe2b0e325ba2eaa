"""The tools of one episode, as the MCP server that verifiers starts for each rollout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import verifiers.v1 as vf
from mcp.types import CallToolResult, TextContent, Tool
from sandlot_episodes import DEFAULT_URL, Episode, Server

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context, MCPServer

    from sandlot_verifiers.taskset import SandlotData


class SandlotToolsetConfig(vf.ToolsetConfig):
    """Where the server of the tools runs; `control_url` is filled in by the task."""

    control_url: str = DEFAULT_URL


class SandlotToolset(vf.Toolset[SandlotToolsetConfig]):
    """Offers the tools of the episode that the task's `setup` began, by their own names."""

    TOOL_PREFIX = None

    async def setup_task(self, task: SandlotData) -> None:
        """Ask what the episode's tools are.

        Raises:
            EnvironmentFailed: the server does not say.
        """
        self._episode = Episode(Server(self.config.control_url), task.episode)
        self._tools = [
            Tool(
                name=tool["name"],
                description=tool["description"],
                input_schema=tool["input_schema"],
            )
            for tool in await self._episode.tools()
        ]

    def register(self, mcp: MCPServer) -> None:
        """Answer with the episode's tools: their schemas are the server's, no Python signatures."""
        answering = cast("Any", mcp)
        answering.list_tools = self.list_tools
        answering.call_tool = self.call_tool

    async def list_tools(self) -> list[Tool]:
        """Return the episode's tools."""
        return self._tools

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context | None = None
    ) -> CallToolResult:
        """Call a tool and return what it says.

        Raises:
            EnvironmentFailed: the environment failed; the task stops the rollout then.
        """
        text = await self._episode.call(name, arguments)
        return CallToolResult(content=[TextContent(type="text", text=text)])


if __name__ == "__main__":
    SandlotToolset.run()
