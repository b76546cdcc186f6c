"""Undoing one exchange of neighbours."""

from collections.abc import Iterator

from tavrick._faults import AmbiguousMend, MarkFault
from tavrick._symbols import symbols_of
from tavrick._tags import Tag, tag_from


def mend(text: str) -> Tag:
    """Return the one tag that a text was before two neighbours changed places.

    A text that is good as it stands is not mended.

    Raises:
        TypeError: `text` is not a string.
        LayoutFault: a character cannot stand where it is.
        LengthFault: no tag has that many symbols.
        MarkFault: no exchange makes the text good.
        AmbiguousMend: more than one does.
    """
    symbols = symbols_of(text)
    try:
        return tag_from(symbols)
    except MarkFault as fault:
        options = sorted(_good_exchanges(symbols))
        if not options:
            raise
        if len(options) > 1:
            texts = [tag.text for tag in options]
            raise AmbiguousMend(fault.expected, fault.found, texts) from None
        return options[0]


def _good_exchanges(symbols: str) -> Iterator[Tag]:
    for at in range(len(symbols) - 1):
        left, right = symbols[at], symbols[at + 1]
        try:
            yield tag_from(symbols[:at] + right + left + symbols[at + 2 :])
        except MarkFault:
            # Equal neighbours end up here as well: the text is what it was.
            continue
