"""From text to symbols: what each character stands for and where it may stand."""

from string import ascii_lowercase, ascii_uppercase, digits

from tavrick._faults import LayoutFault

SYMBOLS = ascii_uppercase + digits
"""All symbols in the order of their values, from 0 to 35."""

SEPARATORS = "- "

_VALUE_OF = {symbol: value for value, symbol in enumerate(SYMBOLS)}

# A small "o" or "l" in print is nearly always meant as a digit. A capital one
# is never touched, for both letters are symbols in their own right.
_SYMBOL_FOR = (
    {symbol: symbol for symbol in SYMBOLS}
    | {small: small.upper() for small in ascii_lowercase}
    | {"o": "0", "l": "1"}
)


def values_of(symbols: str) -> list[int]:
    """Return the value, 0 to 35, of each symbol."""
    return [_VALUE_OF[symbol] for symbol in symbols]


def symbols_of(text: str) -> str:
    """Return the symbols of a text, without its separators.

    Raises:
        TypeError: `text` is not a string.
        LayoutFault: a character is neither symbol nor separator, or a
            separator is not alone between two symbols, or differs from the
            first separator of the text.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected a string, got {type(text).__name__}")
    symbols: list[str] = []
    chosen = ""
    after_symbol = False
    for position, character in enumerate(text, start=1):
        symbol = _SYMBOL_FOR.get(character)
        if symbol is not None:
            symbols.append(symbol)
            after_symbol = True
            continue
        chosen = chosen or character
        between = after_symbol and position < len(text)
        if character not in SEPARATORS or character != chosen or not between:
            raise LayoutFault(position, character)
        after_symbol = False
    return "".join(symbols)
