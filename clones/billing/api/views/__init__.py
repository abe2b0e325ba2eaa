"""The views of the operations; each module registers its own."""
