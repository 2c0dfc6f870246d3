"""Evidence that an assumption or a conclusion holds or fails. It has a kind, a JSON document and a sentence.

Each kind of evidence is a subclass of `Evidence`, which makes it a frozen dataclass. The fields of a kind that occurs
in certificates have the names of the keys in `docs/certificate-format.md`, in any order, and that page says what such
evidence proves. The classes of other kinds say what their evidence proves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias, dataclass_transform

from constructions.reading import Json as Json
from constructions.reading import as_text
from constructions.rendering import Named
from constructions.text.names import joined, spelt

Word: TypeAlias = tuple[int, ...]
"""A list of tokens, by their indices."""


@dataclass_transform(frozen_default=True)
class Evidence:
    """One piece of evidence. A subclass lists its fields, and has a `kind` and a sentence `says`.

    In the sentence the fields stand in braces. The fields `state`, `states`, `prompt_states`, `recoverable`, `input`
    and `inputs` are written with the model's names of states and tokens. Any other tuple is written as its length.
    """

    kind: ClassVar[str]
    says: ClassVar[str] = "the paper's argument"

    def __init_subclass__(cls, kind: str = "", says: str = "") -> None:
        """Set `kind` and `says`, and make the class a frozen dataclass."""
        cls.kind, cls.says = kind or getattr(cls, "kind", ""), says or cls.says
        dataclass(frozen=True)(cls)

    @property
    def document(self) -> Json:
        """The evidence as it stands in a certificate."""
        return {"kind": self.kind} | {key: written(value) for key, value in members(self)}

    @property
    def words(self) -> tuple[Word, ...]:
        """The inputs that the evidence names, if it names any."""
        input_ = getattr(self, "input", None)
        return getattr(self, "inputs", ()) if input_ is None else (input_,)

    def sentence(self, model: Named) -> str:
        """Say in a few words, with the model's names, what the evidence shows."""
        return self.says.format_map({key: _text_of(key, value, model) for key, value in members(self)})


@dataclass_transform(frozen_default=True)
class TreeNode:
    """A node of a tree of evidence. As JSON it is a list that begins with its `tag`."""

    tag: ClassVar[str]

    def __init_subclass__(cls, tag: str) -> None:
        """Set `tag`, and make the class a frozen dataclass."""
        cls.tag = tag
        dataclass(frozen=True)(cls)

    @property
    def document(self) -> list[object]:
        """The node as it stands in a certificate."""
        return [self.tag, *(written(value) for _, value in members(self))]


def members(instance: object) -> Iterable[tuple[str, object]]:
    """Yield the fields of a dataclass with their values."""
    return ((field.name, getattr(instance, field.name)) for field in fields(instance))  # type: ignore[arg-type]


def written(value: object) -> object:
    """Return a value as JSON: fractions become texts, tuples lists, objects their `document`. Indices stay numbers."""
    if isinstance(value, Fraction):
        return as_text(value)
    return [written(entry) for entry in value] if isinstance(value, tuple) else getattr(value, "document", value)


def _text_of(key: str, value: Any, model: Named) -> str:
    match key:
        case "state":
            return str(model.states[value])
        case "states" | "prompt_states" | "recoverable":
            return listed(value, model)
        case "input":
            return f"({word_text(value, model)})"
        case "inputs":
            return input_words(value, model)
    return str(len(value) if isinstance(value, tuple) else value)


def listed(states: Sequence[int], model: Named) -> str:
    """Name the first six states of a set."""
    names = ", ".join(spelt(h, model.states) for h in states[:6])
    return f"{{{names}{', ...' if len(states) > 6 else ''}}}"


def word_text(word: Sequence[int], model: Named) -> str:
    """Write the names of the first eight tokens of a word. `read_names` can read the text if the word has no more."""
    return joined(word[:8], model.tokens) + (f" ... ({len(word)} tokens)" if len(word) > 8 else "")


def input_words(words: Sequence[Sequence[int]], model: Named) -> str:
    """Write up to three inputs by their tokens; of more, only their number and their lengths."""
    if len(words) > 3:
        lengths = sorted({len(word) for word in words})
        return f"{len(words)} inputs of length {', '.join(map(str, lengths))}"
    return "inputs " + ", ".join(f"({word_text(word, model)})" for word in words)


@dataclass(frozen=True)
class Finding:
    """The answer on one assumption, with its evidence. `holds` is None if it was not decided."""

    id: str
    holds: bool | None
    evidence: Evidence | None

    def sentence(self, model: Named) -> str:
        """Say in a few words why the assumption holds or fails."""
        return "not decided" if self.evidence is None else self.evidence.sentence(model)

    @property
    def document(self) -> Json:
        """The finding as JSON: {"id", "holds", "witness" | "violation"}."""
        evidence = {} if self.evidence is None else {"witness" if self.holds else "violation": self.evidence.document}
        return {"id": self.id, "holds": self.holds, **evidence}
