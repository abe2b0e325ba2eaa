"""Which sandbox a request belongs to, and its connection."""

from clones.core.tenancy.context import Binding, bound, current, unit_of_work
from clones.core.tenancy.errors import (
    NoSandbox,
    SandboxResetting,
    TenancyError,
    UnknownSandbox,
    UnsafeConnection,
)
from clones.core.tenancy.registry import Registry, SandboxRow

__all__ = [
    "Binding",
    "NoSandbox",
    "Registry",
    "SandboxResetting",
    "SandboxRow",
    "TenancyError",
    "UnknownSandbox",
    "UnsafeConnection",
    "bound",
    "current",
    "unit_of_work",
]
