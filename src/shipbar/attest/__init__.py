"""Receipts: what was found, of what, with what, signed so that anybody can check it.

    plain.py      JSON values, read without leniency
    receipt.py    the values: a question, and a receipt that answers it
    parts.py      the digests of a task's parts, and how two sets of them differ
    tool.py       which Shipbar this is
    statement.py  a receipt as an in-toto statement, and back
    envelope.py   signed bytes: a DSSE envelope
    keys.py       ed25519 keys in files
    store.py      receipts that are kept, by all that they depend on
    reviews.py    what people sign: a task's reviews

Plain values go in and come out: no task is loaded and nothing is graded here. The
bytes that were signed are kept and checked as they are, never written anew.
"""
