"""Charts of the running times and counters of engines, by matplotlib (extra `pictures`).

Few instances are drawn as bars with seconds and verdict, many as a cactus plot, as in solver competitions: the number
of instances that an engine finished within a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from bridge.common.files import check_writable, format_of, write_whole
from bridge.drawing.shapes import escape
from bridge.errors import InputError, UnsupportedError

#: More instances than these are not drawn one by one.
BARS = 8

#: The hues of Okabe and Ito, with hatches and markers for readers who do not distinguish them.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8a8a")
_HATCHES = ("", "//", "\\\\", "xx", "--", "||", "++")
_MARKERS = "osD^vPX"

#: The least that is drawn: a logarithmic axis has no 0.
_LEAST, _LEAST_COUNT = 1e-4, 0.5

FORMATS = ("svg", "png", "pdf")


@dataclass(frozen=True, repr=False)
class Chart:
    """A chart and its description in words. `figure` is matplotlib's, for changes."""

    figure: Any
    title: str
    words: str

    def render(self, form: str) -> bytes:
        """The chart as `svg`, `png` or `pdf`; the same data make the same bytes.

        Raises
        ------
        InputError
            When there is no such format.
        """
        _known(form)
        from matplotlib import rc_context

        undated: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
        out = BytesIO()
        with rc_context({"svg.hashsalt": self.title, "svg.fonttype": "none"}):
            self.figure.savefig(out, format=form, metadata=undated[form], dpi=192)
        return self._described(out.getvalue()) if form == "svg" else out.getvalue()

    def _described(self, svg: bytes) -> bytes:
        """The SVG with a title and a description, which matplotlib does not write, and without its prologue."""
        attributes, rest = svg.decode().split("<svg ", 1)[1].split(">", 1)
        words = f"<title>{escape(self.title)}</title>\n<desc>{escape(self.words)}</desc>"
        return f'<svg role="img" {attributes}>\n{words}{rest}'.encode()

    def save(self, file: str | Path) -> None:
        """Write the chart to a file; the suffix gives the format.

        Raises
        ------
        InputError
            When the ending is not a format, or the file cannot be written.
        OutputError
            When the system fails to write it.
        """
        write_whole(file, self.render(format_of(file)))

    def _repr_svg_(self) -> str:
        return self.render("svg").decode()

    def __repr__(self) -> str:
        return f"<Chart {self.title}>"


def can_save(file: str | Path) -> None:
    """Check that a chart can be written to a file, before the work for it is done.

    Raises InputError when the ending of the name is not a format, or there is no such folder; UnsupportedError when the
    extra `pictures` is not installed.
    """
    _known(format_of(file))
    check_writable(file)
    if find_spec("matplotlib") is None:
        raise _missing()


def _known(form: str) -> None:
    if form not in FORMATS:
        raise InputError(f"there is no chart format {form!r}", hint=f"one of: {', '.join(FORMATS)}")


def _missing() -> UnsupportedError:
    return UnsupportedError("charts need matplotlib, which is not installed", hint="pip install 'lpbridge[pictures]'")


def comparison_chart(data: Mapping[str, Any], measure: str = "seconds") -> Chart:
    """A comparison of engines or programs, in the shape that `lpbridge compare --json` prints.

    Drawn are seconds, or a counter (`conflicts`, `nodes`, `inferences`) of those that have it. Raises InputError when
    there is nothing to draw, and UnsupportedError when the extra `pictures` is not installed.
    """
    every: Sequence[Mapping[str, Any]] = data["rows"]
    if not every:
        raise InputError("there is nothing to draw: no engine has run")
    rows = every if measure == "seconds" else [row for row in every if measure in row["statistics"]]
    if not rows:
        raise InputError(f"there is nothing to draw: no engine counts {measure}")
    engines = [name for name in data["engines"] if any(row["engine"] == name for row in rows)]
    instances = list(data["instances"])
    draw = _bars if len(instances) <= BARS else _cactus
    words = "; ".join(f"{row['instance']}, {row['engine']}: {_label(row, measure)}" for row in rows)
    title = ", ".join(engines) if measure == "seconds" else f"{measure} of {', '.join(engines)}"
    # An engine has the same colour in all charts of a comparison.
    tones = {name: number % len(_COLOURS) for number, name in enumerate(data["engines"])}
    return Chart(draw(rows, engines, instances, measure, tones), f"{data['puzzle']}: {title}".removeprefix(": "), words)


