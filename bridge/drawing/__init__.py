"""Drawings of any result: graphs of reasons, charts; SVG, PNG, PDF."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.drawing.document import check_installed as check_installed, start_threads as start_threads
    from bridge.drawing.document import typeset as typeset
    from bridge.drawing.drawable import FORMATS as FORMATS, Drawable as Drawable
    from bridge.drawing.graph import Graph as Graph, Node as Node
    from bridge.drawing.page import AROUND as AROUND, BYLINE as BYLINE, CAPTION as CAPTION, DIGIT as DIGIT
    from bridge.drawing.page import HEADING as HEADING, LETTER as LETTER, RUNNING as RUNNING, WRITTEN as WRITTEN
    from bridge.drawing.page import Note as Note, Page as Page, Sample as Sample
    from bridge.drawing.plots import Chart as Chart, comparison_chart as comparison_chart, growth_chart as growth_chart
    from bridge.drawing.shapes import HALF as HALF, ID as ID, label as label, n as n, rect as rect
    from bridge.drawing.shapes import standalone as standalone
    from bridge.drawing.themes import THEMES as THEMES, Mark as Mark, Theme as Theme, Tone as Tone
    from bridge.drawing.themes import theme_named as theme_named
else:
    __getattr__, __dir__ = _exports(__name__)
