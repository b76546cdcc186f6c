"""The right names and no behaviour."""


class TagError(ValueError):
    """Root of the tree."""


class LayoutFault(TagError):
    """A character cannot stand where it is."""


class LengthFault(TagError):
    """The number of symbols is not allowed."""


class MarkFault(TagError):
    """The mark does not belong to the payload."""


class AmbiguousMend(MarkFault):
    """There is more than one way to mend a text."""


def issue(payload):
    """Make a tag from a payload."""


def read(text):
    """Make a tag from a payload and its mark."""


def explain(text):
    """Tell how the mark of a text comes about."""


def mend(text):
    """Undo one exchange of neighbours."""


def audit(texts):
    """Sort many texts into good, repeated and faulty ones."""
