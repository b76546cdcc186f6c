import pytest

import tavrick


def test_a_tag_survives_the_round_trip(kite) -> None:
    assert tavrick.read(str(kite)) == kite


def test_parts(kite) -> None:
    assert (kite.payload, kite.mark, len(kite)) == ("KITE5", "T", 6)


@pytest.mark.parametrize("text", ["", "EEL", "A" * 10, "A" * 23])
def test_lengths(text: str) -> None:
    with pytest.raises(tavrick.LengthFault) as caught:
        tavrick.read(text)
    assert caught.value.count == len(text)


def test_a_long_mark() -> None:
    assert tavrick.issue("HARBOUR42").text == "HAR-BOUR-429S"


def test_swapped_marks_are_mended() -> None:
    assert tavrick.mend("HARBOUR42S9").payload == "HARBOUR42"


def test_ambiguity() -> None:
    with pytest.raises(tavrick.AmbiguousMend) as caught:
        tavrick.mend("AMGPIES4")
    assert caught.value.options == ["AMGP-IE4S", "MAGP-IES4"]
