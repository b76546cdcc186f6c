import re
from functools import cached_property

from .errors import AmbiguousMend, LayoutFault, LengthFault, MarkFault
from .tables import BACKWARD, FOLDING, FORWARD, RANK


class Text:
    """What a user typed, looked at bit by bit."""

    def __init__(self, raw):
        if not isinstance(raw, str):
            raise TypeError(f"str needed, not {type(raw).__name__}")
        self.raw = str(raw)

    @cached_property
    def symbols(self):
        self._check_layout()
        return re.sub("[- ]", "", self.raw).translate(FOLDING)

    def _check_layout(self):
        """Find the leftmost character that breaks one of rules 2.4 and 3.3."""
        kinds = re.findall("[- ]", self.raw)
        bad = []
        pattern_faults = [r"[^A-Za-z0-9 -]", r"\A[- ]", r"[- ]\Z", r"(?<=[- ])[- ]"]
        if kinds:
            pattern_faults.append({"-": " ", " ": "-"}[kinds[0]])
        for pattern in pattern_faults:
            hit = re.search(pattern, self.raw)
            if hit:
                bad.append(hit.start() + 1)
        if bad:
            raise LayoutFault(position=min(bad))

    def divide(self):
        size = len(self.symbols)
        if size in range(4, 10):
            at = size - 1
        elif size in range(11, 23):
            at = size - 2
        else:
            raise LengthFault(count=size)
        return Payload(self.symbols[:at]), self.symbols[at:]


class Payload(str):
    """The symbols of a payload; knows its mark."""

    __slots__ = ()

    @property
    def states(self):
        return FORWARD.trace(len(self), self)

    @property
    def proper_mark(self):
        one = FORWARD.close(len(self), self)
        if len(self) < 9:
            return one
        return one + BACKWARD.close(len(self), one + self[::-1])

    @property
    def ranks(self):
        return [RANK[symbol] for symbol in self]


class Tag:
    def __init__(self, payload):
        super().__setattr__("_payload", Payload(payload))

    def __setattr__(self, name, value):
        raise AttributeError(f"{name} cannot be assigned")

    payload = property(lambda self: str(self._payload))
    mark = property(lambda self: self._payload.proper_mark)

    @property
    def text(self):
        whole = self.payload + self.mark
        if len(whole) <= 6:
            return whole
        backwards = re.findall(".{1,4}", whole[::-1])
        if len(backwards[-1]) == 1:
            backwards[-2:] = [backwards[-2] + backwards[-1]]
        return "-".join(backwards)[::-1]

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Tag({self.payload!r})"

    def __len__(self):
        return len(self.payload + self.mark)

    def __hash__(self):
        return hash((Tag, self.payload))

    def __eq__(self, other):
        if isinstance(other, Tag):
            return self.payload == other.payload
        return NotImplemented

    def _compare(self, other, wanted):
        if not isinstance(other, Tag):
            return NotImplemented
        a = [len(self.payload), *self._payload.ranks]
        b = [len(other.payload), *other._payload.ranks]
        return (a > b) - (a < b) in wanted

    def __lt__(self, other):
        return self._compare(other, {-1})

    def __le__(self, other):
        return self._compare(other, {-1, 0})

    def __gt__(self, other):
        return self._compare(other, {1})

    def __ge__(self, other):
        return self._compare(other, {0, 1})


class Codec:
    """Behind the five functions of the package."""

    def issue(self, payload):
        symbols = Text(payload).symbols
        if len(symbols) not in range(3, 21):
            raise LengthFault(count=len(symbols))
        return Tag(symbols)

    def read(self, text):
        payload, found = Text(text).divide()
        if payload.proper_mark == found:
            return Tag(payload)
        raise MarkFault(expected=payload.proper_mark, found=found)

    def explain(self, text):
        payload, found = Text(text).divide()
        return dict(
            payload=str(payload),
            values=payload.ranks,
            states=payload.states,
            expected=payload.proper_mark,
            found=found,
            good=payload.proper_mark == found,
        )

    def candidates(self, text):
        """All tags that one exchange of unlike neighbours gives, in order."""
        row = list(Text(text).symbols)
        for i, (a, b) in enumerate(zip(row, row[1:])):
            if a != b:
                exchanged = row.copy()
                exchanged[i : i + 2] = b, a
                payload, found = Text("".join(exchanged)).divide()
                if payload.proper_mark == found:
                    yield Tag(payload)

    def mend(self, text):
        payload, found = Text(text).divide()
        if payload.proper_mark == found:
            return Tag(payload)
        facts = {"expected": payload.proper_mark, "found": found}
        match sorted(self.candidates(text)):
            case []:
                raise MarkFault(**facts)
            case [only]:
                return only
            case several:
                raise AmbiguousMend(**facts, options=[str(tag) for tag in several])

    def audit(self, texts):
        if isinstance(texts, str):
            raise TypeError("give a list of strings, not a string")
        first_seen = {}
        report = dict(good=[], repeated=[], faults={}, mendable=[])
        for number, text in enumerate(texts, 1):
            name = None
            try:
                tag = self.read(text)
            except LayoutFault:
                name = "LayoutFault"
            except LengthFault:
                name = "LengthFault"
            except MarkFault:
                name = "MarkFault"
                if sum(1 for _ in self.candidates(text)) == 1:
                    report["mendable"].append(number)
            if name:
                report["faults"].setdefault(name, []).append(number)
            elif first_seen.setdefault(tag, number) != number:
                report["repeated"].append(number)
        report["good"] = [tag.text for tag in first_seen]
        return report
