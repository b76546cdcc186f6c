"""The ledger: what was made, proven, reviewed, delivered and accepted, and what may never be.

    values.py       what goes in and comes out
    acceptance.py   a buyer's signed report, read
    fingerprint.py  a task's content, whatever its names are
    entries.py      a task's folder, as the ledger records it
    schema.py       the tables, and the rules that the database itself keeps
    migrations/     how a ledger of an older Shipbar becomes one of this
    database.py     a file or a server: connections, transactions, its errors as ours
    tasks.py        recording tasks: names once, content once, variants apart
    deliveries.py   reserving and finishing: one client a task
    reports.py      recording receipts, reviews and what a buyer accepted
    queries.py      what is recorded, as values
    export.py       all of it as one file, the same bytes for the same content
    ledger.py       all of this behind one class

Every set of facts is written in one transaction, and writers wait for each other. A
process may be killed at any point: what it had not finished is as if it had not begun.
"""
