"""A small language that filters, sorts and projects lists of plain records."""
