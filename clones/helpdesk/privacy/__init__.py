"""What the helpdesk says of privacy (`clones.core.privacy`)."""

from typing import Final

from clones.core.privacy import Privacy
from clones.helpdesk.privacy.conversations import conversation
from clones.helpdesk.privacy.outgoing import ENDPOINTS, OUTGOING
from clones.helpdesk.privacy.people import facts, people

PRIVACY: Final = Privacy(people, facts, OUTGOING, conversation, ENDPOINTS)
