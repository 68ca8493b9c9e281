"""In a notebook: `lpbridge debug --ask` with buttons, for the program of a cell."""

from __future__ import annotations

from html import escape
from typing import Any

import bridge
from bridge.debugging.asking import UnansweredError
from bridge.errors import BridgeError, MissingSolverError
from bridge.outcome import Interrupted

try:
    import ipywidgets
except ModuleNotFoundError:
    hint = "pip install 'lpbridge[notebook]'"
    raise MissingSolverError("the package ipywidgets is not installed", hint=hint) from None


class Asking:
    """Questions about the program of a cell, with a button for each reply; then the wrong statement and its repair.

    Each reply starts the search again with all replies so far, as `lpbridge debug --next` does: a cell that waited for
    a button would keep the kernel from hearing of it.

    Attributes
    ----------
    result
        The `bridge.Debugging` at the end.
    """

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.result: bridge.Debugging | None = None
        self.question: bridge.Question | None = None
        self._replies: dict[bridge.Question, bool | None] = {}
        self._text = ipywidgets.HTML()
        self._buttons = []
        for label, reply in (("Yes", True), ("No", False), ("Don't know", None)):
            button = ipywidgets.Button(description=label)
            button.on_click(lambda _, reply=reply: self.reply(reply))
            self._buttons.append(button)
        self.box = ipywidgets.VBox([self._text, ipywidgets.HBox(self._buttons)])
        self._search()

    def reply(self, meant: bool | None) -> None:
        """Reply to the question that is open."""
        if self.question is not None:
            self._replies[self.question] = meant
            self._search()

    def _search(self) -> None:
        self.question = None
        self._show("searching ...")
        try:
            self.result = bridge.debug(self.problem, oracle=self._known)
            self._show(str(self.result))
        except UnansweredError as unanswered:
            self.question = unanswered.question
            self._show(str(self.question))
        except Interrupted as pressed:
            self.result = pressed.partial
            self._show(f"interrupted\n{self.result or ''}")
        except BridgeError as error:
            self._show(str(error))

    def _known(self, question: bridge.Question) -> bool | None:
        if question not in self._replies:
            raise UnansweredError(question)
        return self._replies[question]

    def _show(self, text: str) -> None:
        self._text.value = f"<pre>{escape(text)}</pre>"
        for button in self._buttons:
            button.disabled = self.question is None

    def __str__(self) -> str:
        return str(self.question or self.result or "no question and no result")

    __repr__ = __str__

    def _repr_mimebundle_(self, **given: Any) -> Any:
        return self.box._repr_mimebundle_(**given)
