"""The frame that pages stand in, and what is reached from every page: search, making issues."""
