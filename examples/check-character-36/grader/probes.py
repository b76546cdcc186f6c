"""What the held-out suite of the tag codec asks, one question a test.

A test is named after the rule of the specification that it is about.
"""

from collections.abc import Callable
from typing import Any

from tavrick import (
    AmbiguousMend,
    LayoutFault,
    LengthFault,
    MarkFault,
    TagError,
    audit,
    explain,
    issue,
    mend,
    read,
)

SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def outcome(call: Callable[[Any], object], text: object) -> str:
    """Return the written form of the tag, or the name of the fault."""
    try:
        return str(call(text))
    except AmbiguousMend:
        return "AmbiguousMend"
    except MarkFault:
        return "MarkFault"
    except LengthFault:
        return "LengthFault"
    except LayoutFault:
        return "LayoutFault"
    except TagError:
        return "TagError"
    except TypeError:
        return "TypeError"


def position(call: Callable[[Any], object], text: object) -> object:
    """Return the position that the fault of a text names, None without one."""
    try:
        call(text)
    except LayoutFault as fault:
        return fault.position
    return None


def count(call: Callable[[Any], object], text: object) -> object:
    """Return the count that the fault of a text names, None without one."""
    try:
        call(text)
    except LengthFault as fault:
        return fault.count
    return None


def marks(call: Callable[[Any], object], text: object) -> object:
    """Return the two marks that the fault of a text names, None without one."""
    try:
        call(text)
    except MarkFault as fault:
        return [fault.expected, fault.found]
    return None


def assignment(target: object, name: str) -> str:
    """Return what happens to an attempt to assign an attribute."""
    try:
        setattr(target, name, "AAA")
    except AttributeError:
        return "refused"
    return "assigned"


def probe_symbols_001() -> object:
    return explain("09AZX")["values"]


def probe_symbols_002() -> object:
    eights = ["HGFEDCBAA", "IKMNPQRSA", "JLOTUVWXA", "YZ012345A", "6789ABYZA"]
    return [explain(text)["values"] for text in eights]


def probe_folding_001() -> object:
    return [issue(text).payload for text in ["b0oOlL1I", "QlQoQi", "xyzzy"]]


def probe_folding_002() -> object:
    texts = ["loyal", "LOYAL", "Loyal", "l0yaL", "1OYA1"]
    return [issue(text).payload for text in texts]


def probe_folding_003() -> object:
    texts = ["brineo", "BRINEO", "brine0", "fjOrdl", "fjOrd1", "fjOrdL", "fjordl"]
    return [outcome(read, text) for text in texts]


def probe_separators_001() -> object:
    texts = [
        "GULLY",
        "GU-LLY",
        "GUL--LY",
        "-GULLY",
        "GULLY-",
        "GUL - LY",
        " ",
        "G-U-L-Y",
    ]
    return [position(issue, text) for text in texts]


def probe_separators_002() -> object:
    mixed = ["WH-A RF", "WH A R-F", "W H A-R-F", "WHARF ", "WHAR\tF"]
    alike = ["W H A R F", "W-H-A-R-F", "WHA RF"]
    return [
        [position(issue, text) for text in mixed],
        [issue(text).payload for text in alike],
    ]


def probe_separators_003() -> object:
    whole = issue("T9RM4K").text.replace("-", "")
    texts = [whole, whole[:6] + "-" + whole[6:], " ".join(whole), whole + "\n"]
    return [outcome(read, text) for text in texts]


