"""What a canary looks like: made, read back, and recognised however it was written.

- Ours is `shipbar-canary-` and 32 hexadecimal digits, or the same digits with hyphens
  as a UUID has them. A task's own and a client's have one form, so that one search
  finds both.
- A client's is derived: HMAC-SHA-256 under the maker's key over client and task. Whoever
  holds the key can make it again; nobody else can make one, or tell two apart.
- Text changes on its way into a data set. `PATTERN` takes each character plain or as a
  JSON escape, in either case, and lets a line break or a character without width stand
  between two.
- What is here works on bytes that were made lower-case, and does no input or output.
"""

import hashlib
import hmac
import re

from shipbar.errors import UserError

PREFIX = "shipbar-canary-"
DIGITS = 32
LEAST_KEY = 16
"""Bytes of a key from which nobody can guess it."""
LONGEST = 16 * 1024
"""More bytes than any match takes, with everything that may stand between."""
ANCHOR = b"shipbar"
"""What a search looks for; only around it is `PATTERN` tried."""
WIDE_ANCHOR = b"\0".join(bytes([byte]) for byte in ANCHOR)
"""The same in UTF-16, of either byte order."""
ESCAPED = re.compile(rb"\\u00[4-7]")
"""A letter as a JSON escape, which hardly any serialiser writes of itself."""
LEAD = 256
"""Bytes between the beginning of a match and the first letter that is escaped, at most."""

_DOMAIN = b"shipbar canary for a client, 1"
_ESCAPE = rb"\\{1,8}u00"
_SOFT = (
    rb"\0|\xc2\xad|\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|\xef\xbb\xbf"
    rb"|=?\r?\n[ \t]{0,40}|\\{1,8}[nr]|\\{1,8}u(?:200[b-d]|2060|feff|00ad)"
)
_GAP = rb"(?:" + _SOFT + rb"){0,2}"
_DASH = rb"(?:-|\\{1,8}u002d|\\{1,8}u201[0-4]|\xe2\x80[\x90-\x94]|\xe2\x88\x92)"
_BETWEEN_WORDS = rb"(?:[_ ]|" + _DASH + rb")"
_DIGIT = rb"(?:[0-9a-f]|" + _ESCAPE + rb"(?:3[0-9]|[46][1-6]))"
_GROUPS = (8, 4, 4, 4, 12)


def _letter(letter: str) -> bytes:
    codes = b"|".join(b"%02x" % ord(case) for case in (letter, letter.upper()))
    return b"(?:%c|%s(?:%s))" % (letter.encode(), _ESCAPE, codes)


def _pattern() -> bytes:
    words = [
        _GAP.join(_letter(letter) for letter in word) for word in ("shipbar", "canary")
    ]
    head = (_GAP + _BETWEEN_WORDS + _GAP).join([*words, b""])
    groups = [_GAP.join([_DIGIT] * count) for count in _GROUPS]
    return head + b"(" + (_GAP + _DASH + b"?" + _GAP).join(groups) + b")"


PATTERN = re.compile(_pattern())
"""A canary of ours in lower-case bytes; its group holds the digits."""
FIRST = re.compile(_letter("s"))
"""What a match begins with."""
_SOFTS = re.compile(_SOFT)
_ESCAPES = re.compile(_ESCAPE + rb"([0-9a-f]{2})")
_DASHES = re.compile(_DASH)
_TEXT = re.compile(
    rf"{PREFIX}(?:[0-9a-f]{{{DIGITS}}}|[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})",
)


def digits_of(text: str) -> str | None:
    """Return the 32 digits of a canary of our form; None for any other text."""
    text = text.lower()
    return text[len(PREFIX) :].replace("-", "") if _TEXT.fullmatch(text) else None


def as_text(digits: bytes) -> str:
    """Return the canary that was found, from what `PATTERN` has in its group."""
    plain = _SOFTS.sub(b"", digits)
    plain = _DASHES.sub(b"-", plain)
    plain = _ESCAPES.sub(lambda it: bytes([int(it[1], 16)]), plain).lower()
    bare = plain.replace(b"-", b"")
    kept = plain if plain.count(b"-") == len(_GROUPS) - 1 else bare
    return PREFIX + kept.decode("ascii")


def for_client(key: bytes, client: str, task_id: str) -> str:
    """Return the canary that one client's copy of one task carries.

    The same three give the same text, on any machine and at any time.

    Args:
        key: the maker's canary key, 16 bytes or more; it leaves the maker's hands never.
        client: the client's name, as the ledger has it.
        task_id: the task's id.

    Raises:
        UserError: the key is too short, or a name is empty.
    """
    if len(key) < LEAST_KEY:
        raise UserError(
            f"a canary key of {len(key)} bytes can be guessed; make one of {LEAST_KEY} "
            "or more from the system's randomness"
        )
    if not client or not task_id:
        raise UserError(
            "a client's canary is of one client and one task; name both, neither empty"
        )
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in (_DOMAIN, client.encode(), task_id.encode()):
        # With its length before it, no part can be taken for the end of another.
        mac.update(len(part).to_bytes(8, "big") + part)
    return PREFIX + mac.hexdigest()[:DIGITS]
