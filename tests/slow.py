"""The tests that `make check` leaves out, beside those that are marked `slow` themselves."""

#: Files and folders: what takes long and tells of little that the rest does not, or of a part that one knows to be
#: changing.
SLOW = (
    "torture", "web", "analysis/test_brute_force.py", "analysis/test_generate.py", "analysis/test_techniques.py",
    "batches/test_cluster.py", "cli/test_batch_cli.py", "cli/test_batch_failures.py", "cli/test_report.py",
    "formats/test_round_trips.py", "render/test_picture_files.py", "render/test_plots.py",
    "search/test_search_compiled.py", "test_adding_a_puzzle.py", "test_compare_benchmark.py", "test_docs.py",
    "test_examples.py", "test_files.py", "test_fuzz.py", "test_programs.py", "test_site.py", "test_tour.py",
    "test_wheel.py",
)  # fmt: skip
