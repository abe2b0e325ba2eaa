"""Task families, one package each."""
