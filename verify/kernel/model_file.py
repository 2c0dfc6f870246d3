"""Comparing the model of a certificate with a model file that a person keeps.

A model file may write numbers more freely than a certificate: 1, 0.1, 1e-3, "1/10" and "0.1" are numbers, and their
text is read exactly, without rounding. The certificate must have the same numbers and the same task; if the file has no
task, the certificate may have any. If the certificate names states, tokens, ..., these names must be those of the file,
or the default names where the file has none. Then the claim of the certificate is true of the model in the file.
"""

import re
from fractions import Fraction

from verify.kernel.base.item import Item, Rejected, brief, integer_of, place_of_member, short
from verify.kernel.base.reading import Flaw, Unparseable, load
from verify.kernel.hmm import model
from verify.kernel.hmm.model import read_names
from verify.kernel.memory import model as memory_model

MAX_FILE_DIGITS = 10_000
NUMBER = re.compile(r"(-?)([0-9]+)(?:/([0-9]+)|(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?)")

HMM, MEMORY = model.KIND, memory_model.KIND
INDICES = ("cell", "recoverable")
KEYS: dict[str, tuple[tuple[str, ...], ...]] = {  # of a model: required, optional; of its task: required, optional
    HMM: (model.REQUIRED[:-1], model.OPTIONAL, ("mu",), ()),
    MEMORY: (memory_model.REQUIRED[:-1], memory_model.OPTIONAL, ("cell", "mu"), ("recoverable",)),
}
INITIALS = {"states": "s", "tokens": "x", "values": "m", "cells": "cell", "syntax": "s"}
"""The default names: for each key, the letters before the index; states are s0, s1, ..."""

Numbers = Fraction | list["Numbers"]
Optional = Numbers | None  # None: the task in the file has no such key


class BadModel(ValueError):  # noqa: N818 - an answer, not a failure of the kernel
    """The text of the model file is not that of a model."""


def kind_of(item: Item) -> str:
    """The kind of a model: MEMORY if its "kind" says so, HMM otherwise."""
    return MEMORY if isinstance(item.value, dict) and item.value.get("kind") == MEMORY else HMM


def check_same_model(item: Item, text: str | bytes) -> bool:
    """Reject a certificate whose model, `item`, differs from that of the file; return whether the file has a task.

    The caller has read `item` as a model before: it is well-formed. Raises `BadModel` if the file is no model file.
    """
    kind, numbers, names = read_model_file(text)
    if kind_of(item) != kind:
        raise Rejected(place_of_member(item.where, "kind"), kind_of(item), f"{kind}, as in the model file")
    required, optional, *task = KEYS[kind]
    fields = item.fields(*required, "task", optional=optional)
    fields |= fields["task"].fields(optional=sum(task, ()))
    for key, expected in numbers.items():
        item.must(key in fields or expected is None, f"{key} as in the model file", f'no "{key}"')
        if expected is not None:
            check_same(fields[key], expected)
        elif key in fields:
            raise fields[key].expected(f"no {key}, as in the model file")
    for key in fields.keys() & INITIALS.keys():
        expected_names = names.get(key) or [f"{INITIALS[key]}{i}" for i in range(fields[key].length())]
        for entry, name in zip(fields[key].items(len(expected_names)), expected_names, strict=True):
            entry.must(entry.text() == name, f"{brief(name)}, as in the model file")
    return "mu" in numbers


def check_same(item: Item, expected: Numbers) -> None:
    """Reject unless the item is the expected number, or nested list of numbers.

    The item is JSON of a certificate, where an index is an integer, and any other number a text.
    """
    if isinstance(expected, list):
        alike = isinstance(item.value, list) and len(item.value) == len(expected)
        item.must(alike, f"a list of {len(expected)}, as in the model file")
        for entry, number in zip(item.inside(), expected, strict=True):
            check_same(entry, number)
        return
    if not isinstance(item.value, list):
        value = Fraction(item.value) if isinstance(item.value, int) else item.number()
        if value == expected:
            return
    is_short = max(abs(expected.numerator), expected.denominator) < 10**20
    raise item.expected(f"{expected if is_short else 'the number'} of the model file")


def read_model_file(text: str | bytes) -> tuple[str, dict[str, Optional], dict[str, list[str]]]:
    """Read a model file: its kind, its numbers by key, and its names of states, tokens, ... by key.

    The numbers include those of the task, if the file has a task. An optional key that this task lacks has None.
    Raises `BadModel` if the text is no model file.
    """
    try:
        document = load(text, written, written)
        kind = kind_of(document)
        required, optional, *task = KEYS[kind]
        fields = document.fields(*required, optional=(*optional, "rounding", "task"))  # "rounding" is not compared
        fields["kind"].one_of(kind)
        names = read_names(fields, dict.fromkeys(optional[2:]))
        keys = list(required[1:])
        if "task" in fields:
            fields |= fields["task"].fields(*task[0], optional=task[1])
            keys += sum(task, ())
        read = {key: (indices if key in INDICES else file_numbers)(fields[key]) for key in keys if key in fields}
        return kind, dict.fromkeys(keys) | read, names
    except (Rejected, Unparseable) as error:
        raise BadModel(f"model file: {error}") from None


def indices(item: Item) -> Numbers:
    """An index, or a list of indices, of a model file, in which indices are JSON numbers. A list comes back sorted."""
    listed = item.items() if isinstance(item.value, list) else [item]
    numbers = sorted(entry.value for entry in listed if isinstance(entry.value, Fraction))
    if len(numbers) < len(listed):
        raise item.expected("an index, or a list of them")
    return [*numbers] if isinstance(item.value, list) else numbers[0]


def file_numbers(item: Item) -> Numbers:
    """The number, or nested list of numbers, at a place of a model file."""
    if isinstance(item.value, list):
        return [file_numbers(entry) for entry in item.inside()]
    number = written(item.value) if isinstance(item.value, str) else item.value
    if not isinstance(number, Fraction):
        raise item.expected("a number, or lists of numbers")
    return number


def written(text: str) -> Fraction | Flaw:
    """The number that a text writes; a Flaw if it writes none, or one of more than MAX_FILE_DIGITS digits.

    The digits of 1e5 are those of 100000. They are counted before the number is written out.
    """
    if match := NUMBER.fullmatch(text):
        sign, whole, under, decimals, exponent = match.groups("")
        above, under, shift = whole + decimals, under or "1", int(exponent or "0") - len(decimals)
        digits = max(len(above) + max(shift, 0), len(under) + max(-shift, 0))
        if digits <= MAX_FILE_DIGITS and under.strip("0"):
            number = Fraction(integer_of(above) * 10 ** max(shift, 0), integer_of(under) * 10 ** max(-shift, 0))
            return -number if sign else number
    return Flaw(f"the number {short(text)}")
