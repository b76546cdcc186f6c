"""Templates without logic: text with tags that are filled in from plain data."""
