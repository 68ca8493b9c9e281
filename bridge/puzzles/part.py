"""What puzzles add to the bridge: see `bridge.common.parts`."""

from bridge.common import Part

PART = Part(
    commands={"puzzle": ("bridge.puzzles.cli:puzzle", "Check, explain, generate, draw puzzles, compare engines, ...")},
    heading="Puzzles",
    former={
        name: f"puzzle {name}" for name in ("csp", "convert", "draw", "generate", "grade", "sheet", "serve", "report")
    },
    streaming=(("puzzle", "batch"),),
    extras={
        "web": "lpbridge puzzle serve: the workbench in a browser",
        "formats": "crosswords as .puz",
        "cp": "the engine cp-sat",
    },
    forms="bridge.puzzles.cli.forms:FORMS",
    lines="bridge.puzzles.cli.forms:LINES",
    findings="bridge.puzzles.cli.listings:findings",
    pictures="bridge.puzzles.pictures:picture",
    variable_name="bridge.puzzles.kinds.rules:cell_name",
    instance="bridge.puzzles.comparison:instance_of",
    contender="bridge.puzzles.comparison:contender_of",
    handout="bridge.puzzles.sheets:handout",
    check_handout="bridge.puzzles.sheets:check_pdf",
)
