"""Exact arithmetic, and what it costs: section 8 of docs/certificate-format.md. Longer numbers cost more."""

from fractions import Fraction
from random import Random

import pytest
from flint import fmpz_mat

from verify.kernel.base.exact import MAX_MEMORY, MAX_TOKENS, MAX_WORK, Scaled, Work, is_regular, lowest, size
from verify.kernel.base.item import Item, Rejected


def test_a_matrix_is_carried_over_its_least_common_denominator() -> None:
    matrix = Scaled.of([[Fraction(1, 6), Fraction(-1, 4)], [Fraction(0), Fraction(2)]], Work())
    assert (matrix.rows, matrix.denominator, matrix.words) == ([[2, -3], [0, 24]], 12, 1)
    assert Scaled.of([], Work()).denominator == 1


def test_the_size_of_a_number_is_its_words_and_the_first_state_of_a_set_its_lowest_bit() -> None:
    assert [size(), size(0), size(2**63), size(-(2**64)), size(1, 2**128)] == [1, 1, 2, 2, 3]
    assert [lowest(1), lowest(0b1100), lowest(0b1010000)] == [0, 2, 4]


def test_a_limit_may_be_reached_and_not_passed() -> None:
    work = Work()
    work.spend(MAX_WORK - 32)
    with pytest.raises(Rejected, match="too much work"):
        work.spend(0)
    work = Work()
    work.hold(MAX_MEMORY // 8, 4)
    with pytest.raises(Rejected, match="too much memory"):
        work.hold(1, 0)
    work = Work()
    work.read_word(Item([0] * MAX_TOKENS, "a word"))
    work.read_word(Item([], "no word"))
    with pytest.raises(Rejected, match="too many tokens"):
        work.read_word(Item([0], "a word"))


@pytest.mark.parametrize("prime", [2, 3, 7, 2**31 - 1])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 40])
def test_elimination_by_rows_says_whether_a_prime_divides_the_determinant(size: int, prime: int) -> None:
    """Entries are around 0, or as large as they can be modulo the prime. In some matrices two rows agree modulo it."""
    draw = Random(size)
    for low, high in ((-2, 2), (-10, 0), (prime - 2, prime - 1)):
        for dependent in range(min(size, 3)):
            rows = [[draw.randint(low, high) for _ in range(size)] for _ in range(size)]
            if dependent:
                rows[dependent] = [x + prime * y for x, y in zip(rows[0], rows[-1], strict=True)]
            assert is_regular(rows, prime, Work()) == (int(fmpz_mat(rows).det()) % prime != 0)


def test_no_sum_of_a_rows_multiples_carries_over_into_the_next_entry() -> None:
    """Each row but the last is 1 on the diagonal and -1 at the end.

    To clear the last row, `is_regular` adds `prime` - 1 times each other row to it.
    """
    prime, size = 2**31 - 1, 300
    rows = [[int(i == j) or -(j == size - 1) for j in range(size)] for i in range(size - 1)]
    last = [1] * size
    assert is_regular([*rows, last], prime, Work()) == (size % prime != 0)
    assert not is_regular([*rows, [*last[:-1], 1 - size]], prime, Work())
