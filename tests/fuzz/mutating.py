"""Mutants of JSON documents. Mostly values are changed, not bytes, so that parsers get further into the mutants.

Numbers are read as text and written as they stood: 1e-5, 0.50 and NaN stay 1e-5, 0.50 and NaN.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

MARK = "@literal:"
MARKED = re.compile(f'"{MARK}([^"\\\\]*)"')
LITERALS = ("0", "-1", "1e-3", "1.50", "2", "1e9999", "1e-9999", "NaN", "-Infinity", "-0", "9" * 5000, "1" + "0" * 19)
JUNK: list[Any] = [
    *(MARK + literal for literal in LITERALS),
    *(None, True, False, "", "x", "0", "1/2", "-1/3", "2/4", "1/0", "-0", "1/" + "3" * 700),
    *("\ud800", "a\nb", "\x1b[1m"),
    *([], {}, [[]], [None], {"kind": "x"}, ["split", [1, 2]], ["label", "0"]),
]
MANY = 3_000
"""A mutant of more values than this gets no second edit in a call, since repeated repetitions would make it huge."""

Tree = Any
Place = tuple[Any, Any]  # an object or a list, and a key or an index in it


def read_tree(text: str | bytes) -> Tree:
    """The document, with each number as text behind a mark."""
    marked = MARK.__add__
    return json.loads(text, parse_int=marked, parse_float=marked, parse_constant=marked)


def written(tree: Tree) -> bytes:
    return MARKED.sub(r"\1", json.dumps(tree)).encode()


def places(tree: Tree) -> Iterator[Place]:
    """Yield the place of every value inside the document: the object or list that has it, and its key or index."""
    todo = [tree]
    while todo:
        inner = todo.pop()
        keys = list(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        for key in keys:
            yield inner, key
            todo.append(inner[key])


def replaced(inner: Any, key: Any, random: Random, other: Tree) -> None:
    inner[key] = deepcopy(random.choice(JUNK))


def moved(inner: Any, key: Any, random: Random, other: Tree) -> None:
    inner[key] = other


def removed(inner: Any, key: Any, random: Random, other: Tree) -> None:
    del inner[key]


def repeated(inner: Any, key: Any, random: Random, other: Tree) -> None:
    if isinstance(inner, list):
        inner[key:key] = [inner[key]] * random.choice((1, 1, 2, 30))
    else:
        inner[random.choice(("x", "name", "kind", "prompt", "recoverable", "\ud800\n"))] = inner[key]


def wrapped(inner: Any, key: Any, random: Random, other: Tree) -> None:
    for _ in range(random.choice((1, 1, 2, 70))):
        inner[key] = [inner[key]]


def rewritten(inner: Any, key: Any, random: Random, other: Tree) -> None:
    """Add, leave out or change one character of a number or of any text."""
    text = inner[key]
    if isinstance(text, str):
        at, insertion = random.randint(0, len(text)), random.choice(("", *"0123456789/-.eE+ x\n"))
        inner[key] = text[:at] + insertion + text[at + random.randint(0, 1) :]


EDITS = (replaced, moved, moved, removed, repeated, wrapped, rewritten, rewritten, rewritten)


def mutant(data: bytes, random: Random, as_bytes: Callable[[bytes], bytes] | None = None) -> bytes:
    """A mutant of a JSON document, now and then with its bytes scratched.

    Data that is not JSON is changed by `as_bytes`, or scratched where `as_bytes` is None.
    """
    try:
        tree = read_tree(data)
    except (ValueError, RecursionError):
        return as_bytes(data) if as_bytes else scratched(data, random)
    for edit in range(random.choice((1, 1, 1, 2, 4))):
        all_places = list(places(tree))
        if not all_places or (edit and len(all_places) > MANY):
            tree = tree if all_places else random.choice(JUNK)
            break
        (inner, key), (there, name) = random.choice(all_places), random.choice(all_places)
        random.choice(EDITS)(inner, key, random, json.loads(json.dumps(there[name])))
    if random.random() < 0.9:
        tree = signed(tree)
    text = written(tree)
    return scratched(text, random) if random.random() < 0.05 else text


def signed(tree: Tree) -> Tree:
    """The document with the right digest, if it has a digest and Python can read its numbers."""
    if not isinstance(tree, dict) or "digest" not in tree:
        return tree
    try:
        body = json.loads(written({key: value for key, value in tree.items() if key != "digest"}))
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    except ValueError:
        return tree
    return {**tree, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def scratched(data: bytes, random: Random) -> bytes:
    """The bytes with a piece of them gone, written twice, or changed."""
    start = random.randint(0, len(data))
    piece = data[start : start + random.choice((1, 1, 4, 40))]
    instead = random.choice((b"", piece * 2, random.randbytes(1), b'"', b"[", b"}"))
    return data[:start] + instead + data[start + len(piece) :]
