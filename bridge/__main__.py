"""`python -m bridge`: the command `lpbridge`, where it is not on the PATH."""

from bridge.cli import main

if __name__ == "__main__":
    main()
