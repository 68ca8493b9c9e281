"""The results of `lpbridge test` in the forms of other runners: JUnit, TAP, Exercism."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

from bridge.debugging.testing import Tested, Testing, result_text
from bridge.errors import ProgramError


def junit(found: Testing) -> str:
    """The results in the XML of JUnit: a failed test is a failure, and one that a limit ended an error."""
    results = found.results
    counts = {"tests": str(len(results)), "failures": str(len(found.failed)), "errors": str(len(found.of("undecided")))}
    suite = ET.Element("testsuite", {"name": "lpbridge", "time": _time(results), **counts})
    for one in results:
        place = one.test.place
        about = {
            "name": one.test.name,
            "classname": place.file or "",
            "file": place.file or "",
            "line": str(place.line),
        }
        case = ET.SubElement(suite, "testcase", about, time=_time([one]))
        if one.status == "skipped":
            ET.SubElement(case, "skipped", message=one.reason or "")
        elif one.status != "passed":
            ET.SubElement(case, "failure" if one.status == "failed" else "error",
                          message=one.reason or "").text = result_text(one)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _time(results: Any) -> str:
    return f"{sum(one.seconds for one in results):.3f}"


def tap(found: Testing) -> str:
    """The results in version 14 of the Test Anything Protocol (https://testanything.org)."""
    lines = ["TAP version 14", f"1..{len(found.results)}"]
    for number, one in enumerate(found.results, 1):
        ok = "ok" if one.status in ("passed", "skipped") else "not ok"
        name = one.test.name.replace("\\", "\\\\").replace("#", "\\#")
        skipped = f" # SKIP {' '.join((one.reason or '').split())}".rstrip() if one.status == "skipped" else ""
        lines.append(f"{ok} {number} - {name}{skipped}")
        if ok == "not ok":
            about = {"message": _message(one), "at": {"file": one.test.place.file, "line": one.test.place.line}}
            lines += ["  ---", *(f"  {key}: {json.dumps(value)}" for key, value in about.items()), "  ..."]
    return "\n".join(lines)


def exercism(found: Testing) -> str:
    """The results as a test runner of Exercism gives them (`results.json`, version 2 of its interface)."""
    tests: list[dict[str, Any]] = []
    for one in found.results:
        if one.status != "skipped":
            status = {"passed": "pass", "failed": "fail"}.get(one.status, "error")
            about = {} if status == "pass" else {"message": _message(one)}
            tests.append({"name": one.test.name, "status": status, **about})
    status = "pass" if all(one["status"] == "pass" for one in tests) else "fail"
    return json.dumps({"version": 2, "status": status, "tests": tests}, indent=2, ensure_ascii=False)


def exercism_error(error: ProgramError) -> str:
    """The same of a program that does not load: no test was run."""
    return json.dumps({"version": 2, "status": "error", "message": str(error)}, indent=2, ensure_ascii=False)


def _message(one: Tested) -> str:
    return one.reason or one.status
