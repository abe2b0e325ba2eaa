"""Tables that every clone stands on."""

from clones.core.models.accounts import Account, Credential, Session
from clones.core.models.blobs import Blob
from clones.core.models.deliveries import Delivery, DeliveryAttempt
from clones.core.models.idempotency import IdempotentAnswer
from clones.core.models.jobs import Job
from clones.core.models.post import Envelope, Message
from clones.core.models.records import AmbientRecord, DirtyFieldsRecord, JournalKind, Record
from clones.core.models.sightings import Sighting
from clones.core.models.state import IdSequence, RandomStream, RateBucket, SandboxState

__all__ = [
    "Account",
    "AmbientRecord",
    "Blob",
    "Credential",
    "Delivery",
    "DeliveryAttempt",
    "DirtyFieldsRecord",
    "Envelope",
    "IdSequence",
    "IdempotentAnswer",
    "Job",
    "JournalKind",
    "Message",
    "RandomStream",
    "RateBucket",
    "Record",
    "SandboxState",
    "Session",
    "Sighting",
]
