"""`python -m tollbench`: the same program as the command `toll`."""

from .adapters.cli import main

if __name__ == "__main__":
    main()
