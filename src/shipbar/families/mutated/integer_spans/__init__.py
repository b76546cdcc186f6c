"""Sets of whole numbers that are read, written and changed by runs."""
