"""What shows that an assumption or a conclusion holds or fails: data that knows its kind, document and sentence.

A kind of evidence is a class of its own, made a frozen dataclass by its base. `docs/certificate-format.md` says what
each proves; the names of its fields are the keys there, and the order of the fields is free.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from numbers import Integral
from typing import Any, ClassVar, Protocol, TypeAlias, dataclass_transform, runtime_checkable

from constructions.reading import InputError, Node, as_text, parse
from constructions.rendering import Named

Json: TypeAlias = dict[str, object]

Word: TypeAlias = tuple[int, ...]
"""A list of tokens, by their indices."""


@dataclass_transform(frozen_default=True)
class Evidence:
    """One piece of evidence. Subclasses list their fields, name their `kind`, and say what they show.

    In what it `says`, a field in braces is shown by a model's names where it is a state, a set of states, an input or
    several, as its name tells; another tuple is shown by its length.
    """

    kind: ClassVar[str]
    says: ClassVar[str] = "the paper's argument"

    def __init_subclass__(cls, kind: str = "", says: str = "") -> None:
        """Take what a kind of evidence is called, and what it says, and make it a frozen dataclass."""
        cls.kind, cls.says = kind or getattr(cls, "kind", ""), says or cls.says
        dataclass(frozen=True)(cls)

    @property
    def document(self) -> Json:
        """The evidence as it stands in a certificate."""
        return {"kind": self.kind} | {key: written(value) for key, value in members(self)}

    @property
    def words(self) -> tuple[Word, ...]:
        """The inputs that it names, if it does."""
        input_ = getattr(self, "input", None)
        return getattr(self, "inputs", ()) if input_ is None else (input_,)

    def sentence(self, model: Named) -> str:
        """Say in a few words what is shown, with a model's names."""
        return self.says.format_map({key: _text_of(key, value, model) for key, value in members(self)})


@dataclass_transform(frozen_default=True)
class TreeNode:
    """A node of a tree of evidence: a list that begins with its `tag`."""

    tag: ClassVar[str]

    def __init_subclass__(cls, tag: str) -> None:
        """Take what the node is called, and make it a frozen dataclass."""
        cls.tag = tag
        dataclass(frozen=True)(cls)

    @property
    def document(self) -> list[object]:
        """The node as it stands in a certificate."""
        return [self.tag, *(written(value) for _, value in members(self))]


@runtime_checkable
class Written(Protocol):
    """What writes itself as JSON."""

    @property
    def document(self) -> object:
        """The JSON."""


def members(instance: object) -> Iterable[tuple[str, object]]:
    """Yield the fields of a dataclass with their values."""
    return ((field.name, getattr(instance, field.name)) for field in fields(instance))  # type: ignore[arg-type]


def written(value: object) -> object:
    """Write numbers as texts, indices as they are, tuples as lists, and the rest as it writes itself."""
    match value:
        case Fraction():
            return as_text(value)
        case tuple():
            return [written(entry) for entry in value]
        case Written():
            return value.document
    return value


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
    """Name a set of states, the first six of them."""
    names = ", ".join(spelt(h, model.states) for h in states[:6])
    return f"{{{names}{', ...' if len(states) > 6 else ''}}}"


def word_text(word: Sequence[int], model: Named) -> str:
    """Write a word by the names of its tokens, the first eight of them, so that `read_names` reads it back."""
    return joined(word[:8], model.tokens) + (f" ... ({len(word)} tokens)" if len(word) > 8 else "")


def input_words(words: Sequence[Sequence[int]], model: Named) -> str:
    """Name some inputs by their tokens."""
    if len(words) > 3:
        lengths = sorted({len(word) for word in words})
        return f"{len(words)} inputs of length {', '.join(map(str, lengths))}"
    return "inputs " + ", ".join(f"({word_text(word, model)})" for word in words)


@dataclass(frozen=True)
class Finding:
    """Whether one assumption holds, is violated, or (None) was not decided; with the evidence."""

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


