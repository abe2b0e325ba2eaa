"""The story as each clone has it, with that clone's lag, gaps and errors."""
