"""Measurements that a reader can repeat: `python -m benchmarks --help`."""
