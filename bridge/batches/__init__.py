"""Many instances at once: read them, share them out to processes or a Dask cluster, write the results, resume."""
