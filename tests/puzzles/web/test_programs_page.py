"""Programs in the page, in a real browser: what a person does with them, and what hostile ones do to it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from web.browser_pages import ONE_BROWSER, expect
from web.web_pages import Workbench


@pytest.fixture
def page(new_page: Any, workbench: Workbench) -> Any:
    """The part for programs as it opens."""
    new_page.goto(f"{workbench.url}/?programs")
    expect(new_page.locator("#program")).to_be_visible()
    return new_page


def write(page: Any, text: str, goal: str | None = None) -> None:
    page.get_by_label("Language").select_option("lp" if goal is None else "pl")
    page.locator("#program").fill(text)
    if goal is not None:
        page.get_by_role("textbox", name="Goal").fill(goal)


def number(page: Any, label: str, value: int) -> None:
    """Type a number. `fill` does not replace one in Firefox, whose selection in such a field it cannot set."""
    page.get_by_label(label).press("Control+a")
    page.keyboard.type(str(value))


def shows(page: Any, headline: str | re.Pattern[str]) -> None:
    """Wait until the answer is complete, and says this."""
    expect(page.locator("#program-verdict h2")).to_have_text(headline)
    expect(page.locator("#run")).to_be_visible()


def lit(page: Any) -> list[int]:
    return sorted(int(one.get_attribute("data-line")) for one in page.locator(".lit").all())


@ONE_BROWSER
def test_a_timetable_from_the_clash_to_the_answer(page: Any) -> None:
    """The example of the docs: its clash is lit, its places lead to the lines, and the reasons of an atom follow."""
    page.get_by_label("Example").select_option("timetable.lp")
    shows(page, "Impossible: there is no answer set")
    assert lit(page) == [8, 9, 11, 14, 17, 20]
    expect(page.locator("#say")).to_have_text(
        "Impossible: there is no answer set. Lit in the program: lines 8, 9, 11, 14, 17, 20."
    )
    expect(page.locator(".reasons")).to_contain_text("absence of ada: a teacher who is away gives no lesson.")
    place = page.get_by_role("button", name="program.lp:17:1")
    place.hover()
    expect(page.locator(".lit.strong")).to_have_attribute("data-line", "17")
    place.click()
    expect(page.locator("#program")).to_be_focused()
    line = page.evaluate(
        "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(program)"
    )
    assert line == ":- teaches(T, L), teaches(T, M), L < M, at(L, S), at(M, S)."
    page.get_by_label("Constants").fill("slots=4")
    number(page, "Answers", 3)
    page.get_by_role("button", name="Run", exact=True).click()
    shows(page, "3 models")
    assert lit(page) == []
    expect(page.locator("table.atoms caption")).to_contain_text("at/2")
    expect(page.locator("table.atoms tbody tr")).to_have_count(4)
    page.get_by_role("button", name="next answer").click()
    expect(page.locator("#results")).to_contain_text("2 of 3")
    page.get_by_role("button", name=re.compile(r"^why at\(art,\d\)\?$")).click()
    shows(page, re.compile(r"at\(art,\d\) is in some answer sets, not in all"))
    expect(page.locator(".lit.note")).to_have_count(3)
    page.get_by_role("button", name="Draw it").click()
    shows(page, "The derivation")
    expect(page.locator("#results img")).to_be_visible()
    assert page.locator("#results img").evaluate("(image) => image.naturalWidth") > 100
    page.get_by_role("button", name="What is open").click()
    shows(page, "What is open")
    expect(page.locator(".reasons")).to_contain_text("at(art): 1, 2, 4")
    expect(page.locator("details code")).to_contain_text("lpbridge diagnose program.lp --only open -c slots=4")


def test_what_is_typed_just_before_a_reload_is_kept(page: Any) -> None:
    page.locator("#program").fill("a.")
    page.reload()
    expect(page.locator("#program")).to_have_value("a.")


def test_a_program_typed_with_an_error(page: Any) -> None:
    """By the keyboard alone: the place is lit and one is led there; an edit puts the light out."""
    page.locator("#program").focus()
    page.keyboard.type("a(1..2).\nb(X) :- a(X.")
    page.keyboard.press("Control+Enter")
    shows(page, "Error")
    assert lit(page) == [2]
    expect(page.locator(".lit mark")).to_have_text(".")
    expect(page.locator("#say")).to_contain_text("Error. program.lp:2:12: syntax error")
    page.get_by_role("button", name="program.lp:2:12").press("Enter")
    expect(page.locator("#program")).to_be_focused()
    page.keyboard.type(").")
    assert lit(page) == []
    expect(page.locator("#results")).to_contain_text("The program has changed since.")
    expect(page.locator(".numbers")).to_have_text("1\n2")
    page.keyboard.press("Control+Enter")
    shows(page, "1 model")
    expect(page.locator("#say")).to_have_text("1 model. The search is complete")
    page.reload()
    expect(page.locator("#program")).to_have_value("a(1..2).\nb(X) :- a(X).")
    page.get_by_label("Example").select_option("map.lp")
    shows(page, "10 models")
    page.locator("#program").press("Control+z")
    expect(page.locator("#program")).to_have_value("a(1..2).\nb(X) :- a(X).")


@ONE_BROWSER
def test_an_answer_as_a_graph(page: Any) -> None:
    page.get_by_role("button", name="The shortest round trip: the best answer").click()
    shows(page, "Proved")
    expect(page.locator("#results")).to_contain_text("cost 19")
    page.get_by_role("button", name="Graph").click()
    picture = page.get_by_role("img", name="Graph of tour/3: 6 nodes, 6 lines.")
    expect(picture).to_be_visible()
    expect(picture.locator(".weight")).to_have_count(6)
    page.get_by_role("button", name="Why no lower?").click()
    shows(page, "the lowest cost is 19")
    assert {11, 12} <= {*lit(page)}
    page.get_by_label("Example").select_option("map.lp")
    shows(page, "10 models")
    expect(page.get_by_role("img", name="Graph of borders/2: 7 nodes, 9 lines.")).to_be_visible()
    expect(page.locator(".graph .label").first).to_have_text(re.compile("red|green|blue"))
    page.get_by_label("Labels").select_option("")
    expect(page.locator(".graph .label")).to_have_count(0)


@ONE_BROWSER
def test_prolog_with_residual_constraints_and_a_failure(page: Any) -> None:
    page.get_by_label("Example").select_option("money.pl")
    shows(page, "1 answer")
    expect(page.locator("#output")).to_contain_text("E in 4..7")
    page.get_by_role("button", name="Table", exact=True).click()
    expect(page.locator("table.atoms th").last).to_have_text("where")
    page.get_by_label("Example").select_option("family.pl")
    shows(page, "grandparent(anna, X): no answer")
    assert {5, 6, 7} < {*lit(page)}
    page.get_by_role("button", name="<goal>:1:1").first.click()
    expect(page.get_by_role("textbox", name="Goal")).to_be_focused()
    page.get_by_label("Example").select_option("game.pl")
    shows(page, "5 answers (4 undefined)")


@ONE_BROWSER
def test_answers_come_in_and_are_stopped(page: Any) -> None:
    """What was found stays, and so does the program, when one looks at puzzles meanwhile."""
    write(page, "p(1).\np(2) :- repeat, fail.", "p(X)")
    number(page, "Seconds", 60)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#program-verdict h2")).to_have_text("1 answer so far")
    page.get_by_role("button", name="Stop").click()
    shows(page, "Stopped")
    expect(page.locator("#output, table.atoms")).to_contain_text("1")
    page.get_by_role("button", name="Puzzles", exact=True).click()
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#program")).to_be_hidden()
    page.go_back()
    expect(page.locator("#program")).to_have_value("p(1).\np(2) :- repeat, fail.")
    expect(page.locator("#program-verdict h2")).to_have_text("Stopped")


@ONE_BROWSER
def test_both_parts_are_there_from_the_beginning(page: Any, workbench: Workbench) -> None:
    parts = page.get_by_role("group", name="Parts of the page")
    expect(parts.get_by_role("button", name="Programs", exact=True)).to_have_attribute("aria-pressed", "true")
    page.goto(workbench.url)
    expect(page.locator("#board")).to_be_visible()
    expect(parts.get_by_role("button", name="Puzzles", exact=True)).to_have_attribute("aria-pressed", "true")
    parts.get_by_role("button", name="Programs", exact=True).click()
    expect(page.locator("#program")).to_be_visible()
    expect(page.locator("#board")).to_be_hidden()


@ONE_BROWSER
def test_a_workbench_without_programs_says_how_to_have_them(page: Any, workbench: Workbench) -> None:
    page.route("**/about", lambda route: route.fulfill(json=route.fetch().json() | {"programs": False}))
    page.goto(workbench.url)
    page.get_by_role("button", name="Programs", exact=True).click()
    expect(page.get_by_role("heading", name="Programs do not run in this workbench")).to_be_visible()
    expect(page.locator("#programs")).to_contain_text("lpbridge puzzle serve --allow-programs")
    expect(page.locator("#program")).to_have_count(0)
    page.get_by_role("button", name="Puzzles", exact=True).click()
    expect(page.locator("#board")).to_be_visible()


def test_hostile_programs(page: Any) -> None:
    """Text is never markup, what is refused is said, and a great many atoms do not make it slow."""
    write(
        page,
        'p("<img src=x onerror=alert(1)>", "program.lp:9:1"). e("<b>", "</text><script>alert(1)</script>"). q(1..50000).',
    )
    page.get_by_role("button", name="Run", exact=True).click()
    shows(page, "1 model")
    expect(page.locator("td", has_text="<img src=x onerror=alert(1)>")).to_be_visible()
    expect(page.locator("#results tfoot")).to_contain_text("and 49,800 rows more")
    expect(page.locator("#results img, #results b, #results script")).to_have_count(0)
    write(page, 'edge("<b>", "</text><script>alert(1)</script>"). :- edge("<b>", X), X = "a". :- not a("<i>").')
    page.get_by_role("button", name="Diagnose").click()
    shows(page, "Impossible: there is no answer set")
    expect(page.locator(".reasons")).to_contain_text("<i>")
    expect(page.locator("#results li")).to_contain_text('atom does not occur in any rule head: a("<i>")')
    expect(page.locator("#results i")).to_have_count(0)
    write(page, "#script (python)\nimport os\n#end.")
    page.get_by_role("button", name="Run", exact=True).click()
    shows(page, "Refused")
    expect(page.locator(".trouble")).to_contain_text("an untrusted program runs no scripts")
    assert lit(page) == [1]


def test_the_lit_line_of_a_long_program(page: Any) -> None:
    """It is where the text is, however far down and to the right."""
    write(page, "a(1).\n" * 400 + f"\tb :- {'a(X), ' * 60}c(.\n")
    page.get_by_role("button", name="Run", exact=True).click()
    shows(page, "Error")
    page.locator(".trouble .place").click()
    mark, area, number = (page.locator(one).bounding_box() for one in (".lit mark", "#program", ".numbers > div"))
    assert area["x"] < mark["x"] < area["x"] + area["width"]
    assert area["y"] < mark["y"] < area["y"] + area["height"]
    lines = number["height"] / 402  # the numbers have the same lines as the text
    assert abs(number["y"] + 400 * lines - page.locator(".lit").bounding_box()["y"]) < 2


def test_it_fits(page: Any) -> None:
    """Nothing is wider than the page, and whatever one fills in has a label."""
    page.get_by_label("Example").select_option("map.lp")
    shows(page, "10 models")
    page.get_by_role("button", name="Graph").click()
    fields = page.locator("#programs input:not([type=file]), #programs select, #programs textarea")
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for one in [*fields.all(), *page.locator("#programs button").all()]:
            box = one.bounding_box()
            assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5), one
    for one in fields.all():
        assert one.evaluate("(element) => element.labels?.length || element.getAttribute('aria-label')"), (
            "without a label"
        )


@ONE_BROWSER
def test_which_line_is_wrong(page: Any) -> None:
    """One is asked which answers are meant, until the line is named; the repair is taken, and undone."""
    program = "{ in(1..3) }.\nedge(1,2). edge(2,3).\n:- edge(X,Y), not in(X), in(Y).\n#show in/1."
    write(page, program)
    page.get_by_role("button", name="Debug").click()
    for _ in range(15):
        shows(page, re.compile("A question|Line 3 is probably wrong"))
        if "Line" in page.locator("#program-verdict h2").inner_text():
            break
        answer = page.get_by_label("Question").inner_text().splitlines()[-1].split()
        cover = {"in(2)"} <= {*answer} or {"in(1)", "in(3)"} <= {*answer}
        before = page.locator("#program-verdict").inner_text()
        page.get_by_role("button", name="Yes" if cover else "No", exact=True).click()
        expect(page.locator("#program-verdict")).not_to_have_text(before, use_inner_text=True)
    assert lit(page) == [3]
    expect(page.locator(".reasons")).to_contain_text("+:- edge(X,Y), not in(X), not in(Y).")
    page.get_by_role("button", name="Take the repair").click()
    expect(page.locator("#program")).to_have_value(re.compile(r"not in\(X\), not in\(Y\)\."))
    page.locator("#program").press("Control+z")
    expect(page.locator("#program")).to_have_value(program)
