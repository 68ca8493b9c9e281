"""The state of an installation, and the private SWI-Prolog."""
