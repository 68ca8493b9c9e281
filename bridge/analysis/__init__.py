"""What people do with a puzzle, a module each: check it, diagnose it, explain it, compare engines on it, ..."""
