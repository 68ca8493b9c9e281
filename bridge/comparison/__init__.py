"""Programs against each other: differences, and mutants."""
