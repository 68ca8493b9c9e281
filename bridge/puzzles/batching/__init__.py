"""Batches: many instances read from files, distributed to processes or a Dask cluster, and written as results."""
