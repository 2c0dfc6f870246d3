"""`WordSteps` takes the steps of Hbar. A and W are those of Hbar, and all results have the factor `scale`.

`before` maps v to A'(W[z,:] o v). `onward`, and then `emitting`, map v to W[z,:] o (A v).

Notation: constructions/__init__.py.
"""

from fractions import Fraction

from checks import SOME
from hypothesis import given
from hypothesis import strategies as st

from constructions.linear import combine
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.word_steps import WordSteps
from verify.strategies import memory


@SOME
@given(memory.memory_hmms(cells=(1, 2), values=(1, 3), syntax=(1, 2), tokens=(1, 3)), st.data())
def test_a_step_on_blocks_is_that_of_the_whole_chain(model: MemoryHMM, data: st.DataObject) -> None:
    hbar, columns = joint_model(model), model.shape.read
    rows = data.draw(st.lists(st.tuples(*[st.integers(0, 3)] * len(columns)), min_size=1, max_size=3))
    steps = WordSteps(model.transition, tuple(tuple(row[c] for c in columns) for row in model.emission))
    for token, law in enumerate(hbar.emission):
        read = [tuple(Fraction(p * v) for p, v in zip(law, row, strict=True)) for row in rows]
        assert [hbar.predict(token, row) for row in rows] == list(map(hbar.step, read))
        expected = [combine(weights, hbar.transition) for weights in read]
        assert [tuple(Fraction(v, steps.scale) for v in row) for row in steps.before(token, rows)] == expected
        after = [hbar.step(row) for row in rows]
        expected = [tuple(p * v for p, v in zip(law, row, strict=True)) for row in after]
        onward = steps.emitting(steps.onward(rows), token)
        assert [tuple(Fraction(v, steps.scale) for v in row) for row in onward] == expected
