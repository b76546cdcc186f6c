"""Delivers tasks: two signed bundles, written whole or not at all, each task to one client.

    order.py     what is to be delivered, to whom and how
    proofs.py    the receipts that a task goes out on, and what is missing
    notes.py     what a buyer is told of a task
    texts.py     the texts of licences
    packing.py   the files of a task in the bundles, and its lines of the index
    images.py    the images of the tasks
    place.py     a folder that is written beside its place, locked, and moved there
    leaks.py     a scan of what was written for what is held out
    deliver.py   all of it, in order, with the ledger at both ends

The ledger is asked first and told last. Whatever stops a delivery in between, nothing
half-written is where the delivery belongs, and the same command again finishes it.
"""
