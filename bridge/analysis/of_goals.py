"""The answers to questions about Prolog goals; see `bridge.analysis.ask`."""
