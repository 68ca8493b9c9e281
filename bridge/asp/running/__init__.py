"""clingo in a worker: programs that are loaded, ground and searched there; what a caller sends, and gets."""
