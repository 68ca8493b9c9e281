"""The tests that `make check` leaves out, beside those that are marked `slow` themselves."""

#: Files and folders: what takes long and tells of little that the rest does not, or of a part that one knows to be
#: changing.
SLOW = (
    "torture", "web", "cli/test_batch_cli.py", "cli/test_report.py", "formats/test_round_trips.py",
    "render/test_picture_files.py", "render/test_plots.py", "batches/test_cluster.py", "test_adding_a_puzzle.py",
    "test_docs.py", "test_programs.py", "test_site.py", "test_tour.py", "test_wheel.py",
)  # fmt: skip
