"""Questions that people asked about their programs, each with a short program of ours that has the same fault."""
