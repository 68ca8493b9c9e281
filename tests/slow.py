"""The files that `make check` leaves out, beside the tests that are marked `slow` themselves."""

#: Files and folders: what takes long and tells of little that the rest does not, or of a part that one knows to be
#: changing.
SLOW = (
    "bridge/profiling", "bridge/torture", "puzzles/reports", "puzzles/web", "puzzles/analysis/test_brute_force.py", "puzzles/analysis/test_generate.py", "puzzles/analysis/test_techniques.py",
    "puzzles/batches/test_cluster.py", "puzzles/cli/test_batch_cli.py", "puzzles/cli/test_batch_failures.py", "puzzles/cli/test_report.py",
    "puzzles/formats/test_round_trips.py", "puzzles/render/test_picture_files.py", "puzzles/render/test_plots.py",
    "puzzles/search/test_search_compiled.py", "puzzles/test_adding_a_puzzle.py", "test_compare_benchmark.py", "test_docs.py",
    "test_examples.py", "test_files.py", "test_fuzz.py", "bridge/test_programs.py", "test_site.py", "test_tour.py",
    "test_wheel.py",
)  # fmt: skip
