"""What templates of the tracker can call."""
