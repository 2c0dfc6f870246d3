"""Names that people type: of statements, models, states and tokens. Names of states and tokens are also printed.

A pair () or {} around a text is taken off. A text that is then a name is read as that name. An index is written #0, #1,
... A number alone is an index, too, unless some name is a number, as in the model `ice-cream` with the tokens 1, 2, 3.
Then a number that is not a name is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from numbers import Integral
from typing import Any

from constructions.reading import InputError, as_found

MAX_LISTED = 8
"""The error for an unknown name lists at most this many choices."""

_CUT_SHORT = re.compile(r"\.\.\.( \(\d+ tokens\))?$")


def choose(name: Any, choices: Collection[str], kind: str, where: str) -> str:
    """Return the choice that a name means. Case does not matter, and a word such as `thm` may come first.

    Raises `InputError` if the name means no choice. If there are more than `MAX_LISTED` choices, and some are near the
    name, the error lists only the nearest few. Otherwise it lists the first `MAX_LISTED`.
    """
    text = name.strip(" ").casefold() if isinstance(name, str) else ""
    key = re.sub(r"^(theorem|thm|lemma|claim|assumption|statement)\b[. ]*", "", text).replace(" ", "-")
    by_key = {choice.casefold(): choice for choice in choices}
    if key in by_key:
        return by_key[key]
    near = [by_key[match] for match in get_close_matches(key, by_key, cutoff=0.7)]
    if near and len(choices) > MAX_LISTED:
        raise InputError(where, as_found(name), f"{kind}: did you mean {' or '.join(near)}?")
    listed = [*choices][:MAX_LISTED] + ["..."] * (len(choices) > MAX_LISTED)
    raise InputError(where, as_found(name), f"{kind}: {', '.join(listed)}")


def spelt(index: int, names: Sequence[str]) -> str:
    """Write a name so that `read_names` can read it: as itself, or by its index.

    The index is written if `names` has the name more than once, or if the name is empty, has a comma, "...",
    unprintable characters or spaces at an end, or begins with a bracket.
    """
    name = names[index]
    plain = name == name.strip() and name.isprintable() and not re.search(r"^$|^[(\[{]|,|\.\.\.", name)
    return name if plain and names.count(name) == 1 else _by_index(index, names)


def joined(indices: Sequence[int], names: Sequence[str]) -> str:
    """Write the names at `indices`. Commas stand between them if any of `names` has a space, and spaces if none has.

    If the text for several names is itself one of `names`, as "a, b" may be, the indices are written instead. Names
    such as "#0, #1", which look like several indices, are not supported.
    """
    between = ", " if any(" " in name for name in names) else " "
    text = between.join(spelt(index, names) for index in indices)
    return between.join(_by_index(index, names) for index in indices) if text in names and len(indices) > 1 else text


def read_names(text: str, names: Sequence[str], kind: str, source: str) -> tuple[int, ...]:
    """Read a text of names with commas or spaces between them, as `joined` writes it, or a JSON list of indices.

    The names may stand in () or {}. `kind` is the kind of thing that has these names, as "token". Raises `InputError`,
    which names the `source`, for other texts.
    """
    indices = _unique(names)
    inner = text.strip()
    brackets = inner[:1] + inner[-1:]
    if brackets in ("()", "{}"):
        text = inner = inner[1:-1].strip()
    for name in (text, inner):
        if name in indices:
            return (indices[name],)
    if brackets == "[]":
        entries = inner[1:-1].split(",") if inner[1:-1].strip() else []
        return tuple(_index(f"#{entry.strip()}", names, {}, f"{kind} {i}", source) for i, entry in enumerate(entries))
    if _CUT_SHORT.search(inner):
        raise InputError("", "an input cut short", f"every {kind}; --json has all, by indices as in [0, 1]", source)
    parts = inner.split(",") if "," in inner or not inner else inner.split()
    return tuple(_index(part.strip(), names, indices, f"{kind} {i}", source) for i, part in enumerate(parts))


def read_word(word_or_entries: str | Iterable[Any], tokens: Sequence[str], source: str) -> tuple[int, ...]:
    """Read an input: a text, or a sequence, an iterator or an array of indices and names.

    Raises `InputError` for anything else, for an entry that is not a token, and if there is no entry.
    """
    if isinstance(word_or_entries, str):
        word_or_entries = read_names(word_or_entries, tokens, "token", source)
    entries, word = word_or_entries.tolist() if hasattr(word_or_entries, "tolist") else word_or_entries, list[int]()
    if not isinstance(entries, Sequence | Iterator):
        raise InputError("", str(entries)[:40], "a text, or a list of indices and names", source)
    for i, entry in enumerate(entries):
        if isinstance(entry, str):
            word.append(_index(entry, tokens, _unique(tokens), f"token {i}", source))
        elif not isinstance(entry, bool) and isinstance(entry, Integral) and 0 <= int(entry) < len(tokens):
            word.append(int(entry))
        else:
            raise InputError(f"token {i}", str(entry)[:40], f"an index from 0 to {len(tokens) - 1}, or a name", source)
    if not word:
        raise InputError("", "no token", "at least one", source)
    return tuple(word)


def _unique(names: Sequence[str]) -> dict[str, int]:
    """Return the index of each name that occurs once."""
    return {name: index for index, name in enumerate(names) if names.count(name) == 1}


def _by_index(index: int, names: Sequence[str]) -> str:
    sign = "#"
    while f"{sign}{index}" in names:
        sign += "#"
    return f"{sign}{index}"


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
