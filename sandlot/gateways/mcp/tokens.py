"""What names an episode in an address, and opens it."""

from __future__ import annotations

import hashlib
import hmac

from sandlot.service.errors import NotFound


class EpisodeTokens:
    """Tokens of episodes, signed with a server's `secret`: who has one may act in its episode."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def of(self, episode: str) -> str:
        """Return the token of an episode."""
        signed = hmac.new(self._secret, f"mcp|{episode}".encode(), hashlib.sha256)
        return f"{episode}.{signed.hexdigest()[:40]}"

    def episode(self, token: str) -> str:
        """Return the episode of a token.

        Raises:
            NotFound: this server signed none like it.
        """
        episode = token.rpartition(".")[0]
        if not hmac.compare_digest(self.of(episode).encode(), token.encode()):
            raise NotFound("this address is no episode's: ask the control plane for it")
        return episode
