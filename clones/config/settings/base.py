"""Settings that every way of running shares. The environment is read here and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from clones.config.body import LONGEST_BODY
from clones.config.settings import traces

BASE_DIR = Path(__file__).resolve().parents[3]


def secret(name: str) -> str | None:
    """Return what the file says that `<name>_FILE` names: how containers are given secrets."""
    place = os.environ.get(f"{name}_FILE")
    return Path(place).read_text().strip() if place else None


DATA_DIR = os.environ.get("SANDLOT_DATA", str(BASE_DIR / "data"))
# Where built worlds are kept for every server of this machine; None keeps each server's to itself.
WORLDS_DIR = os.environ.get("SANDLOT_WORLDS")
DOMAIN = os.environ.get("SANDLOT_DOMAIN", "localhost")
# As clients see it: TLS ends before the workers.
SCHEME = os.environ.get("SANDLOT_SCHEME", "http")
PROCESS_NAME = os.environ.get("SANDLOT_PROCESS", "main")
# Whether tasks load that are not certified: for those who write them.
DEV = os.environ.get("SANDLOT_DEV") == "1"
# The clones that are served; each tells the rest of itself (clones.core.vendors).
CLONES = ["helpdesk", "billing", "mail", "tracker"]
# Clones that are still being made, served only where somebody asks for them.
MAKING = [name for name in os.environ.get("SANDLOT_MAKING", "").split(",") if name]
# The hosts that webhooks may reach, `HOST[:PORT],...`; None is what `sandlot serve` was told.
WEBHOOK_HOSTS = os.environ.get("SANDLOT_WEBHOOK_HOSTS")
# What one process keeps open while nobody uses it: so many stores, and bytes of memory with them.
OPEN_STORES = int(os.environ.get("SANDLOT_OPEN_STORES", "200"))
STORE_MEMORY = int(os.environ.get("SANDLOT_STORE_MEMORY", "1000000000"))
# Bytes that a sandbox's store on SQLite may take; what the control process does has no bound.
SANDBOX_QUOTA = (
    0 if PROCESS_NAME == "control" else int(os.environ.get("SANDLOT_SANDBOX_QUOTA", "4294967296"))
)
# The processor's seconds that one request of the data plane may use before it is ended.
REQUEST_SECONDS = float(os.environ.get("SANDLOT_REQUEST_SECONDS", "20"))
# Without these variables nothing of OpenTelemetry is imported.
TRACES = traces.are_wanted(os.environ)
TRACER = "clones.config.telemetry.OpenTelemetry" if TRACES else "clones.core.tracing.NoTraces"
# What of an upper layer watches the journal, by name: nothing here imports it.
JOURNAL_OBSERVERS = ["seeds.people.observer.observe"]

# Nothing is signed with this: secrets are made of the server's own key (clones.core.server).
SECRET_KEY = "unused"  # noqa: S105 - no secret
DEBUG = False
ALLOWED_HOSTS = ["*"]
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
USE_I18N = False
ROOT_URLCONF = "clones.config.urls"
WSGI_APPLICATION = "clones.config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = False
DATA_UPLOAD_MAX_MEMORY_SIZE = LONGEST_BODY
FILE_UPLOAD_MAX_MEMORY_SIZE = LONGEST_BODY
X_FRAME_OPTIONS = "SAMEORIGIN"

INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "clones.core",
    *(f"clones.{name}" for name in (*CLONES, *MAKING)),
    "seeds.people",
]

MIDDLEWARE = [
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "clones.core.assets.JoinedFiles",
    "clones.core.tenancy.middleware.SandboxMiddleware",
    "clones.core.web.forms.CleanForms",
    "clones.core.web.plain.FramedRefusals",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"builtins": ["django.templatetags.static", "clones.core.templatetags.joined"]},
    }
]

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    # What a client is refused is no trouble of the server's: a health check asks for no page.
    "loggers": {"django.request": {"level": "ERROR"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
