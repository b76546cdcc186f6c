"""Canaries: texts that give a task away wherever they turn up.

forms.py      what a canary looks like; the canary of one client's copy of one task
known.py      whose a canary is: from task folders, or from the index of a delivery
search.py     a stream of bytes, searched at the speed of `bytes.find`
packed.py     compressed data and tars, taken apart as streams
zips.py       zips, by their directory
look.py       one file, with everything that is packed in it
walk.py       files and folders, and what is neither
scanning.py   many files, in several processes
"""

from shipbar.canary.forms import PREFIX, for_client
from shipbar.canary.known import Known, Owner, from_indexes, from_tasks, known_of
from shipbar.canary.look import Bounds, Found, Looked, Unread
from shipbar.canary.scanning import scan, total

__all__ = [
    "PREFIX",
    "Bounds",
    "Found",
    "Known",
    "Looked",
    "Owner",
    "Unread",
    "for_client",
    "from_indexes",
    "from_tasks",
    "known_of",
    "scan",
    "total",
]
