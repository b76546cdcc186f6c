"""Everything that can be wrong with a text.

    ValueError
      TagError
        LayoutFault        a character that cannot stand where it is
        LengthFault        too few symbols, too many, or a count that fits no tag
        MarkFault          the mark does not belong to the payload
          AmbiguousMend    more than one exchange would make the text good

The order of the drawing is the order in which faults are looked for.
"""

from collections.abc import Iterable


class TagError(ValueError):
    """Root of the tree."""


class LayoutFault(TagError):
    """A character cannot stand where it is."""

    def __init__(self, position: int, character: str) -> None:
        self.position = position
        """Where the character is; the first one of a text has position 1."""
        super().__init__(f"{character!r} cannot stand at position {position}")


class LengthFault(TagError):
    """The number of symbols is not one that is allowed."""

    def __init__(self, count: int, allowed: str) -> None:
        self.count = count
        """How many symbols the text has; separators are not counted."""
        super().__init__(f"expected {allowed} symbols, got {count}")


class MarkFault(TagError):
    """The mark does not belong to the payload."""

    def __init__(self, expected: str, found: str) -> None:
        self.expected = expected
        """The mark that belongs to the payload."""
        self.found = found
        """The mark that the text has."""
        super().__init__(f"expected the mark {expected}, got {found}")


class AmbiguousMend(MarkFault):
    """More than one exchange of neighbours would make the text good."""

    def __init__(self, expected: str, found: str, options: Iterable[str]) -> None:
        super().__init__(expected, found)
        self.options = list(options)
        """The written forms of all tags that the text could have been."""
