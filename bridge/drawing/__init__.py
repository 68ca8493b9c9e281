"""Drawings of any result: graphs of reasons, charts; SVG, PNG, PDF."""

from typing import TYPE_CHECKING

from bridge.common.lazy import exports as _exports

if TYPE_CHECKING:  # what parts use, once
    from bridge.drawing.document import check_installed as check_installed
    from bridge.drawing.document import start_threads as start_threads
    from bridge.drawing.document import typeset as typeset
    from bridge.drawing.drawable import FORMATS as FORMATS
    from bridge.drawing.drawable import Drawable as Drawable
    from bridge.drawing.graph import Graph as Graph
    from bridge.drawing.graph import Node as Node
    from bridge.drawing.page import AROUND as AROUND
    from bridge.drawing.page import BYLINE as BYLINE
    from bridge.drawing.page import CAPTION as CAPTION
    from bridge.drawing.page import DIGIT as DIGIT
    from bridge.drawing.page import HEADING as HEADING
    from bridge.drawing.page import LETTER as LETTER
    from bridge.drawing.page import RUNNING as RUNNING
    from bridge.drawing.page import WRITTEN as WRITTEN
    from bridge.drawing.page import Note as Note
    from bridge.drawing.page import Page as Page
    from bridge.drawing.page import Sample as Sample
    from bridge.drawing.plots import Chart as Chart
    from bridge.drawing.plots import comparison_chart as comparison_chart
    from bridge.drawing.plots import growth_chart as growth_chart
    from bridge.drawing.shapes import HALF as HALF
    from bridge.drawing.shapes import ID as ID
    from bridge.drawing.shapes import label as label
    from bridge.drawing.shapes import n as n
    from bridge.drawing.shapes import rect as rect
    from bridge.drawing.shapes import standalone as standalone
    from bridge.drawing.themes import THEMES as THEMES
    from bridge.drawing.themes import Mark as Mark
    from bridge.drawing.themes import Theme as Theme
    from bridge.drawing.themes import Tone as Tone
    from bridge.drawing.themes import theme_named as theme_named
else:
    __getattr__, __dir__ = _exports(__name__)
