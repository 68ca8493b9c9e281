"""Doors to other tools: each is thin, calls the public names of the bridge, and is imported by nothing in it."""
