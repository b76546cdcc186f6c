"""Disguises in languages with braces: what each changes, and that what it leaves still parses."""

import shutil
import subprocess
from random import Random

import pytest

from bench import copies_speech, corpus
from bench import copies_trees as trees
from bench.copies_speech import DISGUISES, SPEECHES, speech_of, vendored
from bench.copies_trees import Program

FOLDERS = ("java", "c", "cpp", "csharp", "go", "php")
PROGRAMS = {folder: corpus.small(folder) for folder in FOLDERS}

SCRIPT = """
// Counts words.
function count(text, least) {
  const found = {};
  for (const word of text.split(" ")) {
    if (word.length < least) {
      found.short = (found.short || 0) + 1;
    } else {
      found[word] = (found[word] || 0) + 1;
    }
  }
  let total = 0;
  for (const key of Object.keys(found)) { total += found[key]; }
  return Object.assign({ total }, found);
}

function twice(value) {
  /* Even more. */
  return Math.max(value + value, 0);
}

console.log(JSON.stringify(count("a bee saw a cat", 2)), twice(4));
"""


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_language_has_three_jobs_done_three_times(folder):
    groups = [it.group for it in PROGRAMS[folder]]
    assert len(set(groups)) >= 3
    assert all(groups.count(group) >= 3 for group in groups)
    for it in PROGRAMS[folder]:
        assert it.lines >= 60, it.name
        for path, text in it.files.items():
            assert not Program(text, speech_of(path)).root.has_error, it.name


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_disguised_still_parses(folder):
    for it in PROGRAMS[folder]:
        for name, disguise in DISGUISES.items():
            for path, text in disguise(it.files, Random(name)).items():
                root = Program(text, speech_of(path)).root
                assert not root.has_error, (it.name, name)


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_disguise_changes_some_program(folder):
    for name in set(DISGUISES) - {"exact", "merge"}:
        if name == "temporaries" and not SPEECHES[folder].kept:
            continue
        assert any(
            DISGUISES[name](it.files, Random(1)) != it.files for it in PROGRAMS[folder]
        ), name


def test_comments_go_and_names_change():
    files = {"a.js": SCRIPT}
    stripped = copies_speech.strip(files, Random(1))["a.js"]
    assert "Counts words" not in stripped
    assert "Even more" not in stripped
    renamed = copies_speech.rename(files, Random(1))["a.js"]
    assert "const found" not in renamed
    # It stands for a property too.
    assert "total" in renamed


def test_types_are_added():
    typed = copies_speech.typed({"a.js": SCRIPT}, Random(1))
    assert "function count(text: any, least: any)" in typed["a.ts"]
    assert not Program(typed["a.ts"], SPEECHES["typescript"]).root.has_error


def test_a_part_is_put_among_other_code():
    one, other = PROGRAMS["go"][0], PROGRAMS["go"][-1]
    (text,) = vendored(one.files, other.files, 0.5, Random(1)).values()
    assert "func" in text
    whole = sum(
        it.count("func ") for it in (*one.files.values(), *other.files.values())
    )
    assert 0 < text.count("func ") < whole


def test_a_share_is_of_all_of_a_program_and_not_of_its_small_functions():
    small = "function f{0}(a) {{ return a.map(g).slice({0}); }}\n"
    files = {"a.js": SCRIPT + "".join(small.format(number) for number in range(3))}
    functions = [
        size
        for _, size in trees.functions(Program(files["a.js"], SPEECHES["javascript"]))
    ]
    assert len(functions) == 3  # `count` is most of it
    assert copies_speech.partable(files, 0.2)
    assert not copies_speech.partable(files, 0.5)
    assert not copies_speech.partable({"a.js": SCRIPT}, 0.2)


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=20)
    return done.stdout


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_a_disguised_script_says_what_it_said(tmp_path):
    said = set()
    for name, disguise in DISGUISES.items():
        path = tmp_path / f"{name.replace(' ', '-')}.js"
        path.write_text(disguise({"a.js": SCRIPT}, Random(name))["a.js"])
        said.add(run(["node", str(path)]))
    assert said == {'{"total":5,"short":2,"bee":1,"saw":1,"cat":1} 8\n'}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_disguised_program_in_c_says_what_it_said(tmp_path):
    for it in PROGRAMS["c"]:
        said = set()
        for name in ("exact", "rename", "reorder", "rewrite", "hard chain"):
            (text,) = DISGUISES[name](it.files, Random(name)).values()
            (tmp_path / "a.c").write_text(text)
            out = str(tmp_path / "a.out")
            run(["cc", "-std=c11", "-w", "-o", out, str(tmp_path / "a.c"), "-lm"])
            said.add(run([out]))
        assert len(said) == 1, it.name
