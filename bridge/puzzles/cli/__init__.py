"""The commands of puzzles."""
