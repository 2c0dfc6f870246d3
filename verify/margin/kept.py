"""What an interrupted search for a margin has split, on disk, so that the same command goes on from there.

A file has the words that the tree of one head on one model splits. It is not trusted: words that are not there to be
split are passed over, and what is shown of a tree is shown of whatever was split.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from constructions.evidence import Word
from constructions.reading import InputError
from verify.certificates import model_document
from verify.margin.everywhere import Everywhere


@dataclass(frozen=True)
class Kept:
    """The files of a folder, one for each head and model."""

    folder: Path

    def path(self, tree: Everywhere) -> Path:
        """The file of a tree's head and model."""
        asked = json.dumps([model_document(tree.model, tree.task), *tree.classifier.documents])
        return self.folder / f"{sha256(asked.encode()).hexdigest()[:16]}.json"

    def words(self, tree: Everywhere) -> list[Word]:
        """Return what was split; nothing where nothing is kept. Raises `InputError` for a file that has no words."""
        path = self.path(tree)
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            if not all(isinstance(token, int) for word in kept for token in word):
                raise TypeError
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            found = getattr(error, "strerror", None) or "something else"
            raise InputError("", found.lower(), "words, as a search for a margin left them", str(path)) from None
        return [tuple(word) for word in kept]

    def keep(self, tree: Everywhere) -> None:
        """Write down what is split. Raises `InputError` where that cannot be."""
        path = self.path(tree)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps([list(word) for word in tree.split]), encoding="utf-8")
        except OSError as error:
            raise InputError("", str(error.strerror).lower(), "a file that can be written", str(path)) from None

    def forget(self, tree: Everywhere) -> None:
        """Remove the file of a tree that is grown, if there is one."""
        self.path(tree).unlink(missing_ok=True)
