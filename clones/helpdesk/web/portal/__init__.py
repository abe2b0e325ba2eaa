"""The portal: where end users ask for help, follow their requests, and rate how it went."""
