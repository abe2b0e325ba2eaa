"""Settings that every way of running shares. The environment is read here and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

BASE_DIR = Path(__file__).resolve().parents[3]

DATA_DIR = os.environ.get("SANDLOT_DATA", str(BASE_DIR / "data"))
DOMAIN = os.environ.get("SANDLOT_DOMAIN", "localhost")
PROCESS_NAME = os.environ.get("SANDLOT_PROCESS", "main")
# Whether tasks load that are not certified: for those who write them.
DEV = os.environ.get("SANDLOT_DEV") == "1"
OPEN_STORES = int(os.environ.get("SANDLOT_OPEN_STORES", "200"))
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
DATA_UPLOAD_MAX_MEMORY_SIZE = 50 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 50 * 1024 * 1024
X_FRAME_OPTIONS = "SAMEORIGIN"

INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "clones.core",
    "clones.helpdesk",
    "clones.billing",
    "seeds.people",
]

MIDDLEWARE = [
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "clones.core.tenancy.middleware.SandboxMiddleware",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"builtins": ["django.templatetags.static"]},
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
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
