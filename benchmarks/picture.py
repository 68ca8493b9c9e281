"""`python -m benchmarks.picture FILE`: the tables of `benchmarks.growth`, as JSON on standard input, drawn as SVG.

A program of its own, because matplotlib may live in another environment than lpbridge.
"""

from __future__ import annotations

import json
import sys
from math import ceil
from typing import Any

#: Pictures side by side.
ACROSS = 2

#: The hues of Okabe and Ito, and markers for readers who do not distinguish them.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8a8a")
MARKERS = "osD^vPX"


def draw(data: dict[str, Any], file: str) -> None:
    """A picture for each puzzle: seconds against size, on a logarithmic axis, a line for each contender.

    Parameters
    ----------
    data
        `pictures`, each with `title`, `axis` and `lines` (points by name); `limit`, the time limit in seconds.
    file
        Where to write the SVG. The same data make the same file.
    """
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "lpbridge"
    from matplotlib import pyplot

    pictures = data["pictures"]
    down = ceil(len(pictures) / ACROSS)
    figure, axes = pyplot.subplots(down, ACROSS, figsize=(6 * ACROSS, 4 * down), squeeze=False)
    names = list(dict.fromkeys(name for picture in pictures for name in picture["lines"]))
    for axis, picture in zip(axes.flat, pictures, strict=False):
        for name, points in picture["lines"].items():
            sizes, seconds = [point[0] for point in points], [point[1] for point in points]
            look = names.index(name) % len(COLOURS)
            axis.plot(sizes, seconds, marker=MARKERS[look], markersize=4, label=name, color=COLOURS[look])
        axis.axhline(data["limit"], color="grey", linestyle=":", linewidth=1)
        axis.set(title=picture["title"], xlabel=picture["axis"], ylabel="seconds", yscale="log")
        axis.grid(visible=True, which="major", alpha=0.3)
        axis.legend(fontsize="small")
    for axis in axes.flat[len(pictures) :]:
        axis.set_visible(False)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    draw(json.load(sys.stdin), sys.argv[1])
