"""Which line of a program is wrong, and what should it say."""
