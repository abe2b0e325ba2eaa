"""What several pages are made of: controls of fields, texts, times, pictures."""
