"""Pieces of program text that tests of the copy guard share."""

from shipbar.similarity import Fingerprint, fingerprint, package_of

LIBRARY = '''
"""Reads and joins intervals."""

import re


def parse(text, limit=100):
    """Return the pairs that a text names."""
    pairs = []
    for part in text.split(","):
        match = re.fullmatch(r"(\\d+)(?:-(\\d+))?", part.strip())
        if match is None:
            raise ValueError(f"not an interval: {part!r}")
        low = int(match[1])
        high = int(match[2]) if match[2] else low
        if high < low or high > limit:
            raise ValueError("out of order")
        pairs.append((low, high))
    return merge(pairs)


def merge(pairs):
    merged = []
    for low, high in sorted(pairs):
        if merged and low <= merged[-1][1] + 1:
            previous_low, previous_high = merged.pop()
            merged.append((previous_low, max(high, previous_high)))
        else:
            merged.append((low, high))
    return merged


def gaps(pairs, first, last):
    position = first
    found = []
    for low, high in merge(pairs):
        if low > position:
            found.append((position, low - 1))
        position = max(position, high + 1)
    if position <= last:
        found.append((position, last))
    total = sum(high - low + 1 for low, high in found)
    return {"gaps": found, "total": total, "share": total / (last - first + 1)}
'''

OTHER = """
class Trie:
    def __init__(self):
        self.children = {}
        self.words = 0

    def insert(self, word):
        node = self
        while word:
            head, word = word[0], word[1:]
            if head not in node.children:
                node.children[head] = Trie()
            node = node.children[head]
        node.words += 1
        return node.words == 1

    def matching(self, prefix):
        stack = [(self, "")]
        out = set()
        while stack:
            node, spelled = stack.pop()
            if node.words and spelled.startswith(prefix):
                out.add(spelled)
            stack.extend((child, spelled + key) for key, child in node.children.items())
        try:
            return min(out, key=len), len(out)
        except ValueError:
            return None, 0
"""


def printed(text: str, path: str = "a.py", *, as_source: bool = False) -> Fingerprint:
    """Return the fingerprint of one file."""
    return fingerprint(package_of({path: text.encode()}), path, as_source=as_source)
