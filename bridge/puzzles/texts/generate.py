"""The text of a generated puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.puzzles.generate.generate import Generated


def generated_text(made: Generated) -> str:
    """A puzzle in its text form, after its properties as comments."""
    level = made.level or "not found in time"
    provers = ", ".join(prover for prover, verdict in made.proof.items() if verdict == "unique")
    further = sum(rule.given for rule in made.puzzle.rules())  # inequalities, cages, numbers beside the grid
    given = f"clues {made.clues}" + (f", other givens {further}" if further else "")
    lines = [
        f"seed {made.seed}, grade {level}, {given}{', irredundant' if made.irredundant else ''}",
        f"one solution: proved by {provers}" + ("" if made.rechecked else "; no other prover finished"),
    ]
    return "\n".join([*(f"{made.puzzle.text_form.comment} {line}" for line in lines), made.puzzle.draw()])
