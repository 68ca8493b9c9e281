"""The text of clingo programs: statements and their places, names, syntax trees, switches, what clingo says of them."""