# Inputs, as they are written and read back: by the names of tokens, or by indices. A name comes before an index. An
# index is written #0, #1, ...; a number alone is an index too, but where some token has a number for its name, as the
# tokens 1, 2, 3 of ice-cream, it is a name or nothing. Sets of states are read alike.

_CUT_SHORT = re.compile(r"\.\.\.( \(\d+ tokens\))?$")


def spelt(index: int, names: Sequence[str]) -> str:
    """Write a name so that `read_names` reads it back: as itself, or by its index where the name is ambiguous."""
    name = names[index]
    if _is_plain(name) and list(names).count(name) == 1:
        return name
    sign = "#"
    while f"{sign}{index}" in names:
        sign += "#"
    return f"{sign}{index}"


def joined(indices: Sequence[int], names: Sequence[str]) -> str:
    """Write several names: with commas between them where some name has a space in it."""
    between = ", " if any(" " in name for name in names) else " "
    return between.join(spelt(index, names) for index in indices)


def read_names(text: str, names: Sequence[str], kind: str, source: str) -> tuple[int, ...]:
    """Read what `joined` writes, bare or in brackets; with commas or spaces between; or a JSON list of indices.

    `kind`: what has the names, as in "token". Raises `InputError`, which names the `source`, for what is none of them.
    """
    indices = {name: index for index, name in enumerate(names) if list(names).count(name) == 1}
    inner = text.strip()
    if len(inner) > 1 and inner[0] + inner[-1] in ("()", "{}"):
        text = inner = inner[1:-1].strip()
    for name in (text, inner):
        if name in indices:
            return (indices[name],)
    if inner.startswith("["):
        return tuple(entry.index(len(names)) for entry in Node(parse(inner, source).value, "", source).items())
    if _CUT_SHORT.search(inner):
        raise InputError("", "an input cut short", f"every {kind}; --json has all, by indices as in [0, 1]", source)
    parts = inner.split(",") if "," in inner or not inner else inner.split()
    return tuple(_index(part.strip(), names, indices, f"{kind} {i}", source) for i, part in enumerate(parts))


def read_word(word_or_entries: str | Iterable[Any], tokens: Sequence[str], source: str) -> tuple[int, ...]:
    """Read an input: text, or a sequence or an array of indices and names.

    Raises `InputError` for what is no token.
    """
    if isinstance(word_or_entries, str):
        return read_names(word_or_entries, tokens, "token", source)
    word = []
    for i, entry in enumerate(word_or_entries.tolist() if hasattr(word_or_entries, "tolist") else word_or_entries):
        if isinstance(entry, str):
            indices = {name: index for index, name in enumerate(tokens) if list(tokens).count(name) == 1}
            word.append(_index(entry, tokens, indices, f"token {i}", source))
        elif not isinstance(entry, bool) and isinstance(entry, Integral) and 0 <= int(entry) < len(tokens):
            word.append(int(entry))
        else:
            raise InputError(f"token {i}", str(entry)[:40], f"an index from 0 to {len(tokens) - 1}, or a name", source)
    return tuple(word)


def _is_plain(name: str) -> bool:
    """Tell whether a name is read as itself among others, and shown as it is."""
    return bool(name) and name == name.strip() and name.isprintable() and not re.search(r"^[(\[{]|,|\.\.\.", name)


def _index(part: str, names: Sequence[str], indices: dict[str, int], where: str, source: str) -> int:
    if part in indices:
        return indices[part]
    numbers = any(re.fullmatch("[0-9]+", name) for name in names)
    match = re.fullmatch("#+([0-9]{1,9})" if numbers else "#*([0-9]{1,9})", part)
    if match and int(match[1]) < len(names):
        return int(match[1])
    kind, last = where.partition(" ")[0], len(names) - 1
    index = f"#0 to #{last} for an index (a bare number is a name here)" if numbers else f"an index from 0 to {last}"
    raise InputError(where, f'"{part[:40]}"', f"{index}, or a {kind}'s name", source)
