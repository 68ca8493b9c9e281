"""Questions about puzzles: check, count, diagnose, solve."""
