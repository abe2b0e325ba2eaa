"""Tenancy errors.

TenancyError
├── NoSandbox          a query ran with no sandbox bound
├── UnknownSandbox     no live sandbox has that id
├── SandboxResetting   the sandbox is being reset, or was reset meanwhile
└── UnsafeConnection   a connection would write round the journal
"""

from __future__ import annotations


class TenancyError(Exception):
    """Base of the errors of this package."""


class NoSandbox(TenancyError):
    """Raised when a query runs while no sandbox is bound to this context."""


class UnknownSandbox(TenancyError):
    """Raised when no live sandbox has the id asked for."""


class SandboxResetting(TenancyError):
    """Raised when a request would straddle a reset."""


class UnsafeConnection(TenancyError):
    """Raised when a connection does not run triggers on replaced rows."""


class ConnectionEnded(TenancyError):
    """Raised when the engine ended a connection before anything was done on it."""


class RowGone(Exception):
    """Raised when a row that is to be written over does not exist."""
