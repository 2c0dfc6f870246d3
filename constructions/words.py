"""How an input is written, and read back: by the names of its tokens, or by their indices.

A name comes before an index. An index is written #0, #1, ...; a number alone is an index too, but where some token has
a number for its name, as the tokens 1, 2, 3 of ice-cream, it is a name or nothing. Sets of states are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from constructions.reading import InputError, Node, parse

_CUT_SHORT = re.compile(r"\.\.\.( \(\d+ tokens\))?$")


def spelt(index: int, names: Sequence[str]) -> str:
    """Write one of some names so that `read_names` finds it: as itself, or by its index where that would not do."""
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
    known = {name: index for index, name in enumerate(names) if list(names).count(name) == 1}
    inner = text.strip()
    if len(inner) > 1 and inner[0] + inner[-1] in ("()", "{}"):
        text = inner = inner[1:-1].strip()
    for whole in (text, inner):
        if whole in known:
            return (known[whole],)
    if inner.startswith("["):
        return tuple(entry.index(len(names)) for entry in Node(parse(inner, source).value, "", source).items())
    if _CUT_SHORT.search(inner):
        raise InputError("", "an input cut short", f"every {kind}; --json has all, by indices as in [0, 1]", source)
    parts = inner.split(",") if "," in inner or not inner else inner.split()
    return tuple(_index(part.strip(), names, known, f"{kind} {i}", source) for i, part in enumerate(parts))


def read_word(given: str | Sequence[Any], tokens: Sequence[str], source: str) -> tuple[int, ...]:
    """Read an input: text, or a sequence of indices and names. Raises `InputError` for what is no token."""
    if isinstance(given, str):
        return read_names(given, tokens, "token", source)
    word = []
    for i, entry in enumerate(given):
        if isinstance(entry, str):
            known = {name: index for index, name in enumerate(tokens) if list(tokens).count(name) == 1}
            word.append(_index(entry, tokens, known, f"token {i}", source))
        elif isinstance(entry, int) and not isinstance(entry, bool) and 0 <= entry < len(tokens):
            word.append(entry)
        else:
            raise InputError(f"token {i}", str(entry)[:40], f"an index from 0 to {len(tokens) - 1}, or a name", source)
    return tuple(word)


def _is_plain(name: str) -> bool:
    """Tell whether a name is read as itself among others, and shown as it is."""
    return bool(name) and name == name.strip() and name.isprintable() and not re.search(r"^[(\[{]|,|\.\.\.", name)


def _index(part: str, names: Sequence[str], known: dict[str, int], where: str, source: str) -> int:
    if part in known:
        return known[part]
    numbers = any(re.fullmatch("[0-9]+", name) for name in names)
    match = re.fullmatch("#+([0-9]{1,9})" if numbers else "#*([0-9]{1,9})", part)
    if match and int(match[1]) < len(names):
        return int(match[1])
    kind, last = where.partition(" ")[0], len(names) - 1
    index = f"#0 to #{last} for an index (a bare number is a name here)" if numbers else f"an index from 0 to {last}"
    raise InputError(where, f'"{part[:40]}"', f"a {kind}'s name, or {index}", source)
