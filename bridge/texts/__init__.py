"""Results as text, as the commands print them and as `str` gives them: a module for each kind of result."""
