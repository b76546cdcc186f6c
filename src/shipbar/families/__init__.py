"""The families that ship with Shipbar: one folder each, standing alone.

They are public, and so are for the reference tranche, for demonstration, for tests
and for training pipelines. The tasks that are paid for come from private
families, found by entry point, and secret seeds, through the same code.
"""
