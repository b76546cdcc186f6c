"""Every grammar loads, and the same program looks the same where languages agree."""

import pytest

from shipbar.errors import UnknownNameError
from shipbar.similarity.fingerprints import fingerprint
from shipbar.similarity.languages import LANGUAGES, actions_of, language_named
from shipbar.similarity.reading import package_of

PROGRAMS = {
    "Python": (".py", "def f(a, n):\n    x = a + 1\n    while n > x:\n        x += n\n        x = f(x, n - 1)\n    return x\n"),
    "JavaScript": (".js", "function f(a, n) { let x = a + 1; while (n > x) { x += n; x = f(x, n - 1); } return x; }"),
    "TypeScript": (".ts", "function f(a: number, n: number): number { let x: number = a + 1; while (n > x) { x += n; x = f(x, n - 1); } return x; }"),
    "TSX": (".tsx", "function f(a: number, n: number): number { let x: number = a + 1; while (n > x) { x += n; x = f(x, n - 1); } return x; }"),
    "Java": (".java", "class A { int f(int a, int n) { int x = a + 1; while (n > x) { x += n; x = f(x, n - 1); } return x; } }"),
    "C": (".c", "int f(int a, int n) { int x = a + 1; while (n > x) { x += n; x = f(x, n - 1); } return x; }"),
    "C++": (".cpp", "int f(int a, int n) { int x = a + 1; while (n > x) { x += n; x = f(x, n - 1); } return x; }"),
    "C#": (".cs", "class A { int F(int a, int n) { int x = a + 1; while (n > x) { x += n; x = f(x, n - 1); } return x; } }"),
    "Go": (".go", "package p\nfunc f(a int, n int) int { x := a + 1; for n > x { x += n; x = f(x, n - 1) }; return x }"),
    "PHP": (".php", "<?php function f($a, $n) { $x = $a + 1; while ($n > $x) { $x += $n; $x = f($x, $n - 1); } return $x; }"),
}  # fmt: skip


def test_every_language_has_a_program_here():
    assert set(PROGRAMS) == {language.name for language in LANGUAGES}


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_function_is_the_same_in_every_language(name):
    suffix, text = PROGRAMS[name]
    found = fingerprint(package_of({f"a{suffix}": text.encode()}))
    assert found.remarks == ()
    assert found.languages == (name,)
    python = fingerprint(package_of({"a.py": PROGRAMS["Python"][1].encode()}))
    assert len(python.inner) >= 4
    assert found.inner == python.inner


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_differs_in_one_language_names_only_its_own_kinds(name):
    language = language_named(name)
    from shipbar.similarity.languages import grammar

    parsed = grammar(language)
    kinds = {parsed.node_kind_for_id(at) for at in range(parsed.node_kind_count)}
    assert set(language.roles) - kinds == set()
    assert len(actions_of(name)) == parsed.node_kind_count


def test_an_unknown_language_lists_the_known():
    with pytest.raises(UnknownNameError, match="Python"):
        language_named("COBOL")
