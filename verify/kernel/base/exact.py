"""Exact arithmetic, sets of states, and the budget of section 8 of docs/certificate-format.md.

*Matrices.* A rational matrix is carried as integers over one common denominator, so that the inner loops multiply
integers. Most rules compare vectors up to a positive factor, and ignore the denominator. The other rules use it.

*Budget.* Each product is paid for before it is made. A function pays for its own products; where its docstring says
"unpaid", its caller pays.

*Sets of states* are bit sets: bit h stands for state h.

*Notation.* u o v is the elementwise product of two vectors, and u'v their inner product.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from operator import mul
from typing import TypeVar

from verify.kernel.base.item import Item, Rejected

MAX_WORK = 2 * 10**9  # units
MAX_MEMORY = 2**27  # words of 64 bits
MAX_TOKENS = 100_000
DIVISION_COST = 16  # units of a division or a greatest common divisor, where a product costs 1
STEP_COST = 32  # units that each step costs besides its products
DIGITS_PER_WORD = 38  # digits of a fraction, both parts together, for which reading pays one word

Vector = list[int]
Tokens = tuple[int, ...]  # a word
Lengths = tuple[int, ...]  # the lengths of the words that show that a conclusion fails
Key = TypeVar("Key", bound=Hashable)


class Work:
    """The rest of the budget of one check: units of arithmetic, tokens of words that it reads, 64-bit words of memory.

    A method that pays raises Rejected where the rest is too small.
    """

    def __init__(self) -> None:
        self.units, self.tokens, self.memory = MAX_WORK, MAX_TOKENS, MAX_MEMORY

    def spend(self, count: int, larger: int = 1, smaller: int = 1) -> None:
        """Pay for a step of `count` products of numbers of `larger` words with numbers of `smaller` words.

        A word has 64 bits. A product of numbers of L >= S words costs L (1 + S // 16) units. The step itself costs
        STEP_COST besides. `larger` and `smaller` may be exchanged.
        """
        larger, smaller = max(larger, smaller), min(larger, smaller)
        self.units -= STEP_COST + count * larger * (1 + smaller // 16)
        if self.units < 0:
            raise Rejected("certificate", "too much work", f"a check of at most {MAX_WORK} units")

    def product(self, x: int, y: int) -> int:
        """The product of two numbers."""
        self.spend(1, size(x), size(y))
        return x * y

    def hold(self, count: int, words: int) -> None:
        """Pay for the memory of `count` values, each of `words` words and 4 more. A check never gets memory back."""
        self.memory -= count * (words + 4)
        if self.memory < 0:
            raise Rejected("certificate", "too much memory", f"nodes that hold at most {MAX_MEMORY} words")

    def read_number(self, digits: int) -> None:
        """Pay for reading a number of so many digits, and for the test whether it is in lowest terms."""
        words = digits // DIGITS_PER_WORD + 1
        self.spend(DIVISION_COST, words, words)

    def read_word(self, word: Item) -> None:
        """Pay for the tokens of a word."""
        self.tokens -= word.length()
        if self.tokens < 0:
            raise Rejected(word.where, "too many tokens", f"words of at most {MAX_TOKENS} tokens in total")


def size(*numbers: int) -> int:
    """The number of 64-bit words of the longest of the numbers, with its sign; 1 if there are no numbers."""
    return max(map(int.bit_length, numbers), default=0) // 64 + 1


def dot(u: Sequence[int], v: Sequence[int]) -> int:
    """The number u'v, unpaid."""
    return sum(map(mul, u, v))


def inner(u: Sequence[int], v: Sequence[int], work: Work) -> int:
    """The number u'v."""
    work.spend(len(u), size(*u), size(*v))
    return dot(u, v)


def elementwise(u: Sequence[int], v: Sequence[int], work: Work) -> Vector:
    """The vector u o v."""
    work.spend(len(u), size(*u), size(*v))
    return list(map(mul, u, v))


def sums(terms: Iterable[tuple[Key, int, Sequence[int]]], work: Work) -> dict[Key, Vector]:
    """For each key the sum of t * vector, over the terms (key, t, vector) that have this key."""
    totals: dict[Key, Vector] = {}
    held: dict[Key, int] = {}
    for key, t, vector in terms:
        work.spend(len(vector), size(t), size(*vector))
        if (words := size(t) + size(*vector)) > held.get(key, 0):
            work.hold(len(vector), words)
            held[key] = words
        total = totals.get(key, [0] * len(vector))
        totals[key] = [x + t * y for x, y in zip(total, vector, strict=True)]
    return totals


def cancel(terms: Iterable[tuple[Key, int, Sequence[int]]], work: Work) -> bool:
    """Whether for each key the sum of t * vector, over the terms (key, t, vector) that have this key, is 0."""
    return not any(map(any, sums(terms, work).values()))


def support(vector: Sequence[Fraction | int]) -> int:
    """The set of the states at which the vector is not 0."""
    return int("".join("1" if x else "0" for x in vector)[::-1] or "0", 2)


def lowest(states: int) -> int:
    """The lowest state of a nonempty set of states."""
    return (states & -states).bit_length() - 1


def united(sets: Sequence[int], members: int) -> int:
    """The union of sets[h] over all states h of the set `members`; unpaid."""
    union = 0
    for h, others in enumerate(sets):
        if members >> h & 1:
            union |= others
    return union


def is_regular(rows: Sequence[Vector], prime: int, work: Work) -> bool:
    """Whether a square integer matrix is regular modulo the prime: its determinant is not a multiple of the prime.

    The rows are eliminated modulo the prime. A row is packed into one long number, so that one product adds a multiple
    of one row to another. An entry has enough bytes for the sum of n products of two residues, so that no entry carries
    over into the next.
    """
    n = len(rows)
    width = (2 * prime.bit_length() + n.bit_length()) // 8 + 1
    mask, words = (1 << 8 * width) - 1, n * width // 8 + 1
    work.spend(2 * DIVISION_COST * n * n, size(*(x for row in rows for x in row)))
    work.spend(n * n * STEP_COST)
    work.spend(n * n, words)
    work.hold(n, words)
    pivots: list[tuple[int, int]] = []  # reduced rows, packed; before each the bit where its first entry, 1, begins
    for row in rows:
        rest = packed([x % prime for x in row], width)
        for place, pivot in pivots:
            rest += -(rest >> place & mask) % prime * pivot
        data = rest.to_bytes(n * width, "little")
        entries = [int.from_bytes(data[i : i + width], "little") % prime for i in range(0, n * width, width)]
        first = next((i for i, x in enumerate(entries) if x), None)
        if first is None:
            return False
        inverse = pow(entries[first], -1, prime)
        pivots.append((8 * width * first, packed([x * inverse % prime for x in entries], width)))
    return True


def packed(entries: Sequence[int], width: int) -> int:
    """Pack entries >= 0 into one number. Entry i fills `width` bytes; entry 0 has the lowest bytes."""
    return int.from_bytes(b"".join(x.to_bytes(width, "little") for x in entries), "little")


@dataclass(frozen=True)
class Scaled:
    """A rational matrix, as integer rows over one denominator."""

    rows: list[Vector]
    denominator: int
    words: int  # no number in `rows` is longer
    work: Work  # what pays for the products with it

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction]], work: Work) -> "Scaled":
        """The matrix with these rows.

        Sorting brings equal denominators together. A Python set would be slow on numbers chosen to share one hash.
        """
        count = sum(map(len, rows))
        work.spend((DIVISION_COST + count.bit_length()) * count)
        work.hold(count, 1)
        denominator = 1
        for divisor, _ in groupby(sorted(number.denominator for row in rows for number in row)):
            work.spend(DIVISION_COST, size(denominator), size(divisor))
            denominator = math.lcm(denominator, divisor)
        longest = size(*(part for row in rows for number in row for part in number.as_integer_ratio()))
        work.spend(DIVISION_COST * count, size(denominator), longest)
        work.hold(count, size(denominator) + longest)
        integers = [[number.numerator * (denominator // number.denominator) for number in row] for row in rows]
        return cls(integers, denominator, size(*(number for row in integers for number in row)), work)

    def transposed(self) -> "Scaled":
        """The transpose."""
        return replace(self, rows=[list(column) for column in zip(*self.rows, strict=True)])

    def chosen(self, rows: Sequence[int]) -> "Scaled":
        """The matrix that consists of the rows with these indices."""
        return replace(self, rows=[self.rows[i] for i in rows])

    def times(self, vector: Vector) -> Vector:
        """The integer rows times a vector: the denominator times the product of the rational matrix and the vector."""
        self.work.spend(len(self.rows) * len(vector), size(*vector), self.words)
        return [dot(row, vector) for row in self.rows]


def integers(numbers: Sequence[Fraction], work: Work) -> Vector:
    """The numbers times their common denominator."""
    return Scaled.of([numbers], work).rows[0]


def is_dual(numbers: list[Fraction], i: int, columns: Scaled) -> bool:
    """Whether the inner product of `numbers` with row i of `columns` is 1, and that with each other row is 0.

    The rows of `columns` are columns of W.
    """
    row = Scaled.of([numbers], columns.work)  # each row over its own denominator
    unit = columns.work.product(row.denominator, columns.denominator)
    return columns.times(row.rows[0]) == [unit if j == i else 0 for j in range(len(columns.rows))]
