"""One question put to many instances: workers here or on a cluster, lines of results that can be gone on with."""
