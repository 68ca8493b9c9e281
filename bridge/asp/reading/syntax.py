r"""What a syntax error of clingo is about: operators of other languages, words of older versions, and slips.

    >>> print(cause("even(X) :- n(X), X mod 2 = 0.", 1, 20, "syntax error, unexpected <IDENTIFIER>").sentence)
    `mod` is no operator: the remainder of a division is `\`

clingo names the first token with which it cannot go on, which is often behind the fault. Here the statement is looked
at: where a change of the part in question makes clingo read further, that part is the cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from bridge.asp.reading.mend import error_of, missing_end, offset_of, tokens_of
from bridge.common.slips import is_slip

_COVERED = re.compile(r'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*', re.DOTALL)
_OPEN, _CLOSE = {"(": ")", "{": "}", "[": "]"}, {")": "(", "}": "{", "]": "["}

_DIRECTIVES = (
    "const", "count", "defined", "edge", "end", "external", "heuristic", "include", "inf", "max",
    "maximize", "min", "minimize", "program", "project", "script", "show", "sum", "sup", "theory", "true", "false",
)  # fmt: skip


class SyntaxCause(NamedTuple):
    """The cause of a syntax error."""

    at: int  #: The offset where it stands.
    sentence: str  #: What is wrong.
    remedy: str | None  #: What to write.


class _Error(NamedTuple):
    """A syntax error and its statement."""

    text: str  #: The statement.
    plain: str  #: The same, with blanks for comments and for what is in strings.
    at: int  #: The offset of the error in the statement.
    first: int  #: The offset of the first error of the statement by itself.
    message: str

    def reads_on(self, begin: int, end: int, by: str) -> bool:
        """Whether clingo reads further when a part is replaced."""
        then = error_of(self.text[:begin] + by + self.text[end:])
        return then is None or then - len(by) + (end - begin) > max(self.first, end - 1)

    def in_body(self, at: int) -> bool:
        return ":-" in self.plain[:at] or ":~" in self.plain[:at]

    def opened(self) -> list[int]:
        """The brackets that are open at the error; a closing bracket that closes none ends it, and is in the list."""
        found: list[int] = []
        for at, character in enumerate(self.plain[: self.at + 1]):
            if character in _OPEN and at < self.at:
                found.append(at)
            elif character in _CLOSE:
                if not found or self.plain[found[-1]] != _CLOSE[character]:
                    return [*found, at]
                if at < self.at:
                    found.pop()
        return found


#: A pattern; what stands in its place where clingo reads on; what is wrong, and what to write.
_Kind = tuple[re.Pattern[str], str, str, str | None]


def _kind(pattern: str, by: str, sentence: str, remedy: str | None = "") -> _Kind:
    return re.compile(pattern), by, sentence, f"write `{by.strip()}` in place of `{{0}}`" if remedy == "" else remedy


_EACH_CASE = "write a rule for each case, with the condition, or `not` before it, in the body"
_OR = r"\\/|\|\|?|\b(?:or|v)\b"

#: What is another thing in a head and in a body.
_IN_BODY = (
    _kind(r":=", "=", "`:=` assigns nothing: a variable is bound by `=`"),
    _kind(r"=>", ">=", "`=>` is no comparison: that is `>=`"),
    _kind(r"(?<![-<])-+>", ",", "there is no `->`: each case is a rule of its own", _EACH_CASE),
    _kind(_OR, ",", "a body has no `or`: each case is a rule of its own", "write two rules with the same head"),
)  # fmt: skip
_IN_HEAD = (
    _kind(r"<--?|:=|<?==?:|-:|::-?|:--|\bif\b", ":-", "`{0}` is not what stands between head and body: that is `:-`"),
    _kind(r"=>|-+>", ":-", "a rule has its head first", "write the head, `:-` and then the conditions"),
    _kind(_OR, ";", "the alternatives of a head are separated by `;`"),
)  # fmt: skip
_REMAINDER = "the remainder of a division is `\\`"
_KINDS = (
    _kind(r"#mod\b|#rem\b|\bmod(?:ulo)?\b|\brem\b", "\\", f"`{{0}}` is no operator: {_REMAINDER}"),
    _kind(r"#div\b|\bdiv\b|//", "/", "`{0}` is no operator: the division of integers is `/`"),
    _kind(r"#pow\b|\bpow\b", "**", "`{0}` is no operator: a power is written `**`"),
    _kind(r"#abs\s*\(([^()]*)\)", "|{1}|", "there is no `#abs`: the absolute value of X is `|X|`"),
    _kind(r"=:=|={3,}", "=", "`{0}` is no comparison: equality is `=`"),
    _kind(r"=\\=|\\==?|!==|/=|\bneq\b", "!=", "`{0}` is no comparison: that two terms differ is `!=`"),
    _kind(r"=<", "<=", "`=<` is no comparison: that is `<=`"),
    _kind(r"\bis\b", "=", "there is no `is`: arithmetic is evaluated everywhere, and `=` binds a variable"),
    _kind(r"\bin\b", "=", "there is no `in`: `=` with an interval or a pool says it"),
    _kind(r"\\\+|!(?=\s*[a-z_(])|~(?=\s*[a-z_(])|\bnaf\b", "not ", "negation is `not`"),
    _kind(r"&&?|/\\|\band\b", ",", "the literals of a body are separated by commas"),
    _kind(r"\bnot\s*\(\s*([a-z_]\w*(?:\((?:[^()]|\([^()]*\))*\))?)\s*\)", "not {1}",
          "`not` stands before an atom without parentheses"),
    _kind(r"\.\.\.", "..", "an interval is written with two dots"),
    _kind(r",\s*(?=\.(?!\.))", "", "a comma stands before the dot",
          "leave the comma out, or write the literal that follows"),
    _kind(r"(?<![#\w'])(?:sum|count|min|max)\+?(?=\s*\{)", "#{0}", "the names of aggregates begin with `#`"),
    _kind(r"(?<![#\w'])(?:minimi[sz]e|maximi[sz]e|show|const|external|defined|project)\b(?=\s*[{\s])", "#{0}",
          "directives begin with `#`"),
    _kind(r"\b[A-Z](?=\w*\s*\()", "{lower}",
          "a name that begins with a capital letter is a variable, which has no arguments",
          "begin the name of a predicate or a function with a small letter"),
    _kind(r"(?<=[a-z0-9_])-(?=[a-z]\w*\s*\()", "_", "`-` is the minus sign, and in no name", "write `_` in the name"),
    _kind(r"(?<=[\w)])\s*:\s*(?=\d+\s*[,\]])", "@", "the priority of a weak constraint stands after `@`"),
)  # fmt: skip


def _plain_kind(pattern: str, sentence: str, remedy: str | None = None) -> tuple[re.Pattern[str], str, str | None]:
    return re.compile(pattern), sentence, remedy


#: What has no other text in its place. A group is the part that is named.
_NAMED = (
    _plain_kind(r"#include\s*('[^'\n]*'|<?[\w./\\-]+\.\w+>?)", "the name of a file stands in double quotes",
                'write `#include "{name}".`'),
    _plain_kind(r'#include\s*(?:"[^"\n]*"|<\w+>)\s*', "`#include` ends with a dot", "write a dot behind the name"),
    _plain_kind(r"(?<![#\w'])include\s*[\"<]", "directives begin with `#`", "write `#include`"),
    _plain_kind(r"#domain\b", "gringo 4 removed `#domain`: a variable has no domain of its own",
                "bind the variable in each rule, by an atom of the body"),
    _plain_kind(r"#hide\b", "gringo 4 removed `#hide`",
                "name what is to be shown: `#show p/1.`; `#show.` alone shows nothing"),
    _plain_kind(r"#compute\b", "gringo 4 removed `#compute`", "write a constraint: `:- not atom.`"),
    _plain_kind(r"#(?:preference|optimize)\b", "`{0}` is a directive of asprin", "run the program by asprin"),
    _plain_kind(r"#(?:minimi[sz]e|maximi[sz]e|sum|count|min|max)\s*\[",
                "gringo 4 removed aggregates in square brackets",
                "write `{{ weight, terms : condition }}`, where equal tuples count once"),
    _plain_kind(r"#(?:sum|count|min|max)\+?\s*\(", "the elements of an aggregate stand in braces",
                "write `{{ terms : condition }}`"),
    _plain_kind(r"#avg\b|#average\b", "there is no aggregate for the average",
                "divide: `S = #sum {{ ... }}, N = #count {{ ... }}, A = S / N`"),
    _plain_kind(r"#const\s+[A-Z_]\w*", "the name of a constant begins with a small letter"),
    _plain_kind(r"#const\s+\w+\s+[\w\"(]", "`=` is missing", "write `#const name = value.`"),
    _plain_kind(r"#(?:show|project|defined)\s+-?\w+/\d+\s*,", "each predicate has a directive of its own",
                "write `#show p/1. #show q/2.`"),
    _plain_kind(r"#external\s+-?\w+\s*/", "an external is an atom", "write `#external p(X) : domain(X).`"),
    _plain_kind(r"\$", "clingo 5 removed the constraints with `$`",
                "clingcon has them as theory atoms, `&sum {{ x }} <= 3`"),
    _plain_kind(r"\{\s*&", "a theory atom cannot be chosen",
                "choose an atom, and have a rule with the theory atom as its head: `{{ a }}. &sum {{ x }} <= 3 :- a.`"),
    _plain_kind(r"\d+\.\d+", "numbers are integers: there are no decimal fractions",
                'count in smaller units, as 5 for 0.5, or write a string, "0.5"'),
    _plain_kind(r"!(?=\s*[,.;])", "there is no cut",
                "leave it out; what excludes another case is `not` in the body of that case"),
    _plain_kind(r"\?-|\?\s*\Z", "there are no queries in a program",
                "write a constraint: `:- not atom.` leaves the answer sets with the atom"),
    _plain_kind(r"(:-\s*(?:dynamic|discontiguous|multifile|table|initialization))\s[^.]*",
                "`{0}` is a directive of Prolog",
                "leave it out; `#defined p/1.` says that a predicate may have no rule"),
    _plain_kind(r"\bif\b[^.]*\bthen\b", "there is no if-then-else", _EACH_CASE),
    _plain_kind(r"\b(forall|exists|all)\s+[A-Z]\w*", "there are no quantifiers",
        "`p(X) : domain(X)` in a body says that all hold; of a variable of an atom in a body there is some value"),
    _plain_kind(r":~[^.\[]*\[", "the dot of a weak constraint stands before its weight",
                "write `:~ body. [weight@priority, terms]`"),
    _plain_kind(r"//|/\*|#(?=[\s#!])|(--)[ \t]+\w+[ \t]*",
                "`{0}` begins no comment: `%` does, up to the end of the line",
                "write `%`, or `%*` and `*%` around several lines"),
)  # fmt: skip

_AGGREGATE = re.compile(r"#(?:sum\+?|count|min|max)\b")


def cause(text: str, line: int, column: int, message: str) -> SyntaxCause | None:
    """The cause of a syntax error; None where it is not known.

    Line and column, from 1, are clingo's, which counts bytes; `message` is clingo's, from its first word on.
    """
    at = offset_of(text, line, column)
    if message.startswith("lexer error, unexpected <EOF>"):
        return _open_comment(text)
    begin, end = _statement(text, at, "[" in message or "]" in message)
    statement = text[begin:end]
    first = error_of(statement) if "#include" not in statement and "#script" not in statement else None
    error = _Error(statement, _plain(statement), at - begin, at - begin if first is None else first, message)
    for find in _FINDERS:
        if find is None:
            if (missing := missing_end(text, line, column)) is not None:
                return SyntaxCause(missing[0], f"{missing[1]} is missing at the end of this line", _DOT)
        elif (found := find(error)) is not None:
            where, sentence, remedy = found
            return SyntaxCause(begin + where, sentence, remedy)
    return None


def _statement(text: str, at: int, weight: bool) -> tuple[int, int]:
    """Where the statement of an error begins and ends; the weight of a weak constraint stands behind its dot."""
    begin, before, end = 0, 0, len(text)
    for token in tokens_of(text):
        if token.start() < at:
            if token[0] == ".":
                before, begin = begin, token.end()
        elif token[0] == "." and not (token.end() < len(text) and text[token.end()].isalnum()):
            end = token.end()
            break
    if text[begin:end].lstrip().startswith("[") or (not text[begin:at].strip() and (weight or at >= len(text))):
        begin = before
    return begin + len(text[begin:end]) - len(text[begin:end].lstrip()), end


def _plain(text: str) -> str:
    """A text with blanks for its comments and for what is in its strings."""

    def blank(covered: re.Match[str]) -> str:
        quote = '"' if covered[0][0] == '"' else ""
        return quote + "".join("\n" if one == "\n" else " " for one in covered[0][len(quote) : -1]) + (quote or " ")

    return _COVERED.sub(blank, text)


def _foreign(error: _Error) -> tuple[int, str, str | None] | None:
    """What another language has, or an older version, or is written otherwise: the nearest before the error."""
    for pattern, sentence, remedy in _NAMED:
        for match in pattern.finditer(error.plain):
            if match.start() <= error.at <= match.end():
                part = (match[1] if pattern.groups else None) or match[0]
                name = re.sub(r"^['<]|['>]$", "", part)
                return match.start(), sentence.format(part), remedy and remedy.format(name=name)
    found = [
        (match, by, sentence, remedy)
        for kinds, place in ((_IN_BODY, True), (_IN_HEAD, False), (_KINDS, None))
        for pattern, by, sentence, remedy in kinds
        for match in pattern.finditer(error.plain)
        if match.start() <= error.at and place in (None, error.in_body(match.start()))
    ]
    for match, by, sentence, remedy in sorted(found, key=lambda one: (-one[0].end(), one[0].start())):
        written = by.format(match[0], *match.groups(), lower=match[0].lower())
        if error.reads_on(*match.span(), written):
            return match.start(), sentence.format(match[0]), remedy and remedy.format(match[0], *match.groups())
    return None


def _separators(error: _Error) -> tuple[int, str, str | None] | None:
    """A comma between elements in braces; a comma where the rule before ends."""
    opened = error.opened()
    brace = opened[-1] if opened and error.plain[opened[-1]] == "{" else None
    commas = [at for at in range(min(error.at, len(error.plain) - 1), brace or 0, -1) if error.plain[at] in ",|"]
    for at in commas:
        if brace is not None and _depth(error.plain[brace + 1 : at]) == 0 and error.reads_on(at, at + 1, ";"):
            words = "the elements in braces are separated by `;`: a comma stands between the literals of a condition"
            return at, words, "write `;` in place of this comma" if error.plain[at] == "," else "write `;` in its place"
        ends_line = error.plain[at] == "," and "\n" in error.plain[at : error.at]
        if brace is None and ends_line and "unexpected :-" in error.message and error.reads_on(at, at + 1, "."):
            return at, "a comma stands where the rule ends", "write a dot in place of this comma"
        second = brace is None and error.plain[at] == "," and re.match(r":(?!-)", error.plain[error.at :])
        if second and _depth(error.plain[at : error.at]) == 0 and error.reads_on(at, at + 1, ";"):
            return at, "a condition goes on behind a comma, up to the next `;`", "write `;` in place of this comma"
    if error.plain.startswith(":", error.at) and (braces := _braces_before(error)) is not None:
        first, last = braces
        condition = re.compile(r":(?!-)\s*([^:.;{}]+?)\s*(?=[.;]|:-)").match(error.text, error.at)
        written = f"{error.text[first:last].rstrip()} : {condition[1]} }}" if condition else ""
        if condition and error.reads_on(first, condition.end(1), written):
            return error.at, "a condition stands inside of the braces, behind what it is about", f"write `{written}`"
    if brace is not None and error.plain.startswith(":", error.at) and error.reads_on(error.at, error.at + 1, ","):
        words = "a condition has one `:`: its literals are separated by commas"
        return error.at, words, "write `,` in place of this `:`"
    return None


def _braces_before(error: _Error) -> tuple[int, int] | None:
    """The braces of one element that end right before the error, perhaps with a bound behind them."""
    before = re.search(r"(\{)[^{};:]*(\})\s*(?:[<>=!]*\s*\w+\s*)?\Z", error.plain[: error.at])
    return None if before is None else (before.start(1), before.start(2))


def _depth(text: str) -> int:
    return sum((one in _OPEN) - (one in _CLOSE) for one in text)


def _remainder(error: _Error) -> tuple[int, str, str | None] | None:
    """A percent sign that is meant as an operator."""
    for match in re.finditer(r"(?<=[\w)])[ \t]*%(?=[ \t]*[\dA-Z(][^\n]*\.)", error.text):
        if error.reads_on(match.end() - 1, match.end(), "\\"):
            return match.end() - 1, f"`%` begins a comment: {_REMAINDER}", "write `\\` in place of `%`"
    return None


def _arguments(error: _Error) -> tuple[int, str, str | None] | None:
    """A list, or a string that does not end."""
    character = error.plain[error.at : error.at + 1]
    if character == '"' and error.message.startswith("lexer"):
        return error.at, "this string does not end in its line", 'write `"` at its end'
    if character == "[":
        remedy = "number the elements, as in `item(1, a). item(2, b).`, or nest terms, as in `cons(a, cons(b, nil))`"
        return error.at, "there are no lists", remedy
    return None


def _weight(error: _Error) -> tuple[int, str, str | None] | None:
    """A weak constraint without its weight."""
    if "expecting [" not in error.message or ":~" not in error.plain[: error.at]:
        return None
    at = error.plain.rindex(":~", 0, error.at)
    return at, "a weak constraint has a weight", "write `:~ body. [weight@priority, terms]`"


def _parentheses(error: _Error) -> tuple[int, str, str | None] | None:
    """Parentheses around literals."""
    before = error.plain[: error.at].rstrip()
    if not before.endswith(")"):
        return None
    at = max((at for at in range(len(before)) if before[at] == "(" and _depth(before[at:]) == 0), default=0)
    if re.match(r"\(\s*(?:not\b|[a-z]\w*\s*\()", before[at:]) is None or re.search(r"[\w']$", before[:at]):
        return None
    words = "parentheses stand around terms, and not around literals"
    return at, words, "leave them out; of alternatives, write a rule for each"


def _directive(error: _Error) -> tuple[int, str, str | None] | None:
    """A word after `#` that clingo does not have."""
    match = re.match(r"#(\w+)", error.plain[error.at :])
    if match is None or not error.message.startswith("lexer"):
        return None
    near = ["const"] if match[1] in ("define", "def") else [one for one in _DIRECTIVES if is_slip(match[1], one)]
    if not near and len(match[1]) > 3:
        near = [one for one in _DIRECTIVES if one.startswith(match[1]) or match[1].startswith(one)]
    return error.at, f"clingo has no `{match[0]}`", f"write `#{near[0]}`" if near else None


def _aggregate(error: _Error) -> tuple[int, str, str | None] | None:
    """An aggregate as a term."""
    before = error.plain[: error.at].rstrip()
    remedy = "name its value in the body, `N = #count { ... }`, and use N"
    if _AGGREGATE.match(error.plain, error.at):
        if before.endswith(("=", "<", ">")) and "}" in before:
            return error.at, "an aggregate is compared with terms, and not with another aggregate", remedy
        return error.at, "an aggregate is no term, and cannot stand here", remedy
    if before.endswith("}") and error.plain[error.at : error.at + 1] in [*"+-*/\\"] and _AGGREGATE.search(before):
        return error.at, "an aggregate is no term: its value cannot be computed with", remedy
    return None


def _brackets(error: _Error) -> tuple[int, str, str | None] | None:
    """Brackets that do not match."""
    opened = error.opened()
    if not opened or error.at - opened[-1] > 2000:
        return None
    last = error.plain[opened[-1]]
    if last in _CLOSE:
        pair = len(opened) > 1
        words = f"`{error.plain[opened[-2]]}` is closed by `{last}`" if pair else f"`{last}` closes nothing"
        remedy = f"write `{_OPEN[error.plain[opened[-2]]]}`" if pair else "leave it out, or open it before"
        return opened[-1], words, remedy
    ends = error.at >= len(error.plain.rstrip(". \n")) or error.plain.startswith(":-", error.at)
    if ends:
        return opened[-1], f"`{last}` is not closed", f"write `{_OPEN[last]}` where it ends"
    return None


def _necks(error: _Error) -> tuple[int, str, str | None] | None:
    """`:-` in a rule that has one."""
    if error.plain.startswith(":-", error.at) and error.in_body(error.at):
        neck = max(error.plain.rfind(mark, 0, error.at) for mark in (":-", ":~"))
        if re.fullmatch(r"[ \t]*\n\s*-?\w+(?:\([^\n]*\))?\s*", error.plain[neck + 2 : error.at]):
            return neck, "a rule ends here without its body", "write the body and a dot, or only a dot for a fact"
        return error.at, "a second `:-` in one rule", "end the rule before with a dot, or write a comma"
    return None


def _nothing_between(error: _Error) -> tuple[int, str, str | None] | None:
    """Two terms with nothing in between."""
    before = re.search(r"([\w'\"]+|[)}])\s*\Z", error.plain[: error.at])
    after = re.match(r"[\w'\"]+", error.plain[error.at :])
    if before is None or after is None or before[1] in ("not", "default", "override") or before[0].startswith("#"):
        return None
    words = f"something is missing before `{after[0].strip()}`"
    return error.at, words, "write a dot, a comma or an operator before it"


def _open_comment(text: str) -> SyntaxCause | None:
    """A block comment that does not end."""
    depth: list[int] = []
    for edge in re.finditer(r"%\*|\*%|%[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", text):
        if edge[0] == "%*":
            depth.append(edge.start())
        elif edge[0] == "*%" and depth:
            depth.pop()
    return SyntaxCause(depth[0], "this comment does not end", "write `*%` where it ends") if depth else None


_DOT = "end each rule with a dot"
#: What is looked for, in this order; None is a dot that is missing before.
_FINDERS: tuple[Callable[[_Error], tuple[int, str, str | None] | None] | None, ...] = (
    _remainder, None, _foreign, _separators, _arguments, _weight, _parentheses, _directive, _aggregate, _brackets,
    _necks, _nothing_between,
)  # fmt: skip
