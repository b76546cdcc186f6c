"""Codes over 36 symbols that carry characters which check them."""
