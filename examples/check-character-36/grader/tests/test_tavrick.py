# Written by `shipbar suite regenerate` from grader/probes.py; change that instead.
"""What the held-out suite of the tag codec asks, one question a test.

A test is named after the rule of the specification that it is about.
"""

from collections.abc import Callable
from typing import Any

import pytest
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

ERRORS = {
    "LayoutFault": ("TagError", "ValueError"),
    "LengthFault": ("TagError", "ValueError"),
    "MarkFault": ("TagError", "ValueError"),
}

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


def test_symbols_001() -> None:
    assert explain("09AZX")["values"] == [26, 35, 0, 25]


def test_symbols_002() -> None:
    eights = ["HGFEDCBAA", "IKMNPQRSA", "JLOTUVWXA", "YZ012345A", "6789ABYZA"]
    assert [explain(text)["values"] for text in eights] == [
        [7, 6, 5, 4, 3, 2, 1, 0],
        [8, 10, 12, 13, 15, 16, 17, 18],
        [9, 11, 14, 19, 20, 21, 22, 23],
        [24, 25, 26, 27, 28, 29, 30, 31],
        [32, 33, 34, 35, 0, 1, 24, 25],
    ]


def test_folding_001() -> None:
    assert [issue(text).payload for text in ["b0oOlL1I", "QlQoQi", "xyzzy"]] == [
        "B00O1L1I",
        "Q1Q0QI",
        "XYZZY",
    ]


def test_folding_002() -> None:
    texts = ["loyal", "LOYAL", "Loyal", "l0yaL", "1OYA1"]
    assert [issue(text).payload for text in texts] == [
        "10YA1",
        "LOYAL",
        "L0YA1",
        "10YAL",
        "1OYA1",
    ]


def test_folding_003() -> None:
    texts = ["brineo", "BRINEO", "brine0", "fjOrdl", "fjOrd1", "fjOrdL", "fjordl"]
    assert [outcome(read, text) for text in texts] == [
        "BRINE0",
        "MarkFault",
        "BRINE0",
        "FJORD1",
        "FJORD1",
        "MarkFault",
        "MarkFault",
    ]


def test_separators_001() -> None:
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
    assert [position(issue, text) for text in texts] == [
        None, None, 5, 1, 6, 5, 1, None,
    ]


def test_separators_002() -> None:
    mixed = ["WH-A RF", "WH A R-F", "W H A-R-F", "WHARF ", "WHAR\tF"]
    alike = ["W H A R F", "W-H-A-R-F", "WHA RF"]
    assert [
        [position(issue, text) for text in mixed],
        [issue(text).payload for text in alike],
    ] == [[5, 7, 6, 6, 5], ["WHARF", "WHARF", "WHARF"]]


def test_separators_003() -> None:
    whole = issue("T9RM4K").text.replace("-", "")
    texts = [whole, whole[:6] + "-" + whole[6:], " ".join(whole), whole + "\n"]
    assert [outcome(read, text) for text in texts] == [
        "T9R-M4K7",
        "T9R-M4K7",
        "T9R-M4K7",
        "LayoutFault",
    ]


