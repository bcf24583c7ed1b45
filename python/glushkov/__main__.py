"""The command line: ``python -m glushkov run hermite``."""

import sys

from . import _glushkov


def main() -> int:
    """Runs the command line with the words of this process; gives the exit code."""
    return _glushkov.command_line(["glushkov", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
