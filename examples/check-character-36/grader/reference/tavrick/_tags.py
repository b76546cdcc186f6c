"""The tag itself, and the two ways to get one."""

from dataclasses import dataclass, field
from functools import total_ordering

from tavrick._faults import LengthFault, MarkFault
from tavrick._marks import SHORT_PAYLOAD, mark_of
from tavrick._symbols import symbols_of, values_of

MIN_PAYLOAD = 3
MAX_PAYLOAD = 20

_GROUP = 4
_UNGROUPED = 6


@total_ordering
@dataclass(frozen=True)
class Tag:
    """A payload and the mark that belongs to it."""

    payload: str
    """The symbols that were chosen."""
    mark: str = field(init=False, compare=False)
    """The one or two symbols that follow from them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mark", mark_of(self.payload))

    @property
    def text(self) -> str:
        """The written form."""
        return written(self.payload + self.mark)

    def __str__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.payload) + len(self.mark)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Tag):
            return NotImplemented
        return self._rank() < other._rank()

    def _rank(self) -> tuple[int, list[int]]:
        return len(self.payload), values_of(self.payload)


def issue(payload: str) -> Tag:
    """Return the tag of a payload of 3 to 20 symbols.

    Raises:
        TypeError: `payload` is not a string.
        LayoutFault: a character cannot stand where it is.
        LengthFault: the payload is too short or too long.
    """
    symbols = symbols_of(payload)
    if not MIN_PAYLOAD <= len(symbols) <= MAX_PAYLOAD:
        raise LengthFault(len(symbols), f"{MIN_PAYLOAD} to {MAX_PAYLOAD}")
    return Tag(symbols)


def read(text: str) -> Tag:
    """Return the tag that a text, payload and mark, stands for.

    Raises:
        TypeError: `text` is not a string.
        LayoutFault: a character cannot stand where it is.
        LengthFault: no tag has that many symbols.
        MarkFault: the mark does not belong to the payload.
    """
    return tag_from(symbols_of(text))


def tag_from(symbols: str) -> Tag:
    """Return the tag that consists of these symbols.

    Raises:
        LengthFault: no tag has that many symbols.
        MarkFault: the mark does not belong to the payload.
    """
    payload, found = split(symbols)
    tag = Tag(payload)
    if tag.mark != found:
        raise MarkFault(tag.mark, found)
    return tag


def split(symbols: str) -> tuple[str, str]:
    """Return payload and mark as they stand; the mark may be wrong.

    Raises:
        LengthFault: no tag has that many symbols.
    """
    count = len(symbols)
    if MIN_PAYLOAD + 1 <= count <= SHORT_PAYLOAD + 1:
        return symbols[:-1], symbols[-1:]
    # One more symbol than the longest short tag is one too few for a long one.
    if SHORT_PAYLOAD + 3 <= count <= MAX_PAYLOAD + 2:
        return symbols[:-2], symbols[-2:]
    raise LengthFault(count, "4 to 9 or 11 to 22")


def written(symbols: str) -> str:
    """Return symbols in groups of four from the right, joined by hyphens.

    Few symbols stand in one piece, and a single symbol that would be left
    over at the front joins the group that follows it.
    """
    if len(symbols) <= _UNGROUPED:
        return symbols
    rest = len(symbols) % _GROUP
    front = rest + _GROUP if rest <= 1 else rest
    groups = [symbols[:front]]
    groups += [symbols[at : at + _GROUP] for at in range(front, len(symbols), _GROUP)]
    return "-".join(groups)
