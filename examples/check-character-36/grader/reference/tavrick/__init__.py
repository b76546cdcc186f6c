"""Tags: short codes over thirty-six symbols that carry their own check mark.

`issue` makes a tag from a payload, `read` takes one from text, `explain` shows
how a mark comes about, `mend` undoes one exchange of neighbours, and `audit`
sorts a whole list of texts. All that is wrong with a text is a `TagError`.
"""

from tavrick._audit import audit
from tavrick._explain import explain
from tavrick._faults import (
    AmbiguousMend,
    LayoutFault,
    LengthFault,
    MarkFault,
    TagError,
)
from tavrick._mend import mend
from tavrick._tags import issue, read

__all__ = [
    "AmbiguousMend",
    "LayoutFault",
    "LengthFault",
    "MarkFault",
    "TagError",
    "audit",
    "explain",
    "issue",
    "mend",
    "read",
]
