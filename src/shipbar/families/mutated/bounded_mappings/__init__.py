"""Bounded mappings: stores with a capacity, four orders of giving way, and a memo over them."""
