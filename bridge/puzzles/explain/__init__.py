"""Puzzles solved step by step, with the techniques of people, and grades."""
