"""Results about puzzles in words."""
