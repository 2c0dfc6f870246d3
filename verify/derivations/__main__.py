"""python -m verify.derivations docs: writes docs/derivations.md."""

import sys
from pathlib import Path

from verify.derivations.typesetting import markdown

if __name__ == "__main__":
    Path(sys.argv[1], "derivations.md").write_text(markdown(), encoding="utf-8")
