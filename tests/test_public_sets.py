"""The comparison on public sets: what is run of a checkout, and what the page says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from shared_data import ROOT

from benchmarks import public_sets
from benchmarks.compatibility import Finding
from benchmarks.public_sets import PublicSet, cases, cause, page, queries

NOTEBOOK = """<div class="notebook">
<div class="nb-cell program" data-background="true">base(1).</div>
<div class="nb-cell markdown">Text with ?- no(query).</div>
<div class="nb-cell program">
p(X) :- base(X), X &lt; 2.
</div>
<div class="nb-cell query">p(X).</div>
<div class="nb-cell program">q(2).</div>
<div class="nb-cell query">q(X), base(Y)</div>
</div>"""


def test_queries_of_a_comment() -> None:
    text = "p(1).\n/** <examples>\n\n?- p(X).\n?- p(X),\n   X > 0.5.\n% a comment. ?- in it\n?- X = 'a. b'.\n*/\n/* ?- no(X). */"
    assert queries(text) == ["p(X)", "p(X),\n   X > 0.5", "X = 'a. b'"]


def test_what_is_run(tmp_path: Path) -> None:
    examples = tmp_path / "examples"
    (examples / "deep").mkdir(parents=True)
    for name in ("a.lp", "b.lp4", "deep/encoding.lp", "deep/encoding-2.lp", "deep/instance1.lp", "deep/instance2.lp", "c.txt"):
        (examples / name).write_text("a.")
    (examples / "d.pl").write_text("p(1).\n/** <examples>\n?- p(X).\n*/")
    (examples / "e.pl").write_text("p(1).")
    (examples / "f.swinb").write_text(NOTEBOOK)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    found = {case.name: case for case in cases(PublicSet("o/n", "0" * 40, ("examples",), ""), tmp_path, scratch)}
    assert set(found) == {
        "examples/a.lp",
        "examples/b.lp4",
        "examples/deep/encoding.lp examples/deep/instance1.lp",
        "examples/deep/encoding-2.lp examples/deep/instance1.lp",
        "examples/d.pl ?- p(X)",
        "examples/e.pl ?- true",
        "examples/f.swinb#2 ?- p(X)",
        "examples/f.swinb#3 ?- q(X), base(Y)",
    }
    assert found["examples/f.swinb#3 ?- q(X), base(Y)"].files[0].read_text() == "base(1).\nq(2).\n"
    assert found["examples/f.swinb#2 ?- p(X)"].files[0].read_text() == "base(1).\np(X) :- base(X), X < 2.\n"


def test_causes_leave_names_and_numbers_out() -> None:
    one = Finding("a", "clingo", "o/n", "differ", "only lpbridge refuses: /x/a.lp:3:1 no `f(1)` here, 12 times")
    two = Finding("b", "clingo", "o/n", "differ", "only lpbridge refuses: b.lp:7:9 no `g` here, 3 times")
    assert cause(one) == cause(two)
    text = page([one, two], 5, 10)
    assert "| clingo | <code>only lpbridge refuses: no ... here, N times</code> | 2 |" in text
    assert all(each.commit[:7] in text for each in public_sets.SETS)


@pytest.mark.slow
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On checkouts with one program each, without a network."""
    for public in public_sets.SETS:
        (tmp_path / public.repository.replace("/", "+") / public.folders[0]).mkdir(parents=True)
    (tmp_path / "potassco+clingo/examples/clingo/choice.lp").write_text("1 { p(1..3) } 2. #minimize { X : p(X) }.")
    (tmp_path / "potassco+guide/examples/steps.lp").write_text(
        "#include <incmode>.\n#program step(t). { p(t) }.\n#program check(t). :- not p(t), query(t), t < 2."
    )
    (tmp_path / "SWI-Prolog+swish/examples/list.pl").write_text("l([1, X, X]).\n/** <examples>\n?- l(L).\n*/")
    command = [sys.executable, "-m", "benchmarks.public_sets", str(tmp_path), "--json", str(tmp_path / "found.json")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    findings = json.loads((tmp_path / "found.json").read_text())
    assert {finding["name"]: finding["verdict"] for finding in findings} == {
        "examples/clingo/choice.lp": "agree",
        "examples/steps.lp": "agree",
        "examples/list.pl ?- l(L)": "agree",
    }
    assert "| **clingo** | **all** | 2 | 2 | 0 | 0 | 0 | 0 |" in run.stdout
    missing = subprocess.run([*command[:3], str(tmp_path / "nothing")], capture_output=True, text=True, cwd=ROOT)
    assert "--clone makes it" in missing.stderr
