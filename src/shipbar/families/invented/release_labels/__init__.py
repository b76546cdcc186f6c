"""Labels of software versions: read, written, ordered, changed and chosen."""