def probe_lengths_001() -> object:
    sizes = [0, 2, 3, 8, 9, 10, 20, 21, 40]
    return [count(issue, "7q" * (size // 2) + "J" * (size % 2)) for size in sizes]


def probe_lengths_002() -> object:
    sizes = [3, 4, 9, 10, 11, 22, 23]
    return [
        [count(explain, "J" * size) for size in sizes],
        [explain("J" * size)["found"] for size in (4, 9, 11, 22)],
    ]


def probe_lengths_003() -> object:
    return issue("7-Q")


def probe_mark_001() -> object:
    payloads = ["OAR", "SLOOP", "3X3", "JETTY6", "N0RTHPR"]
    return [issue(payload).mark for payload in payloads]


def probe_mark_002() -> object:
    return [
        [symbol for symbol in SYMBOLS if explain(f"TR{symbol}WLD")["good"]],
        [symbol for symbol in SYMBOLS if explain(f"4{symbol}BQ7XX2H")["good"]],
        [symbol for symbol in SYMBOLS if explain(f"M5GZ{symbol}")["good"]],
    ]


def probe_mark_003() -> object:
    return read("REEFS5")


def probe_countermark_001() -> object:
    payloads = ["BREAKWATER", "123456789", "QUARTERDECK0", "ZZ9PLURALZALPHA20XK9"]
    return [issue(payload).mark for payload in payloads]


def probe_countermark_002() -> object:
    first, second = issue("FORECASTLE").mark
    texts = [f"FORECASTLE{first}{symbol}" for symbol in SYMBOLS]
    good = [text[-1] for text in texts if explain(text)["good"]]
    return [second in good, good, outcome(read, f"FORECASTLE{second}{first}")]


def probe_writing_001() -> object:
    payloads = ["B" * size for size in range(3, 9)]
    return [[len(part) for part in issue(text).text.split("-")] for text in payloads]


def probe_writing_002() -> object:
    payloads = ["7C" * size for size in range(5, 11)] + ["R4G" * 5]
    return [[len(part) for part in issue(text).text.split("-")] for text in payloads]


def probe_tags_001() -> object:
    payloads = ["RUM", "9UM", "RUMS", "AAAAA", "R0M", "RUZ", "ZUM", "0000", "RU0"]
    return [tag.payload for tag in sorted(issue(payload) for payload in payloads)]


def probe_tags_002() -> object:
    tag = issue("ke9-eg3")
    attempts = [assignment(tag, name) for name in ("payload", "mark", "text")]
    return [tag.payload, tag.mark, tag.text, str(tag), len(tag), attempts]


def probe_tags_003() -> object:
    tag = issue("R1GG1NG")
    twin = read(tag.text.replace("-", ""))
    other = issue("R1GGING")
    return [
        [len({tag, twin}), len({tag, other}), len({tag, tag.text})],
        [twin in [tag], other in [tag], tag.text in [tag]],
        [tag < other, other < tag, tag <= twin, tag > twin, other >= tag],
    ]


def probe_faults_001() -> object:
    return read("#7")


def probe_faults_002() -> object:
    texts = [
        "cr\u0131b",
        "\uff21BC",
        "AB\u0663",
        "AB-C_D",
        "A B\tC",
        "A-\u00e9-",
        "A1B",
    ]
    return [position(issue, text) for text in texts]


def probe_faults_003() -> object:
    wrong = ["ketch7", "sch-00n-er4-0zz"]
    mixed = ["YAWL", "YAW", "YAW?", "YAWLYAWLY-", "YAWLYAWLYA", "YAWLYAWLYAW"]
    return [
        [marks(read, text) for text in wrong],
        [outcome(read, text) for text in mixed],
        [outcome(read, b"YAWL"), outcome(issue, 777), outcome(mend, None)],
    ]


def probe_explain_001() -> object:
    return explain("g4ff-7")


def probe_explain_002() -> object:
    working = explain("8eam-spar-fids-cringe")
    good = explain(issue("SPARFIDS").text)
    return [working["states"], working["expected"], working["found"], good["good"]]


def probe_mend_001() -> object:
    texts = ["ULGGERQ", "LUG-GERQ", "LUG GEQR", "ASM PAN 22S", "LUGGER9", "DOHW2"]
    longer = ["BRIG-ANTI-NEAR", "BRIGANTIENRA", "WINDLASSE7STK", "WINDLASSES7TT"]
    faulty = ["UL", "U--LGGERQ", "BRIGANTINE"]
    return [outcome(mend, text) for text in texts + longer + faulty]


def probe_mend_002() -> object:
    found: list[object] = []
    for text in ["sam-pa-2n-2s", "BRIGNATINERA", "XEBE-4CS", "JUNAK", "WINDLASSEST7K"]:
        try:
            found.append(mend(text).text)
        except AmbiguousMend as fault:
            found.append([fault.expected, fault.found, fault.options])
    return found


def probe_audit_001() -> object:
    texts = ["JUNKA", "dhO-w2", "J--UNK", "JNUKA", "junk a", "CUTETRB", "JUNK", "J1"]
    more = ["CUTTER-B", "JUNAK", "jnuka", "DHOW2", "cut-terb", "", "JUNK\u00c4"]
    return audit(iter(texts + more))


def probe_audit_002() -> object:
    return [
        audit(text for text in ["DHOW 2", "DHOW-2"]),
        audit(["HDOW2", "DHOW2"]),
        audit(()),
        [outcome(audit, "DHOW2"), outcome(audit, ["DHOW2", 2]), outcome(audit, [b""])],
    ]
