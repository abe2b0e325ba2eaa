"""How believable a world is: the measured properties of worlds, computed from the store alone."""
