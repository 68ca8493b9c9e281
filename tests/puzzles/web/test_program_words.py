"""What the page reads from terms and places, without a browser."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from shared_data import ROOT

from web.web_pages import NODE

PROGRAM = """
const from = (name) => import(`${process.argv[1]}/${name}`);
const { atoms, split, value } = await from("program_terms.js");
const { linePredicates, labelPredicates } = await from("program_graph.js");
const [models, words, values] = JSON.parse(process.argv[2]);
console.log(JSON.stringify({
  models: models.map((text) => atoms(text).map(({ text, predicate, args }) => [text, predicate, args])),
  graphs: models.map((text) => linePredicates(atoms(text)).map((lines) => [lines, ...labelPredicates(atoms(text), lines)])),
  words: words.map((text) => split(text, ", ")),
  values: values.map((one) => value(one)),
}));
"""


def read(models: list[str], words: list[str], values: list[Any]) -> dict[str, Any]:
    static = (ROOT / "bridge" / "puzzles" / "web" / "static").as_uri()
    asked = json.dumps([models, words, values])
    command = [NODE, "--input-type=module", "-e", PROGRAM, static, asked]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_terms() -> None:
    models = [
        r'at("x y, \") z",f(1,(2,3))) -tall _a\'(1) 5 (1,2) "b c" a',
        "edge(a,b) edge(b,c) colour(a,red) colour(b,blue) big(c) far(x,y,z)",
        "",
    ]
    models[0] = models[0].replace("\\'", "'")
    functor = {"functor": "f", "args": [{"functor": "+", "args": [1, {"functor": "*", "args": ["X", 2]}]}]}
    rest = {"functor": "[|]", "args": [1, {"functor": "[|]", "args": [2, {"variable": "_T"}]}]}
    found = read(
        models,
        ["n=8, m=3", 'a=f(1,2) b="x, y"', " ,, "],
        [1, [1, "a"], functor, rest, {"variable": "X", "domain": "1..3"}, {"float": "inf"}, "<b>"],
    )
    first, second, empty = found["models"]
    assert first == [
        [r'at("x y, \") z",f(1,(2,3)))', "at/2", [r'"x y, \") z"', "f(1,(2,3))"]],
        ["-tall", "-tall/0", []],
        ["_a'(1)", "_a'/1", ["1"]],
        ["5", "", ["5"]],
        ["(1,2)", "", ["(1,2)"]],
        ['"b c"', "", ['"b c"']],
        ["a", "a/0", []],
    ]
    assert [predicate for _, predicate, _ in second].count("edge/2") == 2
    assert empty == []
    assert found["graphs"][1] == [["edge/2", "colour/2", "big/1"]]
    assert found["words"] == [["n=8", "m=3"], ["a=f(1,2)", 'b="x, y"'], []]
    assert found["values"] == ["1", "[1, a]", "f(1+(X*2))", "[1, 2|_T]", "X in 1..3", "inf", "<b>"]
