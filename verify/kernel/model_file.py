"""Comparing the model of a certificate with a model file that a person keeps.

A file is written more freely than a certificate: 1, 0.1, 1e-3, "1/10" and "0.1" are numbers, taken exactly as their
text says. The certificate must carry the same numbers; then what it shows, it shows of the model in the file.
"""

import re
from fractions import Fraction

from verify.kernel.model import OPTIONAL, REQUIRED, check_names
from verify.kernel.reading import Flaw, Item, Rejected, Unparseable, load, short, shown, whole

MAX_FILE_DIGITS = 10_000
DECIMAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?")
QUOTIENT = re.compile(r"(-?)([0-9]+)/([0-9]+)")

Numbers = Fraction | list["Numbers"]


class BadModel(ValueError):  # noqa: N818 - an answer, not a failure of the kernel
    """The model file is not one."""


def check_same_model(model: Item, text: str | bytes) -> None:
    """Compares the numbers; the certificate's model has been read before."""
    fields = model.fields(*REQUIRED, optional=OPTIONAL)
    fields |= fields["task"].fields("mu")
    for key, numbers in read_model_file(text).items():
        check_same(fields[key], numbers)


def check_same(item: Item, expected: Numbers) -> None:
    """Compares a number, or lists of them of the same shape."""
    if isinstance(expected, list):
        if not isinstance(item.value, list) or len(item.value) != len(expected):
            raise item.expected(f"a list of {len(expected)}, as in the model file")
        for entry, number in zip(item.inside(), expected, strict=True):
            check_same(entry, number)
    elif isinstance(item.value, list) or item.number() != expected:
        brief = max(abs(expected.numerator), expected.denominator) < 10**20
        raise Rejected(item.where, shown(item.value), f"{expected if brief else 'the number'} of the model file")


def read_model_file(text: str | bytes) -> dict[str, Numbers]:
    """The numbers of a model file: initial, transition, emission, and mu where it has a task."""
    try:
        fields = load(text, written, written).fields(*REQUIRED[:-1], optional=(*OPTIONAL, "task"))
        fields["kind"].one_of("hmm")
        check_names(fields)
        if "task" in fields:
            fields |= fields["task"].fields(optional=("mu",))
        return {key: file_numbers(fields[key]) for key in ("initial", "transition", "emission", "mu") if key in fields}
    except (Rejected, Unparseable) as error:
        raise BadModel(f"model file: {error}") from None


def file_numbers(item: Item) -> Numbers:
    """The numbers at some place of a file, in lists as they stand there."""
    if isinstance(item.value, list):
        return [file_numbers(entry) for entry in item.inside()]
    number = written(item.value) if isinstance(item.value, str) else item.value
    if not isinstance(number, Fraction):
        raise item.expected("a number, or lists of numbers")
    return number


def written(text: str) -> Fraction | Flaw:
    """The number that a text writes; an exponent is weighed before it is expanded."""
    if match := QUOTIENT.fullmatch(text):
        sign, above, under = match.groups()
        shift = 0
    elif match := DECIMAL.fullmatch(text):
        sign, above, under = match.group(1), match.group(2) + (match.group(3) or ""), "1"
        shift = int(match.group(4) or "0") - len(match.group(3) or "")
    else:
        return Flaw(f"the number {short(text)}")
    digits = max(len(above) + max(shift, 0), len(under) + max(-shift, 0))
    if digits > MAX_FILE_DIGITS or not under.strip("0"):
        return Flaw(f"the number {short(text)}")
    number = Fraction(whole(above) * 10 ** max(shift, 0), whole(under) * 10 ** max(-shift, 0))
    return -number if sign else number
