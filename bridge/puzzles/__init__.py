"""The workbench: puzzles, on the public names of the bridge."""
