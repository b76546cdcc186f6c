"""Numerals in seven letters, after a small converter of the year 2001."""
