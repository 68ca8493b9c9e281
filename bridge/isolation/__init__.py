"""Jobs in processes of their own: the one way in which lpbridge runs what it does not trust to return.

    worker = Worker("bridge.prolog.job")
    for answer in worker.ask(("run", goal), progress, limits=Limits(seconds=2)): ...
    worker.close()

`worker` is the caller's side; `process` starts processes, by a `fork_server` where the system has fork; `job_loop` is
the worker's side. `resources` and `sandbox` limit what a worker may do, and `watchdog` stops a solver that runs in C.
"""
