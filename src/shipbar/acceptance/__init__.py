"""The buyer's side: measures a delivery, and says what of it is accepted.

    values.py     what is said of a task and of a gate on it
    opening.py    the bundles: signatures, manifests, every digest, and what damage touches
    pictures.py   the images of a bundle: which blob is whose, and one task's image alone
    laying.py     tasks put together again, each with what was claimed for it
    claims.py     a claim against what was measured
    keeping.py    what was measured, as receipts under the buyer's own key
    measuring.py  one task through the gates, in a process of its own
    sampling.py   which tasks a sample is, drawn so that nobody can have chosen them
    reporting.py  the report for people and machines
    record.py     the report that is signed, for the maker's books
    accepting.py  all of it, in order

It needs the delivery and this package, and nothing of the maker's: no network, no books,
no families. Nothing that is delivered is believed because it is delivered: what counts
is signed by a key that the buyer named, and what was measured here.
"""
