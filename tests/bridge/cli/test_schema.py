"""The schemas of what commands print under `--json`; every call in the tests is held against them (`json_forms`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import json_forms
import pytest
from command import called
from jsonschema import Draft202012Validator

from bridge.cli import schemas
from bridge.cli.schema import forms, lines
from bridge.common.warned import as_json


@pytest.fixture(scope="module")
def clash(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    path = tmp_path_factory.mktemp("schema") / "clash.lp"
    path.write_text("{ p(1..2) }.\n:- p(X), q(X).\n:- not p(1).\n:- p(1).\n")
    return path, json.loads(called("diagnose", path, "--json").stdout)


def test_the_schema_that_is_printed_is_that_of_the_json(clash: tuple[Path, dict[str, Any]]) -> None:
    assert called("schema").stdout.split("\n")[:3] == [*forms()][:3] == ["run", "diagnose", "why"]
    printed = json.loads(called("schema", "diagnose").stdout)
    Draft202012Validator.check_schema(printed)
    assert Draft202012Validator(printed).is_valid(clash[1])
    assert clash[1]["version"] == 1
    other = json.loads(called("schema", "lint").stdout)
    assert not Draft202012Validator(other).is_valid(clash[1])


def test_each_schema_is_one() -> None:
    known: set[str] = set()
    for form in [*forms().values(), *lines().values()]:
        whole = schemas.schema(*form)
        texts = {name: json.dumps(one) for name, one in whole["$defs"].items()}
        new = {name: one for name, one in whole["$defs"].items() if texts[name] not in known}
        Draft202012Validator.check_schema({**whole, "$defs": new})
        known.update(texts.values())


def objects(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        yield data
    for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from objects(one)


def test_a_key_that_goes_or_comes_is_noticed(clash: tuple[Path, dict[str, Any]]) -> None:
    path, data = clash
    words = ["diagnose", str(path), "--json"]
    for one in objects(data):
        for key in [*one]:
            if one.keys() >= {"rules", "facts"} or key in ("file", "verdict", "warnings", "version", "message"):
                kept = one.pop(key)
                with pytest.raises(AssertionError, match="has not its form"):
                    json_forms.check(words, json.dumps(data))
                one[key] = kept
        one["more"] = 1
        with pytest.raises(AssertionError, match="has not its form"):
            json_forms.check(words, json.dumps(data))
        del one["more"]
    json_forms.check(words, json.dumps(data))


def test_a_wrong_line_is_noticed() -> None:
    good = {
        "run --jsonl": ['{"at": [["a", 1]], "#terms": ["5"]}', '{"count": 3, "complete": true, "limit": null, "statistics": {"seconds": {}, "counters": {}}, "warnings": [], "version": 1}'],
        "explain --jsonl": ['{"atom": "a", "holds": true, "rules": [], "facts": [], "by": "rules", "proved": true, "technique": null, "new": [], "sentence": ""}'],
        "debug --events": ['{"question": {"instance": "a.", "answer": null}, "text": "?", "version": 1}'],
        "batch count": ['{"index": 1, "file": null, "line": 1, "number": 2, "complete": true, "limit": null, "statistics": {"seconds": {}, "counters": {}}, "notes": [], "version": 1}'],
    }  # fmt: skip
    for name, given in good.items():
        for line in given:
            json_forms.check(name.split(), line + "\n")
            data = json.loads(line)
            for wrong in ({**data, "more": 1}, *({**data, key: object} for key in data), [data]):
                text = json.dumps(wrong, default=lambda _: {"wrong": 1})
                with pytest.raises(AssertionError, match="has not its form"):
                    json_forms.check(name.split(), text)


def test_the_schemas_of_lines_are_printed() -> None:
    assert {*lines()} <= {*called("schema").stdout.split("\n")}
    printed = json.loads(called("schema", "run", "--events").stdout)
    (line,) = called("run", "-", "--events", stdin="a.").stdout.splitlines()[:1]
    assert Draft202012Validator(printed).is_valid(json.loads(line))
    assert "anyOf" in json.loads(called("schema", "batch", "count").stdout)
    wrong = called("schema", "lint", "--jsonl")
    assert (wrong.returncode, "no schema of 'lint --jsonl'" in wrong.stderr) == (2, True)


def test_a_name_in_a_schema_is_that_of_one_form(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, Any]] = []
    of_form = schemas.members
    monkeypatch.setattr(schemas, "members", lambda form: made.append((schemas.name_of(form), form)) or of_form(form))
    for name, form in (forms() | lines()).items():
        made.clear()
        parts = schemas.schema(*form)["$defs"]
        for part in parts:
            assert len({of for called, of in made if called == part and not isinstance(of, schemas.Extended)}) <= 1, (name, part)


def test_warnings_of_the_solvers_have_their_places() -> None:
    given = [
        "it is.lp:3:7-12: info: atom does not occur in any rule head:\n  p(X)",
        "<cmd>: info: file: already included:\n  a.lp",
        "rooms.pl:3: Singleton variables: [X]",
        "rooms.pl:3:7: error: Syntax error: Operator expected",
        "this machine does not put up Landlock (info: it is a test)",
    ]
    found = [(one["file"], one["line"], one["column"], one["level"], one["message"][:10]) for one in as_json(given)]
    assert found == [
        ("it is.lp", 3, 7, "info", "atom does "), ("<cmd>", None, None, "info", "file: alre"),
        ("rooms.pl", 3, None, "warning", "Singleton "), ("rooms.pl", 3, 7, "error", "Syntax err"),
        (None, None, None, "warning", "this machi"),
    ]  # fmt: skip
