"""Sales' side of the story: who sells, to whom, what came of it."""
