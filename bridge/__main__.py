"""The command `lpbridge`, also as `python -m bridge`."""

import gc

# A command makes objects that stay and few cycles: to look for cycles after every 700 objects, as Python does unless
# told otherwise, is a tenth of the time from its start to its answer. (Before the imports, which make most objects.)
gc.set_threshold(20_000, 20, 20)

from bridge.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
