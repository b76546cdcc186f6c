"""Text for a terminal.

Whatever a candidate wrote is hostile: control characters could recolour, erase
or retype what the reader sees (B14), so they are shown and not sent.
"""


def printable(text: str) -> str:
    """Return ``text`` with every control character but newline and tab made visible."""
    return "".join(
        char if char in "\n\t" or char.isprintable() else repr(char)[1:-1]
        for char in text
    )


def indented(text: str, by: str = "    ") -> str:
    """Return ``text`` with each line moved in."""
    return "\n".join(by + line for line in text.splitlines())