def growth_chart(data: Mapping[str, Any], measure: str = "seconds") -> Chart:
    """How cost grows with the size of instances, in the shape of `family` in what `lpbridge profile --json` prints.

    Drawn are `seconds`, `rules`, `conflicts` or `inferences`; as `comparison_chart`.
    """
    points = [one for one in data["points"] if one.get(measure) and one["size"] > 0]
    if not points:
        raise InputError(f"there is nothing to draw: no {measure} of an instance with a size above 0")
    figure, axis = _figure(7.5, 4.5)
    names = list(dict.fromkeys(one["program"] for one in points))
    words = []
    for number, name in enumerate(names):
        own = [one for one in points if one["program"] == name]
        fit = data["fits"][name][measure]
        label = name if fit is None else f"{name}: size^{fit['exponent']:.1f}"
        sizes = [one["size"] for one in own]
        colour, marker = _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
        axis.plot(sizes, [one[measure] for one in own], marker, ms=5, color=colour, label=label)
        if fit is not None:
            axis.plot(sizes, [fit["factor"] * size ** fit["exponent"] for size in sizes], "--", lw=1, color=colour)
        for one in own:
            words.append(f"{name}, {one['instance']}: {one[measure]:.3g}{'' if one['complete'] else ' (limit)'}")
            if not one["complete"]:
                at = one["size"], one[measure]
                axis.annotate("limit", at, (4, 4), textcoords="offset points", fontsize=8, color=colour)
    axis.set(xscale="log", yscale="log", xlabel="size of the instance", ylabel=measure)
    _finish(axis)
    return Chart(figure, f"growth of {', '.join(names)}", "; ".join(words))


def _figure(wide: float, high: float) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise _missing() from None
    figure = Figure(figsize=(wide, high), layout="constrained")
    return figure, figure.subplots()


def _value(row: Mapping[str, Any], measure: str) -> float:
    """What is drawn of a row; a logarithmic axis has no 0."""
    if measure == "seconds":
        return float(max(row["seconds"]["total"], _LEAST))
    return float(max(row["statistics"][measure], _LEAST_COUNT))


def _bars(rows: Sequence[Mapping[str, Any]], engines: list[str], instances: list[str], measure: str,
          tones: Mapping[str, int]) -> Any:
    """A group for each instance, in it a bar for each engine."""
    step = len(engines) + 0.8
    figure, axis = _figure(7.5, 1.1 + 0.27 * step * len(instances))
    places = {(i, e): number * step + n for number, i in enumerate(instances) for n, e in enumerate(engines)}
    for engine in engines:
        n = tones[engine]
        own = [row for row in rows if row["engine"] == engine]
        values = [_value(row, measure) for row in own]
        heights = [places[row["instance"], engine] for row in own]
        axis.barh(heights, values, 0.86, label=engine, color=_COLOURS[n], hatch=_HATCHES[n], edgecolor="white")
        for row, place, length in zip(own, heights, values, strict=True):
            text = _label(row, measure)
            axis.annotate(text, (length, place), (4, 0), textcoords="offset points", va="center", fontsize=8)
    middle = (len(engines) - 1) / 2
    axis.set_yticks([number * step + middle for number in range(len(instances))], instances)
    axis.invert_yaxis()
    axis.set(xscale="log", xlabel=measure)
    axis.margins(x=0.35, y=0.02)
    axis.set_xlim(left=_LEAST if measure == "seconds" else _LEAST_COUNT)
    axis.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper left", ncols=4, frameon=False, fontsize=9)
    return figure


def _cactus(rows: Sequence[Mapping[str, Any]], engines: list[str], instances: list[str], measure: str,
            tones: Mapping[str, int]) -> Any:
    """For each engine, how many instances it finished within how many seconds, or conflicts, each."""
    figure, axis = _figure(7.5, 4.5)
    for engine in engines:
        n = tones[engine]
        times = sorted(_value(row, measure) for row in rows if row["engine"] == engine and _finished(row))
        label = f"{engine}: {len(times)} of {len(instances)}"
        axis.plot(range(1, len(times) + 1), times, marker=_MARKERS[n], ms=4, color=_COLOURS[n], label=label)
    axis.set(yscale="log", xlabel="instances finished", ylabel=f"{measure} each")
    _finish(axis)
    return figure


def _finish(axis: Any) -> None:
    """The grid and the legend of a diagram of lines."""
    axis.grid(visible=True, which="major", alpha=0.3)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=9)


def _finished(row: Mapping[str, Any]) -> bool:
    """Whether a run found all that it was asked for: the answers up to the limit on them, or a verdict."""
    return row["error"] is None and (row["verdict"] != "unknown" or row.get("limit") == "solutions")


def _label(row: Mapping[str, Any], measure: str = "seconds") -> str:
    """`12 ms unique`; or why there is no verdict."""
    if row["error"] is not None:
        return "cannot run"
    verdict = "no verdict" if not _finished(row) else "found" if row["verdict"] == "unknown" else row["verdict"]
    if measure != "seconds":
        return f"{row['statistics'][measure]:,} {verdict}"
    seconds = row["seconds"]["total"]
    shown = f"{seconds * 1000:.2g} ms" if seconds < 0.1 else f"{seconds:.2g} s"
    return f"{shown} {verdict}"
