"""Template tags that the pages of every clone use."""
