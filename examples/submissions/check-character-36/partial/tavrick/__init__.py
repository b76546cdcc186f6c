"""Tags with check marks. Mending and auditing are still to be written."""

import string

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

ORDER = string.ascii_uppercase + string.digits


class TagError(ValueError):
    pass


class LayoutFault(TagError):
    def __init__(self, position):
        super().__init__("bad character at position %d" % position)
        self.position = position


class LengthFault(TagError):
    def __init__(self, count):
        super().__init__("bad number of symbols: %d" % count)
        self.count = count


class MarkFault(TagError):
    def __init__(self, expected, found):
        super().__init__("mark should be %s, is %s" % (expected, found))
        self.expected = expected
        self.found = found


class AmbiguousMend(MarkFault):
    options = ()


class _Tag:
    __slots__ = ("_payload", "_mark")

    def __init__(self, payload, mark):
        self._payload = payload
        self._mark = mark

    @property
    def payload(self):
        return self._payload

    @property
    def mark(self):
        return self._mark

    @property
    def text(self):
        rest = self._payload + self._mark
        if len(rest) < 7:
            return rest
        pieces = []
        while rest:
            pieces.insert(0, rest[-4:])
            rest = rest[:-4]
        return "-".join(pieces)

    def __str__(self):
        return self.text

    def __repr__(self):
        return "<tag %s>" % self.text

    def __len__(self):
        return len(self._payload) + len(self._mark)

    def __hash__(self):
        return hash(self._payload)

    def __eq__(self, other):
        return isinstance(other, _Tag) and self._payload == other._payload

    def _key(self, other):
        if not isinstance(other, _Tag):
            raise TypeError("tags can be compared with tags only")
        return tuple(
            (len(tag._payload), [ORDER.index(c) for c in tag._payload])
            for tag in (self, other)
        )

    def __lt__(self, other):
        mine, theirs = self._key(other)
        return mine < theirs

    def __le__(self, other):
        mine, theirs = self._key(other)
        return mine <= theirs

    def __gt__(self, other):
        mine, theirs = self._key(other)
        return mine > theirs

    def __ge__(self, other):
        mine, theirs = self._key(other)
        return mine >= theirs


def _fold(character):
    if character == "o":
        return "0"
    if character == "l":
        return "1"
    if "a" <= character <= "z":
        character = character.upper()
    if character in ORDER:
        return character
    return None


def _symbols(text):
    if not isinstance(text, str):
        raise TypeError("a string is needed")
    separator = None
    result = ""
    for index, character in enumerate(text):
        folded = _fold(character)
        if folded:
            result += folded
            continue
        if character not in ("-", " "):
            raise LayoutFault(index + 1)
        if separator is None:
            separator = character
        if index == 0 or index == len(text) - 1:
            raise LayoutFault(index + 1)
        if character != separator or text[index - 1] in "- ":
            raise LayoutFault(index + 1)
    return result


def _walk(start, symbols, factor):
    states = [start]
    for symbol in symbols:
        start = (start * factor + ORDER.index(symbol)) % 36
        states.append(start)
    return states


def _closing(states, factor):
    for symbol in ORDER:
        if (states[-1] * factor + ORDER.index(symbol)) % 36 == 0:
            return symbol


def _mark(payload):
    size = len(payload)
    mark = _closing(_walk(size, payload, 11), 11)
    if size > 8:
        mark += _closing(_walk(size, (payload + mark)[::-1], 23), 23)
    return mark


def _parts(text):
    symbols = _symbols(text)
    size = len(symbols)
    if size < 4 or size == 10 or size > 22:
        raise LengthFault(size)
    cut = size - (1 if size < 10 else 2)
    return symbols[:cut], symbols[cut:]


def issue(payload):
    symbols = _symbols(payload)
    if len(symbols) < 3 or len(symbols) > 20:
        raise LengthFault(len(symbols))
    return _Tag(symbols, _mark(symbols))


def read(text):
    payload, found = _parts(text)
    expected = _mark(payload)
    if expected != found:
        raise MarkFault(expected, found)
    return _Tag(payload, found)


def explain(text):
    payload, found = _parts(text)
    expected = _mark(payload)
    return {
        "payload": payload,
        "values": [ORDER.index(symbol) for symbol in payload],
        "states": _walk(len(payload), payload, 11),
        "expected": expected,
        "found": found,
        "good": expected == found,
    }


def mend(text):
    raise NotImplementedError("rule 11")


def audit(texts):
    raise NotImplementedError("rule 12")