def test_lengths_001() -> None:
    sizes = [0, 2, 3, 8, 9, 10, 20, 21, 40]
    assert [count(issue, "7q" * (size // 2) + "J" * (size % 2)) for size in sizes] == [
        0, 2, None, None, None, None, None, 21, 40,
    ]


def test_lengths_002() -> None:
    sizes = [3, 4, 9, 10, 11, 22, 23]
    assert [
        [count(explain, "J" * size) for size in sizes],
        [explain("J" * size)["found"] for size in (4, 9, 11, 22)],
    ] == [[3, None, None, 10, None, None, 23], ["J", "J", "JJ", "JJ"]]


def test_lengths_003() -> None:
    with pytest.raises(LengthFault):
        issue("7-Q")


def test_mark_001() -> None:
    payloads = ["OAR", "SLOOP", "3X3", "JETTY6", "N0RTHPR"]
    assert [issue(payload).mark for payload in payloads] == ["E", "R", "U", "J", "L"]


def test_mark_002() -> None:
    assert [
        [symbol for symbol in SYMBOLS if explain(f"TR{symbol}WLD")["good"]],
        [symbol for symbol in SYMBOLS if explain(f"4{symbol}BQ7XX2H")["good"]],
        [symbol for symbol in SYMBOLS if explain(f"M5GZ{symbol}")["good"]],
    ] == [["R"], ["T"], ["G"]]


def test_mark_003() -> None:
    with pytest.raises(MarkFault):
        read("REEFS5")


def test_countermark_001() -> None:
    payloads = ["BREAKWATER", "123456789", "QUARTERDECK0", "ZZ9PLURALZALPHA20XK9"]
    assert [issue(payload).mark for payload in payloads] == ["SA", "WS", "4A", "9M"]


def test_countermark_002() -> None:
    first, second = issue("FORECASTLE").mark
    texts = [f"FORECASTLE{first}{symbol}" for symbol in SYMBOLS]
    good = [text[-1] for text in texts if explain(text)["good"]]
    assert [second in good, good, outcome(read, f"FORECASTLE{second}{first}")] == [
        True,
        ["A"],
        "MarkFault",
    ]


def test_writing_001() -> None:
    payloads = ["B" * size for size in range(3, 9)]
    assert (
        [[len(part) for part in issue(text).text.split("-")] for text in payloads]
    ) == [[4], [5], [6], [3, 4], [4, 4], [5, 4]]


def test_writing_002() -> None:
    payloads = ["7C" * size for size in range(5, 11)] + ["R4G" * 5]
    assert (
        [[len(part) for part in issue(text).text.split("-")] for text in payloads]
    ) == [
        [4, 4, 4],
        [2, 4, 4, 4],
        [4, 4, 4, 4],
        [2, 4, 4, 4, 4],
        [4, 4, 4, 4, 4],
        [2, 4, 4, 4, 4, 4],
        [5, 4, 4, 4],
    ]


def test_tags_001() -> None:
    payloads = ["RUM", "9UM", "RUMS", "AAAAA", "R0M", "RUZ", "ZUM", "0000", "RU0"]
    assert [tag.payload for tag in sorted(issue(payload) for payload in payloads)] == [
        "RUM",
        "RUZ",
        "RU0",
        "R0M",
        "ZUM",
        "9UM",
        "RUMS",
        "0000",
        "AAAAA",
    ]


def test_tags_002() -> None:
    tag = issue("ke9-eg3")
    attempts = [assignment(tag, name) for name in ("payload", "mark", "text")]
    assert [tag.payload, tag.mark, tag.text, str(tag), len(tag), attempts] == [
        "KE9EG3",
        "E",
        "KE9-EG3E",
        "KE9-EG3E",
        7,
        ["refused", "refused", "refused"],
    ]


def test_tags_003() -> None:
    tag = issue("R1GG1NG")
    twin = read(tag.text.replace("-", ""))
    other = issue("R1GGING")
    assert [
        [len({tag, twin}), len({tag, other}), len({tag, tag.text})],
        [twin in [tag], other in [tag], tag.text in [tag]],
        [tag < other, other < tag, tag <= twin, tag > twin, other >= tag],
    ] == [[1, 2, 2], [True, False, False], [False, True, True, False, False]]


def test_faults_001() -> None:
    with pytest.raises(LayoutFault):
        read("#7")


def test_faults_002() -> None:
    texts = [
        "cr\u0131b",
        "\uff21BC",
        "AB\u0663",
        "AB-C_D",
        "A B\tC",
        "A-\u00e9-",
        "A1B",
    ]
    assert [position(issue, text) for text in texts] == [3, 1, 3, 5, 4, 3, None]


def test_faults_003() -> None:
    wrong = ["ketch7", "sch-00n-er4-0zz"]
    mixed = ["YAWL", "YAW", "YAW?", "YAWLYAWLY-", "YAWLYAWLYA", "YAWLYAWLYAW"]
    assert [
        [marks(read, text) for text in wrong],
        [outcome(read, text) for text in mixed],
        [outcome(read, b"YAWL"), outcome(issue, 777), outcome(mend, None)],
    ] == [
        [["N", "7"], ["VA", "ZZ"]],
        [
            "MarkFault",
            "LengthFault",
            "LayoutFault",
            "LayoutFault",
            "LengthFault",
            "MarkFault",
        ],
        ["TypeError", "TypeError", "TypeError"],
    ]


def test_explain_001() -> None:
    assert explain("g4ff-7") == {
        "payload": "G4FF",
        "values": [6, 30, 5, 5],
        "states": [4, 14, 4, 13, 4],
        "expected": "2",
        "found": "7",
        "good": False,
    }


def test_explain_002() -> None:
    working = explain("8eam-spar-fids-cringe")
    good = explain(issue("SPARFIDS").text)
    assert [working["states"], working["expected"], working["found"], good["good"]] == [
        [16, 30, 10, 2, 34, 32, 7, 5, 0, 5, 27, 12, 6, 32, 9, 35, 2],
        "OA",
        "GE",
        True,
    ]


def test_mend_001() -> None:
    texts = ["ULGGERQ", "LUG-GERQ", "LUG GEQR", "ASM PAN 22S", "LUGGER9", "DOHW2"]
    longer = ["BRIG-ANTI-NEAR", "BRIGANTIENRA", "WINDLASSE7STK", "WINDLASSES7TT"]
    faulty = ["UL", "U--LGGERQ", "BRIGANTINE"]
    assert [outcome(mend, text) for text in texts + longer + faulty] == [
        "LUG-GERQ",
        "LUG-GERQ",
        "LUG-GERQ",
        "ASMPA-N22S",
        "MarkFault",
        "DHOW2",
        "BRIG-ANTI-NERA",
        "AmbiguousMend",
        "WINDL-ASSE-S7TK",
        "MarkFault",
        "LengthFault",
        "LayoutFault",
        "LengthFault",
    ]


def test_mend_002() -> None:
    found: list[object] = []
    for text in ["sam-pa-2n-2s", "BRIGNATINERA", "XEBE-4CS", "JUNAK", "WINDLASSEST7K"]:
        try:
            found.append(mend(text).text)
        except AmbiguousMend as fault:
            found.append([fault.expected, fault.found, fault.options])
    assert found == [
        ["M", "S", ["SAMAP-2N2S", "SAMPA-N22S", "SAMPA-22NS"]],
        ["PA", "RA", ["BRIG-ANTI-NERA", "BRIG-NTAI-NERA", "BRIN-GATI-NERA"]],
        ["8", "S", ["XEB-EC4S", "XEB-E4SC"]],
        "JUNKA",
        ["3K", "7K", ["WIDNL-ASSE-ST7K", "WINDL-ASES-ST7K", "WINDL-ASSE-S7TK"]],
    ]


def test_audit_001() -> None:
    texts = ["JUNKA", "dhO-w2", "J--UNK", "JNUKA", "junk a", "CUTETRB", "JUNK", "J1"]
    more = ["CUTTER-B", "JUNAK", "jnuka", "DHOW2", "cut-terb", "", "JUNK\u00c4"]
    assert audit(iter(texts + more)) == {
        "good": ["JUNKA", "DHOW2", "CUT-TERB"],
        "repeated": [5, 12, 13],
        "faults": {
            "LayoutFault": [3, 15],
            "MarkFault": [4, 6, 7, 10, 11],
            "LengthFault": [8, 14],
        },
        "mendable": [4, 10, 11],
    }


def test_audit_002() -> None:
    assert [
        audit(text for text in ["DHOW 2", "DHOW-2"]),
        audit(["HDOW2", "DHOW2"]),
        audit(()),
        [outcome(audit, "DHOW2"), outcome(audit, ["DHOW2", 2]), outcome(audit, [b""])],
    ] == [
        {"good": ["DHOW2"], "repeated": [2], "faults": {}, "mendable": []},
        {
            "good": ["DHOW2"],
            "repeated": [],
            "faults": {"MarkFault": [1]},
            "mendable": [1],
        },
        {"good": [], "repeated": [], "faults": {}, "mendable": []},
        ["TypeError", "TypeError", "TypeError"],
    ]
